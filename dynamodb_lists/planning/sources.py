"""Which table or index answers a question, found from the templates of its keys. Pure.

A *source* is the table or one of its indexes. It answers a question if

1. its partition is made of values that are asked for, or that can be enumerated, such as those of an enum or shards;
2. it holds all that is asked for: what an index leaves out is said as data (``when``), and must follow from the
   question;
3. its sort key begins with values that are asked for, or that can be enumerated, and then has the range or the sort,
   in a format whose texts sort as the values do.

What no key covers is dropped after the read; a sort that no key has is made in memory.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import Enum
from itertools import product, takewhile
from math import prod
from operator import itemgetter
from typing import Any

from dynamodb_lists.planning.conditions import GIVEN, Begins, Between, Condition, holds
from dynamodb_lists.schema.keys import HIGHEST
from dynamodb_lists.schema.templates import Piece, Template

MOST_PARTS = 24
"""The most ranges that are merged. They go out together."""

Asked = Mapping[str, Condition]
"""What is asked of each field: one of some values, or a range."""


@dataclass(frozen=True)
class SourceKey:
    """A key attribute: how it is spelt, and whether DynamoDB holds it as a number, or as bytes (texts have hex)."""

    name: str
    template: Template
    numeric: bool = False
    binary: bool = False

    def wire(self, text: str) -> dict[str, Any]:
        """A value as DynamoDB takes it. Raises :class:`ValueError` for a text that is no hex."""
        return {"B": bytes.fromhex(text)} if self.binary else {"N" if self.numeric else "S": text}

    def text(self, item: Mapping[str, Any]) -> str:
        """The value that an item has, as text."""
        found = item[self.name]
        return str(found["B"].hex()) if self.binary else str(found["N" if self.numeric else "S"])


@dataclass(frozen=True)
class Source:
    """A table, whose name is blank, or an index. ``shows`` are the fields that it projects; ``None`` for all.

    ``when`` are alternatives, each values of fields: an item is in the source if it meets one of them. Empty: all are.
    """

    name: str
    partition: SourceKey
    sort: SourceKey | None = None
    when: tuple[Mapping[str, Any], ...] = ()
    shows: frozenset[str] | None = None


@dataclass(frozen=True)
class Known:
    """What is known of a field: its type, and the values that stand for an attribute that an item lacks."""

    type: Any
    absent: frozenset[Any] = frozenset()


@dataclass(frozen=True)
class Question:
    """What is asked: conditions on fields, and a sort, whose first field counts most."""

    asked: Asked = field(default_factory=dict)
    sort: tuple[str, ...] = ()
    descending: bool = False
    only: str | None = None
    """The name of the only source that may answer; it then says itself which items are meant."""


@dataclass(frozen=True)
class PartRange:
    """A range of one partition: ``low`` and ``high`` are both included, ``None`` for no limit.

    ``leads`` are the values of the first fields of the sort, which all its rows have.
    """

    partition: str
    low: str | None = None
    high: str | None = None
    leads: tuple[Any, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)
    """The values that all its rows have."""


@dataclass(frozen=True)
class FoundWay:
    """A way to answer a question.

    ``dropped`` are the fields whose conditions no key covers. ``by_keys``: the source lacks fields, so that rows are
    read by their keys.
    """

    source: Source
    parts: tuple[PartRange, ...]
    run: tuple[Piece, ...] | None
    """The pieces of the sort key that sort the rows of a part; ``None`` if it does not have the sort."""
    dropped: tuple[str, ...]
    by_keys: bool

    @property
    def ordered(self) -> bool:
        """Whether the rows of each part have the sort."""
        return self.run is not None

    @property
    def words(self) -> str:
        """The way as a sentence."""
        where = self.source.name or "the table"
        parts = "1 range" if len(self.parts) == 1 else f"{len(self.parts)} ranges"
        drops = f", drops by {', '.join(self.dropped)}" if self.dropped else ""
        return f"{parts} of {where}{drops}{'' if self.ordered else ', sorted in memory'}{', by keys' * self.by_keys}."

    @property
    def width(self) -> int:
        """How many parts are read at the same time: those with the same leads."""
        return max(Counter(part.leads for part in self.parts).values(), default=0) if self.ordered else len(self.parts)

    @property
    def rank(self) -> tuple[Any, ...]:
        """What sorts ways, the best first, where nothing counts the items."""
        return (
            len(self.dropped),
            not self.ordered,
            self.by_keys,
            self.width,
            bool(self.source.name),
            not self.source.when,
        )


def ways(sources: Sequence[Source], fields: Mapping[str, Known], question: Question) -> list[FoundWay]:
    """The ways to answer a question, the best first."""
    found = [way for source in sources if (way := _Reach(source, fields, question).way()) is not None]
    return sorted(found, key=lambda way: way.rank)


def too_sparse(
    sources: Sequence[Source], fields: Mapping[str, Known], question: Question
) -> tuple[Source, list[dict[str, Any]]] | None:
    """An index that is entered by what is asked, but has some of these items alone, and which; ``None``: none is."""
    for source in sources:
        reach = _Reach(source, fields, question)
        absent = dict.fromkeys(sorted(reach.lacking()), GIVEN)
        when = () if implied(source.when, fields, question.asked) else source.when
        if (absent or when) and reach.partitions() is not None:
            return source, [{**absent, **alternative} for alternative in when or [{}]]
    return None


def entrances(sources: Sequence[Source], fields: Mapping[str, Known]) -> list[tuple[str, ...]]:
    """For each source, the fields whose values must be asked for before it is read."""
    names = (tuple(name for name in entered(source) if not values_of(fields[name].type)) for source in sources)
    return [*dict.fromkeys(names)]


def entered(source: Source) -> tuple[str, ...]:
    """The fields in the partition key of a source, without those of which it has the shards."""
    return tuple(piece.name for piece in source.partition.template.pieces if piece.name and not piece.coder.shards)


def values_of(kind: Any) -> tuple[Any, ...]:
    """All values of a type that has few: an enum or a truth value."""
    if kind is bool:
        return False, True
    return tuple(kind) if isinstance(kind, type) and issubclass(kind, Enum) else ()


def implied(when: Sequence[Mapping[str, Any]], fields: Mapping[str, Known], asked: Asked) -> bool:
    """Whether what is asked can only be met by items of a source: each case that is asked meets an alternative."""
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
    """The values that a field may have: each, or a range of them; ``None`` stands for any."""
    if isinstance(condition, frozenset):
        return [*condition]
    if known := values_of(kind):
        return [value for value in known if condition is None or holds(condition, value)]
    return [condition]


def _meets(case: Any, wanted: Any) -> bool:
    """Whether a value, or every value of a range, is one that an alternative has."""
    if wanted is GIVEN:
        return case not in (None, "") and not (isinstance(case, Begins) and not case.text)
    if isinstance(case, Between | Begins):
        return isinstance(wanted, Between) and isinstance(case, Between) and _within(case, wanted)
    return holds(wanted, case) if isinstance(wanted, Between) else case in wanted


def _within(inner: Between, outer: Between) -> bool:
    above = outer.low is None or (inner.low is not None and inner.low >= outer.low)
    return above and (outer.high is None or (inner.high is not None and inner.high <= outer.high))


@dataclass
class _Reach:
    """How far the keys of a source serve a question."""

    source: Source
    fields: Mapping[str, Known]
    question: Question

    def way(self) -> FoundWay | None:
        """The way that reads the source; ``None`` if it cannot answer."""
        source, question = self.source, self.question
        if question.only is not None:
            if source.name != question.only:
                return None
        elif not (implied(source.when, self.fields, question.asked) and not self.lacking()):
            return None
        partitions = self.partitions()
        if partitions is None:
            return None
        parts, open_at = list[PartRange](), 0
        for text, values in partitions:
            spans, open_at = self._spans(values)
            leads = [{**values, **more} for _, more in spans]
            parts += [
                PartRange(text, *bounds, self._leads(known), known)
                for (begun, _), known in zip(spans, leads, strict=True)
                if (bounds := self._bounds(begun, open_at, known)) is not None
            ]
            if len(parts) > MOST_PARTS**2:
                return None
        fixed = {*partitions[0][1], *spans[0][1]} if partitions else set[str]()
        dropped = tuple(sorted(question.asked.keys() - self._covered(fixed, open_at)))
        way = FoundWay(source, tuple(parts), self._run(fixed, open_at), dropped, source.shows is not None)
        return way if way.width <= MOST_PARTS else replace(way, run=None)

    def lacking(self) -> set[str]:
        """The fields in its keys that items may lack which are asked for. The index does not have these items."""
        if not self.source.name:
            return set()
        keys = [self.source.partition, *([self.source.sort] if self.source.sort else [])]
        found = set[str]()
        for name in {name for key in keys for name in key.template.names}:
            condition, known = self.question.asked.get(name), self.fields[name]
            if known.absent and (condition is None or any(holds(condition, value) for value in known.absent)):
                found.add(name)
        return found

    # --- Partitions ---------------------------------------------------------------------------------------

    def partitions(self) -> list[tuple[str, dict[str, Any]]] | None:
        """Each partition that may hold what is asked, with the values that all its items have; ``None``: unknown."""
        choices = []
        for piece in self.source.partition.template.pieces:
            texts = [(piece.literal, {})] if piece.literal else self._choices(piece)
            if texts is None:
                return None
            choices.append(texts)
        if prod(map(len, choices)) > MOST_PARTS**2:
            return None
        found = list[tuple[str, dict[str, Any]]]()
        for case in product(*choices):
            values = {name: value for _, told in case for name, value in told.items()}
            found.append(("".join(text for text, _ in case), values))
        return [each for each in found if each[0]]

    def _choices(self, piece: Piece) -> list[tuple[str, dict[str, Any]]] | None:
        """The texts that a piece can have under the question, each with the value that it tells; ``None``: unknown."""
        coder, condition = piece.coder, self.question.asked.get(piece.name)
        if isinstance(condition, frozenset):
            values: Iterable[Any] = condition
        elif coder.shards:
            return [(str(number), {}) for number in range(coder.shards)]
        elif not (values := values_of(self.fields[piece.name].type)):
            return None
        elif condition is not None:
            values = [value for value in values if holds(condition, value)]
        if None in values:
            return None
        found = {coder.write(value): {piece.name: value} if coder.told else {} for value in values}
        return sorted(found.items(), key=itemgetter(0))

    # --- Sort keys ----------------------------------------------------------------------------------------

    @property
    def _pieces(self) -> tuple[Piece, ...]:
        return self.source.sort.template.pieces if self.source.sort else ()

    def _spans(self, values: Mapping[str, Any]) -> tuple[list[tuple[str, dict[str, Any]]], int]:
        """How sort keys begin in a partition, with the values that this tells, and the first piece that is open."""
        spans: list[tuple[str, dict[str, Any]]] = [("", {})]
        for place, piece in enumerate(self._pieces):
            choices = self._leading(piece, place, values)
            if choices is None or len(spans) * len(choices) > MOST_PARTS:
                return spans, place
            spans = [(begun + text, {**known, **told}) for begun, known in spans for text, told in choices]
        return spans, len(self._pieces)

    def _leading(self, piece: Piece, place: int, values: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]] | None:
        """The texts that a piece before the range or the sort can have; ``None``: the keys are open from here on."""
        source = self.source
        if piece.literal or source.sort is None:
            return [(piece.literal, {})]
        if source.sort.numeric:
            return None
        if piece.name in values:
            return [(piece.coder.write(values[piece.name]), {})]
        if isinstance(self.question.asked.get(piece.name), frozenset):
            return self._choices(piece)
        later = {each.name for each in self._pieces[place + 1 :] if each.name}
        sought = self.question.asked.keys() | {*self.question.sort[:1]}
        if values_of(self.fields[piece.name].type) and later & sought and piece.name not in self.question.sort[:1]:
            return self._choices(piece)
        return None

    def _bounds(self, begun: str, open_at: int, values: Mapping[str, Any]) -> tuple[str | None, str | None] | None:
        """The keys that begin with a text and that the range of the next piece allows; ``None``: there are none."""
        key = self.source.sort
        if key is None:
            return None, None
        if open_at == len(key.template.pieces):
            return begun, begun
        low, high = begun or None, begun + HIGHEST if begun else None
        piece = key.template.pieces[open_at]
        condition, coder = self.question.asked.get(piece.name), piece.coder
        if condition is None or not (coder.rises or key.numeric):
            return low, high
        if isinstance(condition, frozenset):  # too many values for a part each: the range from the first to the last
            known = sorted(value for value in condition if value is not None)
            condition = Between(known[0], known[-1]) if known and len(known) == len(condition) else Between()
        if isinstance(condition, Begins):
            return (low, high) if key.numeric else (begun + condition.text or None, begun + condition.text + HIGHEST)
        if key.numeric:
            low, high = (None if end is None else coder.write(end) for end in (condition.low, condition.high))
            return None if low and high and Decimal(low) > Decimal(high) else (low, high)
        after = key.template.pieces[open_at + 1].literal if open_at + 1 < len(key.template.pieces) else ""
        if condition.low is not None:
            low = begun + coder.write(condition.low) or None
        if condition.high is not None:
            high = begun + _highest(coder.write(condition.high), after)
        return None if low is not None and high is not None and low > high else (low, high)

    def _leads(self, values: Mapping[str, Any]) -> tuple[Any, ...]:
        return tuple(values[name] for name in takewhile(values.__contains__, self.question.sort))

    def _run(self, fixed: Collection[str], open_at: int) -> tuple[Piece, ...] | None:
        """The pieces that sort the rows of each part as asked, in which ``fixed`` fields have one value."""
        asked, key, found = self.question.asked, self.source.sort, list[Piece]()
        one = {name for name, each in asked.items() if isinstance(each, frozenset) and len(each) == 1}
        sort = [name for name in self.question.sort if name not in fixed and name not in one]
        for place, piece in enumerate(self._pieces[open_at:], open_at):
            if not sort or key is None:
                break
            if piece.literal or piece.name in fixed:
                continue
            coder, last = piece.coder, place == len(self._pieces) - 1
            if piece.name != sort.pop(0) or not (key.numeric or (coder.ordered and (coder.fixed or last))):
                return None
            found.append(piece)
        return None if sort else tuple(found)

    def _covered(self, fixed: Collection[str], open_at: int) -> set[str]:
        """The fields whose conditions all rows of the parts meet."""
        found, key = {*fixed}, self.source.sort
        if key is not None and open_at < len(self._pieces) and self._pieces[open_at].name:
            piece, last = self._pieces[open_at], open_at == len(self._pieces) - 1
            condition, coder = self.question.asked.get(piece.name), piece.coder
            exact = key.numeric or (coder.ordered and (coder.fixed or last))
            found |= {piece.name} if exact and isinstance(condition, Between | Begins) else set()
        return found


def _highest(text: str, after: str) -> str:
    """The last key whose value is at most a text: what follows a value may sort before the rest of a longer one."""
    if not after:
        return text
    shorter = [text[:length] + after[0] for length in range(len(text)) if text[length] < after[0]]
    return max([text + after[0], *shorter]) + HIGHEST
