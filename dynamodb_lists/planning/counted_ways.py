"""The expected cost of ways to read a list, if counts say how many items each combination has. Pure.

A coarse partition takes one request, but items that do not match are dropped after the read. Fine partitions hold only
items that match, but each value has a partition. The counts say how many items each part holds, and how many of these
match. docs/reading.md has an example.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import accumulate
from math import inf, prod, sqrt
from operator import attrgetter, contains, itemgetter
from typing import Any

from dynamodb_lists.planning.request_cost import REQUEST_WEIGHT, SPARE_DEVIATIONS, blocks, query_cost
from dynamodb_lists.planning.selection import FacetCounts
from dynamodb_lists.planning.sources import Asked, FoundWay, PartRange, ordered
from dynamodb_lists.schema.conditions import Between, holds
from dynamodb_lists.schema.templates import Piece

SECOND_REQUESTS = 0.3
"""The share of parts (the first not counted) that need a second request. Fitted to random lists."""


@dataclass(frozen=True)
class Prices:
    """The prices of ways, where counts give the number of items of each combination.

    ``share`` estimates the share that meets conditions which nothing counts: of all items, of those whose facets are
    asked for, or of those with a value of a facet. ``item_bytes`` gives the usual bytes of an item in a source. A page
    has ``rows`` rows after the ``passed`` ones, if their number is known.
    """

    counts: FacetCounts[Any]
    asked: Asked
    share: Callable[..., float]
    item_bytes: Callable[[str], float]
    rows: float
    descending: bool = False
    passed: float | None = 0
    known: Collection[str] = ()
    """The fields that all counted items have as asked."""
    certain: Mapping[str, float] = field(default_factory=dict)
    """The share of all items that meets a condition, where something counts it."""
    depth: Callable[[Collection[str], float, bool], float] = lambda _, share, __: share
    """Estimates which share of its items a walk reads for a share of its rows, if it drops by these conditions, in one
    of both directions."""

    @cached_property
    def values(self) -> dict[str, set[Any]]:
        """The values of each facet that are asked for."""
        return {
            name: {
                each for each in self.counts.values_of(name) if name not in self.asked or holds(self.asked[name], each)
            }
            for name in self.counts.facets
        }

    def spanned(self, name: str) -> set[Any]:
        """Return the values of a facet within a range of keys: values asked for, and values between them."""
        asked = self.asked[name]
        if not isinstance(asked, frozenset):
            return self.values[name]
        known = [value for value in asked if value is not None]
        whole = not known or len(known) < len(asked)
        span = Between() if whole else Between(min(known), max(known))
        return {each for each in self.counts.values_of(name) if whole or holds(span, each)}

    @cached_property
    def total(self) -> int:
        """The number of items that are asked for, as far as facets tell."""
        narrowed = [name for name in self.counts.facets if name in self.asked]
        checks = [*map(self.values.__getitem__, narrowed)]
        numbers = self.counts.by(narrowed).items()
        return sum(n for each, n in numbers if all(map(contains, checks, each)))

    def sorted(self, found: Iterable[FoundWay]) -> list[FoundWay]:
        """Return the ways with their expected cost, the best first."""
        priced = sorted(map(self.priced, found), key=attrgetter("rank"))
        # As good as another one is a way that sorts as many items in memory, or whose ranges have become the same.
        different = dict[Any, FoundWay]()
        for way in priced:
            held = tuple(part.items for part in way.parts)
            different.setdefault((way.ordered and way.source.name, way.units, held), way)
        return [*different.values()]

    def priced(self, way: FoundWay) -> FoundWay:
        """Return a way with the number of items in its parts, the share that is kept, and the cost of a page."""
        uncounted = self.asked.keys() - {*self.counts.facets, *self.known}
        covered = uncounted.difference(way.dropped)
        narrowed = not self.values.keys().isdisjoint(self.asked.keys() - {*way.dropped})
        inside = self.share(covered, narrowed) if covered else 1.0
        met = min(self.share(uncounted, True) / inside, 1.0) if uncounted else 1.0  # of those that are covered
        way = replace(way, parts=self._held(way, inside), counted=True, exact=not covered)
        few = self.counts.total * min((self.certain.get(name, 1.0) for name in uncounted), default=1.0) < self.rows
        told = covered <= self.certain.keys() and (bool(way.dropped and few) or not way.ordered)
        if way.exact and not way.ordered and way.parts[1:]:
            way = self._joined(way)
        items, total = way.items, self.total * inside * met
        kept = min(max(total, 1) / max(items, 1), 1.0) if way.dropped else 1.0
        whole = self.rows + (self.passed or 0) > total or not way.ordered  # a shorter list is read to its end
        reads = [part.items for part in way.parts]
        if way.ordered and (self.passed or not whole):
            reads = self._page(way, inf if whole else self.rows + (self.passed or 0), kept, inside)
        found = sum(reads)
        cost = query_cost(reads, self.item_bytes(way.source.name))
        again = 0 if whole else SECOND_REQUESTS * (min(way.width, len(reads)) - (not way.dropped))
        units = cost.weight + again * (0.5 + REQUEST_WEIGHT) + way.by_keys * min(self.rows, total) / 2
        if self.passed is not None and not whole and way.dropped and self._by_facets(way):
            kept = min(self.rows / max(found, 1), 1.0)
        return replace(way, kept=kept, units=units, requests=cost.requests, told=told)

    def _held(self, way: FoundWay, inside: float) -> tuple[PartRange, ...]:
        """Return the parts that hold items by the counts, with their numbers of items.

        The first facet that a part leaves open has the values that are asked for.
        """
        fixed, ahead = self._facets(way)
        first = ahead[:1] if self._narrows(way, ahead) else []
        numbers = self.counts.by([*fixed, *first])
        if first:
            found, spanned = Counter[tuple[Any, ...]](), self.spanned(first[0])
            for each, number in numbers.items():
                if each[-1] in spanned:
                    found[each[:-1]] += number
            numbers = found
        held = (numbers.get(tuple(part.values[name] for name in fixed), 0) for part in way.parts)
        return tuple(part._replace(items=inside * number) for part, number in zip(way.parts, held, strict=True))

    def _joined(self, way: FoundWay) -> FoundWay:
        """Return the way, with two ranges joined where one request for both, and the items between them, costs no more.

        So the way never costs more than one Query from its first to its last key.
        """
        fixed, ahead = self._facets(way)
        pieces = way.source.sort.template.pieces[: way.open_at] if way.source.sort else ()
        names = [piece.name for piece in pieces if piece.name in self.values]
        if {*names} != {*fixed} or self._narrows(way, ahead):  # the key does not tell what is between
            return way
        numbers, size = self.counts.by(names), self.item_bytes(way.source.name)
        if not all(tuple(part.values[name] for name in names) in numbers for part in way.parts):
            return way  # some of these values are not counted, so nothing tells where they are
        in_order = sorted(numbers, key=ordered)
        ends = dict(zip(in_order, accumulate(map(numbers.__getitem__, in_order)), strict=True))
        found, begin = list[PartRange](), 0
        for part in sorted(way.parts, key=lambda each: (each.partition, each.begun)):
            end, last = ends[tuple(part.values[name] for name in names)], found[-1] if found else None
            apart = blocks(last.items, size) + blocks(part.items, size) if last else 0
            if last and last.partition == part.partition and blocks(end - begin, size) <= apart:
                found[-1] = PartRange(part.partition, last.low, part.high, items=end - begin)
            else:
                found, begin = [*found, part], end - int(part.items)
        if len(found) == len(way.parts):
            return way
        return replace(way, parts=tuple(found), dropped=tuple(sorted({*way.dropped, *names} & self.asked.keys())))

    def _facets(self, way: FoundWay) -> tuple[list[str], list[str]]:
        """Return the facets that have one value in each part, and the facets that the keys leave open, in their
        order.
        """
        fixed = [name for name in self.counts.facets if way.parts and name in way.parts[0].values]
        return fixed, [each.name for each in _open(way) if each.name in self.values]

    def _narrows(self, way: FoundWay, ahead: list[str]) -> bool:
        """Return whether the keys of each part have only a range of values of the first facet ahead."""
        return bool(ahead) and ahead[0] in self.asked and ahead[0] == next(iter(_open(way))).name

    def _page(self, way: FoundWay, need: float, kept: float, inside: float) -> list[float]:
        """Return how many items are read of the parts of a way in order, one group after the other, for the rows after
        the passed ones, up to so many rows.

        If several parts are merged, some items are read and not shown.
        """
        reads, passed, groups = list[float](), self.passed or 0.0, dict[Any, list[PartRange]]()
        for number, part in enumerate(way.parts):
            groups.setdefault((ordered(part.leads), 0 if way.run else number), []).append(part)
        fixed, ahead = self._facets(way)
        by_facets = self._by_facets(way)
        told = way.dropped and by_facets and (way.width == 1 or (way.run and [way.run[0].name] == ahead[:1]))
        within = self._combinations(way, inside) if told else {}

        def read(parts: Sequence[PartRange], need: float) -> tuple[list[float], float]:
            if not need:
                return [0.0] * len(parts), 0.0
            if told:
                some = [within.get(tuple(part.values[name] for name in fixed), []) for part in parts]
                return self._walked(some, need)
            held = sum(part.items for part in parts) * kept
            share = min(need / max(held, 1), 1.0)
            deep = share if by_facets or not way.dropped else self.depth(way.dropped, share, self.descending)
            return [part.items * deep for part in parts], min(need, held)

        for _, parts in sorted(groups.items(), reverse=self.descending):
            (before, gone), (after, found) = read(parts, passed), read(parts, need)
            if passed > 0 and found <= gone:  # all of its rows are on earlier pages
                passed, need = passed - gone, need - found
                continue
            spare, least = (SPARE_DEVIATIONS, 1.0) if parts[1:] else (0, 0.0)
            for part, start, end in zip(parts, before, after, strict=True):
                more = end - start
                reads.append(max(min(part.items - start, more + spare * sqrt(more / kept)), least))
            passed, need = passed - gone, need - found
            if need <= 0:
                break
        return reads

    def _by_facets(self, way: FoundWay) -> bool:
        """Return whether counts tell how many rows there are before others: rows are sorted by facets first."""
        return not way.run or way.run[0].name in self.values

    def _walked(self, parts: list[Any], need: float) -> tuple[list[float], float]:
        """Return how many items of each part are read for the rows that are needed, and how many of these there are.

        Combinations are read in the order of their keys; combinations that are not asked for are dropped.
        """
        reads, rows = [0.0] * len(parts), 0.0
        combinations = [(each, place, *numbers) for place, some in enumerate(parts) for each, *numbers in some]
        if combinations and combinations[0][0]:
            combinations.sort(key=itemgetter(0), reverse=self.descending)
        for _, place, number, kept in combinations:
            if kept and rows + kept >= need:
                reads[place] += number * (need - rows) / kept
                return reads, need
            reads[place], rows = reads[place] + number, rows + kept
        return reads, rows

    def _combinations(self, way: FoundWay, inside: float) -> dict[tuple[Any, ...], list[tuple[Any, float, float]]]:
        """By the values of parts: what else stands in their keys, how many items have it, and how many are wanted, if
        a share is ``inside`` the parts.

        What nothing counts may depend on each facet: large items cost more than small ones. The shares by facet are
        multiplied, as in a naive Bayes classifier.
        """
        fixed, ahead = self._facets(way)
        names = [*fixed, *ahead, *(name for name in self.counts.facets if name in way.dropped and name not in ahead)]
        checks = [(place, self.values[name]) for place, name in enumerate(names) if name in self.asked]
        known, usual = len(fixed) + len(ahead), self._met(way)
        relative = cache(lambda facet, value: self._met(way, facet, value) / usual)
        spanned = self.spanned(ahead[0]) if self._narrows(way, ahead) else None
        numbers, wanted = Counter[tuple[Any, ...]](), dict[tuple[Any, ...], float]()
        for each, number in self.counts.by(names).items():
            if spanned is None or each[len(fixed)] in spanned:
                numbers[each[:known]] += number
                asked = all(each[place] in values for place, values in checks)
                share = min(usual * prod(map(relative, names[:known], each)), 1.0) if asked else 0.0
                wanted[each[:known]] = wanted.get(each[:known], 0) + number * share
        found = dict[tuple[Any, ...], list[tuple[Any, float, float]]]()
        for each, number in numbers.items():
            in_key = ordered(each[len(fixed) :]), number * inside, wanted[each] * inside
            found.setdefault(each[: len(fixed)], []).append(in_key)
        return found

    def _met(self, way: FoundWay, *of: Any) -> float:
        """Return the share of items in the parts of a way, or ``of`` those with a value of a facet, that meets the
        conditions which the keys do not cover.
        """
        uncounted = self.asked.keys() - {*self.counts.facets, *self.known}
        covered = uncounted.difference(way.dropped)
        inside = self.share(covered, True, *of) if covered else 1.0
        return min(self.share(uncounted, True, *of) / inside, 1.0) if uncounted else 1.0


def _open(way: FoundWay) -> tuple[Piece, ...]:
    """Return the pieces of the sort key after those that have one value in each part."""
    pieces = way.source.sort.template.pieces if way.source.sort else ()
    return tuple(piece for piece in pieces[way.open_at :] if piece.name)
