"""Conditions of a query on one field, as people write them: a value, a set of values, or a range."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import Any

from dynamodb_lists.connection.errors import UnknownField, WrongValue
from dynamodb_lists.declared.asked import ListQuery
from dynamodb_lists.declared.declaration import Declaration
from dynamodb_lists.declared.parts import BLANK
from dynamodb_lists.declared.told import Told
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.conditions import Begins, Between, BetweenOf, Condition, Plain, both
from dynamodb_lists.schema.keys import Days
from dynamodb_lists.schema.natural import Beginning

AFTER_BLANK = chr(ord(BLANK) + 1)
"""What sorts after the part of no value, and before the part of every value."""

between, begins = Between, Begins
"""A range of values, both ends included, and the texts that begin with a text. Neither sends a request."""


def at_least(low: Any) -> Between:
    """Return the range of the values from ``low`` on, ``low`` included."""
    return Between(low, None)


def at_most(high: Any) -> Between:
    """Return the range of the values up to ``high``, ``high`` included."""
    return Between(None, high)


def on_days(days: Days) -> Between:
    """Return the times from the first of two days on, and before the second; days in UTC, ``None`` for no limit."""
    first, before = (datetime.combine(each, time(), UTC) if type(each) is date else each for each in days)
    return Between(first, before and before - timedelta.resolution)


def on_days_of(field: str, days: Mapping[Any, Days]) -> Between:
    """Return a range of times for each value of ``field``, such as a place: the days of its own time zone."""
    if len({*days.values()}) == 1:
        return on_days(next(iter(days.values())))
    ranges = {value: on_days(each) for value, each in days.items()}
    lows, highs = [each.low for each in ranges.values()], [each.high for each in ranges.values()]
    low = None if None in lows else min(lows, default=None)
    return BetweenOf(low, None if None in highs else max(highs, default=None), field, tuple(ranges.items()))


def with_conditions(declaration: Declaration, query: ListQuery, conditions: Mapping[str, Any]) -> ListQuery:
    """Return the query with more conditions. Each must hold beside the earlier ones on the same field.

    A condition on a number with a unit needs a condition on this unit, which may also stand alone. Raises:
    ``UnknownField``, and ``WrongValue``.
    """
    is_told = isinstance(declaration, Told)
    units: Mapping[str, str] = {} if is_told else declaration.units
    known = declaration.types if isinstance(declaration, Told) else declaration.filters
    numbers, wanted, exact = dict(zip(units.values(), units, strict=True)), {**query.conditions}, {**query.exact}
    for asked, given in conditions.items():
        name, condition = declaration.named(asked), given
        unit: Any = ""
        if name in numbers:
            if numbers[name] in conditions:  # which takes its unit with it
                continue
            name, condition, unit = numbers[name], Between(None, None), given
        elif name in units and (unit := conditions.get(units[name])) is None:
            raise UnknownField(f"{declaration.title}: ask for the unit of {name}, too.")
        if name not in known:
            words = f"no field {name!r} to filter by; they have {', '.join(known)}"
            raise UnknownField(f"{declaration.title} have {words}.")
        new: Condition = _condition(declaration, name, condition)
        if isinstance(new, Begins) and not (new.text or is_told):
            continue
        if isinstance(new, frozenset) and not (is_told or name in declaration.facets):
            exact[name] = new & exact.get(name, new)  # different texts may have one slug
        if not is_told:
            new = _in_keys(declaration, name, new, unit) if exact.get(name, True) else frozenset()
        joined = both(wanted[name], new) if name in wanted else new
        if joined is None:
            raise UnknownField(f"{declaration.title}: ask {name} for a beginning or for a range, not for both.")
        wanted[name] = joined
    return replace(query, conditions=wanted, exact=exact)


def _condition(declaration: Declaration, name: str, given: Any) -> Plain:
    """Return a condition with values as they are stored. Raises: ``WrongValue``."""
    kind = declaration.field(name).type
    if isinstance(given, BetweenOf):
        return given
    if isinstance(given, Begins):
        if not (issubclass(kind, str) or hasattr(kind, "key_part")):
            raise WrongValue(f"{declaration.title}: {name} is no text, so it has no beginning.")
        if not isinstance(given.text, str):
            raise WrongValue(f"{declaration.title}: {name} begins with a text, not {given.text!r}.")
        return given
    if isinstance(given, Between):  # of times, an end may be a day, which is whole
        ends = [
            datetime.combine(end, of_day, UTC) if kind is datetime and type(end) is date else end
            for end, of_day in ((given.low, time.min), (given.high, time.max))
        ]
        return Between(*(end if end is None else declaration.checked(name, end) for end in ends))
    several = isinstance(given, Iterable) and not isinstance(given, str | bytes | Mapping)
    if several and not isinstance(declaration, Told) and not _is_set(declaration, name):
        raise UnknownField(f"{declaration.title}: give one {name}, or between(...).")
    return frozenset(map(partial(declaration.checked, name), given if several else [given]))


def _in_keys(declaration: Declaration, name: str, condition: Condition, unit: Any) -> Condition:
    """Return the parts of keys that a beginning, a range or values allow, of one unit if the field has some."""
    if isinstance(condition, Begins):
        if declaration.field(name).order == "natural":
            return Beginning.of(condition.text)
        spelt = name == declaration.id_field or hasattr(declaration.field(name).type, "key_part")
        text = condition.text if spelt else keys.text_part(condition.text)
        return Between(text, f"{text}{keys.HIGHEST}")
    begin, write = declaration.begin(name, unit), declaration.coders[name].write
    if isinstance(condition, frozenset):
        parts = frozenset(map(begin.__add__, map(write, condition)))
        return parts if _is_set(declaration, name) else Between(*parts, *parts)
    assert isinstance(condition, Between)
    low, high = condition.low, condition.high
    first, last = AFTER_BLANK if low is None else write(low), keys.HIGHEST if high is None else write(high)
    return Between(begin + first, begin + last)


def _is_set(declaration: Declaration, name: str) -> bool:
    """Return whether a list may be asked for several values of a field, because each is one part of a key."""
    field = declaration.field(name)
    parted = name in declaration.units or field.order == "natural" or hasattr(field.type, "key_part")
    return name in declaration.facets or not (parted or name == declaration.id_field)
