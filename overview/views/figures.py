"""The figures of the start pages, and the address of the list that each figure counts."""

from collections.abc import Callable, Mapping
from datetime import date
from functools import lru_cache, partial
from typing import Any, NamedTuple

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.http import urlencode

from hotels.entities import AGES, LATE, HotelStatistics, average_rating
from orders.statuses import UNFINISHED
from overview.views.plots import Piece, Plot, PlotBar
from portal.frame import address
from portal.lists.days import month_days
from portal.money import money
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
    """The addresses of a hotel's lists; with a blank id, of the group's lists, or of its hotels' lines."""

    hotel_id: str = ""

    def of(self, name: str, **filters: Any) -> str:
        """Return the address of a hotel's list, or of the group's, by the name of its URL, with filters."""
        if not self.hotel_id and name not in OF_HOTELS:
            return "#hotels"
        query = _query(*((name, value) for name, value in filters.items() if value))
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
        return f"{address('reviews:unanswered')}?{urlencode({'hotel': self.hotel_id})}".removesuffix("?hotel=")

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
        "late": (late_orders(statistics), lists.unfinished(days=(None, LATE[0].days(statistics.today)[1]))),
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


def unfinished_orders(statistics: HotelStatistics) -> int:
    return sum(statistics.all_orders.get(status, 0) for status in UNFINISHED)


def late_orders(statistics: HotelStatistics) -> int:
    return sum(statistics.orders_by_age(status)[age] for status in UNFINISHED for age in LATE)
