"""Songs, by album or by record label."""

from dynamodb_lists.django.admin import ListAdmin, register
from music.models import SONGS


@register(SONGS)
class SongAdmin(ListAdmin):
    list_display = ["Title", "Artist", "Album", "RecordLabel", "Sales"]
    list_filter = ["Sales"]
