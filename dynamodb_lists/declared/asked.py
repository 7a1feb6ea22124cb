"""What a reader asks of a declared list: whose items, what is wanted, and which page."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import filterfalse
from operator import attrgetter
from typing import Any, Generic, TypeVar

from dynamodb_lists.connection import ledger
from dynamodb_lists.declared.declaration import EVERYTHING, Declaration
from dynamodb_lists.planning.selection import Selection
from dynamodb_lists.reading.cursors import Position
from dynamodb_lists.reading.listing import Batch, Fetch
from dynamodb_lists.reading.pages import opened
from dynamodb_lists.schema.conditions import Condition
from dynamodb_lists.schema.keys import KeyRange

T = TypeVar("T")
Owner = tuple[str, ...]
"""The values of an owner's fields, as parts of keys."""


@dataclass(frozen=True)
class Rule:
    """A condition of which no key and no count knows. ``name`` tells it from others, and is part of cursors.

    ``within`` is a sparse list that has every item for which it holds, if there is one; ``inside`` tells of an item, as
    lists show it, whether it is in that list.
    """

    name: str
    holds: Callable[[Any], bool] = field(compare=False)
    within: str = ""
    inside: Callable[[Any], bool] = field(default=lambda _: True, compare=False)


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
    asked: Mapping[str, Condition] = field(default_factory=dict)
    """Conditions on fields of a list whose keys are told."""

    @property
    def nothing(self) -> bool:
        """Whether no item can be wanted, because a range ends before it begins or a set is empty."""
        bounds = [*self.selection.bounds.values(), *map(attrgetter("low", "high"), self.ranges.values())]
        return any(low > high for low, high in bounds) or not all(self.selection.values.values())

    @property
    def counted(self) -> bool:
        """Whether counts tell how many items are wanted. They count facets alone."""
        return not self.ranges and not self.rules

    @property
    def everything(self) -> bool:
        """Whether all items are wanted."""
        return self.counted and self.selection == Selection() and not self.asked

    @property
    def unfixed(self) -> tuple[str, ...]:
        """The sort without facets that have a single value, which sort nothing."""
        return tuple(filterfalse(self.selection.fixes, self.sort))

    def admits(self, name: str, part: str) -> bool:
        """Whether a field may have a value."""
        return self.selection.admits(name, part) and (name not in self.ranges or part in self.ranges[name])

    @cached_property
    def names(self) -> list[str]:
        """The fields that are narrowed."""
        return [*dict.fromkeys([*self.selection.values, *self.selection.bounds, *self.ranges])]

    @property
    def uncounted(self) -> list[str]:
        """The ranges and rules, of which no count knows, by their names."""
        return [*self.ranges, *(rule.name for rule in self.rules)]

    def agrees(self, item: Any) -> bool:
        """Whether an item meets what no part of a key says."""
        exact = all((getattr(item, name) or None) == (value or None) for name, value in self.exact.items())
        return exact and all(rule.holds(item) for rule in self.rules)


def matches(declaration: Declaration, wanted: Wanted, item: Any) -> bool:
    """Whether an item is wanted, without a request."""
    names = wanted.names
    return all(map(wanted.admits, names, declaration.parts(item, names))) and wanted.agrees(item)


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
    known: Mapping[str, Any] = field(default_factory=dict)
    """Values that all items have, as the caller knows, and that no index needs to have."""
    shown: tuple[str, ...] = ()
    """Fields that rows must have beside those that lists show, of a list whose keys are told."""
    consistent: bool = False
    """Whether a list whose keys are told is read from its table, with every write that was acknowledged."""

    @cached_property
    def selected(self) -> str:
        """The query as text, to which a cursor is bound."""
        return repr((self.filters, self.wanted.sort, self.descending, self.only, self.typed))

    @property
    def filtered(self) -> bool:
        """Whether anything is filtered."""
        return bool(self.only or self.typed or not self.wanted.everything)

    @property
    def filters(self) -> tuple[Any, ...]:
        """What is filtered, whatever the sort."""
        wanted = self.wanted
        rules = sorted(map(attrgetter("name"), wanted.rules))
        narrowed = repr((sorted(wanted.ranges.items()), sorted(wanted.exact.items()), rules))
        asked = sorted((name, _text(condition)) for name, condition in wanted.asked.items())
        return self.owner, wanted.selection.text, narrowed, *asked


def _text(condition: Condition) -> str:
    return repr(sorted(map(repr, condition)) if isinstance(condition, frozenset) else condition)


def beginning(declaration: Declaration, wanted: Wanted) -> str | None:
    """The index of a list without filters: the smallest that begins with its sort; ``None`` if none does."""
    found = [
        name
        for name, order in declaration.whole_orders.items()
        if declaration.sorted_by(order)[: len(wanted.sort)] == wanted.sort
    ]
    return min(found, key=declaration.usual_bytes, default=None)


class AskedPage(Generic[T]):
    """The page that a query asks for, with its ``cursor``; ``fetch`` gives what reads an index.

    The request of a page without filters needs no counts to be planned, so it can go out beside theirs. Only the length
    of the last page depends on the counts. Raises :class:`~dynamodb_lists.connection.errors.BadCursor`.
    """

    def __init__(self, declaration: Declaration, query: ListQuery, fetch: Callable[[str], Fetch[T]]) -> None:
        self._fetch, self._answers = fetch, dict[tuple[Any, ...], Batch[T]]()
        self.declaration, self.query = declaration, query
        self.cursor = opened(query.cursor, declaration.name, query.selected, query.page_size)

    def send(self) -> None:
        """Send the request, if the list has no filter and an index that begins with its sort."""
        index = None if self.query.filtered else beginning(self.declaration, self.query.wanted)
        if index is None or (self.cursor and (self.cursor.position is None or self.cursor.index != index)):
            return
        position, backward = (self.cursor.position, self.cursor.backward) if self.cursor else (None, False)
        request = EVERYTHING, position, self.query.descending == backward, self.query.wanted.rows
        with ledger.purpose("list"):
            self._answers[index, *request] = self._fetch(index)(*request)

    def sent(self, index: str) -> bool:
        """Whether a request to an index was sent ahead, and its answer is not used yet."""
        return any(sent == index for sent, *_ in self._answers)

    def anew(self) -> "AskedPage[T]":
        """The same page, with nothing sent ahead."""
        return AskedPage(self.declaration, self.query, self._fetch)

    def fetch(self, index: str) -> Fetch[T]:
        """Reads an index; what was sent ahead, once, is not sent again."""
        usual = self._fetch(index)
        if not self._answers:
            return usual

        def read(span: KeyRange, after: Position | None, ascending: bool, limit: int) -> Batch[T]:
            request = span, after, ascending, limit
            return self._answers.pop((index, *request), None) or usual(*request)

        return read
