"""The access patterns and pages whose costs docs/costs.md shows; :mod:`tests.costs.writes` has the writes.

The reads are those of docs/access-patterns.md. They work on any tables with the hotel ``abc``, its room 101, the guest
alex, the order ``o-1`` and the review ``r-001``. All else needs the data of :mod:`tests.costs.data`.
"""

import csv
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from functools import partial
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.test import Client

from accounts.sessions.store import SessionStore
from dynamodb_lists.planning.selection import Selection
from dynamodb_lists.reading.listing import Listing
from dynamodb_lists.reading.pages import read_page
from dynamodb_lists.schema.keys import EVER
from hotels import queries as hotel_queries
from hotels.entities import TREND_DAYS
from orders import queries as orders
from orders.entities import Guest, OrderQuery
from orders.statuses import Status
from portal.history import queries as history
from reviews import queries as review_queries
from reviews.entities import ReviewQuery
from rooms import queries
from rooms.entities import RateRange, RoomQuery
from saved_views import keys as saved_view_keys
from saved_views import queries as saved_views
from tests.costs import data
from tests.costs.data import ABC, GUESTS, HOTELS, ORDERS, REVIEWS, ROOMS, SESSION
from tests.helpers.orders import make_order, words
from tests.helpers.people import show_every_hotel
from tests.helpers.reviews import read_reviews
from tests.helpers.rooms import rooms_page

JANUARY = (date(2023, 1, 1), date(2023, 2, 1))
TODAY = date(2023, 1, 15)
SEA = {"view": frozenset({"sea-view"})}
ANNA, PASSWORD = "anna", "only for costs"


class Pattern(NamedTuple):
    """Something whose cost is measured. ``purpose`` is the ledger's, of the request that the documents show.

    ``rows`` says among how many rows the cost is shared.
    """

    title: str
    call: Callable[[], object]
    purpose: str = "list"
    rows: int = 1


def rooms(title: str, **asked: Any) -> Pattern:
    """A page of rooms, with the counts that it needs."""
    return Pattern(title, lambda: rooms_page(ABC, RoomQuery(**asked)))


def listed(title: str, listing: Callable[[Guest], Listing[Any]]) -> Pattern:
    """A page of orders or guests, after the guest alex is read."""
    return Pattern(title, lambda: read_page(listing(orders.guest("alex")), 25))


def reviews(title: str, **selected: Any) -> Pattern:
    """A page of reviews, with the counts that it needs."""
    return Pattern(title, lambda: read_reviews(ABC, ReviewQuery(Selection(**selected))))


def reads() -> dict[str, Pattern]:
    """Every read that docs/access-patterns.md shows, by its name there. Cursors are created before the calls."""
    return {**_room_reads(), **_order_reads(), **_review_reads(), **_other_reads()}


def _room_reads() -> dict[str, Pattern]:
    first = rooms_page(ABC, RoomQuery())
    suites = Selection({"type": frozenset({"suite"})})
    rates = RateRange("EUR", Decimal(100), Decimal("250.5"))
    return {
        "R6": Pattern("counts of rooms", lambda: queries.room_counts(ABC), "counts"),
        "R1": rooms("rooms, unfiltered"),
        "R2-one": rooms("rooms of one type", selection=suites),
        "R2-range": rooms("rooms of a range of sizes", selection=Selection(bounds={"size": ("0030m", "0040m")})),
        "R3": rooms(
            "rooms of one view, by size, then by type",
            selection=Selection(SEA),
            sort="size",
            then="type",
            descending=True,
        ),
        "R3-number": rooms("rooms by number", sort="number"),
        "R4-next": rooms("next page of rooms", cursor=first.next),
        "R4-last": rooms("last page of rooms", cursor=first.last),
        "R3b-walked": rooms("rooms by rate", sort="rate", descending=True),
        "R3b-sorted": rooms("rooms of one type, by rate", selection=suites, sort="rate"),
        "R3b-rates": rooms("a range of rates, by rate", rates=rates, sort="rate"),
        "R5-one": Pattern("a room by its number", lambda: queries.room(ABC, "101")),
        "R5-prefix": Pattern("rooms by prefix", lambda: queries.rooms_by_number(ABC, "10", 25)),
        "R5-any": Pattern("rooms of all hotels by number", lambda: queries.rooms_anywhere("101", 9)),
        "R7": Pattern("rooms that need attention", lambda: read_page(queries.rooms_needing_attention(ABC), 25)),
        "R9": Pattern(
            "rooms that somebody has today", lambda: read_page(queries.rooms_of_day(ABC, data.TODAY.date(), "anna"), 25)
        ),
        "R10": Pattern("repairs", lambda: read_page(queries.repairs(ABC), 25)),
    }


def _order_reads() -> dict[str, Pattern]:
    shipped = Status.SHIPPED
    january, fifteenth = OrderQuery(None, *JANUARY), date(2023, 1, 15)
    two_hotels = [make_order(hotel_id="xyz"), make_order(hotel_id="abcd")]
    return {
        "A1": Pattern("a guest", lambda: orders.guest("alex"), "guest"),
        "A2": listed("a guest with the orders", orders.guest_orders),
        "A2-days": listed("a guest's orders of a month", lambda alex: orders.guest_orders(alex, january)),
        "A2-bound": listed("a guest's orders in some hotels", lambda alex: orders.guest_orders(alex, hotel_ids=[ABC])),
        "A3": Pattern("an order with its items", lambda: orders.order("o-1")),
        "A4": listed("a guest's orders in a status", lambda alex: orders.guest_orders(alex, OrderQuery(shipped))),
        "A5": listed(
            "a guest's orders shipped before a day",
            lambda alex: orders.guest_orders(alex, OrderQuery(shipped, before=fifteenth)),
        ),
        "A6": listed(
            "a guest's orders shipped between two days",
            lambda alex: orders.guest_orders(alex, OrderQuery(shipped, *JANUARY)),
        ),
        "A7": Pattern("unfinished orders", lambda: read_page(orders.unfinished_orders(), 25)),
        "A7-status": Pattern(
            "unfinished orders in a status", lambda: read_page(orders.unfinished_orders(Status.PROCESSING), 25)
        ),
        "A8": Pattern("a hotel's big orders", lambda: read_page(orders.big_orders(ABC), 25)),
        "A10": Pattern("a hotel's orders of a month", lambda: read_page(orders.hotel_orders(ABC, january), 25)),
        "A10-status": Pattern(
            "a hotel's shipped orders", lambda: read_page(orders.hotel_orders(ABC, OrderQuery(shipped, *JANUARY)), 25)
        ),
        "A10g": Pattern(
            "orders of all hotels",
            lambda: read_page(
                orders.orders_of_hotels(dict.fromkeys([ABC, *map(str, range(1, HOTELS))], EVER), OrderQuery()), 25
            ),
        ),
        "A11": Pattern("an order by its number", lambda: orders.orders_by_number("7k3m-9qtx")),
        "A11-end": Pattern("orders by the end of their number", lambda: orders.orders_by_end("9qtx"), "other"),
        "A12": Pattern("what a hotel has sold", lambda: orders.catalogue(ABC).take(500, None, backward=False), "other"),
        "names": Pattern("names of two hotels", lambda: orders.listed_orders(two_hotels), "hotel"),
        "guests": Pattern("all guests", lambda: read_page(orders.guests(), 25)),
        "A9": Pattern("guests by a word", lambda: read_page(orders.guests_found(words("leroux")), 25)),
        "A9-phone": Pattern("guests by phone", lambda: read_page(orders.guests_found(words("6789")), 25)),
        "A9-two": Pattern("guests by two words", lambda: read_page(orders.guests_found(words("emile ler")), 25)),
    }


def _review_reads() -> dict[str, Pattern]:
    first = read_reviews(ABC, ReviewQuery(page_size=10)).page
    next_page = ReviewQuery(page_size=10, cursor=first.next or "")
    return {
        "V7": Pattern("counts of reviews", lambda: review_queries.review_counts(ABC), "counts"),
        "V1": reviews("reviews, newest first"),
        "V2": reviews("reviews in a language", values={"language": frozenset({"en"})}),
        "V3-merged": reviews("reviews of two rare ratings", values={"rating": frozenset("12")}),
        "V3-filtered": reviews("reviews of two frequent ratings", values={"rating": frozenset("45")}),
        "V3-unanswered": Pattern(
            "unanswered reviews",
            lambda: read_page(review_queries.unanswered_reviews(ABC, ReviewQuery(days=JANUARY, unanswered=True)), 25),
        ),
        "V9": Pattern(
            "unanswered reviews of a few hotels",
            lambda: read_page(
                review_queries.unanswered_of_hotels([ABC], ReviewQuery(unanswered=True, descending=False)), 25
            ),
        ),
        "V10": Pattern(
            "unanswered reviews by hotel and language",
            lambda: review_queries.unanswered_choices([ABC], Selection({})),
            "statistics",
        ),
        "V4": Pattern("a review", lambda: review_queries.review("r-001")),
        "V6-next": Pattern("next ten reviews", lambda: read_reviews(ABC, next_page)),
        "V8": Pattern("replies to two reviews", lambda: list(review_queries.with_replies(first.rows[:2])), "replies"),
        "room-reviews": Pattern("a room's reviews", lambda: read_page(review_queries.room_reviews(ABC, "101"), 25)),
    }


def _other_reads() -> dict[str, Pattern]:
    return {
        "H1": Pattern("hotels by a word", lambda: read_page(hotel_queries.hotels_found(words("gra")), 25)),
        "hotels": Pattern("all hotels", lambda: read_page(hotel_queries.hotels(), 25)),
        "hotels-bound": Pattern("two hotels", lambda: read_page(hotel_queries.hotels([ABC, "xyz"]), 25)),
        "session": Pattern("a session", SessionStore(SESSION).load, "session"),
        "history": Pattern("a room's changes", lambda: read_page(history.history("room#abc#101"), 25)),
        "S1": Pattern("a hotel's statistics", lambda: hotel_queries.stored_statistics([ABC], TODAY), "statistics"),
        "S2": Pattern("the group's statistics", lambda: hotel_queries.group_statistics(TODAY), "statistics"),
        "S3": Pattern(
            "each hotel to compare",
            lambda: hotel_queries.stored_statistics([ABC], TODAY, TREND_DAYS),
            "statistics",
        ),
        "S4": Pattern(
            "saved views",
            lambda: saved_views.views_of(
                [saved_view_keys.of_account(17), saved_view_keys.of_hotel(ABC)], consistent=False
            ),
            "other",
        ),
        "changes-in-hotel": Pattern("a hotel's changes", lambda: read_page(history.changes_in(ABC), 25)),
        "repairs-of-room": Pattern("a room's repairs", lambda: history.newest_marked("room#abc#101", 20), "other"),
        "changes-by-staff": Pattern("somebody's changes", lambda: read_page(history.changes_by("alice"), 25)),
    }


def unshown_reads() -> dict[str, Pattern]:
    """Reads of several requests, of which docs/access-patterns.md shows others."""
    return {
        "A7-hotel": Pattern(
            "a hotel's unfinished orders", lambda: read_page(orders.unfinished_orders(None, [ABC]), 25)
        ),
        "A15": Pattern("a room's orders", lambda: read_page(orders.room_orders(ABC, "101"), 25)),
        "A13": Pattern(
            "orders of two hotels",
            lambda: read_page(orders.orders_of_hotels(dict.fromkeys((ABC, "xyz"), EVER), OrderQuery()), 25),
        ),
    }


# --- Pages ------------------------------------------------------------------------------------------------


PAGES = {
    "page-hotels": ("all hotels", "/hotels/"),
    "page-rooms": ("rooms", f"/hotels/{ABC}/rooms/"),
    "page-rooms-filtered": ("rooms of one type, by size", f"/hotels/{ABC}/rooms/?type=suite&sort=size"),
    "page-room": ("a room", f"/hotels/{ABC}/rooms/101/"),
    "page-attention": ("rooms that need attention", f"/hotels/{ABC}/attention/"),
    "page-handover": ("the handover of a hotel", f"/hotels/{ABC}/handover/"),
    "page-unfinished": ("unfinished orders", "/orders/unfinished/"),
    "page-hotel-orders": ("a hotel's orders", f"/hotels/{ABC}/orders/"),
    "page-guest-orders": ("a guest's orders", "/guests/alex/orders/"),
    "page-order": ("an order", "/orders/o-1/"),
    "page-reviews": ("a hotel's reviews", f"/hotels/{ABC}/reviews/"),
    "page-search": ("the search", "/search/?q=leroux"),
}


EXPORTS = {
    "export-rooms": ("a hotel's {rows} rooms", f"/hotels/{ABC}/rooms/", ROOMS),
    "export-rooms-filtered": ("its {rows} suites, by rate", f"/hotels/{ABC}/rooms/?type=suite&sort=rate", 39),
    "export-orders": ("a hotel's {rows} orders", f"/hotels/{ABC}/orders/", ORDERS),
    "export-guests": ("all {rows} guests", "/guests/", GUESTS),
    "export-reviews": ("a hotel's {rows} reviews", f"/hotels/{ABC}/reviews/", REVIEWS),
}
"""The exports of lists as CSV: title, address, and the number of rows."""


def pages() -> dict[str, Pattern]:
    """Whole pages and exports of the portal, with their sessions and names, for somebody who may do everything."""
    user = show_every_hotel(User.objects.create_superuser(ANNA, password=PASSWORD))
    client = Client()
    client.force_login(user)

    def opened(address: str) -> Any:
        response = client.get(address)
        assert response.status_code == 200, (address, response.status_code)
        return response

    def exported(address: str, rows: int) -> None:
        lines = b"".join(opened(f"{address}{'&' if '?' in address else '?'}format=csv").streaming_content)
        found = len(list(csv.reader(lines.decode().splitlines()))) - 1
        assert found == rows, (address, found)

    return {
        **{name: Pattern(title, partial(opened, address)) for name, (title, address) in PAGES.items()},
        **{
            name: Pattern(title.format(rows=rows), partial(exported, address, rows))
            for name, (title, address, rows) in EXPORTS.items()
        },
    }
