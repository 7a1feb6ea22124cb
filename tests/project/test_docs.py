"""Every link, file, command and call that a document names exists."""

import ast
import inspect
import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.management import get_commands, load_command_class

from dynamodb_lists import WordQuery
from hotels import queries as hotel_queries
from hotels.seeding import HOTELS
from notes import queries as note_queries
from orders import commands as order_commands
from orders import queries as order_queries
from reviews import commands as review_commands
from reviews import queries as review_queries
from rooms import commands as room_commands
from rooms import queries as room_queries
from tests.helpers.documents import DOCS, DOCUMENTS, ROOT, prose, text_of

MOST_WORDS = 23_950
CALL = re.compile(r"`((?:queries|commands)\b[.\w]*\(.*?\))`", re.DOTALL)
MODULES: dict[str, tuple[Any, ...]] = {
    "queries": (hotel_queries, note_queries, order_queries, review_queries, room_queries),
    "commands": (order_commands, review_commands, room_commands),
}
VALUES: dict[str, Callable[..., object]] = {"Decimal": Decimal, "WordQuery.of": WordQuery.of}

COMMAND = re.compile(r"manage\.py ([a-z_]+)([^`|\n]*)")
CODE = re.compile(r"^ *```.*?^ *```$|`[^`\n]+`", re.DOTALL | re.MULTILINE)
TARGET = re.compile(r"(?:^[ $]*|`|&& |; )make (?:[A-Z]+=\S+ )*([a-z][a-z-]*)", re.MULTILINE)
FILE = re.compile(r"`([\w./-]+/[\w.-]+\.(?:py|html|js|css|md|sh|yaml))`")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
of_each_document = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)


def anchors_of(path: Path) -> set[str]:
    """Return the anchors that GitHub gives the headings of a document."""
    headings = (heading.lower() for heading in re.findall(r"^#+ (.+)$", prose(path), re.MULTILINE))
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in headings}


@of_each_document
def test_links_lead_somewhere(document: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#\s]*)#?([^)\s]*)\)", prose(document)):
        if "://" in target:
            assert re.fullmatch(r"https://(\w[\w-]*\.)+[a-z]{2,}(/[^\s<>]*)?", target), target
        else:
            path = document.parent / target if target else document
            assert path.exists(), target
            assert not anchor or anchor in anchors_of(path), f"{target}#{anchor}"


@of_each_document
def test_commands_and_files_exist(document: Path) -> None:
    text, commands = text_of(document), get_commands()
    for name, rest in COMMAND.findall(text):
        app = commands[name]
        loaded = load_command_class(app, name) if isinstance(app, str) else app
        used = re.findall(r"(?<= )--[a-z-]+", rest.partition("&&")[0])
        assert set(used) <= set(loaded.create_parser("manage.py", name)._option_string_actions), name
    for name in TARGET.findall("\n".join(CODE.findall(text))):
        assert re.search(rf"^{name}:", MAKEFILE, re.MULTILINE), f"make {name}"
    for name in set(re.findall(r"\.venv/bin/([\w-]+)", text)) if document.name != "tutorial.md" else ():
        assert (ROOT / ".venv" / "bin" / name).exists(), f"make run installs no .venv/bin/{name}"
    for name in FILE.findall(text):
        places = (ROOT, ROOT / "templates", ROOT / "static", *(ROOT / "examples").iterdir(), document.parent)
        assert name.startswith("dist/") or any((place / name).exists() for place in places), name


@of_each_document
def test_addresses_are_those_of_hotels_of_the_demo(document: Path) -> None:
    named = set(re.findall(r"[`\" ]/hotels/([a-z-]+)/", text_of(document))) - {"add", "switcher"}
    assert named <= {hotel.hotel_id for hotel in HOTELS}


def test_documents_that_the_code_names_exist() -> None:
    for path in ROOT.glob("[a-z]*/**/*.py"):
        for name in re.findall(r"docs/[\w-]+\.md", path.read_text(encoding="utf-8")):
            assert (ROOT / name).exists(), f"{path} names {name}"


def takes(function: Callable[..., object], call: ast.Call) -> bool:
    """Return whether a function has the parameters of this call."""
    try:
        inspect.signature(function).bind(*call.args, **{str(word.arg): word.value for word in call.keywords})
    except TypeError:
        return False
    return True


def test_the_calls_in_the_access_patterns_can_be_made() -> None:
    seen = set()
    for spelt in CALL.findall(text_of("requests.md")):
        for node in ast.walk(ast.parse(spelt, mode="eval")):
            if isinstance(node, ast.Call) and (called := ast.unparse(node.func)) != "date":
                module, _, name = called.rpartition(".")
                functions = [VALUES[called]] if called in VALUES else [vars(each).get(name) for each in MODULES[module]]
                assert any(takes(function, node) for function in functions if function), spelt
                seen.add(called)
    assert {"queries.rooms_by_number", "queries.hotels", "queries.guest_orders"} < seen


def test_the_readme_names_every_document() -> None:
    """Its headings with their links are also the navigation of the site."""
    linked = re.findall(r"^- .*\]\(docs/([\w-]+\.md)\)", text_of(ROOT / "README.md"), re.MULTILINE)
    assert sorted(linked) == [path.name for path in DOCS]


def test_the_manual_has_a_bound() -> None:
    """A change that adds a fact removes another fact, or says it in fewer words. The changelog may grow."""
    manual = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "dynamodb_lists" / "README.md", *DOCS]
    words = {str(path.relative_to(ROOT)): len(re.findall(r"\S*\w\S*", text_of(path))) for path in manual}
    assert sum(words.values()) <= MOST_WORDS, words
