"""One public set: what the package exports, what docs/reference.md lists, and what says what it does."""

import ast
import importlib
import re
from collections import defaultdict
from collections.abc import Iterator

import pytest

from tests.helpers.documents import ROOT, public_names, text_of
from tests.helpers.reference import LISTED, MODULE, Name, exported, methods, of_modules, reference

TOOLKIT = "dynamodb_lists"
USERS = ("hotels", "rooms", "orders", "reviews", "notes", "search", "saved_views", "overview")
"""The apps that any project has some of. What else imports the toolkit takes it apart, or serves it."""

IMPORT = re.compile(r"^from dynamodb_lists\.[\w.]+ import [\w, ]+$", re.MULTILINE)
TEXT = text_of("reference.md")
NAMES = [*exported(), *of_modules(TEXT)]


def imports() -> Iterator[tuple[str, str]]:
    """Yield each import from a module of the toolkit, in apps and in documents: the module and the name."""
    code = [path.read_text(encoding="utf-8") for user in USERS for path in (ROOT / user).rglob("*.py")]
    shown = [line for name in ("guide.md", "tutorial.md") for line in IMPORT.findall(text_of(name))]
    for text in [*code, *shown]:
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith(f"{TOOLKIT}."):
                yield from ((str(node.module), alias.name) for alias in node.names)


def used() -> dict[str, set[str]]:
    """Return the names that are imported, by module; of a module that is imported whole, ``*``."""
    names = defaultdict[str, set[str]](set)
    for module, name in imports():
        whole = f"{module}.{name}"
        if (ROOT / f"{whole.replace('.', '/')}.py").exists():
            names[whole].add("*")
        else:
            names[module].add(name)
    return {module: {"*"} if "*" in found else found for module, found in names.items()}


def test_the_document_has_each_name_of_the_package_once() -> None:
    listed = [name for names in LISTED.findall(TEXT) for name in re.findall(r"`(\w+)`", names)]
    rows = [name for _, names in MODULE.findall(TEXT) for name in re.findall(r"`(\w+)`", names)]
    assert sorted(listed) == sorted([*public_names(), *rows])


def test_the_document_has_the_names_of_modules_that_apps_use() -> None:
    rows = {f"{TOOLKIT}.{module}": set(re.findall(r"`([\w*]+)`", listed)) for module, listed in MODULE.findall(TEXT)}
    assert {module: names for module, names in used().items() if not names <= rows.get(module, set())} == {}
    for module, found in rows.items():
        assert found <= {*vars(importlib.import_module(module)), "*"}, module


@pytest.mark.parametrize("name", NAMES, ids=lambda name: f"{name.module}.{name.name}")
def test_a_public_name_says_what_it_is(name: Name) -> None:
    """A method without a docstring does what its base says. Each text in the reference ends with a period."""
    words = [name.words, *(ast.get_docstring(each) or "It does what its base says." for each in methods(name.node))]
    assert [text for text in words if not re.search(r"[.:`)]$", text.strip())] == []


def test_the_reference_of_the_site_has_every_name() -> None:
    """The site's search finds a heading, and a method by its name alone."""
    text = reference(TEXT)
    assert re.findall(r"^### (\w+)$", text, re.MULTILINE) == [name.name for name in NAMES]
    found = re.findall(r"^#### \w+\.(\w+)\n\n```{index} \1\n```$", text, re.MULTILINE)
    assert len(found) == text.count("\n#### ") > 50
