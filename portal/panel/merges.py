"""How a page is merged from partitions: what each request returned, what the page shows of it, where its cursor is."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from dynamodb_lists.connection import ledger
from dynamodb_lists.planning.wording import counted
from dynamodb_lists.reading.cursors import Position
from dynamodb_lists.reading.lists import Batch, Fetch
from dynamodb_lists.reading.merging import Merged, Part
from dynamodb_lists.reading.pages import Page, opened, read_page
from dynamodb_lists.schema.keys import KeyRange
from portal.panel.svg import WIDTH, Drawing, short

LEFT, RIGHT, ROW, CELL = 190, 636, 40, 18
NUMBERED = 10
"""The least width of a cell that has room for its number."""

MOST_PARTS = 12
LEGEND = {"full": "on the page", "mark": "says that another page follows", "part": "read, not shown"}


@dataclass
class Traced:
    """A partition of a list that notes what each request returned, and the partition key that it named."""

    part: Part[Any]
    key: str = ""
    chunks: list[Batch[Any]] = field(default_factory=list)

    def fetch(self, span: KeyRange, after: Position | None, ascending: bool, limit: int) -> Batch[Any]:
        with ledger.recording() as sent:
            batch = self.part.fetch(span, after, ascending, limit)
        if sent.calls:
            self.key = sent.calls[0].request["ExpressionAttributeValues"][":0"]["S"]
        self.chunks.append(batch)
        return batch

    @property
    def positions(self) -> list[Position]:
        return [row.position for chunk in self.chunks for row in chunk.rows]

    @property
    def read(self) -> int:
        """How many items DynamoDB read here, before any filter."""
        return sum(chunk.read for chunk in self.chunks)


def merge(listing: Merged[Any], size: int, cursor: str = "") -> Drawing:
    """The page of ``size`` rows at a cursor, which is read once more for the picture."""
    traced = [Traced(part) for part in listing.parts]
    fetches: list[Fetch[Any]] = [each.fetch for each in traced]
    parts = [replace(part, fetch=fetch) for part, fetch in zip(listing.parts, fetches, strict=True)]
    page = read_page(replace(listing, parts=parts), size, cursor)
    start = opened(cursor, listing.name, listing.selected, size)
    backward = bool(start and start.backward)
    traced.sort(key=lambda each: each.key)
    return _drawn(traced, page, listing.descending != backward, listing.name)


def _drawn(traced: Sequence[Traced], page: Page[Any], descending: bool, name: str) -> Drawing:
    order = sorted((position for each in traced for position in each.positions), reverse=descending)
    columns = {position: number for number, position in enumerate(order)}
    rows, read = len(page.rows), sum(each.read for each in traced)
    text = f"The page of {rows} rows is merged from {len(traced)} partitions, which returned {len(order)} rows."
    text += " " + " ".join(f"{each.key}: {_shares(each, columns, rows)}." for each in traced)
    drawing = Drawing("How a page is merged from partitions", text)
    drawing.write(0, 16, f"{name[0].upper()}{name[1:]}: {rows} rows from {len(traced)} partitions", "strong")
    drawing.legend(38, 0, LEGEND)
    top, width = 62, min((RIGHT - LEFT) / max(len(order), 1), 24)
    for number, each in enumerate(traced[:MOST_PARTS]):
        _partition(drawing, each, columns, (top + number * ROW, width, rows))
    drawing.height = top + min(len(traced), MOST_PARTS) * ROW
    if len(traced) > MOST_PARTS:
        drawing.write(0, drawing.height, f"and {counted(len(traced) - MOST_PARTS, 'more partition')}", "soft")
    if order[rows:]:
        edge = LEFT + rows * width
        drawing.line(f"M{edge:.1f} {top - 10}V{drawing.height - 8:.1f}", "cut")
        label = f"cursor: after {short(order[rows - 1].sort_key, 330)}"
        drawing.write(min(edge, RIGHT), drawing.height + 6, label, "key", "end" if edge > WIDTH / 2 else "start")
    drawing.write(WIDTH, drawing.height + 24, f"{read:,} items read, {rows} shown", "strong", "end")
    drawing.height += 32
    return drawing


def _partition(drawing: Drawing, each: Traced, columns: dict[Position, int], place: tuple[float, float, int]) -> None:
    """One partition: a frame around what each request returned, and a cell for each row, at its place in the list."""
    y, width, rows = place
    drawing.write(0, y + 13, short(each.key, LEFT - 12), "key")
    drawing.line(f"M{LEFT} {y + CELL / 2}H{RIGHT}", "rule")
    for chunk in each.chunks:
        places = [columns[row.position] for row in chunk.rows]
        if places:
            first, last = LEFT + min(places) * width, LEFT + (max(places) + 1) * width
            drawing.rect(first - 1, y - 3, last - first + 1, CELL + 6, "frame", 4)
        for column in places:
            tone = "full" if column < rows else "mark" if column == rows else "part"
            drawing.rect(LEFT + column * width + 0.5, y, max(width - 2, 1), CELL, tone)
            if column < rows and width >= NUMBERED:
                drawing.write(LEFT + column * width + width / 2 - 0.5, y + 12.5, f"{column + 1}", "on", "middle")
    drawing.write(WIDTH, y + 6, _shares(each, columns, rows), "", "end")
    drawing.write(WIDTH, y + 20, counted(len(each.chunks), "request"), "soft", "end")


def _shares(each: Traced, columns: dict[Position, int], rows: int) -> str:
    return f"{each.read} read, {sum(columns[position] < rows for position in each.positions)} shown"
