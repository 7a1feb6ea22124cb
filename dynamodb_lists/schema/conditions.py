"""Conditions on one field: some values, a range, or the beginning of a text. Pure."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any


class Given:
    """Any value at all."""

    def __repr__(self) -> str:
        return "GIVEN"


GIVEN: Any = Given()
"""In what an index holds: any value at all."""


@dataclass(frozen=True)
class Between:
    """The values from ``low`` to ``high``, both included; ``None`` for no limit. No value is in no range.

    Of times, either may be a day, which is whole.
    """

    low: Any = None
    high: Any = None


@dataclass(frozen=True)
class BetweenOf(Between):
    """Ranges that depend on the value of another ``field``: one for each of its values, and for others the widest."""

    field: str = ""
    ranges: tuple[tuple[Any, Between], ...] = ()

    def of(self, values: Callable[[str], Any]) -> Between:
        """The range for an item, of which ``values`` gives the fields; ``None`` for a field that is not known."""
        own: Mapping[Any, Between] = dict(self.ranges)
        return own.get(values(self.field), Between(self.low, self.high))


@dataclass(frozen=True)
class Begins:
    """The texts that begin with a text; of a list that spells its own keys, however both are capitalised."""

    text: str


@dataclass(frozen=True)
class Spans:
    """What may be in any of several ranges, which do not overlap, in their order.

    ``texts`` are the ranges of the same values in keys that have them as they are, if they can be told.
    """

    ranges: tuple[Between, ...]
    texts: tuple[Between, ...] = ()

    def has(self, value: Any) -> bool:
        """Whether a value is in one of the ranges."""
        return any(holds(each, value) for each in self.ranges)


Plain = frozenset[Any] | Between | Begins
Condition = Plain | Spans


def holds(condition: Condition, value: Any) -> bool:
    """Whether a value meets a condition. No value is in no range."""
    if isinstance(condition, Begins):
        return isinstance(value, str) and value.startswith(condition.text)
    if isinstance(condition, Spans):
        return condition.has(value)
    if isinstance(condition, Between):
        above = condition.low is None or (value is not None and value >= condition.low)
        return value is not None and above and (condition.high is None or value <= condition.high)
    return value in condition


def meets(when: Collection[Mapping[str, Any]], values: Mapping[str, Any]) -> bool:
    """Whether values meet all conditions of one of these alternatives, if there are any."""
    return not when or any(
        all(
            values[name] not in (None, "") if condition is GIVEN else holds(condition, values[name])
            for name, condition in alternative.items()
        )
        for alternative in when
    )


def in_words(when: Iterable[Mapping[str, Any]]) -> str:
    """What an index has, for people: its alternatives."""
    return ", or ".join(" and ".join(_words(*pair) for pair in each.items()) for each in when)


def _words(name: str, condition: Any) -> str:
    if condition is GIVEN:
        return f"a value of {name}"
    if isinstance(condition, Between):
        ends = (("from", condition.low), ("to", condition.high))
        return " ".join([name, *(f"{word} {end}" for word, end in ends if end is not None)])
    return f"{name} {' or '.join(sorted(str(getattr(each, 'value', each)) for each in condition))}"


def both(one: Condition, other: Condition) -> Condition | None:
    """What meets two conditions; ``None`` if no single condition says it."""
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
