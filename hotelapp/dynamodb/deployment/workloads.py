"""What an app stores, reads and writes, for an estimate of sizes and costs.

Each app has a module ``workload`` that registers a :class:`Workload`. ``manage.py estimate_cost`` loads these modules,
so this package imports no app.
"""

from abc import ABC, abstractmethod
from argparse import ArgumentParser, ArgumentTypeError
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from pynamodb.expressions.operand import Value

from hotelapp.dynamodb.schema.models import PortalModel, RawItem
from hotelapp.dynamodb.schema.registries import in_app_order
from hotelapp.dynamodb.writing.changes import Change, ChangeWriter
from hotelapp.dynamodb.writing.transactions import Delete, Put, Update, Write

T = TypeVar("T")


Owners = Mapping[str, str]
"""Whose a sample is, by kind: ``{"customer": "alex", "order": "o-1"}``. Their sizes decide the sizes of partitions."""


def kind_of(model: type[PortalModel]) -> str:
    """The kind of a model's items."""
    return model.__name__.removesuffix("Model")


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample item."""

    owners: Owners
    item: RawItem


@dataclass(frozen=True, slots=True)
class Stock:
    """The items of one model: how many there will be, and samples. ``owners`` counts the owners of each kind.

    ``imported`` is whether import commands can write them.
    """

    model: type[PortalModel]
    samples: Sequence[Sample]
    count: int
    owners: Mapping[str, int]
    imported: bool = True

    @property
    def name(self) -> str:
        """The kind of the items."""
        return kind_of(self.model)


@dataclass(frozen=True, slots=True)
class Read:
    """One request that reads ``items`` items or index entries of a model that stand next to each other."""

    model: type[PortalModel]
    items: int = 1
    index: str = ""
    consistent: bool = False

    @property
    def kind(self) -> str:
        """The kind of the items."""
        return kind_of(self.model)


@dataclass(frozen=True, slots=True)
class PageLoad:
    """A page: its requests, and its weight among all pages. Without a weight, the requests are part of every page."""

    name: str
    reads: Sequence[Read]
    weight: float | None


@dataclass(frozen=True, slots=True)
class ItemChange:
    """An item before and after a write; ``None`` if there is none."""

    model: type[PortalModel]
    before: RawItem | None
    after: RawItem | None


@dataclass(frozen=True, slots=True)
class WriteLoad:
    """A write: samples of the items that its transaction changes, each with its owners, and its weight among writes."""

    name: str
    samples: Sequence[tuple[Owners, Sequence[ItemChange]]]
    owners: Mapping[str, int]
    weight: float


class Workload(ABC):
    """An app's part of the estimate."""

    def add_arguments(self, parser: ArgumentParser) -> None:  # noqa: B027 (some apps have no options)
        """The options of ``estimate_cost`` that are this app's."""

    @abstractmethod
    def stocks(self, options: Mapping[str, Any]) -> Iterable[Stock]:
        """What is stored."""

    def pages(self, options: Mapping[str, Any]) -> Iterable[PageLoad]:
        """The pages that read it."""
        return ()

    def writes(self, options: Mapping[str, Any]) -> Iterable[WriteLoad]:
        """The writes that change it."""
        return ()


def positive(text: str) -> int:
    """A number above zero in an option. Raises :class:`argparse.ArgumentTypeError`."""
    if not text.isdecimal() or not int(text):
        raise ArgumentTypeError(f"{text!r} is no number above zero")
    return int(text)


_workloads: list[Workload] = []


def register(workload: type[Workload]) -> type[Workload]:
    """Class decorator: let ``estimate_cost`` include this workload."""
    _workloads.append(workload())
    return workload


def workloads() -> list[Workload]:
    """The workloads of all apps."""
    return in_app_order("workload", _workloads)


def stocks_of(
    writer: ChangeWriter[T], entities: Sequence[tuple[Owners, T]], count: int, owners: Mapping[str, int]
) -> Iterator[Stock]:
    """The items that a writer writes for ``count`` entities of their own, by model. ``entities`` are samples.

    Items that entities share, such as counts, are not among them.
    """
    samples: dict[type[PortalModel], list[Sample]] = defaultdict(list)
    for owned_by, entity in entities:
        for write in writer.own_writes(Change(None, entity)):
            samples[type(write.item)].append(Sample(owned_by, encoded(write.item)))
    for model, items in samples.items():
        yield Stock(model, items, round(count * len(items) / len(entities)), owners)


def changes(
    writer: ChangeWriter[T], entities: Sequence[tuple[Owners, Change[T]]]
) -> list[tuple[Owners, list[ItemChange]]]:
    """What the transactions of these changes change, each with its owners."""
    return [(owned_by, list(_changes_of(writer, change))) for owned_by, change in entities]


def _changes_of(writer: ChangeWriter[T], change: Change[T]) -> Iterator[ItemChange]:
    """What the transaction of a change changes. An item that is put in place of another one has that one before."""
    before = {}
    if change.before is not None:
        stored = writer.own_writes(Change(None, change.before))
        before = {write.key: encoded(write.item) for write in stored}
    own = writer.own_writes(change)
    for write, item_change in zip(own, item_changes(own), strict=True):
        yield replace(item_change, before=item_change.before or before.get(write.key))
    yield from item_changes(writer.history(change))
    yield from item_changes(writer.shared_writes([change]))


def creation(stock: Stock) -> WriteLoad:
    """The writes that create a stock's items, each alone."""
    created = [(sample.owners, [ItemChange(stock.model, None, sample.item)]) for sample in stock.samples]
    return WriteLoad(stock.name, created, stock.owners, 1)


def item_changes(writes: Iterable[Write]) -> Iterator[ItemChange]:
    """What writes change. An update is known by the item's key and by the attributes that it sets."""
    for write in writes:
        item = encoded(write.item)
        match write:
            case Put():
                yield ItemChange(type(write.item), None, item)
            case Delete():
                yield ItemChange(type(write.item), item, None)
            case Update():
                yield ItemChange(type(write.item), item, {**item, **_updated(write)})


def encoded(item: PortalModel) -> RawItem:
    """An item as it is sent to DynamoDB."""
    raw: RawItem = item.serialize(null_check=False)
    return raw


def _updated(write: Update) -> dict[str, Any]:
    """The attributes that an update sets or adds to."""
    pairs = (action.values for action in write.actions if len(action.values) > 1)
    return {str(path): value.value for path, value in pairs if isinstance(value, Value)}


def largest_share(keys: Sequence[tuple[Owners, str]], owners: Mapping[str, int], skew: float) -> float:
    """The share of all items, or of all writes, that the fullest partition has. ``keys`` are sampled partition keys.

    If no key occurs twice, a partition has one item, and its share is 0. If each key is of a single owner, the fullest
    partition is that of the largest owner, who has ``skew`` times the mean. Otherwise the keys are fixed, and have
    equal shares.
    """
    sampled = Counter(key for _, key in keys)
    if max(sampled.values()) == 1 and len(sampled) > 1:
        return 0.0
    for kind, number in sorted(owners.items(), key=lambda entry: -entry[1]):
        pairs = Counter((key, owned_by[kind]) for owned_by, key in keys)
        if len(pairs) == len(sampled):
            owned = Counter(owned_by[kind] for owned_by, _ in keys)
            return max(times / owned[owner] for (_, owner), times in pairs.items()) * min(1.0, skew / number)
    return 1 / len(sampled)
