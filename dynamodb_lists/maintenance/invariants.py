"""Rules that must hold in the tables: on single items, and on groups of items that must agree."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from dynamodb_lists.schema.models import ItemModel, RawItem

Identity = tuple[str, ...]
"""The identity of a group: a combination of facets, a username, an order's id."""


class Entry(NamedTuple):
    """An amount that an item adds to its group. If the group agrees, the amounts of each ``detail`` add up to zero."""

    identity: Identity
    detail: str
    amount: int


@dataclass(frozen=True)
class Observation:
    """A group as it was read just now: by detail, the amounts that are stored, and those that the items give."""

    stored: Mapping[str, int] = field(default_factory=dict)
    counted: Mapping[str, int] = field(default_factory=dict)

    @property
    def agrees(self) -> bool:
        """Whether both give the same. An amount of zero is the same as none."""
        return self.differences == []

    @property
    def differences(self) -> list[str]:
        return [
            detail
            for detail in sorted({*self.stored, *self.counted})
            if self.stored.get(detail, 0) != self.counted.get(detail, 0)
        ]


class ItemRule(ABC):
    """What an item of the ``model`` must hold by itself, such as keys that are composed from its fields."""

    model: type[ItemModel]

    @abstractmethod
    def wrong(self, item: RawItem) -> str:
        """The fault of the item, in words; blank if there is none."""

    def repair(self, item: RawItem) -> bool:
        """Repair an unchanged item; ``False`` if a person must do it. Raises ``Conflict`` if somebody changed it."""
        return False


class GroupRule(ABC):
    """A rule on groups of items that must agree, such as items and the counts of their facets.

    ``settle_seconds`` is how long to wait between two observations: longer than a transaction takes, and, if
    :meth:`counted` reads a GSI, longer than the GSI is usually behind. ``beside`` is the model of further items that
    the rule reads, if they are in another table.
    """

    model: type[ItemModel]
    settle_seconds: float = 0.2
    beside: ClassVar[type[ItemModel] | None] = None

    @abstractmethod
    def entries(self, item: RawItem) -> Iterable[Entry]:
        """The item's entries in its groups; none if it is of another kind."""

    @abstractmethod
    def stored(self, identity: Identity) -> Mapping[str, int]:
        """Read the stored amounts of the group again, consistently."""

    @abstractmethod
    def counted(self, identity: Identity) -> Mapping[str, int]:
        """Read the items of the group again, consistently, and count them."""

    @abstractmethod
    def wrong(self, identity: Identity, seen: Observation) -> str:
        """The fault of a group that does not agree, in words that name the group.

        Blank if it is no fault, because nothing relies on what is stored; a repair brings it up to date all the same.
        """

    def repair(self, identity: Identity, seen: Observation) -> bool:
        """Repair amounts that are as seen; ``False`` if a person must. Raises ``Conflict`` if somebody changed them."""
        return False


def text(item: RawItem, name: str) -> str:
    """A String or Number of an item. Raises :class:`KeyError` if the item does not have it."""
    return str(next(iter(item[name].values())))
