"""The table of hotels: shares and trends, by which hotels of any size compare, each with the list that it counts."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import partial
from operator import add
from typing import NamedTuple

from django.contrib.humanize.templatetags.humanize import intcomma

from dynamodb_lists.reading.cursors import Position
from dynamodb_lists.reading.lists import Grounds, Row
from dynamodb_lists.reading.sorting import SortedRows
from dynamodb_lists.schema.keys import HIGHEST
from hotels.entities import DAYS, Hotel, HotelStatistics, Stored, average_rating, revenue_trends
from orders.apps import VIEW_ORDERS
from overview.forms import SORTS
from overview.views.figures import (
    CURRENCIES,
    HOUSEKEEPING,
    LATE,
    ORDERS,
    REPAIRS,
    REVIEWS,
    ROOMS,
    Lists,
    late_orders,
    rooms_of,
    unfinished_orders,
)
from portal.lists.sorting import SortColumn
from portal.money import money
from reviews.apps import VIEW_REVIEWS
from rooms.apps import VIEW_ROOMS
from rooms.statuses import Housekeeping, Service

NONE, MIDDLE = "–", 5 * 10**13
"""What stands for a figure that nothing gives; and what is added to each, so that all have as many digits."""


@dataclass(frozen=True, slots=True)
class Sums:
    """What the table says of a hotel, or of its hotels together.

    ``ratings`` are those of all time, of this month and of the month before. ``revenue`` is by currency: that of the
    :data:`DAYS` days before today, and of as many days before these.
    """

    today: date
    numbers: Counter[str]
    ratings: tuple[Counter[int], ...]
    revenue: tuple[Counter[str], ...]

    @classmethod
    def of(cls, stored: Sequence[Stored], today: date) -> "Sums":
        found = HotelStatistics.of(stored, today)
        *_, before, now = found.ratings.values()
        orders = {"waiting": unfinished_orders(found), "late": late_orders(found)}
        numbers = Counter({**found.rooms, **orders, "rooms": rooms_of(found.rooms)})
        ratings = Counter(found.all_ratings), Counter(now), Counter(before)
        return cls(today, numbers, ratings, revenue_trends(stored, today))

    def __add__(self, other: "Sums") -> "Sums":
        ratings, revenue = map(add, self.ratings, other.ratings), map(add, self.revenue, other.revenue)
        return Sums(self.today, self.numbers + other.numbers, (*ratings,), (*revenue,))


class Cell(NamedTuple):
    """A figure: its lines, each with a note; the list that it counts; its place in the sort of its column.

    A ``share`` is the length of a bar. All bars have the same scale, from nothing to all.
    """

    lines: Sequence[tuple[str, str]]
    address: str
    place: str = ""
    share: str = ""
    tone: str = ""


class Column(NamedTuple):
    """A column, for those with the permission to see what it counts."""

    sort: SortColumn
    permission: str
    cell: Callable[[Sums, Lists], Cell]


def _place(number: Decimal | float | None, group: str = "") -> str:
    """The place of a figure among others as a text; blank for none."""
    return "" if number is None else f"{group}{MIDDLE + number:.4f}"


def _number(name: str, find: Callable[[Lists, date], str], sums: Sums, lists: Lists) -> Cell:
    number = sums.numbers[name]
    return Cell(
        [(intcomma(number), "")], find(lists, sums.today), _place(number), tone="late" if name == "late" else ""
    )


def _share(status: Housekeeping | Service, sums: Sums, lists: Lists) -> Cell:
    number, rooms = sums.numbers[status], sums.numbers["rooms"]
    share = 100 * number / rooms if rooms else 0
    where = lists.of(REPAIRS) if status == Service.OUT_OF_ORDER else lists.of(HOUSEKEEPING, status=status)
    return Cell([(f"{share:.0f}%", intcomma(number))], where, _place(share), f"{share:.2f}%", status)


def _rating(sums: Sums, lists: Lists) -> Cell:
    average = average_rating(sums.ratings[0])
    return Cell([(str(average or NONE), "")], lists.of(REVIEWS), _place(average))


def _rating_of_month(sums: Sums, lists: Lists) -> Cell:
    now, before = map(average_rating, sums.ratings[1:])
    change = _signed(now - before) if now and before else ""
    return Cell([(str(now or NONE), change)], lists.reviews(sums.today), _place(now))


def _revenue(sums: Sums, lists: Lists) -> Cell:
    amounts, shown = sums.revenue[0], _currencies(sums)
    lines = [(money(Decimal(amounts[each]), each), "") for each in shown[:CURRENCIES]]
    if more := shown[CURRENCIES:]:
        lines.append((f"and {', '.join(more)}", ""))
    days = {"from": sums.today - timedelta(days=DAYS), "to": sums.today - timedelta(days=1)}
    place = _place(amounts[shown[0]], shown[0]) if shown else ""
    return Cell(lines or [(NONE, "")], lists.of(ORDERS, **days), place)


def _change(sums: Sums, lists: Lists) -> Cell:
    now, before = sums.revenue
    changes = [100 * (now[each] - before[each]) / before[each] if before[each] else None for each in _currencies(sums)]
    lines = [(NONE if each is None else f"{_signed(round(each))}%", "") for each in changes[:CURRENCIES]]
    days = {"from": sums.today - timedelta(days=2 * DAYS), "to": sums.today - timedelta(days=DAYS + 1)}
    return Cell(lines or [(NONE, "")], lists.of(ORDERS, **days), _place(next(iter(changes), None)))


def _signed(change: Decimal | int) -> str:
    return f"{change:+}".replace("-", "−") if change else f"{abs(change)}"


def _currencies(sums: Sums) -> list[str]:
    """The currencies of the revenue, that of most first."""
    now, before = sums.revenue
    return sorted(now.keys() | before.keys(), key=lambda each: (-now[each], each))


def _late(lists: Lists, today: date) -> str:
    return lists.unfinished(days=(None, LATE[0].days(today)[1]))


COLUMNS = (
    Column(SORTS["rooms"], VIEW_ROOMS, partial(_number, "rooms", lambda lists, _: lists.of(ROOMS))),
    Column(SORTS["dirty"], VIEW_ROOMS, partial(_share, Housekeeping.DIRTY)),
    Column(SORTS["broken"], VIEW_ROOMS, partial(_share, Service.OUT_OF_ORDER)),
    Column(SORTS["waiting"], VIEW_ORDERS, partial(_number, "waiting", lambda lists, _: lists.unfinished())),
    Column(SORTS["late"], VIEW_ORDERS, partial(_number, "late", _late)),
    Column(SORTS["revenue"], VIEW_ORDERS, _revenue),
    Column(SORTS["change"], VIEW_ORDERS, _change),
    Column(SORTS["rating"], VIEW_REVIEWS, _rating),
    Column(SORTS["month"], VIEW_REVIEWS, _rating_of_month),
)


def cells(columns: Iterable[Column], sums: Sums, lists: Lists) -> list[Cell]:
    return [column.cell(sums, lists) for column in columns]


def by_column(
    column: Column | None, hotels: Mapping[str, Hotel], sums: Mapping[str, Sums], *, descending: bool
) -> SortedRows[Hotel]:
    """The hotels sorted by a column, or by their names; those without a figure are the last."""
    rows, last = list[Row[Hotel]](), "" if descending else HIGHEST
    for hotel_id, hotel in hotels.items():
        place = column.cell(sums[hotel_id], Lists(hotel_id)).place if column else hotel.name.casefold()
        rows.append(Row(Position(place or last, (hotel_id,)), hotel))
    return SortedRows(
        name="hotels by figures",
        selected=repr((column and column.sort.name, descending)),
        descending=descending,
        total=len(rows),
        rows=sorted(rows, key=lambda row: row.position),
        grounds=Grounds(why="The statistics of each hotel are read, and the hotels sorted in memory."),
    )
