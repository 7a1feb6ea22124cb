"""The pages of the list of books."""

from books.models import BOOKS
from dynamodb_lists.django.admin import ListAdmin, register


@register(BOOKS)
class BookAdmin(ListAdmin):
    """The list, and the forms to add, change and delete a book."""

    list_display = ["title", "author", "genre", "language", "year"]
    list_filter = ["genre", "language", "year"]
    ordering = ["-year"]
    search_fields = ["title", "author"]
