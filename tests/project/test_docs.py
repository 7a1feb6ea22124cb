"""The documents are right: the portal sends each request that they show, and every file that they name exists."""

import ast
import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace

import pytest

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.ledger import Call, Ledger
from dynamodb_lists.planning.selection import Selection
from dynamodb_lists.schema.words import typed
from dynamodb_lists.tests.helpers import dynamodb_local
from hotels import queries as hotel_queries
from orders import commands as order_commands
from orders import queries as orders
from orders.entities import OrderQuery
from reviews import commands as review_commands
from reviews import queries as review_queries
from reviews.entities import ReviewQuery
from rooms import commands as room_commands
from rooms import queries
from rooms.entities import RateRange, RoomQuery
from tests.costs.patterns import reads
from tests.costs.writes import tap
from tests.helpers.contents import forget_counts
from tests.helpers.documents import DOCS, DOCUMENTS, ROOT, assert_says, prose
from tests.helpers.orders import AT, make_order, store
from tests.helpers.pages import TABLE
from tests.helpers.reviews import make_review
from tests.helpers.rooms import make_hotel, make_room
from tests.helpers.shown_requests import in_full, in_short

BLOCK = re.compile(r"<!-- (request|in full): ([\w -]+) -->\n(?:```(?:json)?\n.*?\n```\n)?", re.DOTALL)
MOST_WORDS = 24_000
PART = re.compile(r"^## ", re.MULTILINE)
CALL = re.compile(r"`((?:queries|commands|RoomQuery|ReviewQuery)\b[.\w]*\(.*?\))`", re.DOTALL)
HOTELS_AND_ROOMS: object = SimpleNamespace(**{**vars(hotel_queries), **vars(queries)})
"""One part of the access patterns is about both."""

OF_ROOMS: Mapping[str, object] = {"queries": HOTELS_AND_ROOMS, "commands": room_commands}
OF_ORDERS: Mapping[str, object] = {"queries": orders, "commands": order_commands}
PARTS: Mapping[str, Mapping[str, object]] = {
    "Rooms": OF_ROOMS,
    "Changes of rooms": OF_ROOMS,
    "Hotels, statistics and saved views": OF_ROOMS,
    "Guests": OF_ORDERS,
    "Orders": OF_ORDERS,
    "Reviews": {"queries": review_queries, "commands": review_commands},
}
"""The modules that the calls in each part of the access patterns mean."""

JANUARY = (date(2023, 1, 1), date(2023, 2, 1))
TYPES = (OrderQuery, RoomQuery, RateRange, Decimal, ReviewQuery, Selection)
VALUES = {**{value.__name__: value for value in TYPES}, "typed": typed}
Read = Callable[[], object]


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


def calls_for(calls: Ledger, purpose: str) -> Sequence[Call]:
    """The calls for a purpose. A write is a transaction, whatever its caller reads before."""
    if purpose == "write":
        return [call for call in calls.calls if call.operation == "TransactWriteItems"]
    return calls.of(purpose)


def first_of(calls: Sequence[Call]) -> Call:
    """The first call of a page. Of several parallel calls, it is the one whose partition sorts first."""
    assert len(calls) == 1 or not all(call.resumed for call in calls), "which of them came first cannot be told"
    return min(calls, key=lambda call: (call.wave, call.resumed, call.key_condition))


def shown(kind: str, names: Sequence[str], sent: Mapping[str, Call]) -> str:
    """What a document shows under a marker: requests, each after its name if there are several, or one in full."""
    if kind == "in full":
        return f"```json\n{in_full(sent[names[0]])}\n```\n"
    width = max(map(len, names)) + 2 if len(names) > 1 else 0
    texts = (in_short(sent[name]).replace("\n", f"\n{'':{width}}") for name in names)
    lines = [f"{name:{width}}{text}" if width else text for name, text in zip(names, texts, strict=True)]
    return "```\n" + "\n".join(lines) + "\n```\n"


@pytest.mark.usefixtures("empty_tables")
@pytest.mark.skipif(dynamodb_local.wanted(), reason="plans follow the units, and DynamoDB Local charges LSIs otherwise")
def test_the_requests_in_the_documents_are_the_ones_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rooms.commands.rooms.now", lambda: AT)
    monkeypatch.setattr("portal.history.commands.timezone.now", lambda: AT)
    views, types = ("Sea view", "Garden view", "City view"), ("Suite", "Double")
    make_hotel([make_room(str(100 + n), views[n % 3], 20 + 10 * (n % 4), types[n % 2]) for n in range(60)])
    store([make_order()])
    make_reviews()
    sent = {}
    for name, pattern in {**reads(), "room-status": tap("anna")}.items():
        forget_counts()
        with ledger.recording() as calls:
            pattern.call()
        sent[name] = first_of(calls_for(calls, pattern.purpose))
    marked: dict[str, list[str]] = {"request": [], "in full": []}

    def right(match: re.Match[str]) -> str:
        names = match[2].split()
        marked[match[1]] += names
        return f"<!-- {match[1]}: {match[2]} -->\n{shown(match[1], names, sent)}"

    for document in DOCUMENTS:
        assert_says(document, BLOCK.sub(right, document.read_text(encoding="utf-8")))
    assert sorted(sent) == sorted(marked["request"])
    operations = [sent[name].operation for name in marked["in full"]]
    assert sorted(operations) == sorted({call.operation for call in sent.values()}), "one of each operation in full"


def calls_in_the_patterns() -> Iterator[tuple[str, Mapping[str, object]]]:
    """Every call in the access patterns' document, with the modules of its app."""
    _, *parts = PART.split((ROOT / "docs" / "access-patterns.md").read_text(encoding="utf-8"))
    for part in parts:
        title = part.partition("\n")[0]
        yield from ((spelt, PARTS[title]) for spelt in CALL.findall(part))


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
    headings = (heading.lower() for heading in re.findall(r"^#+ (.+)$", prose(path), re.MULTILINE))
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_between_documents_lead_somewhere(document: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#\s]*)#?([^)\s]*)\)", prose(document)):
        if "://" in target:
            assert re.fullmatch(r"https://(\w[\w-]*\.)+[a-z]{2,}(/[^\s<>]*)?", target), target
        else:
            path = document.parent / target if target else document
            assert path.exists(), target
            assert not anchor or anchor in anchors_of(path), f"{target}#{anchor}"


def test_the_index_names_every_document() -> None:
    """Its headings with their links are also the navigation of the site."""
    linked = re.findall(r"\]\(([\w-]+\.md)\)", (ROOT / "docs" / "README.md").read_text(encoding="utf-8"))
    assert sorted(linked) == [path.name for path in DOCS if path.name != "README.md"]


def test_all_documents_can_be_read_in_two_hours() -> None:
    """Without the table of pages, which nobody reads from its beginning to its end, and without the lines of tables."""
    texts = {path.name: path.read_text(encoding="utf-8").replace(TABLE, "") for path in DOCS}
    words = {name: len(re.findall(r"\S*\w\S*", text)) for name, text in texts.items()}
    assert sum(words.values()) <= MOST_WORDS, words


def test_documents_that_the_code_names_exist() -> None:
    folders = ["dynamodb_lists", "portal", "accounts", "hotelapp", "hotels", "rooms", "orders", "reviews", "search"]
    folders += ["tests", "benchmarks"]
    code = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    for path in code:
        for name in re.findall(r"docs/[\w-]+\.md", path.read_text(encoding="utf-8")):
            assert (ROOT / name).exists(), f"{path} names {name}"


def test_every_variable_is_in_the_settings_document() -> None:
    code = (ROOT / "hotelapp" / "settings.py").read_text(encoding="utf-8")
    names = set(re.findall(r'env\.\w+\(\s*"(\w+)"', code))
    documented = set(re.findall(r"^\| `(\w+)`", (ROOT / "docs" / "settings.md").read_text(encoding="utf-8"), re.M))
    assert names <= documented, "describe the variable in docs/settings.md"
