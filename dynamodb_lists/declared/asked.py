"""What a reader asks of a declared list: whose items, what is wanted, and which page."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import Any

from dynamodb_lists.declared.declaration import Declaration
from dynamodb_lists.planning.sources import Question
from dynamodb_lists.schema.conditions import Between, Condition, Spans, holds

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
    """Conditions on fields, rules, and a sort; empty for any order. ``rows`` is one more than a page has.

    Of a list that spells its own keys, conditions are on the parts that stand in keys for values.
    """

    asked: Mapping[str, Condition] = field(default_factory=dict)
    sort: tuple[str, ...] = ()
    rows: int = 26
    exact: Mapping[str, Any] = field(default_factory=dict)
    """Values of fields that conditions on parts hold among others, because parts are slugs."""
    rules: tuple[Rule, ...] = ()

    @property
    def everything(self) -> bool:
        """Whether all items are wanted."""
        return not self.asked and not self.rules

    def counted(self, facets: Collection[str]) -> bool:
        """Whether counts tell how many items are wanted. They count facets alone."""
        return not self.rules and self.asked.keys() <= {*facets}


def matches(declaration: Declaration, wanted: Wanted, item: Any, lacks: Collection[str] = ()) -> bool:
    """Whether an item is wanted, as far as it does not lack fields, without a request."""
    names = [name for name in wanted.asked if name not in lacks]
    return (
        all(map(holds, map(wanted.asked.__getitem__, names), declaration.parts(item, names)))
        and all(
            (getattr(item, name) or None) == (value or None) for name, value in wanted.exact.items() if name in names
        )
        and all(rule.holds(item) for rule in wanted.rules)
    )


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
    """Fields that rows must have beside those that lists show."""
    consistent: bool = False
    """Whether a list whose keys are told is read from its table, with every write that was acknowledged."""

    @cached_property
    def selected(self) -> str:
        """The query as text, to which a cursor is bound."""
        return repr((self.filters, self.wanted.sort, self.descending, self.only, self.typed))

    @property
    def used(self) -> tuple[str, ...]:
        """The fields that rows must have: those that are shown, and those by which they are filtered and sorted."""
        return (*self.shown, *self.wanted.asked, *self.wanted.sort)

    @property
    def filtered(self) -> bool:
        """Whether anything is filtered."""
        return bool(self.only or self.typed or not self.wanted.everything)

    @property
    def filters(self) -> tuple[Any, ...]:
        """What is filtered, whatever the sort."""
        wanted = self.wanted
        rules = sorted(map(attrgetter("name"), wanted.rules))
        asked = sorted((name, _text(condition)) for name, condition in wanted.asked.items())
        return self.owner, sorted(wanted.exact.items()), rules, *asked


def _text(condition: Condition) -> str:
    return repr(sorted(map(repr, condition)) if isinstance(condition, frozenset) else condition)


def in_parts(declared: Declaration, query: ListQuery) -> Question:
    """What is asked of a list that spells its own keys, with parts of keys for values.

    Whatever a rule holds for is within a sparse list, if it names one: that is asked as well.
    """
    wanted, name = query.wanted, declared.id_field
    asked: dict[str, Condition] = {**dict(zip(declared.owner, map(_one, query.owner), strict=True)), **wanted.asked}
    part = asked.get(name)
    if (text := wanted.exact.get(name)) and isinstance(part, Between):  # the table has it as it is
        asked[name] = Spans((part,), (Between(text, text),))
    for rule in wanted.rules:
        asked |= {each: _one(True) for each in (rule.name, within(rule.within)) if each}
    if any(isinstance(each, Between) and each.low > each.high for each in wanted.asked.values()):
        asked[name] = frozenset()
    return Question(asked, wanted.sort, query.descending, query.only or None, query.shown)


def within(sparse: str) -> str:
    """The name of the condition that items are in a sparse list; blank for none."""
    return sparse and f"in {sparse}"


def _one(value: Any) -> frozenset[Any]:
    return frozenset([value])
