"""What a document shows of the portal is what it prints, sends or declares. ``UPDATE_DOCS=1`` writes the last two anew.

A block ``console`` has commands of ``manage.py`` after ``$``, each with its output, on demo data. A block ``pycon``
has a session of Python. ``...`` stands for what differs from run to run. docs/ten-minutes.md has the requests of pages,
and docs/keys.md the tables of items and indexes.
"""

import doctest
import re
import shlex
from collections.abc import Iterator, Mapping
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from dynamodb_lists.connection.ledger import Ledger
from dynamodb_lists.reading import fetching
from dynamodb_lists.tests.helpers import dynamodb_local
from tests.helpers import contents, key_tables
from tests.helpers.contents import forget_counts
from tests.helpers.documents import BLOCK, DOCUMENTS, ROOT, assert_says, blocks
from tests.helpers.markup import ListMarkup, entry_of
from tests.helpers.orders import AT
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.helpers.shown_requests import in_short

COMMAND = re.compile(r"^\$ (?:\S*python )?manage\.py (.+)\n", re.MULTILINE)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
WITH_OUTPUT = [
    pytest.param(block, id=f"{path.relative_to(ROOT)}-{number}")
    for path in DOCUMENTS
    for number, block in enumerate(blocks(path, "console"))
]
TEN_MINUTES, KEYS = ROOT / "docs" / "ten-minutes.md", ROOT / "docs" / "keys.md"
SENT = re.compile(r"<!-- sent: (\w+) -->\n(?:```\n.*?\n```\n)?", re.DOTALL)
ADDRESS = re.compile(r"`(/hotels/abc/rooms/\S+)`")
KEY_TABLE = re.compile(r"(?<=<!-- )(items|indexes): ([\w-]+) -->\n.*?(?=<!-- end -->)", re.DOTALL)
VIEWS, TYPES = ("Sea view", "Garden view", "City view"), ("Suite", "Double")
SESSIONS = [path for path in DOCUMENTS if any(blocks(path, "pycon"))]


def same(wanted: str, printed: str) -> bool:
    return doctest.OutputChecker().check_output(wanted, printed, FLAGS)


def seed() -> None:
    call_command("seed_demo", rooms=[40, 20], guests=10, orders=30, reviews=20, stdout=StringIO())


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
        assert same(wanted, printed), f"$ manage.py {command}\n{printed}"


@pytest.mark.parametrize("document", SESSIONS, ids=lambda path: path.name)
def test_a_session_of_python_prints_what_the_document_says(document: Path) -> None:
    text = "\n".join(blocks(document, "pycon"))
    session = doctest.DocTestParser().get_doctest(text, {}, document.name, str(document), 0)
    report = StringIO()
    assert doctest.DocTestRunner(optionflags=FLAGS).run(session, out=report.write).failed == 0, report.getvalue()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_no_other_block_claims_output(document: Path) -> None:
    for _, language, text in BLOCK.findall(document.read_text(encoding="utf-8")):
        assert language in {"console", "pycon"} or not re.search(r"^(\$|>>>) ", text, re.MULTILINE), text


# --- Requests ---------------------------------------------------------------------------------------------


def sent_lines(calls: Ledger) -> Iterator[str]:
    """What a page sent besides the read of its session, and what it cost."""
    kept = [call for call in calls.calls if call.purpose != "session"]
    yield from map(in_short, kept)
    figures = {
        "read units": sum(call.units for call in kept if call.reads),
        "write units": sum(call.units for call in kept if not call.reads),
    }
    units = (f"{figure.normalize():f} {name}" for name, figure in figures.items() if figure)
    yield f"together {len(kept)} requests in {len({call.wave for call in kept})} waves, {', '.join(units)}"


def sent_by(client: Client, path: str, data: Mapping[str, str] | None = None) -> tuple[ListMarkup, str]:
    """The page at an address, or after a form, and its requests as the document shows them."""
    forget_counts()
    fetching.sizes.clear()
    response: Any = client.get(path) if data is None else client.post(path, data)
    assert response.status_code == (200 if data is None else 302)
    return ListMarkup(response.content), "\n".join(sent_lines(response.wsgi_request.ledger))


@pytest.mark.django_db
@pytest.mark.skipif(dynamodb_local.wanted(), reason="plans follow the units, and DynamoDB Local charges LSIs otherwise")
def test_the_requests_of_the_ten_minutes_are_the_ones_sent(
    manager: Client, mary: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rooms.commands.rooms.now", lambda: AT)
    monkeypatch.setattr("portal.history.commands.timezone.now", lambda: AT)
    make_hotel([make_room(str(100 + n), VIEWS[n % 3], 20 + 2 * (n % 20), TYPES[n // 3 % 2]) for n in range(300)])
    text = TEN_MINUTES.read_text(encoding="utf-8")
    (address,) = ADDRESS.findall(text)
    shown = {}
    page, shown["page"] = sent_by(manager, address)
    link = urljoin(address, page.link("next") or "")
    after, _ = sent_by(manager, link)
    edit = f"/hotels/{ABC}/rooms/{page.rows[-1]}/edit/"
    entry = entry_of(ListMarkup(manager.get(edit).content))
    _, shown["edit"] = sent_by(manager, edit, {**entry, "view": "City view"})
    again, shown["next"] = sent_by(manager, link)
    assert again.rows == after.rows
    shown["page"] = shown["page"].replace(f"staff#{mary.pk}'", "staff#1'")
    written = SENT.sub(lambda match: f"<!-- sent: {match[1]} -->\n```\n{shown[match[1]]}\n```\n", text)
    assert_says(TEN_MINUTES, written)
    assert SENT.findall(text) == [*shown]


# --- Keys -------------------------------------------------------------------------------------------------


def declared(block: re.Match[str]) -> str:
    what, table = block.groups()
    return f"{what}: {table} -->\n{getattr(key_tables, what)(table)}\n"


def test_the_document_has_the_keys_that_models_declare() -> None:
    written = KEY_TABLE.sub(declared, KEYS.read_text(encoding="utf-8"))
    assert_says(KEYS, written)
    assert len(KEY_TABLE.findall(written)) == 6
    assert not re.search(r"\|\s*\|$", written, re.M), "each index says what it is for"
