"""The list of a library's books."""

from dataclasses import dataclass

from dynamodb_lists import List, Record


@dataclass(frozen=True, kw_only=True)
class Book(Record):
    """A book. ``year`` is that of its first edition."""

    shelf: str
    title: str
    author: str
    genre: str
    language: str
    year: int

    def __str__(self) -> str:
        return f"{self.title} ({self.shelf})"


BOOKS = List(
    Book,
    id="shelf",
    facets=("genre", "language"),
    sorts=("title", "year"),
    orders=(("genre", "language"), ("language", "genre"), "title", "year", ("genre", "year")),
    words=("title", "author"),
)
