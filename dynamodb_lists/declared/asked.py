"""What a reader asks of a declared list: whose items, what is wanted, and which page."""

from dataclasses import dataclass, field
from typing import Any

from dynamodb_lists.declared.wanted import Wanted
from dynamodb_lists.reading.cursors import Cursor
from dynamodb_lists.reading.pages import opened

Owner = tuple[str, ...]
"""The values of an owner's fields, as parts of keys."""


@dataclass(frozen=True)
class ListQuery:
    """What a reader asks for. ``only`` names a sparse list, and ``typed`` are beginnings of words."""

    owner: Owner
    wanted: Wanted = field(default_factory=Wanted)
    descending: bool = False
    only: str = ""
    typed: str = ""
    page_size: int = 25
    cursor: str = ""

    @property
    def selected(self) -> str:
        """The query as text, to which a cursor is bound."""
        return repr((self.filters, self.wanted.sort, self.descending, self.only, self.typed))

    @property
    def filtered(self) -> bool:
        """Whether anything is filtered."""
        return bool(self.only or self.typed or not self.wanted.everything)

    def opened(self, name: str) -> Cursor | None:
        """The query's cursor in a list; ``None`` for the first page. Raises ``BadCursor``."""
        return opened(self.cursor, name, self.selected, self.page_size)

    @property
    def filters(self) -> tuple[Any, ...]:
        """What is filtered, whatever the sort."""
        ranges = sorted((name, span.low, span.high) for name, span in self.wanted.ranges.items())
        exact = sorted((name, repr(value)) for name, value in self.wanted.exact.items())
        rules = sorted(rule.name for rule in self.wanted.rules)
        return self.owner, self.wanted.selection.text, tuple(ranges), tuple(exact), tuple(rules)
