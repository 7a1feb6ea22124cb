"""The rules of the project: imports run one way, keys are composed in one place, and only one command scans."""

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path

from django.conf import settings

import dynamodb_lists
from tests.helpers.documents import public_names

ROOT = Path(settings.BASE_DIR)
APPS: dict[str, set[str]] = {
    "hotels": set(),
    "rooms": {"hotels"},
    "orders": {"hotels", "rooms"},
    "reviews": {"hotels", "rooms", "orders"},
    "notes": {"hotels", "rooms", "orders", "reviews"},
    "saved_views": {"hotels"},
    "search": {"hotels", "rooms", "orders", "saved_views"},
    "overview": {"hotels", "rooms", "orders", "reviews", "notes"},
}
"""Each app, and the apps that it may import."""

BELOW_APPS = ("dynamodb_lists", "portal", "hotels", "accounts", "hotelapp")
"""What each of the other apps may import, but for the last one, the project. Each may import those before it."""

SOURCES = sorted(
    path
    for folder in {*BELOW_APPS, *APPS}
    for path in (ROOT / folder).rglob("*.py")
    if path.stat().st_size and "tests" not in path.parts
)
JINJA = ROOT / "templates" / "jinja2"
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
LAYERS: dict[str, set[str]] = {
    "apps": {"app_config", "queries", "views", "commands", "imports", "invariants"},
    "app_config": set(),
    "staff_hotels": set(),
    "migrations": set(),
    "keys": set(),
    "statuses": set(),
    "entities": {"keys", "statuses"},
    "models": {"statuses", "keys", "entities", "staff_hotels"},
    "lists": {"statuses", "keys", "entities", "models"},
    "queries": {"statuses", "keys", "entities", "models", "lists"},
    "commands": {"statuses", "keys", "entities", "models", "lists", "queries"},
    "forms": {"statuses", "keys", "entities"},
    "imports": {"statuses", "entities", "queries", "commands", "forms"},
    "seeding": {"statuses", "keys", "entities", "queries", "commands"},
    "invariants": {"statuses", "keys", "entities", "models", "lists", "queries", "commands"},
    "templatetags": {"statuses", "keys", "entities", "apps", "app_config"},
    "views": {"statuses", "keys", "entities", "lists", "queries", "commands", "forms", "apps", "app_config"},
    "urls": {"views"},
    "admin": {"queries"},
    "management": {"statuses", "entities", "lists", "queries", "commands", "forms", "imports"},
}
"""The layers of every app, and what each may import of its own app. A layer may be a module or a package.

What ``apps.py`` declares it imports in functions, because Django loads models later.

Each may import a declared list, a name in capitals in ``models.py``: it is a declaration, and no model.
"""

PORTAL: dict[str, set[str]] = {
    "portal": set(),
    "portal.history": {"portal"},
    "portal.form_pages": {"portal.history", "portal"},
    "portal.uploads": {"portal.form_pages", "portal.history", "portal"},
}
"""The parts of what pages share, and which of the others each may import. ``portal`` is all the rest."""

TOOLKIT = {
    package: modules.split()
    for package, modules in {
        "connection": "errors scope ledger configuration answers engine client",
        "schema": "conditions keys natural templates words entities attributes values models drift tables",
        "planning": "wording selection request_cost sources ways counted_ways",
        "reading": "cursors listing items fetching sorting merging sources word_lists pages explaining",
        "writing": "transactions changes",
        "declared": "parts asked declaration counts samples shapes models told modelled",
        "lists": "items counts planned reading counting writing told told_writing conditions queries "
        "list file_rows files edits",
        "maintenance": "scans rules list_rules verification migration inspection misfits",
        "deployment": "template",
        "django": "declaring admin.rows admin.forms admin.queries admin.filters admin.changelist admin.actions "
        "admin.editing admin.stored_items admin.checks admin.options importing "
        "management apps",
    }.items()
}
"""The toolkit's packages and modules. Each may import those before it."""

IN_SQL = {"saved_views"}
"""Apps whose things are in SQL: their models are Django's, with managers instead of queries and commands."""

SHARED_TABLE = {
    ("rooms.models", "hotels.models.HotelsItem"),
    ("rooms.models", "hotels.models.NumbersItem"),
    ("rooms.lists", "hotels.keys.TABLE"),
    ("rooms.lists", "hotels.models.ALL_HOTELS"),
}
"""Hotels and rooms share a table, whose name, key and indexes are written once."""

ORDER = [f"dynamodb_lists.{package}.{module}" for package, modules in TOOLKIT.items() for module in modules]
ORDER += ["dynamodb_lists.testing", "dynamodb_lists.pytest_plugin"]
REPEATED_CLASSES = {"Meta", "Command", "Migration"}
KEY = re.compile(
    r"(hotel|room|USER|ORDER|ITEM|REVIEW|PLACED|PROCESSING|SHIPPED|DELIVERED|CANCELLED|UNFINISHED|CATALOGUE|SKU)#"
    r"|(room|review)-counts|\b(REVIEW|PROFILE)\b"
)
SCANS = "dynamodb_lists.maintenance.scans"
"""The module that may scan."""

SCANNING = {"dynamodb_lists.maintenance.verification", "dynamodb_lists.maintenance.migration", "dynamodb_lists.testing"}
"""The modules that may read whole tables by ``maintenance.scans``."""

MAINTENANCE = "dynamodb_lists.maintenance."
MANAGEMENT = "dynamodb_lists.django.management"


def for_each(paths: Sequence[Path]) -> Callable[[Callable[[Path], None]], Callable[[], None]]:
    """Decorator: one test for all files, which names each file that breaks its rule.

    Two thousand tests, one for each file and rule, would take five times as long.
    """

    def decorate(rule: Callable[[Path], None]) -> Callable[[], None]:
        def test() -> None:
            assert paths
            faults = [f"{path.relative_to(ROOT)}: {fault}" for path in paths if (fault := _fault(rule, path))]
            assert not faults, "\n".join(faults)

        test.__name__, test.__doc__ = rule.__name__, rule.__doc__
        return test

    return decorate


def _fault(rule: Callable[[Path], None], path: Path) -> str:
    try:
        rule(path)
    except AssertionError as error:
        return str(error) or "it breaks the rule"
    return ""


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    """Return every part of a module's code."""
    return list(ast.walk(ast.parse(text_of(path))))


@cache
def imports(path: Path) -> list[str]:
    """Return the dotted names that a module imports."""
    return list(_imports(path))


def _imports(path: Path) -> Iterator[str]:
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def toolkit_place(name: str) -> int:
    """Return the position of a module in the toolkit's order. ``name`` may be a name in the module, too."""
    return next(number for number, module in enumerate(ORDER) if f"{name}.".startswith(f"{module}."))


def part_of_the_portal(name: str) -> str:
    return next((part for part in PORTAL if part != "portal" and f"{name}.".startswith(f"{part}.")), "portal")


@for_each(SOURCES)
def test_what_apps_import_imports_none_above_it(path: Path) -> None:
    module = module_of(path)
    folder = module.partition(".")[0]
    above = {"hotelapp"} - {folder}
    if folder in BELOW_APPS and not module.startswith("hotelapp.demo."):  # the demo has data of all apps
        above = {*BELOW_APPS[BELOW_APPS.index(folder) + 1 :], *APPS.keys() - {*BELOW_APPS}}
    for name in imports(path):
        assert name.partition(".")[0] not in above, f"{module} imports {name}"


@for_each([path for path in SOURCES if path.relative_to(ROOT).parts[0] == "portal"])
def test_the_parts_of_the_portal_import_in_one_direction(path: Path) -> None:
    module = module_of(path)
    part = part_of_the_portal(module)
    for name in imports(path):
        if name.startswith("portal."):
            assert part_of_the_portal(name) in {part, *PORTAL[part]}, f"{module} imports {name}"


@for_each([path for path in SOURCES if "dynamodb_lists" in path.parts and path.stem != "__init__"])
def test_the_toolkit_imports_in_one_direction(path: Path) -> None:
    """The package imports nothing of the project, and Django only where a module is for Django."""
    module = module_of(path)
    for name in imports(path):
        if name.startswith("dynamodb_lists."):
            assert toolkit_place(name) <= toolkit_place(module), f"{module} imports {name}"
        assert not name.startswith("django.") or module.startswith("dynamodb_lists.django."), f"{module} imports {name}"


@for_each([path for path in SOURCES if path.relative_to(ROOT).parts[0] in APPS])
def test_apps_and_their_layers_import_in_one_direction(path: Path) -> None:
    module = module_of(path)
    app, _, rest = module.partition(".")
    layer = rest.split(".")[0]
    for name in imports(path):
        other, _, what = name.partition(".")
        there = what.split(".")[0]
        if other == app and layer:
            declared_list = there == "models" and what.rpartition(".")[2].isupper()
            below = there in LAYERS[layer] or (there == "models" and app in IN_SQL)
            assert there == layer or below or declared_list, f"{module} imports {name}"
        elif other in APPS:
            assert other in APPS[app], f"{module} imports {name}"
            assert there not in {"models", "keys"} or (module, name) in SHARED_TABLE, f"{module} imports {name}"


@for_each(TEMPLATES)
def test_templates_link_in_the_direction_of_imports(path: Path) -> None:
    app = path.relative_to(ROOT / "templates").parts[0 if JINJA not in path.parents else 1]
    text = text_of(path)
    named = set(re.findall(r"url[ (]\"(\w+):", text))
    named |= set(re.findall(r"(?:include|extends|part|from|import) \"(\w+)/", text))
    assert named & set(APPS) <= APPS.get(app, set()) | {app}


@for_each([path for path in SOURCES if "dynamodb_lists" not in path.parts])
def test_what_the_toolkit_makes_public_is_imported_from_itself(path: Path) -> None:
    """So a module of the toolkit that is named tells that it is taken apart."""
    for name in imports(path):
        module, _, what = name.rpartition(".")
        if module.startswith("dynamodb_lists.") and what in public_names():
            public = getattr(dynamodb_lists, what)
            assert getattr(import_module(module), what) is not public, f"{name} is dynamodb_lists.{what}"


def test_no_two_classes_have_one_name() -> None:
    """In the package and in the project, which does not choose the names of the package."""
    for packaged in (True, False):
        paths = [path for path in SOURCES if ("dynamodb_lists" in path.parts) == packaged]
        classes = Counter(node.name for path in paths for node in nodes_of(path) if isinstance(node, ast.ClassDef))
        twice = {name for name, count in classes.items() if count > 1}
        assert twice <= REPEATED_CLASSES, "another module has a class of this name: choose a longer one"


def strings(path: Path) -> Iterator[str]:
    """Yield every string in a module, except docstrings."""
    documented = {
        id(node.body[0].value)
        for node in nodes_of(path)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in nodes_of(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
            yield node.value


@for_each([path for path in SOURCES if path.name not in {"keys.py", "models.py"}])
def test_keys_are_spelt_in_keys_and_models_alone(path: Path) -> None:
    for text in strings(path):
        assert not KEY.search(text), f"{text!r} is a key"


@for_each(SOURCES)
def test_nothing_scans_but_the_module_that_may(path: Path) -> None:
    text = text_of(path)
    assert not re.search(r"\.scan\(|get_paginator\(.scan", text)
    assert bool(re.search(r"\bsent\(.Scan", text)) == (module_of(path) == SCANS)


@for_each(SOURCES)
def test_whole_tables_are_read_for_commands_alone(path: Path) -> None:
    """Only the package of maintenance scans tables, and only the toolkit's commands import it, so no page can scan
    one.
    """
    module = module_of(path)
    scans = [
        node
        for node in nodes_of(path)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"scan", "scans.scan"}
    ]
    assert bool(scans) == (module in SCANNING)
    if any(name.startswith(MAINTENANCE) for name in imports(path)):
        named = module in {"dynamodb_lists.django.declaring", "dynamodb_lists.testing"}  # for commands, and for tests
        assert named or module.startswith((MAINTENANCE, f"{MANAGEMENT}.")) or module.endswith(".invariants")


def test_apps_declare_few_kinds_of_things() -> None:
    """Each is a class of ``AppConfig`` that types what apps say. A text that names an object is checked by nobody."""
    calls = [node for path in SOURCES for node in nodes_of(path) if isinstance(node, ast.Call)]
    kinds = {ast.unparse(call.args[0]) for call in calls if ast.unparse(call.func) == "declaring"}
    assert 0 < len(kinds) <= 8, kinds
    assert not [path for path in SOURCES if path.name == "apps.py" and "import_string" in text_of(path)]


@for_each(TEMPLATES)
def test_templates_load_nothing_from_elsewhere(path: Path) -> None:
    assert not re.search("https?://", text_of(path))


def test_every_app_is_in_the_container_and_checked() -> None:
    kept = {line.removeprefix("!") for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines()}
    typed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["mypy"]["files"]
    apps = {app.partition(".")[0] for app in settings.INSTALLED_APPS if (ROOT / app.partition(".")[0]).is_dir()}
    assert apps <= kept, "name the app in .dockerignore"
    assert apps <= {*typed}, "name the app in `files` of `tool.mypy` in pyproject.toml"
    assert apps <= {*BELOW_APPS, *APPS}, "say in APPS above which apps it may import"
