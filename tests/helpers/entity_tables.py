"""The tables of docs/entities.md, docs/history.md and docs/imports.md, written from what entities declare."""

import ast
import inspect
import re
import textwrap
from dataclasses import MISSING
from enum import EnumType
from itertools import pairwise
from typing import Any, get_args

from dynamodb_lists import Field
from dynamodb_lists.schema import entities
from hotels.entities import Hotel
from orders.entities import Order, OrderItem
from portal.history.entities import HistoryEntry
from reviews.entities import Review
from rooms.entities import Plan, Room
from rooms.entities.rooms import PLAN_COLUMNS
from tests.helpers.documents import table

ENTITIES: dict[str, type] = {entity.__name__: entity for entity in (Room, HistoryEntry)}

IMPORTS: tuple[tuple[str, tuple[type, ...], tuple[str, ...]], ...] = (
    ("import_rooms", (Hotel, Room), PLAN_COLUMNS),
    ("import_orders", (Order,), ()),
    ("import_reviews", (Review,), ()),
)
"""Each command with the entities whose columns its files have, and columns of no entity's own file."""


def parts(_: str) -> str:
    """The parts of a field's description, each with its default and its meaning."""
    header = ["part of `Field`", "default", "meaning"]
    usual = {MISSING: "required", True: "yes", False: "no", None: "none", "": "none"}
    rows = ([f"`{name}`", usual[entities.defaults(Field)[name]], meaning] for name, meaning in _parts().items())
    return table(header, rows, header)


def fields(name: str) -> str:
    """What an entity says of itself, and its fields: the type, the label, and all else that describes them."""
    entity, header = ENTITIES[name], ["field", "type", "label", "also"]
    rows = ([f"`{field.name}`", _type(field), field.label, _others(field)] for field in entities.fields(entity))
    words = re.sub(r":\w+:(?=`)", "", inspect.getdoc(entity) or "")
    return f"{words}\n\n{table(header, rows, header)}"


def imports(_: str) -> str:
    """The columns of the files that commands import: those that a file must have, and those that it may have."""
    header, rows = ["command", "columns", "may have"], []
    for command, described, others in IMPORTS:
        needed = [name for entity in described for name in entities.columns(entity, computed=False)]
        found = {field.column: field for entity in (*described, Plan) for field in entities.fields(entity)}
        optional = [str(name) for name, field in found.items() if field.optional and name not in needed]
        cells = ([_column(name, found[name]) for name in names] for names in (needed, [*optional, *others]))
        rows.append([f"`{command}`", *map(", ".join, cells)])
    return table(header, rows, header)


def _parts() -> dict[str, str]:
    """The parts of :class:`Field` with the texts below them."""
    (parsed,) = ast.parse(textwrap.dedent(inspect.getsource(Field))).body
    assert isinstance(parsed, ast.ClassDef)
    return {
        ast.unparse(node.target): " ".join(ast.literal_eval(text.value).split())
        for node, text in pairwise(parsed.body)
        if isinstance(node, ast.AnnAssign) and isinstance(text, ast.Expr)
    }


def _column(name: str, field: Field) -> str:
    """A column, and what it may have if that is a status, or lines of an order."""
    if name == "items":
        return f"`items`, each with {', '.join(f'`{each}`' for each in entities.columns(OrderItem))}"
    return f"`{name}` ({_type(field)})" if isinstance(field.type, EnumType) else f"`{name}`"


def _type(field: Field) -> str:
    """The type of a field's values; of a status, the values themselves."""
    if isinstance(field.type, EnumType):
        values: list[object] = list(field.type)
        return ", ".join(f"`{value}`" for value in values)
    many = get_args(field.type)
    spelt = f"`{(many[0] if many else field.type).__name__}`" + (", any number" if many else "")
    return f"{spelt} or none" if field.may_be_none else spelt


def _others(field: Field) -> str:
    """All parts of a description that are not as usual, but the label."""
    usual = {**entities.defaults(Field), "label": field.label, "column": field.name, "recorded": field.compared}
    values = {name: getattr(field, name) for name in _parts()}
    return ", ".join(_spelt(name, value) for name, value in values.items() if value != usual[name])


def _spelt(name: str, value: Any) -> str:
    """A part of a description in words."""
    words = {True: name, False: f"not {name}", None: f"no {name}"}
    return f"{name} of its own" if callable(value) else words.get(value, f"{name} `{value}`")


KINDS = {"parts": parts, "fields": fields, "imports": imports}
"""The parts of documents that these functions write."""
