"""The table of hotels: shares and trends, by which hotels of any size compare, each with the list that it counts."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

from django.contrib.humanize.templatetags.humanize import intcomma

from dynamodb_lists import SortedRows
from dynamodb_lists.schema import keys
from hotels.entities import (
    LATE,
    REVENUE,
    Hotel,
    HotelStatistics,
    Stored,
    average_rating,
    last_days,
    month_of,
    orders_of_days,
    ratings_of,
    year_before,
)
from orders.apps import VIEW_ORDERS
from overview.forms import LAST_YEAR
from overview.views import figures
from overview.views.figures import Lists
from portal.money import money
from reviews.apps import VIEW_REVIEWS
from rooms.apps import VIEW_ROOMS
from rooms.statuses import Housekeeping, Service

NONE, MIDDLE = "–", 5 * 10**13
"""What stands for a figure that nothing gives; and what is added to each, so that all have as many digits."""

MOST_PERCENT = 999
"""A larger change is not written out: there was hardly anything to compare with."""

Sums = Sequence[Counter[Any]]
"""What the table counts of a hotel, or of several: numbers by name; ratings of all time, of this month and of the month
before, or that of last year; and by currency the revenue of the days of :func:`periods`."""


def periods(today: date, against: str) -> tuple[tuple[date, date], tuple[date, date]]:
    """Return the first and the last of the days that figures are about, and of the days that they are compared with."""
    if against != LAST_YEAR:
        return last_days(today), last_days(today, 1)
    first = today.replace(day=1)
    return (first, today), (year_before(first), year_before(today))


def sums_of(stored: Sequence[Stored], today: date, against: str = "") -> Sums:
    found = HotelStatistics.of(stored, today)
    *_, before, now = found.ratings.values()
    if against == LAST_YEAR:
        before = ratings_of(stored, month_of(year_before(today)))
    numbers = Counter({**found.rooms, "rooms": figures.rooms_of(found.rooms), "unanswered": found.unanswered})
    numbers.update(waiting=figures.unfinished_orders(found), late=figures.late_orders(found))
    days, earlier = periods(today, against)
    of_days = orders_of_days(stored, days[0], date.max), orders_of_days(stored, *earlier)  # clocks differ
    revenue = (Counter({currency: each[REVENUE] for currency, each in found.items()}) for found in of_days)
    return numbers, *map(Counter, (found.all_ratings, now, before)), *revenue


class Cell(NamedTuple):
    """A figure: its lines, each with a note; the list that it counts; its place in the sort of its column.

    A ``share`` is the length of a bar. All bars have the same scale, from nothing to all. Files have its ``value``.
    """

    lines: Sequence[tuple[str, str]]
    address: str
    place: str = ""
    share: str = ""
    tone: str = ""
    value: Any = ""


def _number(number: int, address: str, tone: str = "") -> Cell:
    return Cell([(intcomma(number), "")], address, _place(number), tone=tone, value=number)


def _share(number: int, of: int, address: str, tone: str) -> Cell:
    share = 100 * number / of if of else 0
    return Cell([(f"{share:.0f}%", intcomma(number))], address, _place(share), f"{share:.2f}%", tone, number)


def _rating(average: Decimal | None, address: str, before: Decimal | None = None) -> Cell:
    change = _signed(average - before) if average and before else ""
    return Cell([(str(average or NONE), change)], address, _place(average), value=average)


def _place(number: Decimal | float | None, group: str = "") -> str:
    """Return the rank of a figure among others as a text; blank without a figure."""
    return "" if number is None else f"{group}{MIDDLE + number:.4f}"


def _signed(change: Decimal | int) -> str:
    return f"{change:+}".replace("-", "−") if change else f"{abs(change)}"


def _percent(change: float) -> str:
    return f"over +{MOST_PERCENT}%" if change > MOST_PERCENT else f"{_signed(round(change))}%"


def _of_rooms(sums: Sums, lists: Lists, today: date, against: str) -> dict[str, Cell]:
    (dirty, broken), numbers = (Housekeeping.DIRTY, Service.OUT_OF_ORDER), sums[0]
    return {
        "rooms": _number(numbers["rooms"], lists.of(figures.ROOMS)),
        "dirty": _share(numbers[dirty], numbers["rooms"], lists.of(figures.HOUSEKEEPING, status=dirty), dirty),
        "broken": _share(numbers[broken], numbers["rooms"], lists.of(figures.REPAIRS), broken),
    }


def _of_orders(sums: Sums, lists: Lists, today: date, against: str) -> dict[str, Cell]:
    """Return the cells of orders and revenue, by currency, the currency of most orders first."""
    numbers, *_, now, before = sums
    late, waited = numbers["late"], LATE[0].days(today)[1]
    last, earlier = (lists.orders(*days) for days in periods(today, against))
    known = sorted(now.keys() | before.keys(), key=lambda each: (-now[each], each))
    changes = [100 * (now[each] - before[each]) / before[each] if before[each] else None for each in known]
    amounts = [(money(Decimal(now[each]), each), "") for each in known[: figures.CURRENCIES]] or [(NONE, "")]
    more = [(f"and {len(known) - figures.CURRENCIES} more", "")] if len(known) > figures.CURRENCIES else []
    percent = [(NONE if each is None else _percent(each), "") for each in changes[: figures.CURRENCIES]]
    in_file = "; ".join(f"{each} {Decimal(now[each]):f}" for each in known)
    by_currency = zip(known, changes, strict=True)
    changed = "; ".join(f"{each} {change:+.1f}%" for each, change in by_currency if change is not None)
    return {
        "waiting": _number(numbers["waiting"], lists.unfinished()),
        "late": _number(late, lists.unfinished(days=(None, waited)), "late" if late else ""),
        "revenue": Cell(amounts + more, last, _place(now[known[0]], known[0]) if known else "", value=in_file),
        "change": Cell(percent or [(NONE, "")], earlier, _place(changes[0]) if changes else "", value=changed),
    }


def _of_reviews(sums: Sums, lists: Lists, today: date, against: str) -> dict[str, Cell]:
    ever, now, before = map(average_rating, sums[1:4])
    return {
        "unanswered": _number(sums[0]["unanswered"], lists.unanswered()),
        "rating": _rating(ever, lists.of(figures.REVIEWS)),
        "month": _rating(now, lists.reviews(today), before),
    }


CELLS: dict[str, Callable[[Sums, Lists, date, str], dict[str, Cell]]] = {
    VIEW_ROOMS: _of_rooms,
    VIEW_ORDERS: _of_orders,
    VIEW_REVIEWS: _of_reviews,
}
"""The cells of a line by the name of their column, for those with a permission."""


def by_place(places: Iterable[tuple[Hotel, str]], selected: str, *, descending: bool) -> SortedRows[Hotel]:
    """Hotels sorted by a figure, each with its place; those without a place are the last."""
    last = "" if descending else keys.HIGHEST
    placed = (((place or last, each.hotel_id), each) for each, place in places)
    why = "The statistics of each hotel are read, and the hotels sorted in memory."
    return SortedRows.of(placed, why=why, name="hotels by figures", selected=selected, descending=descending)
