"""Books of one library, and loans of several, with a field of each type."""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated

from dynamodb_lists import Field, KeptOrder, List, Record


class Binding(StrEnum):
    HARDBACK = "hardback"
    PAPERBACK = "paperback"


@dataclass(frozen=True, kw_only=True)
class Book(Record):
    shelf: str
    title: str
    author: str
    genre: str = ""
    language: str = ""
    year: int | None = None
    binding: Binding = Binding.PAPERBACK
    rare: bool = False
    price: Decimal = Decimal(0)
    bought: datetime | None = None
    summary: Annotated[str, Field("Summary", listed=False)] = ""

    @property
    def age(self) -> int:
        return 2026 - (self.year or 2026)

    def __str__(self) -> str:
        return f"{self.title} ({self.shelf})"


@dataclass(frozen=True, kw_only=True)
class Loan(Record):
    library: str
    number: str
    genre: str
    member: str
    due: date
    returned: date | None = None


@dataclass(frozen=True, kw_only=True)
class Library(Record):
    code: str
    name: str


LIBRARIES = List(Library, id="code", sorts="name", name="libraries", kind="library")
BOOKS = List(
    Book,
    id="shelf",
    facets=("genre", "language", "binding", "rare"),
    sorts=("title", "year", "price", "bought"),
    orders=(
        ("genre", "language", "binding", "rare"),
        ("language", "genre"),
        "title",
        "year",
        ("genre", "year"),
        "price",
        "bought",
    ),
    words=("title", "author"),
)
LOANS = List(
    Loan,
    owner="library",
    id="number",
    facets=("genre", "member"),
    sorts="due",
    sparse={"open": KeptOrder("due", when=lambda loan: loan.returned is None)},
)
