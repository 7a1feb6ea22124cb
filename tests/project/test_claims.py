"""Names, defaults and limits in the documents are those of the code, so that neither changes without the other."""

import ast
import dataclasses
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import get_commands, load_command_class

from accounts.logins import browsers, limits
from accounts.second_factor import devices
from accounts.sessions.store import RENEWALS
from dynamodb_lists.connection.retries import MOST_ATTEMPTS, SDK_ATTEMPTS
from dynamodb_lists.planning.request_cost import items_paid
from dynamodb_lists.schema import keys, words
from dynamodb_lists.schema.entities import Field
from dynamodb_lists.writing import transactions
from hotelapp import environment
from hotelapp import settings as settings_of_production
from hotelapp.operations import health, metrics
from hotelapp.serving import server
from hotelapp.serving.options import ServerOptions
from hotels.staff_hotels import MAX_HOTELS
from orders.imports import OrderImport
from orders.models import GuestModel
from portal import outages, shards
from portal.history import commands as history
from portal.imports import command, file_rows, importer
from rooms import keys as room_keys
from rooms.commands import bulk
from search.queries import MOST_ITEMS
from tests.helpers.documents import DOCUMENTS, ROOT
from tests.helpers.kinds import handwritten
from tests.storm import browser, troubles

SERVER = ServerOptions()
COMMAND = re.compile(r"manage\.py ([a-z_]+)([^`|\n]*)")
CODE = re.compile(r"^ *```.*?^ *```$|`[^`\n]+`", re.DOTALL | re.MULTILINE)
TARGET = re.compile(r"(?:^[ $]*|`|&& |; )make (?:[A-Z]+=\S+ )*([a-z][a-z-]*)", re.MULTILINE)
FILE = re.compile(r"`([\w./-]+/[\w.-]+\.(?:py|html|js|css|md|sh|yaml))`")
ROW = re.compile(r"^\| `(\w+)` \| ([^|]+) \|", re.MULTILINE)
DIGITS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")

CLAIMS: dict[str, list[str]] = {
    "access-patterns.md": [
        f"the guards of the next {bulk.STEP_ROOMS} rooms",
        f"{bulk.STEP_ROOMS} rooms of at most {DIGITS[bulk.MOST_WRITES]} writes",
        f"looks through the first {MOST_ITEMS} items",
        f"in {DIGITS[len(GuestModel.template_of('guest_shard').shards())]} shards by a hash of the username",
    ],
    "entities.md": [
        f"at most {transactions.MAX_WRITES} writes and {transactions.MAX_BYTES / 1e6} MB",
        f"It gives up after {DIGITS[MOST_ATTEMPTS]} attempts",
    ],
    "history.md": [f"Texts of more than {history.LENGTH} characters"],
    "imports.md": [
        f"more than {file_rows.MAX_CHARACTERS:,} characters",
        f"{importer.BATCH} rooms or reviews, or {OrderImport.batch_size} orders, for each writer",
        f"`--writers {command.WRITERS['aws']}`",
        f"the default is {command.WRITERS['embedded']}",
    ],
    "keys.md": [
        f"A process keeps the number for {shards.CACHE_SECONDS} seconds",
        f"After {shards.WAIT_SECONDS} seconds",
        f"of at most {keys.SLUG_LENGTH} characters",
        f"at most {bulk.MAX_ROOMS:,}",
        f"At most {DIGITS[words.MAX_WORDS]} words of a name are indexed, and {words.WORD_LENGTH} characters of a word",
    ],
    "logins.md": [
        f"| one username at one address | {limits.FAILURES} |",
        f"| one username in a known browser | {limits.FAILURES} |",
        f"| one address, any usernames | {limits.FAILURES_PER_ADDRESS} |",
        f"| one username at any address | {limits.FAILURES_PER_USER} |",
        f"A lock ends {settings.AXES_COOLOFF_TIME // timedelta(minutes=1)} minutes after the last failure",
        f"forgotten after {browsers.KEPT.days} days",
        f"waits {devices.SET_UP_TIME // timedelta(minutes=1)} minutes",
        f"{DIGITS[devices.BACKUP_CODES]} backup codes",
        f"up to {2 ** (devices.MOST_FAILURES - 1) // 60} minutes",
        f"and {settings.SESSION_MAX_HOURS} hours after the login",
        f"at most once in {settings.SESSION_IDLE_HOURS * 60 // RENEWALS} minutes",
    ],
    "monitoring.md": [
        f"waits at most {health.LIMIT_SECONDS:.0f} seconds for an answer",
        f"asks at most once in {health.KEPT_SECONDS:.0f} seconds",
        f"{len(metrics.KINDS) * metrics.FILE_BYTES >> 20} MB for each process",
    ],
    "operations.md": [
        f"{environment.SQL_SECONDS} s for SQLite's lock",
        f"| {SERVER.threads * 3 // 4} calls of a process wait",
        f"| {SERVER.threads // 4} exports are under way in the process, or {SERVER.threads // 8} of the account, or",
        f"{SERVER.threads // 2} passwords wait",
        f"503 with `Retry-After: {outages.RETRY_SECONDS}`",
        f"has a deadline, {settings_of_production.PAGE_DEADLINE_SECONDS:.0f} seconds after",
        f"at most {DIGITS[SDK_ATTEMPTS]} times in all",
        f"{settings_of_production.DYNAMODB_CONNECT_TIMEOUT} s to connect",
    ],
    "permissions.md": [f"bound to {MAX_HOTELS} hotels"],
    "planner.md": [
        f"4 KB are {items_paid(room_keys.ENTRY_BYTES)} rooms in an index",
        f"and {items_paid(room_keys.ITEM_BYTES)} in the table",
    ],
    "production.md": [
        "{} seconds late, and the answer of one that does not read for {}".format(*server.STALLED_SECONDS.values()),
        f"nothing happens ends after {server.IDLE_SECONDS} seconds",
        f"first line has up to {server.MAX_LINE_BYTES:,} bytes",
        f"each header has up to {server.MAX_HEADER_BYTES >> 10} KB",
        f"may finish within {SERVER.stop_seconds} seconds",
        f"limited to {settings.DATA_UPLOAD_MAX_MEMORY_SIZE / 2**20} MB",
    ],
    "storm.md": [
        "{} to {} connections".format(*troubles.SLOW_CLIENTS),
        f"within {troubles.LONGEST_RECOVERY:.0f} seconds after each trouble",
        f"within {DIGITS[int(troubles.NORMAL_SECONDS)]} seconds",
        "Allowed are {}, {}, {}, {}, {}, {} and {}.".format(*sorted(browser.ALLOWED)),
    ],
}
"""What documents say of constants of the code, in their words."""


def text_of(name: str) -> str:
    """A document without its line breaks."""
    return " ".join((ROOT / "docs" / name).read_text(encoding="utf-8").split())


@pytest.mark.parametrize("name", CLAIMS)
def test_limits_are_those_of_the_code(name: str) -> None:
    text = text_of(name)
    assert [claim for claim in CLAIMS[name] if claim not in text] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_commands_and_files_exist(document: Path) -> None:
    text, commands = document.read_text(encoding="utf-8"), get_commands()
    for name, rest in COMMAND.findall(text):
        app = commands[name]
        loaded = load_command_class(app, name) if isinstance(app, str) else app
        known = loaded.create_parser("manage.py", name)._option_string_actions
        used = re.findall(r"(?<= )--[a-z-]+", rest.partition("&&")[0])
        assert set(used) <= set(known), name
    for name in TARGET.findall("\n".join(CODE.findall(text))):
        assert re.search(rf"^{name}:", MAKEFILE, re.MULTILINE), f"make {name}"
    for name in set(re.findall(r"\.venv/bin/([\w-]+)", text)) if document.name != "tutorial.md" else ():
        assert (ROOT / ".venv" / "bin" / name).exists(), f"make run installs no .venv/bin/{name}"
    for name in FILE.findall(text):
        places = (ROOT, ROOT / "templates", ROOT / "static", ROOT / "examples" / "library", document.parent)
        assert name.startswith("dist/") or any((place / name).exists() for place in places), name


def defaults() -> Iterator[tuple[str, set[object]]]:
    """Each variable of the settings with the constants in the default that the code gives it."""
    for node in ast.walk(ast.parse((ROOT / "hotelapp" / "settings.py").read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("env."):
            name, *rest = node.args
            parts = [part for default in rest[:1] for part in ast.walk(default)]
            yield ast.unparse(name).strip("'"), {part.value for part in parts if isinstance(part, ast.Constant)}
    for option in ("address", "processes"):
        yield f"SERVER_{option.upper()}", {getattr(SERVER, option)}


def test_defaults_in_the_settings_document_are_those_of_the_code() -> None:
    code, compared = dict(defaults()), set()
    text = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8").partition("\nOther variables:")[0]
    for name, default in ROW.findall(text):
        if found := re.match(r"`([^`]+)`|(\d+)\b", default):
            assert (float(found[2]) if found[2] else found[1]) in code[name], name
            compared.add(name)
    assert {"LOG_LEVEL", "DYNAMODB_READ_TIMEOUT", "SERVER_ADDRESS", "SERVER_THREADS", "SESSION_IDLE_HOURS"} < compared


def test_every_kind_of_item_and_part_of_a_field_is_in_the_document_of_entities() -> None:
    text = (ROOT / "docs" / "entities.md").read_text(encoding="utf-8")
    part = text.partition("## Kinds and versions")[2].partition("\n## ")[0]
    named = {kind for row in re.findall(r"^\| (`[^|]+) \|", part, re.M) for kind in re.findall(r"`([\w-]+)`", row)}
    assert named == {model.kind for model in handwritten()}
    parts = dict(ROW.findall(text.partition("| part of `Field` |")[2].partition("\n\n")[0]))
    filled_in = {"name", "hint", "type", "may_be_none", "numeric"}
    assert parts.keys() == {field.name for field in dataclasses.fields(Field)} - filled_in
