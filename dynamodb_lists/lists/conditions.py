"""Conditions of a query on one field, as people write them: a value, a set of values, or a range."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from dynamodb_lists.connection.errors import UnknownField
from dynamodb_lists.lists.declaration import Declaration
from dynamodb_lists.lists.parts import LOWEST
from dynamodb_lists.lists.plans import Wanted
from dynamodb_lists.planning.selection import Selection
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.keys import KeyRange

AFTER_BLANK = chr(ord(LOWEST) + 1)
"""What sorts after the part of no value, and before the part of every value."""


@dataclass(frozen=True)
class Between:
    """The values from ``low`` to ``high``, both included; ``None`` for no limit. No value is in no range."""

    low: Any = None
    high: Any = None


@dataclass(frozen=True)
class Begins:
    """The values that begin with a text."""

    text: str


def between(low: Any, high: Any) -> Between:
    """The values from ``low`` to ``high``, both included. Of times, ``high`` may be a day, which is whole."""
    return Between(low, high)


def at_least(low: Any) -> Between:
    """The values from ``low`` on."""
    return Between(low, None)


def at_most(high: Any) -> Between:
    """The values up to ``high``."""
    return Between(None, high)


def begins(text: str) -> Begins:
    """The texts that begin with a text, however both are capitalised."""
    return Begins(text)


def with_condition(declaration: Declaration, wanted: Wanted, name: str, condition: Any) -> Wanted:
    """What is wanted with one condition more. Raises :class:`~dynamodb_lists.connection.errors.UnknownField`."""
    if name in declaration.facets:
        return _of_facet(declaration, wanted, name, condition)
    if name not in rangeable(declaration):
        known = ", ".join((*declaration.facets, *rangeable(declaration)))
        raise UnknownField(f"{declaration.title} have no field {name!r} to filter by; they have {known}.")
    if not isinstance(condition, Between | Begins) and _is_set(condition):
        raise UnknownField(f"{name} is no facet of {declaration.name}: give one value, or between(...).")
    return Wanted(
        wanted.selection, {**wanted.ranges, name: _span(declaration, name, condition)}, wanted.sort, wanted.rows
    )


def rangeable(declaration: Declaration) -> tuple[str, ...]:
    """The fields beside facets by which a list is sorted, and of which it has ranges. The id is the last."""
    orders = declaration.orders.values()
    named = dict.fromkeys(name for order in orders for name in order.fields if name not in declaration.facets)
    return (*named, *(() if declaration.id_field in named else (declaration.id_field,)))


def _of_facet(declaration: Declaration, wanted: Wanted, name: str, condition: Any) -> Wanted:
    values, bounds = dict(wanted.selection.values), dict(wanted.selection.bounds)
    if isinstance(condition, Between | Begins):
        span = _span(declaration, name, condition)
        bounds[name] = span.low, span.high
    else:
        given = condition if _is_set(condition) else [condition]
        values[name] = frozenset(declaration.part(name, value) for value in given)
    return Wanted(Selection(values, bounds), wanted.ranges, wanted.sort, wanted.rows)


def _span(declaration: Declaration, name: str, condition: Any) -> KeyRange:
    """The parts of keys that a condition allows."""
    if isinstance(condition, Begins):
        text = condition.text if name == declaration.id_field else keys.text_part(condition.text)
        return KeyRange(text, f"{text}{keys.HIGHEST}")
    if not isinstance(condition, Between):
        value = declaration.part(name, condition)
        return KeyRange(value, value)
    low = AFTER_BLANK if condition.low is None else declaration.part(name, condition.low)
    if condition.high is None:
        return KeyRange(low, keys.HIGHEST)
    high = declaration.part(name, condition.high)
    is_day = isinstance(condition.high, date) and not isinstance(condition.high, datetime)
    whole_day = is_day and declaration.field(name).type is datetime
    return KeyRange(low, f"{high}{keys.HIGHEST}" if whole_day else high)


def _is_set(condition: Any) -> bool:
    return isinstance(condition, Iterable) and not isinstance(condition, str)
