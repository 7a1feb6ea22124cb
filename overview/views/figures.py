"""The figures of the start pages: what they say, and the address of the list that each one counts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, NamedTuple

from django.contrib.humanize.templatetags.humanize import intcomma
from django.urls import reverse
from django.utils.http import urlencode

from hotelapp.portal.money import money
from hotelapp.portal.plots import Bar, Drawn, Piece, Plot
from hotels.entities import AGES, Hotel, HotelStatistics, average_rating
from orders.apps import VIEW_ORDERS
from orders.statuses import UNFINISHED, Status
from reviews.apps import VIEW_REVIEWS
from rooms.apps import VIEW_ROOMS
from rooms.statuses import STATUS_WORDS, Housekeeping, Service

HOTELS = "#hotels"
"""The place of the lines that compare hotels, on the group's page."""

SHOWN = (Housekeeping.CLEAN, Housekeeping.INSPECTED, Housekeeping.DIRTY, Service.OUT_OF_ORDER)
RATINGS = (5, 4, 3, 2, 1)
WAITING = AGES[2:]
"""The ages of the unfinished orders that wait for too long."""

MOST_CURRENCIES = 5
WEEK = 7


@dataclass(frozen=True, slots=True)
class Lists:
    """The addresses of the lists that figures count: those of a hotel or, with a blank id, of the group.

    The group has no list of all its rooms, orders or reviews. Its figures lead to the lines that compare hotels.
    """

    hotel_id: str = ""

    def rooms(self, **filters: Any) -> str:
        """The rooms with these filters."""
        return _address("rooms:rooms", self.hotel_id, filters) if self.hotel_id else HOTELS

    def orders(self, day: date) -> str:
        """The orders that were placed on a day."""
        if not self.hotel_id:
            return f"?day={day}{HOTELS}"
        return _address("orders:hotel_orders", self.hotel_id, {"from": day, "to": day})

    def unfinished(self, status: str = "", first: date | None = None, last: date | None = None) -> str:
        """The unfinished orders in a status that were placed from the first to the last day."""
        name = "orders:hotel_unfinished" if self.hotel_id else "orders:unfinished"
        return _address(name, self.hotel_id, {"status": status, "from": first, "to": last})

    def reviews(self, **filters: Any) -> str:
        """The reviews with these filters."""
        return _address("reviews:reviews", self.hotel_id, filters) if self.hotel_id else HOTELS


class KeyFigure(NamedTuple):
    """A figure at the top of a page, for those with the permission to see what it counts."""

    permission: str
    label: str
    figure: Any
    note: str
    address: str
    urgent: bool = False


def key_figures(statistics: HotelStatistics, lists: Lists) -> list[KeyFigure]:
    """What needs attention, and how today and this month go."""
    today, rooms = statistics.today, statistics.rooms
    unfinished = sum(statistics.all_orders.get(status, 0) for status in UNFINISHED)
    waiting = sum(statistics.orders_by_age(status)[age] for status in UNFINISHED for age in WAITING)
    _, newest_waiting = WAITING[0].days(today)
    placed = {day: sum(numbers.values()) for day, numbers in statistics.orders.items()}
    yesterday = placed[today - timedelta(days=1)]
    *_, (month, ratings) = statistics.ratings.items()
    all_time = average_rating(statistics.all_ratings)
    return [
        KeyFigure(VIEW_ROOMS, "Dirty rooms", rooms.get(Housekeeping.DIRTY, 0), f"of {room_count(statistics):,}",
                  lists.rooms(status=Housekeeping.DIRTY)),
        KeyFigure(VIEW_ROOMS, "Out of order", rooms.get(Service.OUT_OF_ORDER, 0), "rooms that cannot be let",
                  lists.rooms(status=Service.OUT_OF_ORDER)),
        KeyFigure(VIEW_ORDERS, f"Waiting {WAITING[0].youngest} days or more", waiting, f"of {unfinished:,} unfinished orders",
                  lists.unfinished(last=newest_waiting), waiting > 0),
        KeyFigure(VIEW_ORDERS, "Orders today", placed[today], f"{yesterday:,} yesterday", lists.orders(today)),
        KeyFigure(VIEW_REVIEWS, "Rating this month", average_rating(ratings) or "–", f"{all_time or 'none'} of all time",
                  lists.reviews(**_month(month))),
    ]  # fmt: skip


def room_count(statistics: HotelStatistics) -> int:
    """The number of rooms: each is in service or out of order."""
    return sum(statistics.rooms.get(service, 0) for service in Service)


def plots(statistics: HotelStatistics, lists: Lists) -> dict[str, Any]:
    """The plots by the names that the templates have for them."""
    revenues = sorted(statistics.revenue.items(), key=lambda item: -sum(1 for amount in item[1].values() if amount))
    return {
        "rooms": _rooms(statistics, lists),
        "unfinished": _unfinished(statistics, lists),
        "orders": _daily(
            "Orders by day", "Orders", {day: sum(counts.values()) for day, counts in statistics.orders.items()}, lists
        ),
        "revenues": [
            (currency, _daily(f"Revenue by day, {currency}", "Revenue", amounts, lists, currency))
            for currency, amounts in revenues[:MOST_CURRENCIES]
        ],
        "ratings": _ratings(statistics, lists),
        "months": _months(statistics, lists),
        "average": average_rating(statistics.all_ratings),
    }


def lines(
    hotels: Sequence[Hotel], statistics: Mapping[str, HotelStatistics], may: Callable[[str], bool]
) -> tuple[list[str], list[tuple[Hotel, list[tuple[str, Drawn]]]]]:
    """The headers of the figures that compare hotels, and for each hotel its figures: each a bar on the header's scale."""
    columns = [(label, piece) for permission, label, piece in COLUMNS if may(permission)]
    scales = []
    for label, piece in columns:
        pieces = [piece(statistics[hotel.hotel_id], Lists(hotel.hotel_id)) for hotel in hotels]
        scales.append([drawn for _, (drawn,) in Plot(label, [Bar(label, [piece]) for piece in pieces]).lying])
    headers = [label for label, _ in columns]
    rows = zip(hotels, *scales, strict=True)
    return headers, [(hotel, [*zip(headers, cells, strict=True)]) for hotel, *cells in rows]


def _line_of_status(status: Housekeeping | Service) -> Callable[[HotelStatistics, Lists], Piece]:
    return lambda numbers, lists: _piece(numbers.rooms.get(status, 0), lists.rooms(status=status), status)


def _line_of_unfinished(statistics: HotelStatistics, lists: Lists) -> Piece:
    number = sum(statistics.all_orders.get(status, 0) for status in UNFINISHED)
    return _piece(number, lists.unfinished(), "plain")


def _line_of_orders(statistics: HotelStatistics, lists: Lists) -> Piece:
    """The orders of the day before the statistics' last day."""
    day = statistics.today - timedelta(days=1)
    return _piece(sum(statistics.orders[day].values()), lists.orders(day), "plain")


def _line_of_rating(statistics: HotelStatistics, lists: Lists) -> Piece:
    average = average_rating(statistics.all_ratings)
    return Piece(average or 0, str(average or "–"), lists.reviews())


COLUMNS: Sequence[tuple[str, str, Callable[[HotelStatistics, Lists], Piece]]] = (
    (VIEW_ROOMS, "Rooms", lambda numbers, lists: _piece(room_count(numbers), lists.rooms(), "")),
    (VIEW_ROOMS, "Dirty", _line_of_status(Housekeeping.DIRTY)),
    (VIEW_ROOMS, "Out of order", _line_of_status(Service.OUT_OF_ORDER)),
    (VIEW_ORDERS, "Unfinished", _line_of_unfinished),
    (VIEW_ORDERS, "Orders", _line_of_orders),
    (VIEW_REVIEWS, "Rating", _line_of_rating),
)
"""The figures that compare hotels: the permission, the header, and what gives the figure."""


def _rooms(statistics: HotelStatistics, lists: Lists) -> Plot:
    bars = [
        _bar(STATUS_WORDS[status], statistics.rooms.get(status, 0), lists.rooms(status=status), status)
        for status in SHOWN
    ]
    return Plot("Rooms by status", bars, top=room_count(statistics))


def _unfinished(statistics: HotelStatistics, lists: Lists) -> Plot:
    ages = {status: statistics.orders_by_age(status) for status in UNFINISHED}
    bars = []
    for age in AGES:
        first, last = age.days(statistics.today)
        pieces = [
            _piece(ages[status][age], lists.unfinished(status, first, last), status.lower()) for status in UNFINISHED
        ]
        bars.append(Bar(age.label, pieces))
    return Plot("Unfinished orders by age and status", bars, ("Placed", *map(Status.title, UNFINISHED)))


def _daily(title: str, column: str, numbers: Mapping[date, Any], lists: Lists, currency: str = "") -> Plot:
    bars = []
    for ago, (day, number) in zip(reversed(range(len(numbers))), numbers.items(), strict=True):
        shown = money(number, currency) if currency else intcomma(number)
        tick = "" if ago % WEEK else f"{day:%-d %b}"
        bars.append(Bar(f"{day:%a, %-d %b %Y}", [Piece(number, shown, lists.orders(day))], tick))
    return Plot(title, bars, ("Day (UTC)", column))


def _ratings(statistics: HotelStatistics, lists: Lists) -> Plot:
    numbers = statistics.all_ratings
    bars = [_bar(f"{rating} ★", numbers.get(rating, 0), lists.reviews(rating=rating), "rating") for rating in RATINGS]
    return Plot("Reviews by rating", bars)


def _months(statistics: HotelStatistics, lists: Lists) -> Plot:
    bars = []
    for month, ratings in statistics.ratings.items():
        average, first = average_rating(ratings), date.fromisoformat(f"{month}-01")
        shown = f"{average} of {sum(ratings.values()):,}" if average else "no review"
        piece = Piece(average or Decimal(0), shown, lists.reviews(**_month(month)), "rating")
        bars.append(Bar(f"{first:%B %Y}", [piece], f"{first:%b}"))
    return Plot("Average rating by month", bars, ("Month", "Average of reviews"), top=RATINGS[0])


def _bar(name: str, number: int, address: str, tone: str) -> Bar:
    return Bar(name, [_piece(number, address, tone)])


def _piece(number: int, address: str, tone: str) -> Piece:
    return Piece(number, intcomma(number), address, tone)


def _month(month: str) -> dict[str, date]:
    """The first and the last day of a month."""
    first = date.fromisoformat(f"{month}-01")
    following = (first + timedelta(days=31)).replace(day=1)
    return {"from": first, "to": following - timedelta(days=1)}


def _address(name: str, hotel_id: str, filters: Mapping[str, Any]) -> str:
    """The address of a list of a hotel or of the group, with the filters that are set."""
    query = urlencode({name: value for name, value in filters.items() if value})
    return f"{reverse(name, args=[hotel_id] if hotel_id else [])}?{query}".removesuffix("?")
