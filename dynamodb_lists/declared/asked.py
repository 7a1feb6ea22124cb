"""What a reader asks of a declared list: whose items, what is wanted, and which page."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import Any

from dynamodb_lists.declared.declaration import Declaration
from dynamodb_lists.planning.selection import Selection
from dynamodb_lists.planning.sources import Question
from dynamodb_lists.schema.conditions import Between, Condition, Plain, Spans
from dynamodb_lists.schema.keys import KeyRange
from dynamodb_lists.schema.natural import Beginning

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
    asked: Mapping[str, Plain] = field(default_factory=dict)
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


def in_parts(declared: Declaration, query: ListQuery) -> Question:
    """What is asked of a list that spells its own keys, with parts of keys for values.

    Whatever a rule holds for is within a sparse list, if it names one: that is asked as well.
    """
    wanted, chosen = query.wanted, query.wanted.selection
    asked: dict[str, Condition] = dict(zip(declared.owner, map(_one, query.owner), strict=True))
    asked |= {name: Between(*ends) for name, ends in chosen.bounds.items()}
    for name, parts in chosen.values.items():
        asked[name] = frozenset(part for part in parts if chosen.admits(name, part))
    for name, span in wanted.ranges.items():
        spans, text = [span], wanted.exact.get(name)
        texts = [KeyRange(text, text)] if text and name == declared.id_field else []
        if isinstance(span, Beginning):
            spans, texts = span.spans, span.texts
        asked[name] = Spans(*(tuple(Between(each.low, each.high) for each in some) for some in (spans, texts)))
    for rule in wanted.rules:
        asked |= {name: _one(True) for name in (rule.name, within(rule.within)) if name}
    if wanted.nothing:
        asked[declared.id_field] = frozenset()
    return Question(asked, wanted.sort, query.descending, query.only or None, query.shown)


def within(sparse: str) -> str:
    """The name of the condition that items are in a sparse list; blank for none."""
    return sparse and f"in {sparse}"


def _one(value: Any) -> frozenset[Any]:
    return frozenset([value])
