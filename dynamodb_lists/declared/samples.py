"""Samples of an owner's items, which estimate what nothing counts. Pure functions.

Counts say how many items have a value of a facet. Nothing counts days, amounts and rules. So the writer that packs the
counts also stores a few items from all parts of the list: a systematic sample, because the counts say where each part
begins. A sample may be old, because it only decides what a page costs, never its rows.
"""

import json
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import accumulate, chain, compress
from math import prod
from types import MappingProxyType
from typing import Any, TypeVar

from dynamodb_lists.declared.asked import ListQuery, within
from dynamodb_lists.declared.counts import Counts
from dynamodb_lists.declared.declaration import Declaration
from dynamodb_lists.planning.selection import Combination
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.conditions import Between, holds
from dynamodb_lists.schema.entities import fields
from dynamodb_lists.schema.models import RawItem

T = TypeVar("T")

UNKNOWN_SHARE = 0.5
"""The share of items that match filters of which nothing is known."""
PLACES, MOST_PLACES, EACH = 24, 96, 2
"""A sample has items from so many places of a list, and so many of each. Each place takes at most one request.

A long list has more places, one for each 200 items, because a wrong plan of it costs more."""
FEWEST_ITEMS = 100
"""A list of fewer items has no sample, because it costs little in any way."""
MOST_BYTES, LONGEST_TEXT = 3_000, 10
"""The largest sample, because each change of a count writes it again, and the longest text that is kept in it."""
ALL_ITEMS = 4
"""The share among all items counts as much as so many items of those that facets allow, which may be few or none."""


def shares(
    declared: Declaration,
    query: ListQuery,
    sampled: Callable[[], Sequence[Any]],
    counted: Mapping[str, float] = MappingProxyType({}),
) -> Callable[..., float]:
    """Return a function that estimates from a sample the share of items that meets ranges and rules.

    The share is of all items, of those that facets allow, or of those with a value of a facet. A few items that all
    meet a condition do not prove that all items do, so the rule of succession (Laplace) gives a share between. If
    counts give the share of a condition, the sample, which may be old, is not used.
    """
    items, facets = cache(sampled), [name for name in query.conditions if name in declared.facets]
    checks = _checks(declared, query)

    @cache
    def share(names: frozenset[str], allowed: bool, facet: str, value: Any) -> float:
        if not items():
            return UNKNOWN_SHARE
        held = [all(checks[name](item) for name in names if name in checks) for item in items()]
        among = [not allowed or all(checks[name](item) for name in facets) for item in items()]
        if facet:
            values = (next(declared.parts(item, [facet])) for item in items())
            among = [each and value == own for each, own in zip(among, values, strict=True)]
        found, usual = [*compress(held, among)], (sum(held) + 1) / (len(held) + 2)
        weight = ALL_ITEMS * (4 if facet else 1)  # the shares of several facets are multiplied, and so are their errors
        return (sum(found) + weight * usual) / (len(found) + weight)

    def of_all(names: Collection[str], allowed: bool, facet: str = "", value: Any = None) -> float:
        implied = {within(rule.within) for rule in query.rules if rule.name in names}
        known = {*names} - (implied & counted.keys())
        others = frozenset(known - counted.keys())
        met = prod(counted[name] for name in known & counted.keys())
        return met * share(others, allowed, facet, value) if others else met

    return of_all


def depths(
    declared: Declaration, query: ListQuery, sampled: Callable[[], Sequence[Any]], counted: Collection[str]
) -> Callable[[Collection[str], float, bool], float]:
    """Return a function that estimates which share of its items a walk reads for a share of its rows, because what it
    drops depends on its order: young people are not among the oldest.

    The walk drops by some conditions, and goes in one of both directions. Between two matches of the sample, there are
    equally many. That matches come early counts half. A condition whose share is ``counted`` is taken for one that is
    spread evenly, because the sample may be old.
    """
    items, checks = cache(sampled), _checks(declared, query)

    def depth(dropped: Collection[str], share: float, descending: bool) -> float:
        covered, wanted = query.conditions.keys() - {*dropped}, {*dropped} & checks.keys() - {*counted}
        order = [item for item in items() if all(checks[name](item) for name in covered)]
        order.sort(key=lambda item: [*declared.parts(item, query.sort)], reverse=descending)
        met = (place for place, item in enumerate(order, 1) if all(checks[name](item) for name in wanted))
        ends = [0, *met, len(order) + 1]
        place = min(int(share * (len(ends) - 1)), len(ends) - 2)
        rest = share * (len(ends) - 1) - place
        found = (ends[place] + rest * (ends[place + 1] - ends[place])) / ends[-1]
        return max(found, (found + share) / 2)  # a few items that come early may do so by chance

    return depth


def _checks(declared: Declaration, query: ListQuery) -> dict[str, Callable[[Any], bool]]:
    def in_range(name: str, item: Any) -> bool:
        return holds(query.conditions[name], next(declared.parts(item, [name])))

    checks: dict[str, Callable[[Any], bool]] = {rule.name: rule.holds for rule in query.rules}
    checks |= {within(rule.within): rule.inside for rule in query.rules}
    return checks | {name: partial(in_range, name) for name in query.conditions}


def places(declaration: Declaration, counts: Counts) -> tuple[str, Counter[Between]]:
    """Return the index and the ranges from which items are taken, and how often each; no ranges if there are few items.

    Each range has the items of some facets in the order of their ids, which should be unrelated to other fields. A
    range that is taken several times is read from both ends, because ids may tell which items are old.
    """
    if sum(count.number for count in counts.values()) < FEWEST_ITEMS:
        return "", Counter()
    orders = declaration.whole_orders.items()
    found = {declaration.leading(order): index for index, order in orders if declaration.leading(order) == order.fields}
    facets = max(found, key=len)
    numbers = [*map(declaration.facets.index, facets)]
    items = Counter[Combination]()
    for combination, count in counts.items():
        items[tuple(map(combination.__getitem__, numbers))] += max(count.number, 0)
    return found[facets], Counter(keys.between(parts, parts) for parts in _even(items))


def _even(items: Counter[Combination]) -> Iterator[Combination]:
    """Yield the combinations at places that are equally far from each other, if all items stand in their order."""
    places = min(max(items.total() // 200, PLACES), MOST_PLACES)
    step, place, found = items.total() / places, 0.5, sorted(items)
    for combination, end in zip(found, accumulate(map(items.__getitem__, found)), strict=True):
        while place * step < end:
            yield combination
            place += 1


def pack_items(declaration: Declaration, model: Any, items: Iterable[Any]) -> bytes:
    """Return items as one compressed text of columns, without long texts that neither filter nor sort."""
    sorts = {*declaration.facets, *(name for order in declaration.orders.values() for name in order.fields)}
    texts = [each.name for each in fields(declaration.entity) if each.type is str and each.name not in sorts]
    cut, shown = ({model.renames.get(name, name) for name in names} for names in (texts, declaration.shown))
    if declaration.id_field not in declaration.shown:
        shown.add("sk")  # which has the id
    rows: list[RawItem] = [model.item(item).serialize() for item in items]
    while len(data := _compressed(rows, shown, cut)) > MOST_BYTES:
        rows = rows[::2]
    return data


def _compressed(rows: list[RawItem], shown: set[str], cut: set[str]) -> bytes:
    columns = {}
    for name in sorted(shown.intersection(chain(*rows))):
        kind = next(kind for row in rows for kind in row.get(name, ()))
        values = [row.get(name, {}).get(kind) for row in rows]
        long = {value for value in values if name in cut and value and len(value) > LONGEST_TEXT}
        columns[name] = kind, ["" if name in cut and value in long else value for value in values]
    return zlib.compress(json.dumps(columns, ensure_ascii=False, separators=(",", ":")).encode())


def unpack_items(model: Any, build: Callable[[Any], T], data: bytes) -> list[T]:
    """Return the items in a text of :func:`pack_items`; no items if the text is of another format."""
    try:
        columns = json.loads(zlib.decompress(data)).items()
        rows = zip(*([(name, kind, value) for value in values] for name, (kind, values) in columns), strict=True)
        items = ({name: {kind: value} for name, kind, value in row if value is not None} for row in rows)
        return [build(model.decoded(item)) for item in items]
    except (zlib.error, ValueError, TypeError, LookupError, AttributeError):  # another release packs otherwise
        return []
