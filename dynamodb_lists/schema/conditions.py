"""Conditions on one field: some values, a range, or the beginning of a text. Pure."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any


class Given:
    """Any value: the type of :data:`GIVEN`."""

    def __repr__(self) -> str:
        return "GIVEN"


GIVEN: Any = Given()
"""In what an index holds: any value at all."""


@dataclass(frozen=True)
class Between:
    """The range of the values from ``low`` to ``high``, both included; ``None`` is no limit.

    ``None`` is in no range. For a time, ``low`` and ``high`` may be days: then the whole day is included.
    """

    low: Any = None
    high: Any = None


@dataclass(frozen=True)
class BetweenOf(Between):
    """A range that depends on the value of another ``field``: one of ``ranges``, or ``low`` to ``high``."""

    field: str = ""
    ranges: tuple[tuple[Any, Between], ...] = ()

    def of(self, values: Callable[[str], Any]) -> Between:
        """Return the range of an item; ``values`` gives its fields, and ``None`` for an unknown field."""
        own: Mapping[Any, Between] = dict(self.ranges)
        return own.get(values(self.field), Between(self.low, self.high))


@dataclass(frozen=True)
class Begins:
    """The texts that begin with ``text``. In a list with a table of its own, capitals do not matter."""

    text: str


@dataclass(frozen=True)
class Spans:
    """Several ranges in order that do not overlap. A value of any range meets the condition.

    ``texts`` are the ranges of the same values in keys that keep the texts unchanged, if they are known.
    """

    ranges: tuple[Between, ...]
    texts: tuple[Between, ...] = ()

    def has(self, value: Any) -> bool:
        """Return whether ``value`` is in one of the ranges."""
        return any(holds(each, value) for each in self.ranges)


Plain = frozenset[Any] | Between | Begins
Condition = Plain | Spans


def holds(condition: Condition, value: Any) -> bool:
    """Return whether ``value`` meets ``condition``. ``None`` is in no range."""
    if isinstance(condition, Begins):
        return isinstance(value, str) and value.startswith(condition.text)
    if isinstance(condition, Spans):
        return condition.has(value)
    if isinstance(condition, Between):
        above = condition.low is None or (value is not None and value >= condition.low)
        return value is not None and above and (condition.high is None or value <= condition.high)
    return value in condition


def meets(when: Collection[Mapping[str, Any]], values: Mapping[str, Any]) -> bool:
    """Return whether ``values`` meet all conditions of one of the alternatives ``when``; true without alternatives."""
    return not when or any(
        all(
            values[name] not in (None, "") if condition is GIVEN else holds(condition, values[name])
            for name, condition in alternative.items()
        )
        for alternative in when
    )


def in_words(when: Iterable[Mapping[str, Any]]) -> str:
    """Return the alternatives of ``when`` as a text for people."""
    return ", or ".join(" and ".join(_words(*pair) for pair in each.items()) for each in when)


def _words(name: str, condition: Any) -> str:
    if condition is GIVEN:
        return f"a value of {name}"
    if isinstance(condition, Between):
        ends = (("from", condition.low), ("to", condition.high))
        return " ".join([name, *(f"{word} {end}" for word, end in ends if end is not None)])
    return f"{name} {' or '.join(sorted(str(getattr(each, 'value', each)) for each in condition))}"


def both(one: Condition, other: Condition) -> Condition | None:
    """Return the condition that means ``one`` and ``other``; ``None`` if no single condition does."""
    if one is GIVEN or other is GIVEN:
        return other if one is GIVEN else one
    if isinstance(one, frozenset):
        return frozenset(value for value in one if holds(other, value))
    if isinstance(other, frozenset):
        return both(other, one)
    if isinstance(one, Begins) and isinstance(other, Begins):
        longer, shorter = sorted((one, other), key=lambda each: -len(each.text))
        return longer if longer.text.startswith(shorter.text) else frozenset()
    if not (type(one) is Between and type(other) is Between):
        return None
    lows = [each for each in (one.low, other.low) if each is not None]
    highs = [each for each in (one.high, other.high) if each is not None]
    return Between(max(lows, default=None), min(highs, default=None))
