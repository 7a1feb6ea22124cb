"""What a document shows of the portal is what it prints, sends or declares. ``UPDATE_DOCS=1`` writes the last two anew.

A block ``console`` has commands of ``manage.py`` after ``$``, each with its output, on demo data. A block ``pycon``
has a session of Python. ``...`` stands for what differs from run to run.

Generated are the first request of each access pattern (``request``, or a cell of a table), all of a page (``sent``),
keys and indexes (``items``, ``indexes``), and what entities declare (``imports``).
"""

import doctest
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from dynamodb_lists import Ledger, ledger
from dynamodb_lists.connection.ledger import Call
from dynamodb_lists.reading import fetching
from dynamodb_lists.schema import tables
from dynamodb_lists.tests.helpers import dynamodb_local
from hotels import queries as hotel_queries
from notes.commands import save_notes
from reviews import commands as review_commands
from tests.costs.data import demo_notes
from tests.costs.documents import READ
from tests.costs.patterns import reads
from tests.costs.writes import tap
from tests.helpers import contents, entity_tables, key_tables
from tests.helpers.contents import forget_counts
from tests.helpers.documents import BLOCK, DOCUMENTS, ROOT, assert_generated, assert_says, blocks, fenced, text_of
from tests.helpers.markup import ListMarkup, entry_of
from tests.helpers.orders import AT, make_order, store
from tests.helpers.reviews import make_review
from tests.helpers.rooms import make_hotel, make_room
from tests.helpers.shown_requests import in_cell, in_short

COMMAND = re.compile(r"^\$ (?:\S*python )?manage\.py (.+)\n", re.MULTILINE)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
plans_as_documented = pytest.mark.skipif(
    dynamodb_local.wanted(), reason="plans follow the units, and DynamoDB Local charges LSIs otherwise"
)
WITH_OUTPUT = [
    pytest.param(
        block, id=f"{path.relative_to(ROOT)}-{number}", marks=[plans_as_documented] if "explain" in block else ()
    )
    for path in DOCUMENTS
    for number, block in enumerate(blocks(path, "console"))
]
SESSIONS = [path for path in DOCUMENTS if any(blocks(path, "pycon"))]
LAKEVIEW = "lakeview"
"""A hotel of the demo, so that readers can send what the documents show."""

ADDRESS = re.compile(rf"`(/hotels/{LAKEVIEW}/rooms/\S+)`")
VIEWS, TYPES = ("Sea view", "Garden view", "City view"), ("Suite", "Double")


def seed() -> None:
    """Write the demo's rooms, and a smaller amount of all else."""
    call_command("seed_demo", guests=10, orders=30, reviews=20, stdout=StringIO())


def printed_by(command: str) -> str:
    name, *words = shlex.split(command)
    out = StringIO()
    call_command(name, *words, stdout=out, stderr=out)
    return out.getvalue().replace(settings.DYNAMODB_TABLE_PREFIX, "")


@pytest.mark.usefixtures("empty_tables")
@pytest.mark.django_db
@pytest.mark.parametrize("block", WITH_OUTPUT)
def test_a_command_prints_what_the_document_says(block: str) -> None:
    before, *parts = COMMAND.split(block)
    assert not before, "a block of this language begins with a command of manage.py"
    contents.start_from("documents", seed)
    for command, wanted in zip(parts[::2], parts[1::2], strict=True):
        printed = printed_by(command)
        assert doctest.OutputChecker().check_output(wanted, printed, FLAGS), f"$ manage.py {command}\n{printed}"


@pytest.mark.parametrize("document", SESSIONS, ids=lambda path: path.name)
def test_a_session_of_python_prints_what_the_document_says(document: Path) -> None:
    text = "\n".join(blocks(document, "pycon"))
    session = doctest.DocTestParser().get_doctest(text, {}, document.name, str(document), 0)
    report = StringIO()
    assert doctest.DocTestRunner(optionflags=FLAGS).run(session, out=report.write).failed == 0, report.getvalue()


def test_no_other_block_claims_output() -> None:
    for document in DOCUMENTS:
        for _, language, text in BLOCK.findall(text_of(document)):
            assert language in {"console", "pycon"} or not re.search(r"^(\$|>>>) ", text, re.MULTILINE), text


# --- Requests ---------------------------------------------------------------------------------------------


@pytest.fixture
def fixed_times(empty_tables: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rooms.lists.now", lambda: AT)
    monkeypatch.setattr("portal.history.commands.timezone.now", lambda: AT)


def make_rooms(count: int, facets: Callable[[int], tuple[str, int, str]]) -> None:
    """Store the hotel with rooms of these views, sizes and types."""
    make_hotel([make_room(str(100 + n), *facets(n), hotel_id=LAKEVIEW) for n in range(count)], LAKEVIEW)


def make_reviews() -> None:
    """Store a hundred reviews, an hour apart. Most are in English and have four or five stars."""
    ratings, languages = (5, 5, 4, 5, 4, 5, 4, 5, 1, 2), ("en", "en", "de")
    make = partial(make_review, hotel_id=LAKEVIEW, author="A guest", title="")
    review_commands.save_reviews(
        [make(f"r-{n:03d}", languages[n % 3], ratings[n % 10], AT + timedelta(hours=n)) for n in range(100)]
    )


def first_of(calls: Ledger, purpose: str) -> Call:
    """Return the first call for a purpose.

    Among parallel calls, this is the one whose partition sorts first. For a write, it is the transaction, whatever the
    caller reads before.
    """
    found = [call for call in calls.calls if call.operation == "TransactWriteItems"]
    return min(
        found if purpose == "write" else calls.of(purpose),
        key=lambda call: (call.wave, call.resumed, call.key_condition),
    )


@plans_as_documented
@pytest.mark.usefixtures("fixed_times")
def test_the_requests_of_the_access_patterns_are_the_ones_sent() -> None:
    make_rooms(60, lambda n: (VIEWS[n % 3], 20 + 10 * (n % 4), TYPES[n % 2]))
    store([make_order(hotel_id=LAKEVIEW)])
    make_reviews()
    save_notes([replace(note, hotel_id=LAKEVIEW) for note in demo_notes(60)])
    fetching.sizes.clear()
    sent = {}
    for name, pattern in {**reads(LAKEVIEW), "room-status": tap(LAKEVIEW)}.items():
        forget_counts()
        with ledger.recording() as calls:
            pattern.call()
        sent[name] = first_of(calls, pattern.purpose)
    found = [name for _, name in assert_generated({"request": lambda name: fenced(in_short(sent[name]))})]
    document, text = ROOT / "docs" / "requests.md", text_of("requests.md")
    assert_says(document, READ.sub(lambda row: f"{row['begin']}{in_cell(sent[row['name']])} | {row['cost']} |", text))
    assert sorted([*found, *(row["name"] for row in READ.finditer(text))]) == sorted(sent)


def sent_by(client: Client, path: str, data: Mapping[str, str] | None = None) -> tuple[ListMarkup, str]:
    """The page at an address, or after a form; and its requests with their cost, without the read of its session."""
    forget_counts()
    fetching.sizes.clear()
    response: Any = client.get(path) if data is None else client.post(path, data)
    assert response.status_code == (200 if data is None else 302)
    calls = [call for call in response.wsgi_request.ledger.calls if call.purpose != "session"]
    units = {
        "read units": sum(call.units for call in calls if call.reads),
        "write units": sum(call.units for call in calls if not call.reads),
    }
    cost = ", ".join(f"{used.normalize():f} {name}" for name, used in units.items() if used)
    waves = len({call.wave for call in calls})
    lines = [*map(in_short, calls), f"together {len(calls)} requests in {waves} waves, {cost}"]
    return ListMarkup(response.content), "\n".join(lines)


@plans_as_documented
@pytest.mark.django_db
@pytest.mark.usefixtures("fixed_times")
def test_the_requests_of_one_page_and_one_write_are_the_ones_sent(manager: Client, mary: User) -> None:
    make_rooms(300, lambda n: (VIEWS[n % 3], 20 + 2 * (n % 20), TYPES[n // 3 % 2]))
    hotel_queries.hotel(LAKEVIEW)  # this process has cached it
    (address,) = ADDRESS.findall(text_of("reading.md", "One request"))
    sent = {}
    page, sent["page"] = sent_by(manager, address)
    link = urljoin(address, page.link("next") or "")
    after, _ = sent_by(manager, link)
    edit = f"/hotels/{LAKEVIEW}/rooms/{page.rows[-1]}/edit/"
    entry = entry_of(ListMarkup(manager.get(edit).content))
    _, sent["edit"] = sent_by(manager, edit, {**entry, "view": "City view"})
    again, _ = sent_by(manager, link)
    assert again.rows == after.rows, "its cursor has the position of the room that has moved away"
    sent["page"] = sent["page"].replace(f"staff#{mary.pk}'", "staff#1'")
    assert assert_generated({"sent": lambda name: fenced(sent[name])}) == [("sent", name) for name in sent]


# --- Declarations -----------------------------------------------------------------------------------------


def test_documents_have_what_is_declared() -> None:
    found = assert_generated({**key_tables.KINDS, **entity_tables.KINDS})
    every = {name.removeprefix(settings.DYNAMODB_TABLE_PREFIX) for name in tables.names()}
    assert {name for kind, name in found if kind == "items"} == every
    assert {name for kind, name in found if kind == "indexes"} == every - {"sessions"}
    assert {kind for kind, _ in found} == {*key_tables.KINDS, *entity_tables.KINDS}
    assert not re.search(r"\|\s*\|$", text_of("keys.md"), re.M), "each index says what it is for"
