from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from decimal import Decimal
from functools import partial
from typing import Annotated, Any

from dynamodb_lists import AddedRecord, Field, Words
from dynamodb_lists.schema import entities
from hotels.entities import ORDERS, REVENUE, TOTAL, Numbers
from orders.statuses import UNFINISHED, Status
from portal.money import money
from portal.times import in_zone, now

ERASED_NAME = "Erased guest"
KeptField = partial(Field, column=None, listed=False, compared=False, entered=False)
"""A field that the portal keeps itself."""


@dataclass(frozen=True, slots=True)
class Guest(AddedRecord):
    """A guest. ``orders`` counts the orders of each status; ``revision`` counts the changes of the profile.

    ``erasing_by`` began to erase the guest, as long as the history may still have values of the guest.
    """

    username: Annotated[str, Field("Username", entered=False)]
    name: Annotated[str, Field("Name")]
    email: Annotated[str, Field("E-mail", blank=True)] = ""
    phone: Annotated[str, Field("Phone", blank=True, column=None, listed=False)] = ""
    note: Annotated[str, Field("Remark", blank=True, sparse=True)] = ""
    erased_at: Annotated[datetime | None, KeptField("Erased")] = None
    erasing_by: Annotated[str, KeptField("Erasure begun by", sparse=True)] = ""
    orders: Annotated[Mapping[Status, int], KeptField("Orders", listed=True, stored=False)] = field(
        default_factory=dict
    )

    @property
    def total_orders(self) -> int:
        return sum(self.orders.values())

    @property
    def personal(self) -> dict[str, Any]:
        """The guest's personal data, which an erasure removes: all fields that people enter."""
        return {name: getattr(self, name) for name in entities.entered(Guest)}

    @property
    def words(self) -> Words:
        """The words and numbers by which the guest is found; none if the guest was erased."""
        return Words(()) if self.erased_at else Words.of(self.name, self.username, self.email, phones=[self.phone])


@dataclass(frozen=True, slots=True)
class OrderItem:
    """A line of an order. ``unit_price`` is in major units of the order's currency."""

    sku: Annotated[str, Field("SKU")]
    name: Annotated[str, Field("Name")]
    quantity: Annotated[int, Field("Quantity")]
    unit_price: Annotated[Decimal, Field("Unit price")]

    @property
    def total(self) -> Decimal:
        return self.quantity * self.unit_price

    def in_words(self, currency: str) -> str:
        """Return the line as pages write it, in the currency of its order, if that is known."""
        price = money(self.unit_price, currency) if currency else f"{self.unit_price.normalize():f}"
        return f"{self.quantity} × {self.name} ({self.sku}), {price} each"


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """An item that a hotel has sold. ``last_sale``: time, id and revision of the order that name and price are from."""

    hotel_id: Annotated[str, Field("Hotel", stored=False)]
    sku: Annotated[str, Field("SKU")]
    name: Annotated[str, Field("Name")]
    unit_price: Annotated[Decimal, Field("Unit price")]
    currency: Annotated[str, Field("Currency")]
    last_sale: Annotated[str, Field("Last sale")]


@dataclass(frozen=True, slots=True)
class HistoryStep:
    """An entry of an order's history: the status, when the order entered it (UTC), and who set it.

    An ``undo`` takes the step before it back. The first step has the ``day`` of placing in its hotel, by the zone that
    the hotel had then; blank if it is the UTC day.
    """

    status: Status
    at: datetime
    by: str
    undo: bool = False
    day: str = ""


@dataclass(frozen=True, slots=True)
class Order:
    """An order. ``total`` is in major units of ``currency`` (ISO 4217); ``status_at`` is when it entered its status.

    ``guest_name`` is the guest's name when the order was placed, as on an invoice; an erasure of the guest erases it.
    Lists leave out ``items`` and ``history``; ``item_count`` is always set. Times are UTC, to the second.
    ``revision`` counts corrections and steps. ``room_number`` is a room of the hotel, or blank. ``wanted_at`` is when
    the guest wants the order; ``None`` is as soon as possible.
    """

    order_id: Annotated[str, Field("Order")]
    username: Annotated[str, Field("Guest")]
    guest_name: Annotated[str, Field("Guest's name", compared=False, computed=True)] = field(default="", kw_only=True)
    hotel_id: Annotated[str, Field("Hotel")]
    room_number: Annotated[str, Field("Room", blank=True, optional=True, sparse=True)] = field(default="", kw_only=True)
    status: Annotated[Status, Field("Status", compared=False, recorded=True)]
    placed_at: Annotated[datetime, Field("Placed", compared=False)]
    status_at: Annotated[datetime, Field("In this status since", compared=False)]
    currency: Annotated[str, Field("Currency")]
    total: Annotated[Decimal, Field("Total", computed=True)] = Decimal(0)
    item_count: Annotated[int, Field("Items", column="items")] = 0
    items: Annotated[tuple[OrderItem, ...], Field("Lines", column=None, stored=False, listed=False)] = ()
    revision: Annotated[int, KeptField("Revision", sparse=True)] = 0
    history: Annotated[tuple[HistoryStep, ...], Field("History", column=None, listed=False, compared=False)] = ()
    note: Annotated[str, Field("Remark", blank=True, optional=True, sparse=True, entered=False)] = ""
    wanted_at: Annotated[datetime | None, Field("Wanted at", optional=True, sparse=True)] = field(
        default=None, kw_only=True
    )

    @property
    def is_late(self) -> bool:
        """Whether the order is unfinished after the time at which it was wanted."""
        return self.wanted_at is not None and self.status in UNFINISHED and self.wanted_at < now()

    @property
    def statistics(self) -> Numbers:
        """Return what the order adds to the statistics of its hotel, on its day. A cancelled order adds no revenue.

        The day is stored with the order. So what the order added can be taken back even if the hotel's zone has
        changed.
        """
        counted = {str(self.status): Decimal(1)}
        revenue = {} if self.status == Status.CANCELLED else {REVENUE: self.total}
        day = next((step.day for step in self.history[:1]), "") or str(self.placed_at.astimezone(UTC).date())
        return {(ORDERS, day, self.currency): {**counted, **revenue}, (ORDERS, TOTAL): counted}

    def placed_in(self, time_zone: str) -> "Order":
        """Return the new order with its day in a time zone, which statistics count it on."""
        local = in_zone(self.placed_at, time_zone).date()
        day = "" if local == self.placed_at.astimezone(UTC).date() else str(local)
        first = (replace(step, day=day) for step in self.history[:1])
        return replace(self, history=(*first, *self.history[1:]))

    def with_items(self, items: Sequence[OrderItem]) -> "Order":
        total = sum((item.total for item in items), Decimal(0))
        return replace(self, items=tuple(items), total=total, item_count=len(items))

    def with_step(self, step: HistoryStep) -> "Order":
        return replace(self, status=step.status, status_at=step.at, history=(*self.history, step))


@dataclass(frozen=True, slots=True)
class OrderSum:
    """The totals of some orders by currency. Cancelled orders do not count, unless all are cancelled."""

    amounts: Mapping[str, Decimal]
    cancelled: int = 0

    @classmethod
    def of(cls, orders: Sequence[Order]) -> "OrderSum":
        counted = [order for order in orders if order.status != Status.CANCELLED] or orders
        amounts: dict[str, Decimal] = {}
        for order in counted:
            amounts[order.currency] = amounts.get(order.currency, Decimal(0)) + order.total
        return cls(amounts, len(orders) - len(counted))
