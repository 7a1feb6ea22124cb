"""The question of a reader to a declared list: whose items, under which conditions, and which page."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from operator import attrgetter
from typing import Any

from dynamodb_lists.schema.conditions import Condition

Owner = tuple[str, ...]
"""The values of an owner's fields, as parts of keys."""


@dataclass(frozen=True)
class Rule:
    """A condition that no key and no count knows. ``name`` identifies it, and is part of cursors.

    ``within`` is a sparse list that has every item for which the rule holds. ``inside`` tells whether it has an item.
    """

    name: str
    holds: Callable[[Any], bool] = field(compare=False)
    within: str = ""
    inside: Callable[[Any], bool] = field(default=lambda _: True, compare=False)
    numbers: Callable[[Owner], tuple[float, float]] | None = field(default=None, compare=False)
    """Reads for how many items of an owner it holds, and how many the sparse list has, if something counts them."""
    implied: tuple[str, ...] = ()
    """Fields whose conditions are met wherever it holds, and in the sparse list by as many as are told."""

    def numbered(self, owner: Owner) -> dict[str, float]:
        """Return how many items of an owner meet the rule, and how many the sparse list has, by condition."""
        holds, inside = self.numbers(owner) if self.numbers else (0, 0)
        return {self.name: holds, within(self.within): inside, **dict.fromkeys(self.implied, inf)}


@dataclass(frozen=True)
class ListQuery:
    """A query of a list: conditions on fields, rules, a sort (empty for any order), and a page.

    In a list that composes its own keys, ``conditions`` are on the parts that keys have for values. ``only`` names a
    sparse list, and ``typed`` are beginnings of words.
    """

    owner: Owner
    conditions: Mapping[str, Condition] = field(default_factory=dict)
    sort: tuple[str, ...] = ()
    descending: bool = False
    exact: Mapping[str, frozenset[Any]] = field(default_factory=dict)
    """Values of fields that conditions on parts hold among others, because parts are slugs."""
    rules: tuple[Rule, ...] = ()
    only: str = ""
    typed: str = ""
    page_size: int = 25
    cursor: str = ""
    known: Mapping[str, Any] = field(default_factory=dict)
    """Values that all items have, as the caller knows, and that no index needs to have."""
    shown: tuple[str, ...] = ()
    """Fields that rows must have beside those that lists show."""
    bounded: bool = False
    """Whether whoever reads the list bounds what a page takes, so that the best way alone is read."""
    consistent: bool = False
    """Whether a list whose keys are told is read from its table, with every write that was acknowledged."""
    misfits: dict[str, Any] | None = field(default=None, compare=False, repr=False)
    """What is met beside the rows, by the texts of keys. Without it, an item that cannot be read is an error."""

    @property
    def rows(self) -> int:
        """The number of rows to read for a page: one more than it shows."""
        return self.page_size + 1

    @cached_property
    def in_words(self) -> dict[str, str]:
        """Return the condition on each field as a text, the same for equal conditions."""
        found = {}
        for name, condition in self.conditions.items():
            found[name] = repr(sorted(map(repr, condition)) if isinstance(condition, frozenset) else condition)
        return found

    @cached_property
    def selected(self) -> str:
        """The conditions and the sort as a text. A cursor is bound to this text."""
        rules, exact = sorted(map(attrgetter("name"), self.rules)), []
        for name, values in sorted(self.exact.items()):
            exact.append((name, sorted(map(repr, values))))
        filters = self.owner, exact, rules, *sorted(self.in_words.items())
        return repr((filters, self.sort, self.descending, self.only, self.typed))

    @cached_property
    def used(self) -> tuple[str, ...]:
        """The fields that rows must have: fields that are shown, filtered or sorted."""
        return (*self.shown, *self.conditions, *self.sort)

    @property
    def filtered(self) -> bool:
        """Whether the query has any condition."""
        return bool(self.only or self.typed or self.conditions or self.rules)

    def counted(self, facets: Collection[str]) -> bool:
        """Return whether counts tell the number of rows. Counts know ``facets`` alone."""
        return not self.rules and self.conditions.keys() <= {*facets}


def within(sparse: str) -> str:
    """Return the name of the condition that items are in a sparse list; a blank for no list."""
    return sparse and f"in {sparse}"
