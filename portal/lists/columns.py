"""The columns of a list: the field that each shows, its heading, and how its values are written."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from operator import attrgetter
from typing import Any

from markupsafe import Markup, escape

from dynamodb_lists.schema import entities
from dynamodb_lists.schema.entities import Field
from portal.forms.values import plain_words
from portal.frame import address
from portal.times import time_markup

UNSPECIFIED = "Unspecified"
Cell = Callable[[Any], str]
"""What a row has in a column: a text, or markup that is safe."""


@dataclass(frozen=True)
class Column:
    """A column, by the name of a field of the rows. The field gives what is not said: the label and the alignment."""

    name: str
    label: str = ""
    numeric: bool | None = None
    code: bool = False
    written: Cell | None = None
    """How a row is written in this column, if not as the type of the field says."""
    heard: bool = False
    """Whether only screen readers have the label, as of a column of buttons."""
    is_time: bool = False

    def text(self, row: Any) -> str:
        """The value of a row. Amounts are in the ``currency`` of the row."""
        if self.written:
            return self.written(row)
        value = getattr(row, self.name)
        if value is None or value == "":
            return UNSPECIFIED
        if self.code:
            return Markup(f"<code>{escape(value)}</code>")
        if type(value) is str:
            return value
        return f"{value:,}" if type(value) is int else plain_words(value, getattr(row, "currency", ""))

    @property
    def heading(self) -> str:
        """What the header of the column says."""
        return Markup(f'<span class="sr-only">{escape(self.label)}</span>') if self.heard else self.label

    @property
    def attributes(self) -> str:
        """The attributes of a cell. A narrow screen shows the label beside each value: the first of "Type and view"."""
        label = "" if self.heard else f' data-label="{escape(self.label.partition(" and ")[0])}"'
        return label + (' class="numeric"' if self.numeric else "")


@cache
def columns_of(entity: type, *columns: str | Column) -> tuple[Column, ...]:
    """The columns of a list of entities, each with what its field gives."""
    fields, found = {field.name: field for field in entities.fields(entity)}, []
    for each in columns:
        column = Column(each) if isinstance(each, str) else each
        field = fields.get(column.name, Field(column.label))
        numeric = field.numeric if column.numeric is None else column.numeric
        label, is_time = column.label or field.label, field.type is datetime
        found.append(replace(column, label=label, numeric=numeric, is_time=is_time))
    return tuple(found)


def row_writer(page: Any, cells: Mapping[str, Cell], note_mark: Cell) -> Cell:
    """A function that writes the cells of a row of a list page. A loop in a template takes twice as long.

    ``cells`` has the macros of columns that are more than text, and ``note_mark`` draws the mark of a note.
    """
    drawn = []
    for column in page.shown:
        is_head = column.name == page.row_head
        usual = _head(column, page, note_mark) if is_head else _time(column, page) if column.is_time else column.text
        opened, closed = ('th scope="row"', "</th>") if is_head else ("td", "</td>")
        drawn.append((f"<{opened}{column.attributes}>", cells.get(column.name, usual), closed))
    return lambda row: Markup("".join([f"{opened}{escape(cell(row))}{closed}" for opened, cell, closed in drawn]))


def _time(column: Column, page: Any) -> Cell:
    get = attrgetter(column.name)
    return lambda row: time_markup(get(row), page.shown_zone) if get(row) else ""


def _head(column: Column, page: Any, note_mark: Cell) -> Cell:
    """A link to the row's page, if it has one, and if the list shows notes, the mark of the row's note."""
    url_name, *names = page.row_page or ("",)

    def head(row: Any) -> Markup:
        words: str = escape(column.text(row))
        if url_name:
            there = address(url_name, *[getattr(row, name) for name in names])
            words = f'<a href="{escape(there)}" hx-boost="false"><bdi>{words}</bdi></a>'
        return Markup(f"{words} {note_mark(row.note)}" if page.noted and row.note else words)

    return head
