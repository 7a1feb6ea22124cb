"""Figures and defaults in the documents are those of the code, or of docs/costs.json: they change together."""

import ast
import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.conf import settings

from accounts.logins import clients, limits
from accounts.second_factor import devices
from accounts.sessions import RENEWALS
from dynamodb_lists.connection.scope import MOST_ATTEMPTS, SDK_ATTEMPTS
from dynamodb_lists.django import importing
from dynamodb_lists.lists import file_rows
from dynamodb_lists.planning.request_cost import items_paid
from dynamodb_lists.schema import keys, words
from dynamodb_lists.writing import transactions
from hotelapp import environment, serving
from hotelapp import settings as settings_of_production
from hotelapp.operations import health, metrics
from hotels.staff_hotels import MAX_HOTELS
from orders.imports import OrderImport
from portal import error_pages, shards
from portal.history import commands as history
from portal.imports import importer
from rooms import commands
from rooms import keys as room_keys
from search.views import MOST_ITEMS
from tests.costs.budget import budgets
from tests.costs.documents import documented, units
from tests.helpers.documents import ROOT, text_of

SERVER = serving.ServerOptions()
ROW = re.compile(r"^\| `(\w+)` \| ([^|]+) \|", re.MULTILINE)
DIGITS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

COSTS = documented()
UNITS, WAVES = ({getattr(page, name) for page in budgets().values()} for name in ("read_units", "waves"))
"""What pages need at most."""


def paid(name: str, part: str = "") -> str:
    """Return the write units of a pattern, or those of places with this part in their name."""
    return f"{units(COSTS[name], 'written', part):g}"


def read(name: str) -> str:
    """Return the read units of a pattern."""
    return f"{units(COSTS[name], 'read'):g}"


ON_DYNAMODB_LOCAL = units(COSTS["tap"], "written") + units(COSTS["tap"], "written", " ")
"""What a tap costs if each entry of an index costs two units."""

MINUTES = units(COSTS["import-room"], "written") * 1_000_000 / 4_000 / 60
"""How long the import of a million rooms takes at the units of a new table."""

CLAIMS: dict[str, list[str]] = {
    "dynamodb.md": [
        f"A million imported rooms at {paid('import-room')} write units take {MINUTES:.0f} minutes at 4,000 units a "
        f"second, and {MINUTES / 5:.0f} minutes at 20,000",
    ],
    "keys.md": [
        f"A page of 25 takes {read('A10g')} units: keys, then orders",
        f"An order of 1 line costs {paid('order-place')} units",
        f"of 3 lines costs {paid('order-place-3')} units",
        f"But a step of 90 lines costs {paid('order-step')},",
        f"A tap costs {paid('tap')} write units: {paid('tap', ' lsi')} for the LSIs",
        f"A new view costs {paid('room-view')} write units: {paid('room-view', ' lsi')} for the LSIs",
        f"A process keeps the number of shards for {shards.CACHE_SECONDS} seconds",
        f"After {shards.WAIT_SECONDS} seconds",
        f"of at most {keys.SLUG_LENGTH} characters",
        f"at most {commands.MAX_ROOMS:,}",
        f"At most {DIGITS[words.MAX_WORDS]} words of a name are indexed, and {words.WORD_LENGTH} characters of a word",
    ],
    "operate.md": [
        f"waits at most {health.LIMIT_SECONDS:.0f} seconds for an answer",
        f"asks at most once in {health.KEPT_SECONDS:.0f} seconds",
        f"{len(metrics.KINDS) * metrics.FILE_BYTES >> 20} MB for each process",
        f"{environment.SQL_SECONDS} s for SQLite's lock",
        f"| {SERVER.threads * 3 // 4} calls of a process wait",
        f"| {SERVER.threads // 4} exports are under way in the process, or {SERVER.threads // 8} of the account, or",
        f"{SERVER.threads // 2} passwords wait",
        f"503 with `Retry-After: {error_pages.RETRY_SECONDS}`",
        f"has a deadline, {settings_of_production.PAGE_DEADLINE_SECONDS:.0f} seconds after",
        f"at most {DIGITS[SDK_ATTEMPTS]} times in all",
        f"{settings_of_production.DYNAMODB_CONNECT_TIMEOUT} s to connect",
        "{} seconds late, and an answer that the client does not read for {}".format(*serving.STALLED_SECONDS.values()),
        f"idle connection ends after {serving.IDLE_SECONDS} seconds",
        f"first line has up to {serving.MAX_LINE_BYTES:,} bytes",
        f"each header has up to {serving.MAX_HEADER_BYTES >> 10} KB",
        f"may finish within {SERVER.stop_seconds} seconds",
        f"limited to {settings.DATA_UPLOAD_MAX_MEMORY_SIZE / 2**20} MB",
    ],
    "portal.md": [
        f"at most {transactions.MAX_WRITES} writes and {transactions.MAX_BYTES / 1e6} MB",
        f"It gives up after {DIGITS[MOST_ATTEMPTS]} attempts",
        f"Texts of more than {history.LENGTH} characters",
        f"more than {file_rows.MAX_CHARACTERS:,} characters",
        f"{importer.BATCH} rooms or reviews, or {OrderImport.batch_size} orders, for each writer",
        f"has {DIGITS[importing.WRITERS['aws']]} writers",
        f"the embedded engine {DIGITS[importing.WRITERS['embedded']]}",
        f"| one username at one address | {limits.FAILURES} |",
        f"| one username in a known browser | {limits.FAILURES} |",
        f"| one address, any usernames | {limits.FAILURES_PER_ADDRESS} |",
        f"| one username at any address | {limits.FAILURES_PER_USER} |",
        f"A lock ends {settings.AXES_COOLOFF_TIME // timedelta(minutes=1)} minutes after the last failure",
        f"forgotten after {clients.KEPT.days} days",
        f"waits {devices.SET_UP_TIME // timedelta(minutes=1)} minutes",
        f"{DIGITS[devices.BACKUP_CODES]} backup codes",
        f"up to {2 ** (devices.MOST_FAILURES - 1) // 60} minutes",
        f"and {settings.SESSION_MAX_HOURS} hours after the login",
        f"to at most {MAX_HOTELS} hotels",
    ],
    "reading.md": [
        f"adding a room takes {paid('room-add')} write units",
        f"the LSIs take {paid('tap', ' lsi')} of {paid('tap')} units of a tap",
        f"4 KB are {items_paid(room_keys.ENTRY_BYTES)} rooms in an index",
        f"and {items_paid(2 * room_keys.ENTRY_BYTES)} in the table",
    ],
    "requests.md": [
        f"read {min(UNITS):g} to {max(UNITS):g} units in {min(WAVES):g} to {max(WAVES):g} waves",
        f"at most once in {settings.SESSION_IDLE_HOURS * 60 // RENEWALS} minutes",
        f"the next {commands.STEP_ROOMS} rooms",
        f"{commands.STEP_ROOMS} rooms of at most {DIGITS[commands.MOST_WRITES]} writes",
        f"looks through the first {MOST_ITEMS} items",
        f"DynamoDB Local charges two: a tap would be {ON_DYNAMODB_LOCAL:g} units, not {paid('tap')}",
        f"In an import a room costs {paid('import-room')} write units instead of {paid('room-add')}, "
        f"an order {paid('import-order')}, a review {paid('import-review')}",
    ],
}
"""What documents say of constants of the code, and of what was measured, in their words."""


@pytest.mark.parametrize("name", CLAIMS)
def test_figures_are_those_of_the_code(name: str) -> None:
    text = " ".join(text_of(name).split())
    assert [claim for claim in CLAIMS[name] if claim not in text] == []


def defaults() -> Iterator[tuple[str, set[object]]]:
    """Yield each variable of the settings with the constants in the default that the code gives it."""
    for node in ast.walk(ast.parse((ROOT / "hotelapp" / "settings.py").read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("env."):
            name, *rest = node.args
            parts = [part for default in rest[:1] for part in ast.walk(default)]
            yield ast.unparse(name).strip("'"), {part.value for part in parts if isinstance(part, ast.Constant)}
    for option in ("address", "processes"):
        yield f"SERVER_{option.upper()}", {getattr(SERVER, option)}


def test_the_settings_document_has_every_variable_with_its_default() -> None:
    code, text, compared = dict(defaults()), text_of("operate.md", "Settings"), set()
    assert set(filter(str.isupper, code)) <= set(re.findall(r"^\| `(\w+)`", text, re.M))
    for name, default in ROW.findall(text.partition("\nOther variables:")[0]):
        if found := re.match(r"`([^`]+)`|(\d+)\b", default):
            assert (float(found[2]) if found[2] else found[1]) in code[name], name
            compared.add(name)
    assert {"LOG_LEVEL", "DYNAMODB_READ_TIMEOUT", "SERVER_ADDRESS", "SERVER_THREADS", "SESSION_IDLE_HOURS"} < compared
