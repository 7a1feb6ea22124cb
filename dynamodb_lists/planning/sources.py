"""Sources, which are tables and indexes; questions, and the ways that answer them. Pure."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import Enum
from types import MappingProxyType
from typing import Any, NamedTuple

from dynamodb_lists.schema.conditions import Begins, Between, Condition, Spans
from dynamodb_lists.schema.templates import Piece, Template

Asked = Mapping[str, Condition]
"""What is asked of each field: one of some values, or a range."""


@dataclass(frozen=True)
class SourceKey:
    """A key attribute: its template, and whether DynamoDB holds it as a number or as bytes, whose texts are hex."""

    name: str
    template: Template
    numeric: bool = False
    binary: bool = False

    def wire(self, text: str) -> dict[str, Any]:
        """Return a value as DynamoDB takes it. Raises: ``ValueError`` for a text of bytes that is no hex."""
        return {"B": bytes.fromhex(text)} if self.binary else {"N" if self.numeric else "S": text}

    def text(self, item: Mapping[str, Any]) -> str:
        """Return the value of the attribute in an item, as a text."""
        found = item[self.name]
        return str(found["B"].hex()) if self.binary else str(found["N" if self.numeric else "S"])


@dataclass(frozen=True)
class Source:
    """A table, whose name is blank, or an index. ``lacks`` are the fields that it does not project. ``when`` are
    alternatives, each with values of fields: the source has only items that meet one. Without ``when``, it has all
    items.
    """

    name: str
    partition: SourceKey
    sort: SourceKey | None = None
    when: tuple[Mapping[str, Any], ...] = ()
    lacks: frozenset[str] = frozenset()
    alone: bool = False
    """Whether only a question that names it is answered by it, because nothing says as data what is in it."""
    whole: bool = False
    """Whether an index has whole items, with the keys of all indexes."""

    @property
    def keys(self) -> tuple[SourceKey, ...]:
        """The partition key, and the sort key if there is one."""
        return (self.partition, self.sort) if self.sort else (self.partition,)


@dataclass(frozen=True)
class Known:
    """The type of a field, and the values that stand for a missing attribute. ``unique``: hardly two items have the
    same value. ``shards`` reads the number of shards, if the field is a shard.
    """

    type: Any
    absent: frozenset[Any] = frozenset()
    unique: bool = False
    shards: Callable[[], int] | None = None


@dataclass(frozen=True)
class Question:
    """A question: conditions on fields, and a sort, whose first field counts most."""

    asked: Asked = field(default_factory=dict)
    sort: tuple[str, ...] = ()
    descending: bool = False
    only: str | None = None
    """The name of the only source that may answer; it then says itself which items are meant."""
    shown: Collection[str] = ()
    """The fields that rows must have, beside those by which they are filtered and sorted."""
    wide: bool = False
    """Whether any number of ranges is merged, because another page of the list was read so."""


class PartRange(NamedTuple):
    """A range of one partition, from ``low`` to ``high``, both included; ``None`` is no limit. ``leads`` are the values
    of the first sort fields, which all its rows have.
    """

    partition: str
    low: str | None = None
    high: str | None = None
    leads: tuple[Any, ...] = ()
    values: Mapping[str, Any] = MappingProxyType({})
    """The values that all its rows have."""
    begun: str = ""
    """How all its sort keys begin: the pieces before those that sort."""
    items: float = 1.0
    """How many items it has, if something counts them; else, as many as any other one."""


@dataclass(frozen=True)
class FoundWay:
    """A way to answer a question.

    ``dropped`` are the fields whose conditions no key covers. With ``by_keys``, the source lacks fields, so rows are
    read by their keys. ``kept`` is the expected share of items that meet the dropped conditions. ``units`` are the
    expected read units of a page, plus a little for each request.
    """

    source: Source
    parts: tuple[PartRange, ...]
    run: tuple[Piece, ...] | None
    """The pieces of the sort key that sort the rows of a part; ``None`` if it does not have the sort."""
    dropped: tuple[str, ...]
    by_keys: bool
    open_at: int = 0
    """The piece of the sort key after those with which the keys of each part begin."""
    kept: float = 1.0
    units: float = 0.5
    counted: bool = False
    """Whether counts say how many items its parts have, and which share of them is kept."""
    requests: int = 0
    """How many requests a page is expected to send, of which the units have a little each; 0 for all parts."""
    exact: bool = False
    """Whether each part has just as many items as the counts say, because nothing else narrows it."""
    told: bool = False
    """Whether counts tell what a page takes: all of its items, whose number is counted."""
    leads: tuple[str, ...] = ()
    """The fields of the leads of its parts."""
    last: tuple[str, ...] = ()
    """The fields that sort parts whose rows are equal."""

    @property
    def ordered(self) -> bool:
        """Whether the rows of each part are sorted as asked."""
        return self.run is not None

    @property
    def known(self) -> bool:
        """Whether the cost of a page is known: rows are in order and none is dropped, or counts tell their number."""
        return self.told or (self.ordered and not self.dropped)

    @property
    def words(self) -> str:
        """The way as a sentence."""
        where = self.source.name or "the table"
        parts = "1 range" if len(self.parts) == 1 else f"{len(self.parts)} ranges"
        drops = f", drops by {', '.join(self.dropped)}" if self.dropped else ""
        return f"{parts} of {where}{drops}{'' if self.ordered else ', sorted in memory'}{', by keys' * self.by_keys}."

    @property
    def width(self) -> int:
        """The number of parts that are read at the same time. Parts are merged only with parts of equal ``leads``."""
        if not self.run:
            return len(self.parts) if self.run is None else min(len(self.parts), 1)
        return max(Counter(part.leads for part in self.parts).values(), default=0)

    @property
    def items(self) -> float:
        """The number of items in the parts, if something counts them."""
        return sum(part.items for part in self.parts)

    @property
    def rank(self) -> tuple[Any, ...]:
        """What sorts ways, the best first."""
        dropped = len(self.dropped)
        return self.units, not self.known, dropped, not self.ordered, bool(self.source.name), not self.source.when


def entrances(sources: Sequence[Source], fields: Mapping[str, Known]) -> list[tuple[str, ...]]:
    """Return for each source the fields whose values a question must have, so that the source can be read."""
    names = (tuple(name for name in entered(source) if not values_of(fields[name].type)) for source in sources)
    return [*dict.fromkeys(names)]


def entered(source: Source) -> tuple[str, ...]:
    """Return the fields in the partition key of a source, without those that only choose a shard."""
    return tuple(piece.name for piece in source.partition.template.pieces if piece.name and not piece.coder.shards)


def needs(source: Source, fields: Mapping[str, Known]) -> set[str]:
    """Return the fields that items may lack, and without which an item is not in the index."""
    keys = [source.partition, *([source.sort] if source.sort else [])] if source.name else []
    return {name for key in keys for name in key.template.names if fields[name].absent}


def values_of(kind: Any) -> tuple[Any, ...]:
    """Return all values of a type that has few: an enum or a truth value."""
    if kind is bool:
        return False, True
    return tuple(kind) if isinstance(kind, type) and issubclass(kind, Enum) else ()


def plain(value: Any) -> Any:
    """Return what sorts a value; for a member of an enum, its value."""
    return value.value if isinstance(value, Enum) else value


def ordered(values: Iterable[Any]) -> tuple[Any, ...]:
    """Return values in order. A missing value comes first, and enums sort by their values."""
    return tuple((True, plain(value)) if value is not None else (False,) for value in values)


def share_of(known: Known, condition: Condition) -> float:
    """Return the estimated share of items that meet a condition which nothing counts."""
    if isinstance(condition, Begins | Spans):
        return 0.1
    if isinstance(condition, Between):
        return 0.1 if condition.low is not None and condition.high is not None else 0.4
    if condition & known.absent:
        return 0.5
    many = 5_000 if known.unique or known.type in (datetime, Decimal) else 50
    return min(len(condition) / (len(values_of(known.type)) or many), 1)
