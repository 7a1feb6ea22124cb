"""What belongs together: each app declares its aggregates in a module ``aggregates`` and registers them here.

An aggregate is a thing with all items that are written in one transaction with it and that cannot be derived from it,
such as an order and its lines. A backup reads tables item by item while others write. So it may hold an order without
its lines, which were placed after the backup had passed their place. Such an aggregate is read again as a whole.

Numbers, such as the counts of rooms, belong to no aggregate. They are derived from the items when a backup is restored.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import ClassVar, NamedTuple, TypeVar

from hotelapp.dynamodb.maintenance.invariants import Entry, Identity
from hotelapp.dynamodb.schema.models import PortalModel, RawItem
from hotelapp.dynamodb.schema.registries import in_app_order


class Aggregate(ABC):
    """Things of one kind. ``kind`` is what the history calls them; ``model`` is one of their table."""

    kind: ClassVar[str]
    model: type[PortalModel]
    is_owner: ClassVar[bool] = False
    """Whether items of other aggregates name it, as orders name their guest. It is read again after all of them."""

    @abstractmethod
    def entries(self, item: RawItem) -> Iterable[Entry]:
        """What the item adds to its thing, as in a rule of groups: the amounts of a whole thing add up to zero."""

    @abstractmethod
    def member(self, item: RawItem) -> Identity | None:
        """The thing that the item is a part of; ``None`` if it is of another kind, or only names the thing."""

    @abstractmethod
    def keys(self, identity: Identity) -> Sequence[tuple[str, str]]:
        """The keys of the thing's items as they are now, read consistently; none if there is no such thing."""


class Changed(NamedTuple):
    """A thing that the history names: the kind of its aggregate, and its identity."""

    kind: str
    identity: Identity


class ChangeLog(ABC):
    """A table whose items say what has changed. It is read after all others, so it names every change during that time.

    An item of it is written in the transaction of the change.
    """

    model: type[PortalModel]

    @abstractmethod
    def changed(self, item: RawItem, since: datetime) -> Iterable[Changed]:
        """What the item says has changed; nothing if that was before ``since``. A thing that moved was two things."""

    @abstractmethod
    def successors(self, thing: Changed, since: datetime) -> Iterable[Changed]:
        """What a thing has become since then, read consistently. Another thing may have its identity now."""


ClassT = TypeVar("ClassT", bound=type[Aggregate] | type[ChangeLog])

_aggregates: list[Aggregate] = []
_logs: list[ChangeLog] = []


def register(declared: ClassT) -> ClassT:
    """Class decorator: backups know this aggregate or change log."""
    instance = declared()
    if isinstance(instance, Aggregate):
        _aggregates.append(instance)
    else:
        _logs.append(instance)
    return declared


def aggregates() -> list[Aggregate]:
    """Every aggregate, owners last."""
    return sorted(in_app_order("aggregates", _aggregates), key=lambda aggregate: aggregate.is_owner)


def change_logs() -> list[ChangeLog]:
    """Every change log."""
    return in_app_order("aggregates", _logs)
