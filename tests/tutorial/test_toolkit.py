"""The public names that docs/toolkit.md lists are those of the package, and those of modules that apps import."""

import ast
import importlib
import re
from collections import defaultdict
from collections.abc import Iterator

from tests.helpers.documents import ROOT, public_names, text_of

TOOLKIT = "dynamodb_lists"
USERS = ("hotels", "rooms", "orders", "reviews", "search", "saved_views", "overview")
"""The apps that any project has some of. What else imports the toolkit takes it apart, or serves it."""

IMPORT = re.compile(r"^from dynamodb_lists\.[\w.]+ import [\w, ]+$", re.MULTILINE)
SUBJECT = re.compile(r"^\| [\w ]+ \| (`[^|]+) \|$", re.MULTILINE)
ROW = re.compile(r"^\| `([\w.]+)` \| ([^|]+) \|$", re.MULTILINE)


def imports() -> Iterator[tuple[str, str]]:
    """Each import from the toolkit: the module and the name."""
    code = [path.read_text(encoding="utf-8") for user in USERS for path in (ROOT / user).rglob("*.py")]
    shown = [line for name in ("toolkit.md", "tutorial.md") for line in IMPORT.findall(text_of(name))]
    for text in [*code, *shown]:
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith(f"{TOOLKIT}."):
                yield from ((str(node.module), alias.name) for alias in node.names)


def used() -> dict[str, set[str]]:
    """The names that are imported, by module; of a module that is imported whole, ``*``."""
    names = defaultdict[str, set[str]](set)
    for module, name in imports():
        whole = f"{module}.{name}"
        if (ROOT / f"{whole.replace('.', '/')}.py").exists():
            names[whole].add("*")
        else:
            names[module].add(name)
    return {module: {"*"} if "*" in found else found for module, found in names.items()}


def test_the_document_has_each_name_of_the_package_once() -> None:
    listed = [name for names in SUBJECT.findall(text_of("toolkit.md")) for name in re.findall(r"`(\w+)`", names)]
    assert sorted(listed) == sorted(public_names())


def test_the_public_names_of_modules_are_those_that_apps_use() -> None:
    rows = ROW.findall(text_of("toolkit.md"))
    names = {f"{TOOLKIT}.{module}": set(re.findall(r"`([\w*]+)`", listed)) for module, listed in rows}
    assert names == used()
    for module, found in names.items():
        assert found <= {*vars(importlib.import_module(module)), "*"}, module
