"""A Django admin for any declared list, on the stock admin site::

@register(BOOKS)
class BookAdmin(ListAdmin):
    list_display = ["title", "author", "genre", "year"]
    list_filter = ["genre", "language"]
    ordering = ["-year"]
    search_fields = ["title"]
"""

from dynamodb_lists.django.admin.forms import RowForm
from dynamodb_lists.django.admin.options import ListAdmin, register

__all__ = ["ListAdmin", "RowForm", "register"]
