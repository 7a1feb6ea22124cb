"""The table of hotels: shares and trends, by which hotels of any size compare, each with the list that it counts."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple

from django.contrib.humanize.templatetags.humanize import intcomma

from dynamodb_lists.reading.cursors import Position
from dynamodb_lists.reading.lists import Row
from dynamodb_lists.reading.sorting import SortedRows
from dynamodb_lists.schema.keys import HIGHEST
from hotels.entities import DAYS, Hotel, HotelStatistics, Stored, average_rating, revenue_trends
from orders.apps import VIEW_ORDERS
from overview.views import figures
from overview.views.figures import Lists
from portal.money import money
from reviews.apps import VIEW_REVIEWS
from rooms.apps import VIEW_ROOMS
from rooms.statuses import Housekeeping, Service

NONE, MIDDLE = "–", 5 * 10**13
"""What stands for a figure that nothing gives; and what is added to each, so that all have as many digits."""

Sums = Sequence[Counter[Any]]
"""What the table counts of a hotel, or of several: numbers by name; ratings of all time, of this month and of the month
before; and by currency the revenue of the :data:`DAYS` days before today and of as many before these."""


def sums_of(stored: Sequence[Stored], today: date) -> Sums:
    found = HotelStatistics.of(stored, today)
    *_, before, now = found.ratings.values()
    orders = {"waiting": figures.unfinished_orders(found), "late": figures.late_orders(found)}
    numbers = Counter({**found.rooms, **orders, "rooms": figures.rooms_of(found.rooms)})
    return numbers, *map(Counter, (found.all_ratings, now, before)), *revenue_trends(stored, today)


class Cell(NamedTuple):
    """A figure: its lines, each with a note; the list that it counts; its place in the sort of its column.

    A ``share`` is the length of a bar. All bars have the same scale, from nothing to all.
    """

    lines: Sequence[tuple[str, str]]
    address: str
    place: str = ""
    share: str = ""
    tone: str = ""


def _place(number: Decimal | float | None, group: str = "") -> str:
    """The place of a figure among others as a text; blank for none."""
    return "" if number is None else f"{group}{MIDDLE + number:.4f}"


def _number(name: str, find: Callable[[Lists, date], str], sums: Sums, lists: Lists, today: date) -> Cell:
    number = sums[0][name]
    return Cell([(intcomma(number), "")], find(lists, today), _place(number), tone=name if number else "")


def _share(status: Housekeeping | Service, sums: Sums, lists: Lists, today: date) -> Cell:
    number, rooms = sums[0][status], sums[0]["rooms"]
    share = 100 * number / rooms if rooms else 0
    dirty = lists.of(figures.HOUSEKEEPING, status=status)
    where = dirty if status == Housekeeping.DIRTY else lists.of(figures.REPAIRS)
    return Cell([(f"{share:.0f}%", intcomma(number))], where, _place(share), f"{share:.2f}%", status)


def _rating(sums: Sums, lists: Lists, today: date) -> Cell:
    average = average_rating(sums[1])
    return Cell([(str(average or NONE), "")], lists.of(figures.REVIEWS), _place(average))


def _rating_of_month(sums: Sums, lists: Lists, today: date) -> Cell:
    now, before = map(average_rating, sums[2:4])
    change = _signed(now - before) if now and before else ""
    return Cell([(str(now or NONE), change)], lists.reviews(today), _place(now))


def _revenue(change: bool, sums: Sums, lists: Lists, today: date) -> Cell:
    """The revenue by currency, that of most first, or how it has changed, in per cent."""
    *_, now, before = sums
    currencies = sorted(now.keys() | before.keys(), key=lambda each: (-now[each], each))
    changes = [100 * (now[each] - before[each]) / before[each] if before[each] else None for each in currencies]
    lines, place = [(money(Decimal(now[each]), each), "") for each in currencies], ""
    if currencies:
        place = _place(changes[0]) if change else _place(now[currencies[0]], currencies[0])
    if change:
        lines = [(NONE if each is None else f"{_signed(round(each))}%", "") for each in changes]
    since, until = (today - timedelta(days=days + DAYS * change) for days in (DAYS, 1))
    more = [(f"and {len(lines) - figures.CURRENCIES} more", "")] if len(lines) > figures.CURRENCIES else []
    address = lists.of(figures.ORDERS, **{"from": since, "to": until})
    return Cell([*lines[: figures.CURRENCIES], *more] or [(NONE, "")], address, place)


def _signed(change: Decimal | int) -> str:
    return f"{change:+}".replace("-", "−") if change else f"{abs(change)}"


def _late(lists: Lists, today: date) -> str:
    return lists.unfinished(days=(None, figures.LATE[0].days(today)[1]))


CELLS: Mapping[str, tuple[str, Callable[[Sums, Lists, date], Cell]]] = {
    "rooms": (VIEW_ROOMS, partial(_number, "rooms", lambda lists, _: lists.of(figures.ROOMS))),
    "dirty": (VIEW_ROOMS, partial(_share, Housekeeping.DIRTY)),
    "broken": (VIEW_ROOMS, partial(_share, Service.OUT_OF_ORDER)),
    "waiting": (VIEW_ORDERS, partial(_number, "waiting", lambda lists, _: lists.unfinished())),
    "late": (VIEW_ORDERS, partial(_number, "late", _late)),
    "revenue": (VIEW_ORDERS, partial(_revenue, False)),
    "change": (VIEW_ORDERS, partial(_revenue, True)),
    "rating": (VIEW_REVIEWS, _rating),
    "month": (VIEW_REVIEWS, _rating_of_month),
}
"""For each column of figures, the permission to see it, and its cell."""


def by_place(places: Iterable[tuple[Hotel, str]], selected: str, *, descending: bool) -> SortedRows[Hotel]:
    """Hotels sorted by a figure, each with its place; those without a place are the last."""
    last = "" if descending else HIGHEST
    rows = sorted((Row(Position(place or last, (each.hotel_id,)), each) for each, place in places), key=itemgetter(0))
    return SortedRows(name="hotels by figures", selected=selected, descending=descending, total=len(rows), rows=rows)
