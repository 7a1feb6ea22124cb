"""Queries as Django's admin narrows them: by the lookups of a query string, such as ``year__gte=1950``."""

from calendar import monthrange
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from enum import Enum
from functools import partial
from typing import Any

from django.conf import settings
from django.utils import timezone

from dynamodb_lists.connection.errors import UnknownField, WrongValue
from dynamodb_lists.declared.asked import ListQuery
from dynamodb_lists.lists.conditions import at_least, at_most, begins
from dynamodb_lists.lists.queries import Query
from dynamodb_lists.reading.fetching import in_parallel
from dynamodb_lists.schema.entities import Field, by_name, read
from dynamodb_lists.schema.keys import MAX_BYTES

MOST_YEARS = 30
"""Between more years, all are shown, and none is asked for."""


@dataclass(frozen=True)
class RowQuery(Query[Any]):
    """A query that takes lookups, too, so that filters of Django's admin work with it.

    ``ticked`` are the rows that were selected for an action, each as its list showed it; ``None`` for all rows.
    ``ends`` are the first and the last day of the list, and ``years`` the years with rows.
    """

    ticked: tuple[str, ...] | None = None
    ends: tuple[Any, Any] = (None, None)
    years: tuple[int, ...] = ()

    @classmethod
    def of(cls, query: Query[Any]) -> "RowQuery":
        return query if isinstance(query, cls) else cls(query.reader, query.asked)

    def filter(self, **lookups: Any) -> "RowQuery":
        """Return the query of the rows that meet the lookups. Raises: as :meth:`~dynamodb_lists.Query.where`."""
        found, declared = self, self.reader.declaration
        described = by_name(declared.entity)
        for lookup, value in lookups.items():
            name, _, kind = lookup.partition("__")
            if name == "pk":
                found = replace(found, ticked=tuple(value))
            elif value != "" or kind not in {"gte", "lte", "lt", "startswith"}:
                condition = _CONDITIONS.get(kind or "exact")
                if name not in described or condition is None:
                    raise UnknownField(f"{declared.title} have no filter {lookup}.")
                found = found.where(**{name: condition(described[name], value)})
        return found

    # --- What the template tag of ``date_hierarchy`` asks for ---------------------------------------------------

    def end(self, order: str, **lookups: Any) -> Any:
        """Return the first value of a field without filters; with the sign ``-``, the last. ``None`` without values."""
        name = order.removeprefix("-")
        every = RowQuery(self.reader, ListQuery(self.asked.owner, misfits={}))
        asked = every.filter(**(lookups or {f"{name}__isnull": False})).order_by(order).asked
        found = [getattr(row.value, name) for row in self.reader.listing(asked, {}).take(1, None, backward=False)]
        return found[0].astimezone(_zone()) if found and isinstance(found[0], datetime) else next(iter(found), None)

    def between(self, name: str, first: Any, last: Any) -> "RowQuery":
        """Return the same query with the first and last day, and the years between; it sends one Query for each."""
        inner = range(first.year + 1, last.year) if first and last else range(0)
        days = ({f"{name}__gte": date(year, 1, 1), f"{name}__lt": date(year + 1, 1, 1)} for year in inner)
        known = in_parallel([partial(self.end, name, **each) for each in days]) if len(inner) <= MOST_YEARS else inner
        years = {year for year, has in zip(inner, known, strict=True) if has}
        years |= {each.year for each in (first, last) if each}
        return replace(self, ends=(first, last), years=tuple(sorted(years)))

    def aggregate(self, **asked: Any) -> dict[str, Any]:
        """Return the first and the last value of a field, which the changelist has read."""
        return dict(zip(("first", "last"), self.ends, strict=True)) if "last" in asked else {}

    def dates(self, name: str, kind: str) -> Iterator[date]:
        """Return the years with values of a field, or the months or days of the selected year or month."""
        span: Any = self.asked.conditions.get(name)
        if kind == "year":
            return (date(year, 1, 1) for year in self.years)
        first = date.fromisoformat(str(span.low)[:10]) if span else self.ends[0]
        if kind == "month":
            return (date(first.year, month, 1) for month in range(1, 13))
        return (date(first.year, first.month, day) for day in range(1, monthrange(first.year, first.month)[1] + 1))

    datetimes = dates


def typed(field: Field, value: Any) -> Any:
    """Return a value of a query string as its field has it; a blank is no value. Raises: ``WrongValue``."""
    if issubclass(field.type, str) and not issubclass(field.type, Enum):
        if len(str(value).encode(errors="replace")) > MAX_BYTES:
            raise WrongValue(f"No {field.label} is so long.")
        return str(value)
    if value in ("", None):
        return None
    try:
        return _typed(field.type, value)
    except (ValueError, KeyError, ArithmeticError, StopIteration) as error:
        raise WrongValue(f"{value!r} is no {field.label}.") from error


def _typed(kind: Any, value: Any) -> Any:
    """Return a value as files have it; a time without a zone is in the zone of forms."""
    if kind is datetime:
        moment = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
        return (moment if moment.tzinfo else moment.replace(tzinfo=_zone())).astimezone(UTC)
    if issubclass(kind, Enum):
        return next(each for each in kind if str(each.value) == str(value))
    written = str(value)[:10] if kind is date else str(value)  # a lookup of a day may have a time
    return read(kind, written)


def _zone() -> Any:
    """Return the time zone of forms and columns."""
    return timezone.get_current_timezone() if settings.USE_TZ else UTC


def _before(field: Field, value: Any) -> Any:
    """Return the greatest value below ``value``. Raises: ``WrongValue``."""
    found = typed(field, value)
    step = {int: 1, date: timedelta(days=1), datetime: timedelta(microseconds=1)}.get(field.type)
    if step is None:
        raise WrongValue(f"Of {field.label} there is no lookup lt.")
    try:
        return found - step
    except OverflowError as error:
        raise WrongValue(f"There is no {field.label} before {value}.") from error


_CONDITIONS: dict[str, Callable[[Field, Any], Any]] = {
    "exact": typed,
    "in": lambda field, values: {typed(field, value) for value in values},
    "isnull": lambda _, value: None if _typed(bool, value) else at_least(None),
    "gte": lambda field, value: at_least(typed(field, value)),
    "lte": lambda field, value: at_most(typed(field, value)),
    "lt": lambda field, value: at_most(_before(field, value)),
    "startswith": lambda field, value: begins(typed(field, value)),
}
