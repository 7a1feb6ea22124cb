"""The plain values that queries give and commands take."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum


class Status(StrEnum):
    """What has become of an order."""

    PLACED = "PLACED"
    PROCESSING = "PROCESSING"
    SHIPPED = "SHIPPED"
    DELIVERED = "DELIVERED"
    CANCELLED = "CANCELLED"


STEPS: Mapping[Status, tuple[Status, ...]] = {
    Status.PLACED: (Status.PROCESSING, Status.CANCELLED),
    Status.PROCESSING: (Status.SHIPPED, Status.CANCELLED),
    Status.SHIPPED: (Status.DELIVERED,),
    Status.DELIVERED: (),
    Status.CANCELLED: (),
}
"""The life of an order: the statuses that may follow each one, and no others."""

OPEN = Status.PLACED
"""An order in this status waits for somebody to take it on."""


def may_become(status: Status, later: Status) -> bool:
    """Whether an order of one status can reach the other, in one step or in several."""
    return any(step == later or may_become(step, later) for step in STEPS[status])


def on_one_way(one: Status, other: Status) -> bool:
    """Whether one order can have had both statuses."""
    return one == other or may_become(one, other) or may_become(other, one)


@dataclass(frozen=True, slots=True)
class Guest:
    """A guest. ``orders`` counts the orders of each status; ``revision`` counts the changes of the profile."""

    username: str
    name: str
    email: str = ""
    phone: str = ""
    added_at: datetime | None = None
    orders: Mapping[Status, int] = field(default_factory=dict)
    revision: int = 0

    def same_person(self, other: "Guest") -> bool:
        """Whether username, name, email and phone are the same."""
        return all(getattr(self, name) == getattr(other, name) for name in ("username", "name", "email", "phone"))

    @property
    def total_orders(self) -> int:
        """The orders of every status."""
        return sum(self.orders.values())


@dataclass(frozen=True, slots=True)
class Item:
    """A line of an order; ``unit_price`` in major units of the order's currency."""

    sku: str
    name: str
    quantity: int
    unit_price: Decimal

    @property
    def total(self) -> Decimal:
        """What the line costs."""
        return self.quantity * self.unit_price


def total_of(items: Iterable[Item]) -> Decimal:
    """What the items cost together."""
    return sum((item.total for item in items), Decimal(0))


@dataclass(frozen=True, slots=True)
class Step:
    """An entry of an order's history: the status, when it was entered (UTC), and who set it."""

    status: Status
    at: datetime
    by: str


@dataclass(frozen=True, slots=True)
class Order:
    """An order. ``total`` in major units of ``currency`` (ISO 4217); ``status_at`` is when ``status`` was entered.

    Lists leave out ``items`` and ``history``; ``item_count`` is always there. Times are UTC, to the second.
    """

    order_id: str
    username: str
    hotel_id: str
    status: Status
    placed_at: datetime
    status_at: datetime
    currency: str
    total: Decimal
    item_count: int
    items: tuple[Item, ...] = ()
    history: tuple[Step, ...] = ()

    def same_purchase(self, other: "Order") -> bool:
        """Whether guest, hotel, currency, total and number of items are the same."""
        names = ("order_id", "username", "hotel_id", "currency", "total", "item_count")
        return all(getattr(self, name) == getattr(other, name) for name in names)


@dataclass(frozen=True)
class OrderQuery:
    """What a reader asks of a guest's orders: a status (``None`` for all) and whole UTC days.

    ``first`` is the first day, ``before`` the day that comes after the last one. The days are those on which the status
    was entered or, without a status, on which the order was placed.
    """

    status: Status | None = None
    first: date | None = None
    before: date | None = None
    descending: bool = True
