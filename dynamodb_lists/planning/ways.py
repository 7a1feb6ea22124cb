"""Find the tables and indexes that answer a question, from the templates of their keys. Pure.

A *source* is the table or one of its indexes. It answers a question on three conditions:

- Its partition is made of values that are asked for, or that can be enumerated, such as those of an enum or shards.
- It holds all items that are asked for. An index says as data (``when``) which items it holds, and the question must
  imply it.
- Its sort key begins with values that are asked for, or that can be enumerated, and then has the range or the sort, in
  a format whose texts sort as the values do.

A condition that no key covers drops items after the read; a sort that no key has is made in memory.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from functools import cached_property
from itertools import dropwhile, product, takewhile
from math import prod
from operator import attrgetter, itemgetter
from typing import Any

from dynamodb_lists.planning.selection import FacetCounts
from dynamodb_lists.planning.sources import (
    Asked,
    FoundWay,
    Known,
    PartRange,
    Question,
    Source,
    entered,
    needs,
    plain,
    share_of,
    values_of,
)
from dynamodb_lists.schema.conditions import GIVEN, Begins, Between, BetweenOf, Condition, Plain, Spans, holds
from dynamodb_lists.schema.keys import HIGHEST, SEPARATOR
from dynamodb_lists.schema.templates import Piece

MOST_PARTS = 24
"""The most ranges that are merged, but for who names the source. They go out together."""
MOST_IN_TURN = 100
"""The most ranges whose values counts tell, some of which are read one after the other, until a page is full."""
MOST_DAYS = 31
"""The most days of a range of which each is a partition."""
ITEMS, ITEMS_A_UNIT, ROWS = 200_000, 16, 26
"""What is guessed of a list that nothing counts: its items, how many of them a read unit has, and a page's rows."""


def ways(
    sources: Sequence[Source],
    fields: Mapping[str, Known],
    question: Question,
    counts: FacetCounts[Any] | None = None,
) -> list[FoundWay]:
    """Return the ways to answer a question, the best first.

    ``counts`` tell which values facets have, so that these can be enumerated. Ranges without items are left out.
    """
    reaches = _reaches(sources, fields, question)
    if any(frozenset() in reach.asked.values() for reach in reaches[:1]):
        return [FoundWay(sources[0], (), (), (), by_keys=False)]
    sharded = [reach for reach in reaches if any(fields[name].shards for name in reach.source.partition.template.names)]
    found = [reach.way() for reach in reaches if reach not in sharded]
    if not any(way and way.ordered and not way.dropped for way in found):
        found += [reach.way() for reach in sharded]
    if counts is not None:
        found = [each.way() for reach in reaches for each in reach.with_counts(counts)]
    different = {(way.source.name, *((each.partition, each.low) for each in way.parts)): way for way in found if way}
    return sorted(different.values(), key=attrgetter("rank"))


def too_sparse(
    sources: Sequence[Source], fields: Mapping[str, Known], question: Question
) -> tuple[Source, list[dict[str, Any]]] | None:
    """Return an index that would answer the question if it had all items asked for, and the conditions of the items
    that it has; ``None`` if there is no such index.
    """
    for reach in _reaches(sources, fields, question):
        absent = dict.fromkeys(sorted(reach.lacking()), GIVEN)
        when = () if implied(reach.source.when, fields, reach.asked) else reach.source.when
        if any(reach.asked.get(name) == frozenset([None]) for name in absent):
            continue  # it has none of these
        if (absent or when) and reach.partitions() is not None:
            return reach.source, [{**absent, **alternative} for alternative in when or [{}]]
    return None


def implied(when: Sequence[Mapping[str, Any]], fields: Mapping[str, Known], asked: Asked) -> bool:
    """Return whether every item that is asked for is in a source: each case of the question meets an alternative."""
    if not when:
        return True
    names = sorted({name for alternative in when for name in alternative})
    cases = [_cases(fields[name].type, asked.get(name)) for name in names]
    if prod(map(len, cases)) > MOST_PARTS**2:
        return False
    return all(
        any(all(_meets(case[name], value) for name, value in alternative.items()) for alternative in when)
        for case in (dict(zip(names, each, strict=True)) for each in product(*cases))
    )


def _cases(kind: Any, condition: Condition | None) -> Sequence[Any]:
    """Return the values that a field may have under a condition: each value, a range, or any."""
    if isinstance(condition, frozenset):
        return [*condition]
    return [condition] if condition is not None else values_of(kind) or [_ANY]


_ANY = object()


def _meets(case: Any, wanted: Any) -> bool:
    """Return whether ``case``, or each of its values, meets what is ``wanted`` of a field."""
    if case is _ANY:
        return False
    if wanted is GIVEN:
        return case not in (None, "") and not (isinstance(case, Begins) and not case.text)
    if isinstance(case, Between | Begins):
        return isinstance(wanted, Between) and isinstance(case, Between) and _within(case, wanted)
    return holds(wanted, case) if isinstance(wanted, Between) else case in wanted


def _within(inner: Between, outer: Between) -> bool:
    above = outer.low is None or (inner.low is not None and inner.low >= outer.low)
    return above and (outer.high is None or (inner.high is not None and inner.high <= outer.high))


Begun = tuple[str, Mapping[str, Any]]
"""How keys begin, and the values that this tells."""


def _reaches(sources: Iterable[Source], fields: Mapping[str, Known], question: Question) -> "list[_Reach]":
    """Return how far each source can answer a question. A range of few values is taken as these values."""
    asked = dict(question.asked)
    for name, condition in question.asked.items():
        if not isinstance(condition, frozenset) and (values := values_of(fields[name].type)):
            asked[name] = frozenset(value for value in values if holds(condition, value))
    return [_Reach(source, fields, question, asked) for source in sources]


@dataclass(frozen=True)
class _Reach:
    """How far the keys of a source serve a question.

    If ``counts`` tell the values of facets, these can be ``enumerated``: with 1, of a facet in front of what is asked
    or sorts; with 2, of any in front of a facet that is asked.
    """

    source: Source
    fields: Mapping[str, Known]
    question: Question
    asked: Asked
    counts: FacetCounts[Any] | None = None
    enumerated: int = 0

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """The pieces of the sort key."""
        return self.source.sort.template.pieces if self.source.sort else ()

    @cached_property
    def sort(self) -> list[str]:
        """The fields of the sort. Fields with a single value are left out."""
        one = {name for name, each in self.asked.items() if isinstance(each, frozenset) and len(each) == 1}
        return [name for name in self.question.sort if name not in one]

    @cached_property
    def reached(self) -> list[tuple[str, list[Begun], int]] | None:
        """Each partition, how its sort keys begin, and the first piece that is open; ``None`` if it cannot answer."""
        source, only = self.source, self.question.only
        if only not in (None, source.name) or (partitions := self.partitions()) is None:
            return None
        if only is None and (source.alone or not implied(source.when, self.fields, self.asked) or self.lacking()):
            return None
        return [(text, *self._spans(told)) for text, told in partitions]

    def with_counts(self, counts: FacetCounts[Any]) -> "Iterator[_Reach]":
        """Yield the same with counts; and with ever more values enumerated, if that makes a difference."""
        before = None
        for each in (replace(self, counts=counts, enumerated=step) for step in range(3)):
            if each.reached != before:
                yield each
            before = each.reached

    def way(self) -> FoundWay | None:
        """Return the way that reads the source; ``None`` if it cannot answer."""
        source, only = self.source, self.question.only
        if self.reached is None:
            return None
        parts, fixed, open_at = list[PartRange](), set[str](), 0
        for text, spans, open_at in self.reached:
            fixed = {*spans[0][1]} if spans else fixed
            for begun, values in spans:
                leads = tuple(values[name] for name in takewhile(values.__contains__, self.sort))
                ranges = self._ranges(begun, open_at, values)
                # several ranges of what sorts are read one after the other
                in_turn = len(ranges) > 1 == len(spans) and self.sort[:1] == [self.pieces[open_at].name]
                for low, high in ranges:
                    parts.append(PartRange(text, low, high, (*leads, low) if in_turn else leads, values, begun))
            if len(parts) > MOST_PARTS**2:
                return None
        last = self._last(parts, fixed)
        # Of equal rows, those of earlier parts come first.
        parts.sort(key=lambda part: [plain(part.values[name]) for name in last])
        between = last and not fixed.issuperset(self.sort[self.sort.index(last[0]) :])
        run = None if between else self._run(fixed, open_at)
        by_keys = not source.lacks.isdisjoint((*self.question.shown, *self.asked, *self.question.sort))
        leads = tuple(takewhile(fixed.__contains__, self.sort))
        way = FoundWay(source, tuple(parts), run, (), by_keys, open_at, leads=leads, last=tuple(last))
        merged = way.width <= MOST_PARTS or self.question.wide or only is not None
        return self._estimated(way if merged else replace(way, run=None), fixed, open_at)

    def _last(self, parts: Sequence[PartRange], fixed: Collection[str]) -> list[str]:
        """Return what sorts after the pieces of a key, and has one value in each part, but not in all of them."""
        later = dropwhile(fixed.__contains__, self.sort)
        return [name for name in later if name in fixed and len({part.values[name] for part in parts}) > 1]

    def lacking(self) -> set[str]:
        """Return the asked fields in the source's keys that items may lack. The index does not have such items."""
        asked = ((name, self.asked.get(name)) for name in needs(self.source, self.fields))
        return {
            name
            for name, condition in asked
            if condition is None or any(holds(condition, value) for value in self.fields[name].absent)
        }

    def _estimated(self, way: FoundWay, fixed: Collection[str], open_at: int) -> FoundWay:
        """Return the way with what no key covers, and what this is expected to cost."""
        shares = {name: share_of(self.fields[name], condition) for name, condition in self.asked.items()}
        dropped = tuple(sorted(shares.keys() - self._covered(fixed, open_at)))
        # a partition of a day, or of small letters, is narrow, though its key does not tell the value
        narrow = {name: max(shares[name], 1 / 50) for name in {*dropped} & {*entered(self.source)}}
        left = {name: shares.pop(name) / narrow.get(name, 1) for name in dropped}
        for piece in self.pieces[open_at : open_at + 1]:
            if isinstance(self.asked.get(piece.name), BetweenOf):
                left[piece.name] = 1.0  # the range has the widest of its days, so hardly any is dropped
        kept = prod(left.values()) or 1 / ITEMS
        held = ITEMS * prod([*shares.values(), *narrow.values()])
        read = min(held, ROWS / kept) if way.ordered else held
        units = max(read / ITEMS_A_UNIT, way.width / 2) + way.by_keys * read / 2
        if self.question.only is not None:  # who names the source expects that few items are dropped
            kept = 1.0
        return replace(way, dropped=dropped, kept=kept, units=units)

    # --- Keys ---------------------------------------------------------------------------------------------

    def partitions(self) -> list[Begun] | None:
        """Yield each partition that may hold what is asked, with the values of its items; ``None`` if unknown."""
        found: list[Begun] = [("", {})]
        for piece in self.source.partition.template.pieces:
            choices = self._days(piece) or self._choices(piece)
            if choices is None or len(found) * len(choices) > MOST_PARTS**2:
                return None
            found = _joined(found, choices)
        return [each for each in found if each[0]]

    def _days(self, piece: Piece) -> list[Begun]:
        """Return the days of a range that is not too long, if a piece is a day."""
        asked, write = self.asked.get(piece.name), piece.coder.write
        if not piece.coder.days or type(asked) is not Between or None in (asked.low, asked.high):
            return []
        first, last = (date.fromisoformat(write(each)) for each in (asked.low, asked.high))
        days = [first + timedelta(each) for each in range(min((last - first).days, MOST_DAYS) + 1)]
        told = piece.coder.told
        return [(write(day), {piece.name: day} if told else {}) for day in days] if len(days) <= MOST_DAYS else []

    def _choices(self, piece: Piece) -> list[Begun] | None:
        """Return the texts that a piece can have, each with the value that it contains; ``None`` if unknown."""
        if piece.literal:
            return [(piece.literal, {})]
        coder, values = piece.coder, self.asked.get(piece.name)
        if not isinstance(values, frozenset):
            shards = self.fields[piece.name].shards
            if number := shards() if shards else coder.shards:
                return [(str(each), {}) for each in range(number)]
            known = values_of(self.fields[piece.name].type)
            if self._enumerates(piece.name):
                existing = self.counts.values_of(piece.name) if self.counts is not None else ()
                known = tuple(each for each in existing if values is None or holds(values, each))
            elif not known:
                return None
            values = frozenset(known)
        if None in values:
            return None
        held = (value for value in values if coder.nearest(value) == value)
        found = {coder.write(value): {piece.name: value} if coder.told else {} for value in held}
        return sorted(found.items(), key=itemgetter(0))

    def _spans(self, told: Mapping[str, Any]) -> tuple[list[Begun], int]:
        """Return how sort keys begin in a partition that tells these values, and the first piece that is open."""
        spans: list[Begun] = [("", told)]
        for place, piece in enumerate(self.pieces):
            choices = self._leading(place, piece, told)
            if choices is None or len(spans) * len(choices) > MOST_PARTS ** (2 if self.counts else 1):
                return spans, place
            further = self._existing(_joined(spans, choices))
            if len(further) > (MOST_IN_TURN if self.enumerated else MOST_PARTS):
                return spans, place
            spans = further
        return spans, len(self.pieces)

    def _enumerates(self, name: str) -> bool:
        """Return whether counts tell the values of a field."""
        return self.enumerated > 0 and self.counts is not None and name in self.counts.facets

    def _existing(self, spans: list[Begun]) -> list[Begun]:
        """Return the spans whose values occur together in the counts. Spans are kept whatever their number, which may
        be wrong.
        """
        if self.counts is None or not spans:
            return spans
        facets = [name for name in self.counts.facets if name in spans[0][1]]
        known = self.counts.by(facets)
        return [each for each in spans if tuple(each[1][name] for name in facets) in known]

    def _leading(self, place: int, piece: Piece, told: Mapping[str, Any]) -> list[Begun] | None:
        """Return the texts of a piece before the range or the sort; ``None`` if keys are open from this piece on."""
        key, name = self.source.sort, piece.name
        assert key is not None
        if name in told:
            return [(piece.coder.write(piece.coder.nearest(told[name])), {})]
        if name and not isinstance(self.asked.get(name), frozenset):
            later, first = {each.name for each in self.pieces[place + 1 :]}, self.sort[:1]
            if self.enumerated > 1 and self._enumerates(name):
                facets = (each for each in self.asked if self._enumerates(each))
                return None if later.isdisjoint(facets) else self._choices(piece)
            if self._sorts(place) if name in first else later.isdisjoint([*self.asked, *first]):
                return None
        return self._choices(piece)

    def _ranges(self, begun: str, open_at: int, values: Mapping[str, Any]) -> list[tuple[str | None, str | None]]:
        """Return the ranges of keys that begin with a text and that what is asked of the next piece allows."""
        if self.source.sort is None or open_at == len(self.pieces):
            return [(begun, begun) if self.source.sort else (None, None)]
        piece = self.pieces[open_at]
        condition = self.asked.get(piece.name)
        if isinstance(condition, Spans) and condition.texts and not piece.coder.rises:
            return [(f"{begun}{each.low}", f"{begun}{each.high}") for each in condition.texts]
        several = condition.ranges if isinstance(condition, Spans) else [condition]
        found = (self._bounds(begun, open_at, values, each) for each in several)
        return [each for each in found if each is not None]

    def _bounds(
        self, begun: str, open_at: int, values: Mapping[str, Any], condition: Plain | None
    ) -> tuple[str | None, str | None] | None:
        """Return the bounds of the keys that begin with ``begun`` and may meet the condition; ``None`` for no key."""
        key, piece = self.source.sort, self.pieces[open_at]
        assert key is not None
        low, high = begun or None, begun + SEPARATOR * piece.optional + HIGHEST if begun else None
        coder = piece.coder
        if condition is None or not (coder.rises or key.numeric):
            return low, high
        if isinstance(condition, frozenset):  # too many values for a part each: the range from the first to the last
            known = sorted(value for value in condition if value is not None)
            condition = Between(known[0], known[-1]) if known and len(known) == len(condition) else Between()
        if isinstance(condition, BetweenOf):
            condition = condition.of(values.get)
        if isinstance(condition, Begins):
            text = begun + coder.write(condition.text)
            return (low, high) if key.numeric else (text or None, text + HIGHEST)
        if condition.low is not None:
            first = coder.nearest(condition.low)
            low = begun + coder.write(first) or None
            if first < condition.low:
                return None  # keys have no such values
        if condition.high is not None:
            last = coder.nearest(condition.high)
            text = coder.write(last)
            if last > condition.high:
                return None
            high = text if key.numeric else begun + _highest(text, self._after(open_at))
        value: Any = Decimal if key.numeric else str
        return None if low is not None and high is not None and value(low) > value(high) else (low, high)

    def _run(self, fixed: Collection[str], open_at: int) -> tuple[Piece, ...] | None:
        """Return the pieces of the key that sort the rows of each part as the question asks. ``fixed`` fields have one
        value.
        """
        found = list[Piece]()
        sort = [name for name in self.sort if name not in fixed]
        for place, piece in enumerate(self.pieces[open_at:], open_at):
            if not sort:
                break
            if piece.name and piece.name not in fixed:
                if piece.name != sort.pop(0) or not self._sorts(place):
                    return None
                found.append(piece)
        return None if sort else tuple(found)

    def _covered(self, fixed: Collection[str], open_at: int) -> set[str]:
        """Return the fields whose conditions are met by all rows, in which ``fixed`` fields have one value."""
        found = {*fixed, *filter(self._by_index, self.asked)}
        if open_at < len(self.pieces):
            piece = self.pieces[open_at]
            condition = self.asked.get(piece.name)
            depends = isinstance(condition, BetweenOf) and condition.field not in fixed
            texts = isinstance(condition, Spans) and condition.texts
            ranged = isinstance(condition, Between | Begins | Spans) and not depends
            if piece.name and ranged and (texts or self._sorts(open_at)):
                found.add(piece.name)
            if piece.optional:  # without it, a longer value may begin as the one before it does
                found.discard(self.pieces[open_at - 1].name)
        return found

    def _by_index(self, name: str) -> bool:
        """Return whether all items of the index meet the condition on a field."""
        condition = self.asked[name]
        held = [each.get(name) for each in self.source.when]
        return bool(held) and all(
            isinstance(each, frozenset) and all(holds(condition, value) for value in each) for each in held
        )

    def _sorts(self, place: int) -> bool:
        """Return whether the texts of a piece of the sort key sort as its values do, whatever follows them."""
        key, piece = self.source.sort, self.pieces[place]
        assert key is not None
        coder, last = piece.coder, place == len(self.pieces) - 1
        if key.numeric or (coder.ordered and (coder.fixed or last)):
            return True
        values = [each for each in values_of(self.fields[piece.name].type) if isinstance(each, str | int)]
        texts = [coder.write(value) + self._after(place) for value in sorted(values)]
        return bool(texts) and texts == sorted(texts)

    def _after(self, place: int) -> str:
        """Return the text that follows the value of a piece of the sort key."""
        after = self.pieces[place + 1] if place + 1 < len(self.pieces) else Piece("")
        return SEPARATOR if after.optional else after.literal


def _joined(begun: Iterable[Begun], choices: Sequence[Begun]) -> list[Begun]:
    return [(text + more, {**values, **told}) for text, values in begun for more, told in choices]


def _highest(text: str, after: str) -> str:
    """Return the last key whose value is at most ``text``. What follows a value may sort before a longer value."""
    if not after:
        return text
    shorter = [text[:length] + after[0] for length in range(len(text)) if text[length] < after[0]]
    return max([text + after[0], *shorter]) + HIGHEST
