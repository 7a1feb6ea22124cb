"""The reads whose costs docs/requests.md shows; :mod:`tests.costs.writes` has the writes.

docs/requests.md shows the requests of the reads. They work on any tables with a hotel, its room 101, the guest
alex, the order ``o-1`` and the review ``r-001``. All else needs the data of :mod:`tests.costs.data`.
"""

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from functools import partial
from typing import Any, NamedTuple

from accounts.sessions import SessionStore
from dynamodb_lists import Listing, Query, between, on_days, read_page
from hotels import queries as hotels
from hotels.entities import TREND_DAYS
from notes import queries as notes
from orders import queries as orders
from orders.entities import Guest, Order
from orders.lists import CATALOGUE, GUESTS
from orders.statuses import UNFINISHED, Status
from portal.history import queries as history
from portal.people import HotelScope
from reviews import queries as review_queries
from reviews.entities import TextQuery
from rooms import queries
from rooms.lists import ROOMS
from tests.costs.data import ABC, HOTELS, SESSION, TODAY
from tests.helpers.orders import words
from tests.helpers.reviews import make_review

JANUARY = (date(2023, 1, 1), date(2023, 2, 1))
MID_JANUARY = date(2023, 1, 15)
ANNA = "anna"


class Pattern(NamedTuple):
    """Something whose cost is measured. ``purpose`` is the ledger's, of the request that the documents show.

    ``rows`` says among how many rows the cost is shared.
    """

    title: str
    call: Callable[[], object]
    purpose: str = "list"
    rows: int = 1


def read(title: str, call: Callable[..., object], *args: Any, purpose: str = "list") -> Pattern:
    """Return a call with these arguments."""
    return Pattern(title, partial(call, *args), purpose)


def listed(title: str, listing: Callable[..., Listing[Any]], *args: Any) -> Pattern:
    """Return a page of 25 rows of a list."""
    return Pattern(title, lambda: read_page(listing(*args), 25))


def queried(title: str, query: Query[Any]) -> Pattern:
    """Return a page of 25 rows of a query."""
    return Pattern(title, query.page)


def of_guest(title: str, found: Callable[[Guest], Query[Order]]) -> Pattern:
    """Return a page of the orders of the guest alex, who is read before."""
    return Pattern(title, lambda: found(orders.guest("alex")).page(25))


def reads(hotel_id: str = ABC) -> dict[str, Pattern]:
    """Return every read that docs/requests.md shows, by its name there. Cursors are created before the calls."""
    return {
        **_room_reads(hotel_id),
        **_order_reads(hotel_id),
        **_guest_reads(),
        **_review_reads(hotel_id),
        **_note_reads(hotel_id),
        **_other_reads(hotel_id),
    }


def _room_reads(hotel_id: str) -> dict[str, Pattern]:
    rooms = ROOMS.query(hotel_id=hotel_id)
    by_number = rooms.order_by("number")
    suites, first = rooms.where(type="suite"), by_number.page()
    sea = rooms.where(view="sea-view").order_by("size", "type", descending=True)
    rates = rooms.where(currency="EUR", rate=between(100, Decimal("250.5"))).order_by("rate")
    return {
        "R6": read("counts of rooms", queries.room_counts, hotel_id, purpose="counts"),
        "R1": queried("rooms, unfiltered", rooms),
        "R2-one": queried("rooms of one type", suites),
        "R2-range": queried("rooms of a range of sizes", rooms.where(size=between(30, 40))),
        "R3": queried("rooms of one view, by size, then by type", sea),
        "R3-number": queried("rooms by number", by_number),
        "R4-next": Pattern("next page of rooms", partial(by_number.page, cursor=first.next)),
        "R4-last": Pattern("last page of rooms", partial(by_number.page, cursor=first.last)),
        "R3b-walked": queried("rooms by rate", rooms.order_by("rate", descending=True)),
        "R3b-sorted": queried("rooms of one type, by rate", suites.order_by("rate")),
        "R3b-rates": queried("a range of rates, by rate", rates),
        "R5-one": read("a room by its number", queries.room, hotel_id, "101"),
        "R5-prefix": read("rooms by prefix", queries.rooms_by_number, hotel_id, "10", 25),
        "R5-any": read("rooms of all hotels by number", queries.rooms_anywhere, "101", 9),
        "R7": queried("rooms that need attention", queries.needing_attention(rooms)),
        "R9": listed("rooms that somebody has today", queries.rooms_of_day, hotel_id, TODAY.date(), ANNA),
        "R10": listed("repairs", queries.repairs, hotel_id),
        "R11": read("what people cleaned on a day", queries.cleaned_by, hotel_id, TODAY.date(), TODAY.date()),
    }


def _order_reads(hotel_id: str) -> dict[str, Pattern]:
    january, before = on_days(JANUARY), on_days((None, MID_JANUARY))
    shipped = partial(orders.guest_orders, status=Status.SHIPPED)
    all_hotels, unfinished = [hotel_id, *map(str, range(1, HOTELS))], orders.placed(UNFINISHED)
    two_hotels, scope = ["seaside", "altstadt"], HotelScope(frozenset({hotel_id}))
    shipped_there = orders.orders_in(Status.SHIPPED, hotel_id=hotel_id).where(status_at=january)
    return {
        "A2": of_guest("a guest with the orders", orders.guest_orders),
        "A2-days": of_guest(
            "a guest's orders of a month", lambda guest: orders.guest_orders(guest).where(placed_at=january)
        ),
        "A2-bound": of_guest("a guest's orders in some hotels", lambda guest: scope.of(orders.guest_orders(guest))),
        "A3": read("an order with its items", orders.order, "o-1"),
        "A4": of_guest("a guest's orders in a status", shipped),
        "A5": of_guest("a guest's orders shipped before a day", lambda guest: shipped(guest).where(status_at=before)),
        "A6": of_guest(
            "a guest's orders shipped between two days", lambda guest: shipped(guest).where(status_at=january)
        ),
        "A7": queried("unfinished orders", unfinished),
        "A7-status": queried("unfinished orders in a status", orders.placed([Status.PROCESSING])),
        "A8": listed("a hotel's big orders", orders.big_orders, hotel_id),
        "A10": queried("a hotel's orders of a month", orders.orders_in(hotel_id=hotel_id).where(placed_at=january)),
        "A10-status": queried("a hotel's shipped orders", shipped_there),
        "A10g": listed("orders of all hotels", orders.orders_of_hotels, orders.orders_in(), all_hotels),
        "A11": read("an order by its number", orders.orders_by_number, "7k3m-9qtx"),
        "A11-end": read("orders by the end of their number", orders.orders_by_end, "9qtx", purpose="other"),
        "A12": Pattern("what a hotel has sold", lambda: CATALOGUE.query(hotel_id=hotel_id).take(500), "other"),
        "A15": queried("a room's orders", orders.placed(Status, hotel_id=hotel_id, room_number="101")),
        "A16": queried("a hotel's orders by the time wanted", orders.wanted(UNFINISHED, hotel_id=hotel_id)),
        "names": read("names of two hotels", hotels.known_hotels, two_hotels, purpose="hotel"),
    }


def _guest_reads() -> dict[str, Pattern]:
    return {
        "A1": read("a guest", orders.guest, "alex", purpose="guest"),
        "guests": queried("all guests", GUESTS.query().order_by("username")),
        "A9": listed("guests by a word", orders.guests_found, words("leroux")),
        "A9-phone": listed("guests by phone", orders.guests_found, words("6789")),
        "A9-two": listed("guests by two words", orders.guests_found, words("emile ler")),
    }


def _review_reads(hotel_id: str) -> dict[str, Pattern]:
    reviews = partial(review_queries.reviews, hotel_id=hotel_id)
    next_page = partial(reviews().page, 10, reviews().page(10).next)
    oldest = partial(review_queries.unanswered_of_hotels, HotelScope(frozenset({hotel_id})), descending=False)
    unanswered = reviews(days=JANUARY, unanswered=True)
    rare = reviews(rating=1, language="de", whole=True)
    choices = partial(review_queries.unanswered_choices, [hotel_id], {})
    review = make_review(hotel_id=hotel_id)
    return {
        "V7": read("counts of reviews", review_queries.review_counts, hotel_id, purpose="counts"),
        "V1": queried("reviews, newest first", reviews()),
        "V2": queried("reviews in a language", reviews(language="en")),
        "V3-merged": queried("reviews of two rare ratings", reviews(rating={1, 2})),
        "V3-filtered": queried("reviews of two frequent ratings", reviews(rating={4, 5})),
        "V3-unanswered": queried("unanswered reviews", unanswered),
        "V9": listed("unanswered reviews of a few hotels", oldest),
        "V10": read("unanswered reviews by hotel and language", choices, purpose="statistics"),
        "V11": listed(
            "reviews by a word", review_queries.reviews_found, hotel_id, TextQuery(("breakfast",)), reviews()
        ),
        "V12": read("standard replies", review_queries.standard_replies, review, purpose="other"),
        "V4": read("a review", review_queries.review, "r-001"),
        "V6-next": read("next ten reviews", next_page),
        "V8": queried("rare reviews with all columns", rare),
        "room-reviews": queried("a room's reviews", review_queries.room_reviews(hotel_id, "101")),
    }


def _note_reads(hotel_id: str) -> dict[str, Pattern]:
    return {
        "N1": listed("a hotel's open notes", notes.open_notes, hotel_id),
        "N2": read("open notes about a room", notes.open_about, hotel_id, "room:101"),
    }


def _other_reads(hotel_id: str) -> dict[str, Pattern]:
    months = partial(hotels.stored_statistics, [hotel_id], MID_JANUARY)
    room = f"room#{hotel_id}#101"
    return {
        "H1": listed("hotels by a word", hotels.hotels_found, words("gra")),
        "hotels": listed("all hotels", hotels.hotels),
        "hotels-bound": listed("two hotels", hotels.hotels, HotelScope(frozenset({hotel_id, "seaside"}))),
        "session": read("a session", SessionStore(SESSION).load, purpose="session"),
        "history": queried("a room's changes", history.history(room)),
        "S1": read("a hotel's statistics", months, purpose="statistics"),
        "S2": read("the group's statistics", hotels.group_statistics, MID_JANUARY, purpose="statistics"),
        "S3": read("each hotel to compare", months, TREND_DAYS, purpose="statistics"),
        "changes-in-hotel": queried("a hotel's changes", history.changes_in(hotel_id)),
        "repairs-of-room": read("a room's repairs", history.marked(room).take, 20, purpose="other"),
        "changes-by-staff": queried("somebody's changes", history.changes_by("alice")),
    }
