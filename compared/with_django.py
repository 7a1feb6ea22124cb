"""The list with Django's ORM on SQLite: an index for each sort, and the paginator of Django."""

import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, NamedTuple

import django
from django.conf import settings

if not settings.configured:
    settings.configure(DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}})
    django.setup()

from django.core.paginator import Page as DjangoPage
from django.core.paginator import Paginator
from django.db import connection, models
from django.db.models import Count

from compared import contender
from compared.questions import HOTEL, PAGE_SIZE
from compared.questions import Room as Values


class Room(models.Model):
    """A room, with an index for each sort."""

    hotel = models.CharField(max_length=64)
    number = models.CharField(max_length=16)
    view = models.CharField(max_length=64)
    size = models.PositiveIntegerField()
    type = models.CharField(max_length=64)
    rate = models.DecimalField(max_digits=10, decimal_places=2)
    currency = models.CharField(max_length=3)

    objects: ClassVar[models.Manager["Room"]]

    class Meta:
        app_label = "compared"
        constraints = [models.UniqueConstraint(fields=["hotel", "number"], name="number")]
        indexes = [
            models.Index(fields=["hotel", "view", "size", "type", "number"], name="by_view"),
            models.Index(fields=["hotel", "size", "view", "type", "number"], name="by_size"),
            models.Index(fields=["hotel", "type", "size", "view", "number"], name="by_type"),
            models.Index(fields=["hotel", "rate", "number"], name="by_rate"),
        ]

    def __str__(self) -> str:
        return self.number


class Page(NamedTuple):
    """A page of Django's paginator."""

    page: DjangoPage[Room]

    @property
    def numbers(self) -> list[str]:
        return [room.number for room in self.page]


class List:
    """The list of the rooms of a hotel."""

    def fill(self, rooms: list[Values]) -> None:
        with connection.schema_editor() as editor:
            editor.create_model(Room)
        Room.objects.bulk_create(Room(hotel=HOTEL, **values) for values in rooms)

    def page(self, question: contender.Question, turn: str, seen: Page | None) -> Page:
        order = [*question["sort"]]
        order += [name for name in ("view", "size", "type") if name not in order and order != ["rate"]]
        sign = "-" if question["descending"] else ""
        rows = self.selected(question).order_by(*(f"{sign}{name}" for name in (*order, "number")))
        pages = Paginator(rows, PAGE_SIZE)
        if seen and turn != "last":
            return Page(pages.page(seen.page.number + (1 if turn == "next" else -1)))
        return Page(pages.page(pages.num_pages if turn == "last" else 1))

    def selected(self, question: contender.Question, besides: str = "") -> models.QuerySet[Room]:
        values = {f"{name}__in": allowed for name, allowed in question["values"].items() if name != besides}
        sizes = {"size__range": question["sizes"]} if question["sizes"] and besides != "size" else {}
        return Room.objects.filter(hotel=HOTEL, **values, **sizes)

    def facets(self, question: contender.Question) -> dict[str, Any]:
        found: dict[str, Any] = {"total": self.selected(question).count()}
        for facet in ("view", "size", "type"):
            counts = self.selected(question, besides=facet).values_list(facet).annotate(Count("pk")).order_by()
            found[facet] = {str(value): count for value, count in counts}
        return found

    def edit(self, values: Values) -> None:
        room = Room.objects.get(hotel=HOTEL, number=values["number"])
        room.view = values["view"]
        room.save()


# --- Measuring: a condition that SQLite calls for each row that it reaches ----------------------------------


def count_rows(used: Counter[str], execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
    """Run a statement in which the function ``seen()`` counts each row before the other conditions are checked."""
    used["requests"] += 1
    return execute(re.sub(r"\bWHERE\b", "WHERE seen() AND", sql, count=1), params, many, context)


def main() -> None:
    used = Counter[str]()

    def seen() -> bool:
        used["items"] += 1
        return True

    connection.ensure_connection()
    connection.connection.create_function("seen", 0, seen)
    with connection.execute_wrapper(partial(count_rows, used)):
        contender.run(List(), lambda: used)


if __name__ == "__main__":
    main()
