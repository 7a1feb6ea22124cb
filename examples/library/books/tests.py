"""Books, from the address to the table."""

from django.contrib.auth.models import User
from django.test import TestCase

from dynamodb_lists.testing import EmptyTables

EMMA = {"shelf": "N-1", "title": "Emma", "author": "Austen", "genre": "Novel", "language": "English", "year": "1815"}


class BookTest(EmptyTables, TestCase):
    def test_a_book_is_added_and_found(self) -> None:
        self.client.force_login(User.objects.create_superuser("ada"))
        self.client.post("/admin/books/book/add/", EMMA)
        self.assertContains(self.client.get("/admin/books/book/?q=aus&genre=Novel"), ">Emma</a>")
