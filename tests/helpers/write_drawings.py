"""What one write touches: the items of its transaction, the indexes that hold them, and the units that were charged."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.conf import settings

from dynamodb_lists.connection.ledger import Call
from dynamodb_lists.schema import tables
from portal.panel.svg import MONO, WIDTH, Drawing, short

ROW, TAGS, KEYS = 22, 20, 64


class Touched(NamedTuple):
    """One item of a transaction: its table, what is done, its keys, and the indexes that its new state is in."""

    table: str
    action: str
    keys: Sequence[str]
    indexes: Sequence[str]

    @property
    def height(self) -> int:
        """How much place its line takes."""
        return ROW + TAGS * bool(self.indexes)


def transaction(call: Call) -> Drawing:
    """The transaction of a call. Of an update, only its key is known, so no index is named."""
    touched = [*_touched(call)]
    text = f"One transaction writes {len(touched)} items for {call.units:g} write units. "
    text += " ".join(f"{each.action} {' '.join(each.keys)} in {each.table}." for each in touched)
    drawing = Drawing("What one write touches", text)
    drawing.write(0, 16, f"One transaction, {len(touched)} items, {call.units:g} write units", "strong")
    drawing.height = 30
    for table in dict.fromkeys(each.table for each in touched):
        inside = [each for each in touched if each.table == table]
        units = call.units_by_table[f"{settings.DYNAMODB_TABLE_PREFIX}{table}"]
        drawing.rect(0.5, drawing.height, WIDTH - 1, 34 + sum(each.height for each in inside), "frame", 6)
        drawing.write(12, drawing.height + 20, table, "strong")
        drawing.write(WIDTH - 12, drawing.height + 20, f"{units:g} units", "strong", "end")
        drawing.height += 44
        for each in inside:
            _item(drawing, each, drawing.height)
            drawing.height += each.height
    return drawing


def _item(drawing: Drawing, each: Touched, y: float) -> None:
    drawing.write(12, y, each.action, "soft")
    drawing.write(KEYS, y, short(" / ".join(each.keys), WIDTH - KEYS - 12), "key")
    x = float(KEYS)
    for name in each.indexes:
        width = MONO * len(name) + 12
        drawing.rect(x, y + 5, width, 15, "idle", 7)
        drawing.write(x + 6, y + 16, name, "key")
        x += width + 5


def _touched(call: Call) -> Iterator[Touched]:
    for written in call.request["TransactItems"]:
        ((action, wire),) = written.items()
        definition = tables.definition(wire["TableName"])
        item = wire.get("Item") or wire.get("Key", {})
        keys = [item[part["AttributeName"]]["S"] for part in definition["KeySchema"]]
        table = wire["TableName"].removeprefix(settings.DYNAMODB_TABLE_PREFIX)
        yield Touched(table, action.lower(), keys, [*_indexes(definition, item)])


def _indexes(definition: Mapping[str, Any], item: Mapping[str, Any]) -> Iterator[str]:
    """The indexes that hold an item: those whose keys it has."""
    for kind in ("LocalSecondaryIndexes", "GlobalSecondaryIndexes"):
        for index in definition.get(kind, ()):
            if all(part["AttributeName"] in item for part in index["KeySchema"]):
                yield index["IndexName"]
