"""The house rules: imports run one way, keys are spelt in one place, and nothing scans."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
APPS = ("rooms", "orders", "reviews")
SOURCES = sorted(
    path for folder in ("hotelapp", *APPS) for path in (ROOT / folder).rglob("*.py") if path.stat().st_size
)
MAY_IMPORT: dict[str, set[str]] = {
    "keys": {"keys"},
    "permissions": set(),
    "migrations": set(),
    "models": {"keys", "permissions"},
    "values": {"keys"},
    "queries": {"keys", "models", "values"},
    "staging": {"keys", "models", "values"},
    "commands": {"keys", "models", "values", "queries", "staging", "languages"},
    "languages": set(),
    "forms": {"keys", "values"},
    "placing": {"values", "forms"},
    "filters": {"keys", "values", "queries", "languages"},
    "seeding": {"values"},
    "views": {"keys", "values", "queries", "commands", "forms", "filters"},
    "editing": {"keys", "values", "queries", "commands", "forms", "placing", "permissions", "views"},
    "templatetags": {"keys", "languages"},
    "urls": {"views", "editing"},
    "management": {"values", "queries", "commands", "forms", "placing"},
    "apps": {"models"},
}
KEY = re.compile(
    r"(hotel|room|USER|ORDER|ITEM|REVIEW|PLACED|PROCESSING|SHIPPED|DELIVERED|CANCELLED)#"
    r"|room-numbers|(room|review)-counts|\b(REVIEW|PROFILE)\b"
)
EVERYTHING = {"Exception", "BaseException"}
SCAN = {"hotelapp.sessions.expired", "hotelapp.sessions.expired.keys"}
TOOLKIT_ORDER = (
    "errors",
    "keys",
    "ledger",
    "engine",
    "parsing",
    "client",
    "models",
    "tables",
    "transactions",
    "writes",
    "cursors",
    "facets",
    "counts",
    "partitions",
    "reading",
    "ranges",
    "merging",
    "pages",
    "reads",
    "management",
)


def imports(path: Path) -> Iterator[str]:
    """The dotted name of everything that a module imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def layer_of(name: str, package: str) -> str:
    return name.removeprefix(package + ".").split(".")[0]


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


@pytest.mark.parametrize("path", SOURCES, ids=module_of)
def test_imports_run_one_way(path: Path) -> None:
    module = module_of(path)
    for name in imports(path):
        if module.startswith("hotelapp.dynamodb"):
            assert not name.startswith((*APPS, "hotelapp.portal", "hotelapp.sessions")), f"the toolkit imports {name}"
            if name.startswith("hotelapp.dynamodb."):
                here, there = layer_of(module, "hotelapp.dynamodb"), layer_of(name, "hotelapp.dynamodb")
                assert TOOLKIT_ORDER.index(there) <= TOOLKIT_ORDER.index(here), f"{here} imports {there}"
        elif module.startswith("hotelapp.portal"):
            assert not name.startswith((*APPS, "hotelapp.sessions")), f"the portal imports {name}"
        elif not module.startswith("hotelapp.sessions"):
            assert not name.startswith("hotelapp.sessions"), f"{module} imports {name}"
        for app in APPS:
            if module.startswith(f"{app}.") and name.startswith(f"{app}."):
                here, there = layer_of(module, app), layer_of(name, app)
                assert there in MAY_IMPORT[here], f"{here} imports {there}"
            elif module.startswith(("hotelapp.demo", *(f"{other}." for other in APPS if other != app))):
                assert not name.startswith((f"{app}.models", f"{app}.keys")), f"{module} imports {name}"


def strings(path: Path) -> Iterator[str]:
    """Every string that a module holds, docstrings left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
            yield node.value


@pytest.mark.parametrize("path", [path for path in SOURCES if path.name != "keys.py"], ids=module_of)
def test_keys_are_spelt_in_keys_py_alone(path: Path) -> None:
    for text in strings(path):
        assert not KEY.search(text), f"{text!r} is a key"


@pytest.mark.parametrize("path", SOURCES, ids=module_of)
def test_nothing_scans_but_the_command_that_clears_sessions(path: Path) -> None:
    """No index has the expired sessions, since TTL needs none; an operator who cannot wait reads the table through."""
    scans = re.search(r"\.scan\(|get_paginator\(.scan", path.read_text(encoding="utf-8"))
    assert bool(scans) == (module_of(path) == "hotelapp.sessions.expired")


def test_what_scans_is_reached_by_the_command_alone() -> None:
    users = {module_of(path) for path in SOURCES if SCAN & set(imports(path))}
    assert users == {"hotelapp.sessions.commands"}
    calls = {module_of(path) for path in SOURCES if re.search(r"(delete|clear)_expired\(", path.read_text("utf-8"))}
    assert calls == {"hotelapp.sessions.commands", "hotelapp.sessions.store"}


def caught(path: Path) -> Iterator[str]:
    """What a module catches, by ``except`` or by ``suppress``; a bare ``except`` is a ``BaseException``."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        kinds: list[ast.expr] = []
        if isinstance(node, ast.ExceptHandler):
            kinds = [node.type or ast.Name("BaseException")]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("suppress"):
            kinds = node.args
        for kind in kinds:
            yield from map(ast.unparse, kind.elts if isinstance(kind, ast.Tuple) else [kind])


@pytest.mark.parametrize("path", SOURCES, ids=module_of)
def test_modules_stay_small_and_nothing_catches_everything(path: Path) -> None:
    assert path.read_text(encoding="utf-8").count("\n") <= 300
    assert not {kind.rpartition(".")[2] for kind in caught(path)} & EVERYTHING


@pytest.mark.parametrize("path", sorted((ROOT / "templates").rglob("*.html")), ids=lambda path: path.name)
def test_templates_stay_small_and_load_nothing_from_elsewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") < 100
    assert "http://" not in text
    assert "https://" not in text
