"""Conditions of a query on one field, as people write them: a value, a set of values, or a range."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from dynamodb_lists.connection.errors import UnknownField, WrongValue
from dynamodb_lists.declared.asked import Wanted
from dynamodb_lists.declared.declaration import Declaration
from dynamodb_lists.declared.parts import BLANK
from dynamodb_lists.declared.told import Told
from dynamodb_lists.planning.selection import Selection
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.conditions import Begins, Between, BetweenOf
from dynamodb_lists.schema.keys import Days, KeyRange

AFTER_BLANK = chr(ord(BLANK) + 1)
"""What sorts after the part of no value, and before the part of every value."""

NOTHING = KeyRange(keys.HIGHEST, "")
"""A range that ends before it begins."""


def between(low: Any, high: Any) -> Between:
    """The values from ``low`` to ``high``, both included. Of times, ``high`` may be a day, which is whole."""
    return Between(low, high)


def at_least(low: Any) -> Between:
    """The values from ``low`` on."""
    return Between(low, None)


def at_most(high: Any) -> Between:
    """The values up to ``high``."""
    return Between(None, high)


def on_days(days: Days) -> Between:
    """The times from the first of two days on, and before the second one; ``None`` for no limit. They begin in UTC."""
    first, before = (datetime.combine(each, time(), UTC) if type(each) is date else each for each in days)
    return Between(first, before and before - timedelta.resolution)


def on_days_of(field: str, days: Mapping[Any, Days]) -> BetweenOf:
    """As :func:`on_days`, but for each value of another field its own days, such as those of its time zone."""
    ranges = {value: on_days(each) for value, each in days.items()}
    lows, highs = [each.low for each in ranges.values()], [each.high for each in ranges.values()]
    low = None if None in lows else min(lows, default=None)
    return BetweenOf(low, None if None in highs else max(highs, default=None), field, tuple(ranges.items()))


def begins(text: str) -> Begins:
    """The texts that begin with a text, however both are capitalised."""
    return Begins(text)


def with_condition(declaration: Declaration, wanted: Wanted, name: str, condition: Any) -> Wanted:
    """What is wanted with one condition more, which must hold beside those on the same field.

    Raises :class:`~dynamodb_lists.connection.errors.UnknownField` and
    :class:`~dynamodb_lists.connection.errors.WrongValue`.
    """
    if isinstance(declaration, Told):
        return declaration.narrowed(wanted, name, condition)
    if name not in declaration.facets and name not in rangeable(declaration):
        known = ", ".join((*declaration.facets, *rangeable(declaration)))
        raise UnknownField(f"{declaration.title} have no field {name!r} to filter by; they have {known}.")
    if isinstance(condition, Begins) and not condition.text:
        return wanted
    if name in declaration.facets:
        return _of_facet(declaration, wanted, name, condition)
    if not isinstance(condition, Between | Begins) and _is_set(condition):
        raise UnknownField(f"{name} is no facet of {declaration.name}: give one value, or between(...).")
    span = _both(_span(declaration, name, condition), wanted.ranges.get(name))
    exact = {} if isinstance(condition, Between | Begins) else {name: condition}
    if name in exact and wanted.exact.get(name, condition) != condition:
        span = NOTHING  # one slug, and two texts
    return replace(wanted, ranges={**wanted.ranges, name: span}, exact={**wanted.exact, **exact})


def rangeable(declaration: Declaration) -> tuple[str, ...]:
    """The fields beside facets by which a list is sorted, and of which it has ranges. The id is the last."""
    if isinstance(declaration, Told):
        return declaration.sorts
    orders = declaration.orders.values()
    named = dict.fromkeys(name for order in orders for name in order.fields if name not in declaration.facets)
    return (*named, *(() if declaration.id_field in named else (declaration.id_field,)))


def _of_facet(declaration: Declaration, wanted: Wanted, name: str, condition: Any) -> Wanted:
    values, bounds = dict(wanted.selection.values), dict(wanted.selection.bounds)
    if isinstance(condition, Between | Begins):
        span = _both(_span(declaration, name, condition), KeyRange(*bounds[name]) if name in bounds else None)
        bounds[name] = span.low, span.high
    else:
        given = condition if _is_set(condition) else [condition]
        chosen = frozenset(declaration.part(name, declaration.checked(name, value)) for value in given)
        values[name] = chosen & values.get(name, chosen)
    return replace(wanted, selection=Selection(values, bounds))


def _both(span: KeyRange, other: KeyRange | None) -> KeyRange:
    """What is in two ranges."""
    return span if other is None else KeyRange(max(span.low, other.low), min(span.high, other.high))


def _span(declaration: Declaration, name: str, condition: Any) -> KeyRange:
    """The parts of keys that a condition allows."""
    field = declaration.field(name)
    if isinstance(condition, Begins):
        if not issubclass(field.type, str):
            raise WrongValue(f"{declaration.title}: {name} is no text, so it has no beginning.")
        text = condition.text if name == declaration.id_field else keys.text_part(condition.text)
        return KeyRange(text, f"{text}{keys.HIGHEST}")
    if not isinstance(condition, Between):
        value = declaration.part(name, declaration.checked(name, condition))
        return KeyRange(value, value)
    low, high = AFTER_BLANK, keys.HIGHEST
    if condition.low is not None:
        low = declaration.part(name, _end(declaration, name, condition.low))
    if condition.high is not None:
        high = declaration.part(name, _end(declaration, name, condition.high))
        is_day = isinstance(condition.high, date) and not isinstance(condition.high, datetime)
        high += keys.HIGHEST * (is_day and field.type is datetime)
    return KeyRange(low, high)


def _end(declaration: Declaration, name: str, value: Any) -> Any:
    """An end of a range. Of times, it may be a day."""
    is_day = declaration.field(name).type is datetime and type(value) is date
    return value if is_day else declaration.checked(name, value)


def _is_set(condition: Any) -> bool:
    return isinstance(condition, Iterable) and not isinstance(condition, str)
