"""The table of the files that commands import, in docs/portal.md, from what entities declare."""

from enum import EnumType

from dynamodb_lists import Field
from dynamodb_lists.schema import entities
from hotels.entities import Hotel
from orders.entities import Order, OrderItem
from reviews.entities import Review
from rooms.entities import Plan, Room
from rooms.entities.rooms import PLAN_COLUMNS
from tests.helpers.documents import table

IMPORTS: tuple[tuple[str, tuple[type, ...], tuple[str, ...]], ...] = (
    ("import_rooms", (Hotel, Room), PLAN_COLUMNS),
    ("import_orders", (Order,), ()),
    ("import_reviews", (Review,), ()),
)
"""Each command with the entities whose columns its files have, and columns of no entity's own file."""


def imports(_: str) -> str:
    """Return the columns of the files of each import command: required columns, and optional columns."""
    header, rows = ["command", "columns", "may have"], []
    for command, described, others in IMPORTS:
        needed = [name for entity in described for name in entities.columns(entity, computed=False)]
        found = {field.column: field for entity in (*described, Plan) for field in entities.fields(entity)}
        optional = [str(name) for name, field in found.items() if field.optional and name not in needed]
        cells = ([_column(name, found[name]) for name in names] for names in (needed, [*optional, *others]))
        rows.append([f"`{command}`", *map(", ".join, cells)])
    return table(header, rows, header)


def _column(name: str, field: Field) -> str:
    """Return a column of a file, with the values of a status, or the members of an order's line."""
    if name == "items":
        return f"`items`, each with {', '.join(f'`{each}`' for each in entities.columns(OrderItem))}"
    return f"`{name}` ({_values(field.type)})" if isinstance(field.type, EnumType) else f"`{name}`"


def _values(kind: EnumType) -> str:
    """Return the values of a status."""
    values: list[object] = list(kind)
    return ", ".join(f"`{value}`" for value in values)


KINDS = {"imports": imports}
"""The part of a document that this function writes."""
