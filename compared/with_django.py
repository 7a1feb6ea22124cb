"""The list with Django's ORM on SQLite: an index for each sort, and the paginator of Django."""

import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

from django.core.paginator import Page, Paginator
from django.db import connection, models
from django.db.models import Count

from compared.questions import FACETS, HOTEL, PAGE_SIZE, Question
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


class List:
    """The list of the rooms of a hotel."""

    def fill(self, rooms: list[Values]) -> None:
        with connection.schema_editor() as editor:
            editor.create_model(Room)
        Room.objects.bulk_create(Room(hotel=HOTEL, **values) for values in rooms)

    def page(self, question: Question, turn: str, seen: Page[Room] | None) -> Page[Room]:
        order = [*question.sort]
        order += [name for name in FACETS if name not in order and order != ["rate"]]
        sign = "-" if question.descending else ""
        rows = self.selected(question).order_by(*(f"{sign}{name}" for name in (*order, "number")))
        pages = Paginator(rows, PAGE_SIZE)
        if seen is not None and turn != "last":
            return pages.page(seen.number + (1 if turn == "next" else -1))
        return pages.page(pages.num_pages if turn == "last" else 1)

    def numbers(self, page: Page[Room]) -> list[str]:
        return [room.number for room in page]

    def selected(self, question: Question, besides: str = "") -> models.QuerySet[Room]:
        values = {f"{name}__in": allowed for name, allowed in question.values.items() if name != besides}
        sizes = {"size__range": question.sizes} if question.sizes and besides != "size" else {}
        return Room.objects.filter(hotel=HOTEL, **values, **sizes)

    def facets(self, question: Question) -> dict[str, Any]:
        found: dict[str, Any] = {"total": self.selected(question).count()}
        for facet in FACETS:
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


def used() -> Counter[str]:
    found = Counter[str]()

    def seen() -> bool:
        found["items"] += 1
        return True

    connection.ensure_connection()
    connection.connection.create_function("seen", 0, seen)
    connection.execute_wrappers.append(partial(count_rows, found))
    return found
