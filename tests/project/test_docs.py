"""The documents are right: the portal sends each request that they show, and every file that they name exists."""

import ast
import inspect
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings

from hotelapp.dynamodb.connection import ledger
from hotelapp.dynamodb.connection.ledger import Call, Ledger
from hotelapp.dynamodb.planning.selection import Selection
from hotelapp.dynamodb.reading.lists import Listing
from hotelapp.dynamodb.reading.pages import read_page
from hotelapp.dynamodb.schema.words import typed
from hotelapp.history import queries as history
from hotelapp.sessions.store import SessionStore
from hotels import queries as hotel_queries
from orders import commands as order_commands
from orders import queries as orders
from orders.entities import Guest, OrderQuery
from orders.statuses import Status
from reviews import commands as review_commands
from reviews import queries as review_queries
from reviews.entities import ReviewQuery
from rooms import commands as room_commands
from rooms import queries
from rooms.entities import RateRange, RoomQuery, StatusChange
from rooms.statuses import Housekeeping
from tests.helpers import dynamodb_local
from tests.helpers.orders import AT, make_order, store, words
from tests.helpers.reviews import make_review, read_reviews
from tests.helpers.rooms import ABC, make_hotel, make_room, rooms_page
from tests.helpers.shown_requests import UNITS, in_full, in_short, kind_of

ROOT = Path(settings.BASE_DIR)
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "benchmarks" / "README.md"])
BLOCK = re.compile(r"<!-- request: ([\w-]+) -->\n(?:\n?```(?:json)?\n.*?\n```\n)*", re.DOTALL)
PART = re.compile(r"^# ", re.MULTILINE)
CALL = re.compile(r"`((?:queries|commands|RoomQuery|ReviewQuery)\b[.\w]*\(.*?\))`", re.DOTALL)
HOTELS_AND_ROOMS: object = SimpleNamespace(**{**vars(hotel_queries), **vars(queries)})
"""One part of the access patterns is about both."""

APPS: tuple[Mapping[str, object], ...] = (
    {"queries": HOTELS_AND_ROOMS, "commands": room_commands},
    {"queries": orders, "commands": order_commands},
    {"queries": review_queries, "commands": review_commands},
)
JANUARY = (date(2023, 1, 1), date(2023, 2, 1))
TYPES = (OrderQuery, RoomQuery, RateRange, Decimal, ReviewQuery, Selection)
VALUES = {**{value.__name__: value for value in TYPES}, "typed": typed}
Read = Callable[[], object]


def rooms(**asked: Any) -> Read:
    return lambda: rooms_page(ABC, RoomQuery(**asked))


def listed(listing: Callable[[Guest], Listing[Any]]) -> Read:
    return lambda: read_page(listing(orders.guest("alex")), 25)


def reviews(**selected: Any) -> Read:
    return lambda: read_reviews(ABC, ReviewQuery(Selection(**selected)))


def make_reviews() -> None:
    """Store a hundred reviews, an hour apart. Most are in English and have four or five stars."""
    ratings, languages = (5, 5, 4, 5, 4, 5, 4, 5, 1, 2), ("en", "en", "de")
    review_commands.save_reviews(
        [
            make_review(
                f"r-{n:03d}", languages[n % 3], ratings[n % 10], AT + timedelta(hours=n), author="A guest", title=""
            )
            for n in range(100)
        ]
    )


DIRTY = StatusChange(Housekeeping.DIRTY)
SEA = {"view": frozenset({"sea-view"})}


def requests() -> dict[str, tuple[Read, str]]:
    """The call that sends each request of the documents, and its purpose. Cursors are created before the calls."""
    first_rooms = rooms_page(ABC, RoomQuery())
    first_reviews = read_reviews(ABC, ReviewQuery(page_size=10)).page
    return {
        "R6": (rooms(), "counts"),
        "R1": (rooms(), "list"),
        "R2-one": (rooms(selection=Selection({"type": frozenset({"suite"})})), "list"),
        "R2-range": (rooms(selection=Selection(bounds={"size": ("0030m", "0040m")})), "list"),
        "R3": (rooms(selection=Selection(SEA), sort="size", then="type", descending=True), "list"),
        "R4-next": (rooms(cursor=first_rooms.next), "list"),
        "R4-last": (rooms(cursor=first_rooms.last), "list"),
        "R3b-walked": (rooms(sort="rate", descending=True), "list"),
        "R3b-sorted": (rooms(selection=Selection({"type": frozenset({"suite"})}), sort="rate"), "list"),
        "R3b-rates": (rooms(rates=RateRange("EUR", Decimal(100), Decimal("250.5")), sort="rate"), "list"),
        "R5-one": (lambda: queries.room(ABC, "101"), "list"),
        "R5-prefix": (lambda: read_page(queries.rooms_by_number(ABC, "10"), 25), "list"),
        "R7": (lambda: read_page(queries.rooms_needing_attention(ABC), 25), "list"),
        "A1": (lambda: orders.guest("alex"), "guest"),
        "A2": (listed(orders.guest_orders), "list"),
        "A2-days": (listed(lambda alex: orders.guest_orders(alex, OrderQuery(None, *JANUARY))), "list"),
        "A2-bound": (listed(lambda alex: orders.guest_orders(alex, hotel_ids=[ABC])), "list"),
        "A3": (lambda: orders.order("o-1"), "list"),
        "A4": (listed(lambda alex: orders.guest_orders(alex, OrderQuery(Status.SHIPPED))), "list"),
        "A5": (
            listed(lambda alex: orders.guest_orders(alex, OrderQuery(Status.SHIPPED, before=date(2023, 1, 15)))),
            "list",
        ),
        "A6": (
            listed(lambda alex: orders.guest_orders(alex, OrderQuery(Status.SHIPPED, *JANUARY))),
            "list",
        ),
        "A7": (listed(lambda _: orders.unfinished_orders()), "list"),
        "A7-status": (listed(lambda _: orders.unfinished_orders(Status.PROCESSING)), "list"),
        "A7-hotel": (listed(lambda _: orders.unfinished_orders(Status.PROCESSING, [ABC])), "list"),
        "A10": (listed(lambda _: orders.hotel_orders(ABC, OrderQuery(None, *JANUARY))), "list"),
        "A10-status": (listed(lambda _: orders.hotel_orders(ABC, OrderQuery(Status.SHIPPED, *JANUARY))), "list"),
        "A12": (lambda: orders.catalogue(ABC).take(500, None, backward=False), "other"),
        "names": (lambda: orders.listed_orders([make_order(hotel_id="xyz"), make_order(hotel_id="abcd")]), "hotel"),
        "A8": (listed(lambda _: orders.big_orders(ABC)), "list"),
        "guests": (listed(lambda _: orders.guests()), "list"),
        "A9": (listed(lambda _: orders.guests_found(words("leroux"))), "list"),
        "A9-two": (listed(lambda _: orders.guests_found(words("emile ler"))), "list"),
        "A11": (lambda: orders.orders_by_number("7k3m-9qtx"), "list"),
        "H1": (lambda: read_page(hotel_queries.hotels_found(words("gra")), 25), "list"),
        "R5-any": (lambda: queries.rooms_anywhere("101", 9), "list"),
        "V7": (reviews(), "counts"),
        "V1": (reviews(), "list"),
        "V2": (reviews(values={"language": frozenset({"en"})}), "list"),
        "V3-merged": (reviews(values={"rating": frozenset("12")}), "list"),
        "V3-filtered": (reviews(values={"rating": frozenset("45")}), "list"),
        "V4": (lambda: review_queries.review("r-001"), "list"),
        "V6-next": (
            lambda: read_reviews(ABC, ReviewQuery(page_size=10, cursor=first_reviews.next or "")),
            "list",
        ),
        "V8": (lambda: list(review_queries.with_replies(first_reviews.rows[:2])), "replies"),
        "room-reviews": (lambda: read_page(review_queries.room_reviews(ABC, "101"), 25), "list"),
        "session": (SessionStore("h2o8s2k5qb1vd0x7m3c9f4j6w1t5y8zr").load, "session"),
        "history": (lambda: read_page(history.history("room#abc#101"), 25), "list"),
        "changes-by-staff": (lambda: read_page(history.changes_by("alice"), 25), "list"),
        "hotels": (lambda: read_page(hotel_queries.hotels(), 25), "list"),
        "hotels-bound": (lambda: read_page(hotel_queries.hotels([ABC, "xyz"]), 25), "list"),
        "room-status": (lambda: room_commands.set_status(ABC, "101", DIRTY, "anna"), "write"),
    }


def calls_for(calls: Ledger, purpose: str) -> Sequence[Call]:
    """The calls for a purpose. A write is a transaction, whatever its caller reads before."""
    if purpose == "write":
        return [call for call in calls.calls if call.operation == "TransactWriteItems"]
    return calls.of(purpose)


def first_of(calls: Sequence[Call]) -> Call:
    """The first call of a page. Of several parallel calls, it is the one whose partition sorts first."""
    assert len(calls) == 1 or not all(call.resumed for call in calls), "which of them came first cannot be told"
    return min(calls, key=lambda call: (call.resumed, call.key_condition))


def blocks(sent: Mapping[str, Call]) -> dict[str, str]:
    """What the documents show of each request, in the order in which they name them."""
    texts, kinds = {}, set[str]()
    for document in DOCUMENTS:
        for name in BLOCK.findall(document.read_text(encoding="utf-8")):
            call = sent[name]
            full = "" if kind_of(call) in kinds else f"```json\n{in_full(call)}\n```\n"
            texts[name] = f"<!-- request: {name} -->\n```\n{in_short(call)}\n```\n{full}"
            kinds.add(kind_of(call))
    return texts


def comparable(text: str) -> str:
    """The text without figures that the engine of this run charges in another way than AWS."""
    return UNITS.sub("", text) if dynamodb_local.wanted() else text


@pytest.mark.usefixtures("empty_tables")
def test_the_requests_in_the_documents_are_the_ones_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rooms.commands.rooms.now", lambda: AT)
    monkeypatch.setattr("hotelapp.history.commands.timezone.now", lambda: AT)
    views, types = ("Sea view", "Garden view", "City view"), ("Suite", "Double")
    make_hotel([make_room(str(100 + n), views[n % 3], 20 + 10 * (n % 4), types[n % 2]) for n in range(60)])
    store([make_order()])
    make_reviews()
    sent = {}
    for name, (read, purpose) in requests().items():
        with ledger.recording() as calls:
            read()
        sent[name] = first_of(calls_for(calls, purpose))
    shown = blocks(sent)
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        written = BLOCK.sub(lambda match: shown[match[1]], text)
        if os.environ.get("UPDATE_DOCS"):
            document.write_text(written, encoding="utf-8")
        assert comparable(document.read_text(encoding="utf-8")) == comparable(written)
    assert set(sent) == set(shown)


def calls_in_the_patterns() -> Iterator[tuple[str, Mapping[str, object]]]:
    """Every call in the access patterns' document, with the modules of its app."""
    _, *parts = PART.split((ROOT / "docs" / "access-patterns.md").read_text(encoding="utf-8"))
    for part, modules in zip(parts, APPS, strict=True):
        yield from ((spelt, modules) for spelt in CALL.findall(part))


def test_the_calls_in_the_access_patterns_can_be_made() -> None:
    seen = set()
    for spelt, modules in calls_in_the_patterns():
        for node in ast.walk(ast.parse(spelt, mode="eval")):
            if isinstance(node, ast.Call) and (name := ast.unparse(node.func)) != "date":
                called = eval(name, {**VALUES, **modules})
                inspect.signature(called).bind(*node.args, **{str(word.arg): word.value for word in node.keywords})
                seen.add(name)
    listed = {"queries.rooms", "queries.hotels", "queries.guest_orders", "queries.reviews", "commands.delete_review"}
    assert listed < seen


def anchors_of(path: Path) -> set[str]:
    """The anchors that GitHub gives the headings of a document."""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    headings = (heading.lower() for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE))
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_between_documents_lead_somewhere(document: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#\s]*)#?([^)\s]*)\)", document.read_text(encoding="utf-8")):
        if "://" not in target:
            path = document.parent / target if target else document
            assert path.exists(), target
            assert not anchor or anchor in anchors_of(path), f"{target}#{anchor}"


def test_documents_that_the_code_names_exist() -> None:
    folders = ("hotelapp", "hotels", "rooms", "orders", "reviews", "search", "tests", "benchmarks")
    code = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    for path in code:
        for name in re.findall(r"docs/[\w-]+\.md", path.read_text(encoding="utf-8")):
            assert (ROOT / name).exists(), f"{path} names {name}"


def test_every_variable_is_in_the_settings_document() -> None:
    code = (ROOT / "hotelapp" / "settings.py").read_text(encoding="utf-8")
    names = set(re.findall(r'env\.\w+\(\s*"(\w+)"', code))
    documented = set(re.findall(r"^\| `(\w+)`", (ROOT / "docs" / "settings.md").read_text(encoding="utf-8"), re.M))
    assert names <= documented
