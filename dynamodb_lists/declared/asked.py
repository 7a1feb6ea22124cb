"""What a reader asks of a declared list: whose items, what is wanted, and which page."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from dynamodb_lists.planning.selection import Selection
from dynamodb_lists.reading.cursors import Cursor
from dynamodb_lists.reading.pages import opened
from dynamodb_lists.schema.keys import KeyRange

Owner = tuple[str, ...]
"""The values of an owner's fields, as parts of keys."""


@dataclass(frozen=True)
class Rule:
    """A condition of which no key and no count knows. ``name`` tells it from others, and is part of cursors.

    ``within`` is a sparse list that has every item for which it holds, if there is one.
    """

    name: str
    holds: Callable[[Any], bool] = field(compare=False)
    within: str = ""


@dataclass(frozen=True)
class Wanted:
    """Values of facets, ranges of other fields as parts of keys, rules, and a sort; empty for any order.

    ``rows`` is one more than a page has.
    """

    selection: Selection = field(default_factory=Selection)
    ranges: Mapping[str, KeyRange] = field(default_factory=dict)
    sort: tuple[str, ...] = ()
    rows: int = 26
    exact: Mapping[str, Any] = field(default_factory=dict)
    """Values of fields that ranges of parts hold among others, because parts are slugs."""
    rules: tuple[Rule, ...] = ()

    @property
    def nothing(self) -> bool:
        """Whether no item can be wanted, because a range ends before it begins or a set is empty."""
        bounds = (*self.selection.bounds.values(), *((span.low, span.high) for span in self.ranges.values()))
        return any(low > high for low, high in bounds) or not all(self.selection.values.values())

    @property
    def counted(self) -> bool:
        """Whether counts tell how many items are wanted. They count facets alone."""
        return not self.ranges and not self.rules

    @property
    def everything(self) -> bool:
        """Whether all items are wanted."""
        return self.counted and self.selection == Selection()

    @property
    def unfixed(self) -> tuple[str, ...]:
        """The sort without facets that have a single value, which sort nothing."""
        return tuple(name for name in self.sort if not self.selection.fixes(name))

    def admits(self, name: str, part: str) -> bool:
        """Whether a field may have a value."""
        return self.selection.admits(name, part) and (name not in self.ranges or part in self.ranges[name])

    @cached_property
    def names(self) -> list[str]:
        """The fields that are narrowed."""
        return [*dict.fromkeys([*self.selection.values, *self.selection.bounds, *self.ranges])]

    def agrees(self, item: Any) -> bool:
        """Whether an item meets what no part of a key says."""
        for name, value in self.exact.items():
            if (getattr(item, name) or None) != (value or None):
                return False
        return all(rule.holds(item) for rule in self.rules)


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
        wanted = self.wanted
        rules = sorted([rule.name for rule in wanted.rules])
        narrowed = repr((sorted(wanted.ranges.items()), sorted(wanted.exact.items()), rules))
        return self.owner, wanted.selection.text, narrowed
