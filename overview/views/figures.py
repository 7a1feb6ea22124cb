"""The figures of the start pages, each with the list that it counts: plots, and the table of hotels."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache, partial
from typing import Any, NamedTuple

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.http import urlencode

from dynamodb_lists import SortedRows
from dynamodb_lists.schema import keys
from hotels.entities import (
    AGES,
    OLD,
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
from orders.statuses import UNFINISHED
from overview.forms import LAST_YEAR
from overview.views.plots import Piece, Plot, PlotBar
from portal.frame import address
from portal.lists.days import month_days
from portal.money import money
from reviews.apps import VIEW_REVIEWS
from rooms.apps import VIEW_ROOMS
from rooms.statuses import Housekeeping, Service, status_words

ROOMS, HOUSEKEEPING, REPAIRS, REVIEWS = "rooms:rooms", "rooms:attention", "rooms:repairs", "reviews:reviews"
ORDERS, UNFINISHED_ORDERS = "orders:hotel_orders", "orders:hotel_unfinished"
"""Lists of a hotel, by the names of their URLs."""

OF_HOTELS = {
    ORDERS: "orders:orders",
    UNFINISHED_ORDERS: "orders:unfinished",
    HOUSEKEEPING: "rooms:attention_of_hotels",
    REPAIRS: "rooms:repairs_of_hotels",
}
SHOWN = (Housekeeping.CLEAN, Housekeeping.INSPECTED, Housekeeping.DIRTY, Service.OUT_OF_ORDER)
RATINGS = (5, 4, 3, 2, 1)
CURRENCIES = 5
WEEK = 7


class Lists(NamedTuple):
    """The addresses of a hotel's lists; with a blank id, of lists of some hotels or all, or of its hotels' lines."""

    hotel_id: str = ""
    chosen: tuple[str, ...] = ()

    def of(self, name: str, **filters: Any) -> str:
        """Return the address of a hotel's list, or of the group's, by the name of its URL, with filters."""
        if not self.hotel_id and name not in OF_HOTELS:
            return "#hotels"
        of_hotels = (("hotel", each) for each in self.chosen)
        query = _query(*((name, value) for name, value in filters.items() if value), *of_hotels)
        path = address(name, self.hotel_id) if self.hotel_id else address(OF_HOTELS[name])
        return f"{path}?{query}".removesuffix("?")

    def orders(self, first: date, last: date | None = None) -> str:
        """Return the orders that were placed on these days, or on one, of their hotel."""
        return self.of(ORDERS, **{"from": first, "to": last or first})

    def reviews(self, day: date) -> str:
        """Return the reviews that were written in the UTC month of a day."""
        first, last = month_days(day)
        return self.of(REVIEWS, **{"from": first, "to": last}, zone="UTC")

    def unanswered(self) -> str:
        hotels = self.chosen or [self.hotel_id] * bool(self.hotel_id)
        return f"{address('reviews:unanswered')}?{_query(*(('hotel', each) for each in hotels))}".removesuffix("?")

    def unfinished(self, status: str = "", days: tuple[date | None, date | None] = (None, None)) -> str:
        """Return the address of the unfinished orders, or of those in a status that were placed on these days."""
        return self.of(UNFINISHED_ORDERS, status=status, **{"from": days[0], "to": days[1]})


@lru_cache(4096)  # a page has 200, which are the same all day
def _query(*filters: tuple[str, Any]) -> str:
    return urlencode(filters)


def plots(statistics: HotelStatistics, lists: Lists) -> dict[str, Any]:
    """Return the plots by the names that templates have for them; those of revenue by currency, the busiest first."""
    placed = {day: sum(numbers.values()) for day, numbers in statistics.orders.items()}
    revenues = sorted(statistics.revenue.items(), key=lambda item: -sum(map(bool, item[1].values())))
    return {
        "rooms": _plot_of_rooms(statistics, lists),
        "unfinished": _plot_of_unfinished(statistics, lists),
        "old": (old_orders(statistics), lists.unfinished(days=(None, OLD[0].days(statistics.today)[1]))),
        "orders": _by_day("Orders by day", placed, lists, intcomma),
        "revenues": [
            (currency, _by_day(f"Revenue by day, {currency}", amounts, lists, partial(money, currency=currency)))
            for currency, amounts in revenues[:CURRENCIES]
        ],
        "unshown": [currency for currency, _ in revenues[CURRENCIES:]],
        "ratings": _plot_of_ratings(statistics, lists),
        "months": _by_month(statistics, lists),
        "average": average_rating(statistics.all_ratings),
        "unanswered": statistics.unanswered,
        "unanswered_list": lists.unanswered(),
    }


def _plot_of_rooms(statistics: HotelStatistics, lists: Lists) -> Plot:
    counts = statistics.rooms
    pieces = {each: _piece(counts.get(each, 0), lists.of(ROOMS, status=each), each) for each in SHOWN}
    bars = (PlotBar(status_words(status), (piece,)) for status, piece in pieces.items())
    return Plot("Rooms by status", tuple(bars), top=rooms_of(statistics.rooms), address=lists.of(ROOMS))


def _plot_of_unfinished(statistics: HotelStatistics, lists: Lists) -> Plot:
    numbers, bars = {status: statistics.orders_by_age(status) for status in UNFINISHED}, []
    for age in AGES:
        days = age.days(statistics.today)
        pieces = (_piece(numbers[each][age], lists.unfinished(each, days), each.lower()) for each in UNFINISHED)
        bars.append(PlotBar(age.label, tuple(pieces)))
    columns = ("Age", *(each.words for each in UNFINISHED))
    return Plot("Unfinished orders by age and status", tuple(bars), columns, address=lists.unfinished())


def _by_day(title: str, numbers: Mapping[date, Any], lists: Lists, words: Callable[[Any], str]) -> Plot:
    bars = []
    for place, (day, number) in enumerate(numbers.items(), 1):
        tick = "" if (len(numbers) - place) % WEEK else f"{day:%-d %b}"
        bars.append(PlotBar(f"{day:%a, %-d %b %Y}", (Piece(number, words(number), lists.orders(day)),), tick))
    return Plot(title, tuple(bars), ("Day", title.partition(" ")[0]))


def _plot_of_ratings(statistics: HotelStatistics, lists: Lists) -> Plot:
    numbers = statistics.all_ratings
    pieces = {rating: _piece(numbers.get(rating, 0), lists.of(REVIEWS, rating=rating), "rating") for rating in RATINGS}
    bars = (PlotBar(f"{rating} ★", (piece,)) for rating, piece in pieces.items())
    return Plot("Reviews by rating", tuple(bars), address=lists.of(REVIEWS))


def _by_month(statistics: HotelStatistics, lists: Lists) -> Plot:
    bars = []
    for number, (month, ratings) in enumerate(statistics.ratings.items()):
        average, first = average_rating(ratings), date.fromisoformat(f"{month}-01")
        shown = f"{average} of {sum(ratings.values()):,}" if average else "no review"
        piece = Piece(average or 0, shown, lists.reviews(first), "rating")
        bars.append(PlotBar(f"{first:%B %Y}", (piece,), f"{first:%b}" if number % 2 else ""))
    return Plot("Average rating by month", tuple(bars), ("Month (UTC)", "Average of reviews"), top=max(RATINGS))


def _piece(number: int, list_address: str, tone: str = "") -> Piece:
    return Piece(number, intcomma(number), list_address, tone)


def rooms_of(by_status: Mapping[str, int]) -> int:
    """Return the number of rooms: each is in service or out of order."""
    return sum(by_status.get(service, 0) for service in Service)


def old_orders(statistics: HotelStatistics) -> int:
    return sum(statistics.orders_by_age(status)[age] for status in UNFINISHED for age in OLD)


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
    numbers = Counter({**found.rooms, "rooms": rooms_of(found.rooms), "unanswered": found.unanswered})
    numbers.update(waiting=sum(found.all_orders.get(each, 0) for each in UNFINISHED), old=old_orders(found))
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
        "rooms": _number(numbers["rooms"], lists.of(ROOMS)),
        "dirty": _share(numbers[dirty], numbers["rooms"], lists.of(HOUSEKEEPING, status=dirty), dirty),
        "broken": _share(numbers[broken], numbers["rooms"], lists.of(REPAIRS), broken),
    }


def _of_orders(sums: Sums, lists: Lists, today: date, against: str) -> dict[str, Cell]:
    """Return the cells of orders and revenue, by currency, the currency of most orders first."""
    numbers, *_, now, before = sums
    old, waited = numbers["old"], OLD[0].days(today)[1]
    last, earlier = (lists.orders(*days) for days in periods(today, against))
    known = sorted(now.keys() | before.keys(), key=lambda each: (-now[each], each))
    changes = [100 * (now[each] - before[each]) / before[each] if before[each] else None for each in known]
    amounts = [(money(Decimal(now[each]), each), "") for each in known[:CURRENCIES]] or [(NONE, "")]
    more = [(f"and {len(known) - CURRENCIES} more", "")] if len(known) > CURRENCIES else []
    percent = [(NONE if each is None else _percent(each), "") for each in changes[:CURRENCIES]]
    in_file = "; ".join(f"{each} {Decimal(now[each]):f}" for each in known)
    by_currency = zip(known, changes, strict=True)
    changed = "; ".join(f"{each} {change:+.1f}%" for each, change in by_currency if change is not None)
    return {
        "waiting": _number(numbers["waiting"], lists.unfinished()),
        "old": _number(old, lists.unfinished(days=(None, waited)), "old" if old else ""),
        "revenue": Cell(amounts + more, last, _place(now[known[0]], known[0]) if known else "", value=in_file),
        "change": Cell(percent or [(NONE, "")], earlier, _place(changes[0]) if changes else "", value=changed),
    }


def _of_reviews(sums: Sums, lists: Lists, today: date, against: str) -> dict[str, Cell]:
    ever, now, before = map(average_rating, sums[1:4])
    return {
        "unanswered": _number(sums[0]["unanswered"], lists.unanswered()),
        "rating": _rating(ever, lists.of(REVIEWS)),
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
