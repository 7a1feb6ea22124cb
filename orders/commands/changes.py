"""The writes of a change: orders with their keys and items, and the counts in their guests' profiles."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from itertools import groupby
from typing import Any

from django.utils import timezone
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from hotelapp.dynamodb.planning.selection import deltas
from hotelapp.dynamodb.schema.entities import stored_values
from hotelapp.dynamodb.schema.words import Term, stored
from hotelapp.dynamodb.writing.changes import Change, as_seen
from hotelapp.dynamodb.writing.transactions import Delete, Put, Update, Write
from hotelapp.history.commands import RecordedWriter, erasure
from orders import keys, queries
from orders.entities import Guest, HistoryStep, Order, OrderItem
from orders.models import (
    BIG_ORDER_KEYS,
    UNFINISHED_KEYS,
    GuestModel,
    GuestWordModel,
    OrderItemModel,
    OrderModel,
    order_counter,
    unfinished_keys,
    word_items,
)
from orders.statuses import Status

NO_ITEM = OrderItem("", "", 0, Decimal(0))
"""The placeholder for the first item of an order without items. It marks the order's id as used."""


class GuestWriter(RecordedWriter[Guest]):
    """Writes the profiles of guests with their word items. Guests share no item."""

    kind = GuestModel.kind

    def ids(self, entity: Guest) -> tuple[str, ...]:
        return (entity.username,)

    def history(self, change: Change[Guest]) -> list[Write]:
        """The entry of the change. That of an erasure has no values."""
        before, guest = change.before, change.entity
        if guest.erased_at and before and not before.erased_at:
            return [erasure(self.actor, self.kind, *self.ids(guest))]
        return super().history(change)

    def own_writes(self, change: Change[Guest]) -> list[Write]:
        before, guest = change.before, change.entity
        puts = [Put(item) for item in word_items(guest)]
        if before is None:
            return [Put(guest_item(guest), GuestModel.pk.does_not_exist()), *puts]
        profile = Update(guest_key(guest.username), as_seen(GuestModel, before), _profile_actions(guest))
        if (before.terms, before.name, before.email) == (guest.terms, guest.name, guest.email):
            return [profile]
        stale = [Delete(word_key(guest.username, term)) for term in sorted(before.terms - guest.terms)]
        return [profile, *puts, *stale]

    def shared_writes(self, changes: Sequence[Change[Guest]]) -> list[Write]:
        return []

    def apply(self, changes: Sequence[Change[Guest]], also: Sequence[Write] = ()) -> None:
        """Write the changes, and remove the names of these guests from this process's cache.

        They are removed after an error, too: if an answer is lost, the changes may be made.
        """
        try:
            super().apply(changes, also)
        finally:
            queries.forget_names(change.entity.username for change in changes)


class OrderWriter(RecordedWriter[Order]):
    """Writes new orders, their steps and corrections. The orders of a guest share the counts in the guest's profile.

    The guest must exist.
    """

    kind = OrderModel.kind

    def ids(self, entity: Order) -> tuple[str, ...]:
        return (entity.order_id,)

    def hotel_id(self, entity: Order) -> str:
        return entity.hotel_id

    def own_writes(self, change: Change[Order]) -> list[Write]:
        """A new order with its items, a step, or a correction of the items. Both need the status that the user saw."""
        if change.before is None:
            return [Put(order_item(change.entity), OrderModel.pk.does_not_exist()), *_item_puts(change.entity)]
        order = change.entity
        is_as_seen = OrderModel.attribute("status") == change.before.status
        key = OrderModel(keys.guest(order.username), keys.order(order.order_id))
        if order.revision != change.before.revision:
            is_as_seen &= _has_revision(change.before)
            return [Update(key, is_as_seen, _correction_actions(order)), *_line_writes(change.before, order)]
        fresh = order.history[len(change.before.history) :]
        return [Update(key, is_as_seen, _step_actions(order, fresh))]

    def shared_writes(self, changes: Sequence[Change[Order]]) -> list[Write]:
        """The counts of each guest. A correction changes none."""
        counted = [change for change in changes if not change.before or change.before.status != change.entity.status]
        return [
            self._count_update(username, list(group))
            for username, group in groupby(sorted(counted, key=_username), key=_username)
        ]

    def group(self, change: Change[Order]) -> Any:
        return ()

    def _count_update(self, username: str, changes: Sequence[Change[Order]]) -> Update:
        added = deltas(
            ((change.before.status,) if change.before else None, (change.entity.status,)) for change in changes
        )
        actions: list[Action] = [
            GuestModel.attribute(order_counter(Status(status))).add(number) for (status,), number in added.items()
        ]
        return Update(guest_key(username), GuestModel.pk.exists(), actions)


def guest_key(username: str) -> GuestModel:
    """A guest's item with nothing but its key, for updates."""
    return GuestModel(keys.guest(username), keys.PROFILE)


def word_key(username: str, term: Term) -> GuestWordModel:
    """A guest's word item with nothing but its key, for deletes."""
    return GuestWordModel(*keys.WORDS.key(username, term))


def guest_item(guest: Guest) -> GuestModel:
    """A guest's item."""
    return GuestModel(
        pk=keys.guest(guest.username),
        sk=keys.PROFILE,
        guest_shard=keys.guest_shard(guest.username),
        terms=stored(guest.terms),
        **stored_values(guest),
    )


def to_store(guest: Guest, **changes: Any) -> Guest:
    """The guest with these changes as it is to be written, with the terms that its values give."""
    changed = replace(guest, **changes)
    return replace(changed, terms=frozenset(changed.words.terms()))


def _profile_actions(guest: Guest) -> list[Action]:
    """The update of everything in a profile but its key and the counts: fields, keys of indexes, terms."""
    item, counters = guest_item(guest), {order_counter(status) for status in Status}
    names = [name for name in GuestModel.changing() if name not in counters]
    pairs = [(GuestModel.attribute(name), getattr(item, name)) for name in names]
    return [attribute.remove() if value is None else attribute.set(value) for attribute, value in pairs]


def now() -> datetime:
    """The current time in UTC, to the second."""
    return timezone.now().replace(microsecond=0)


def _username(change: Change[Order]) -> str:
    return change.entity.username


def _step_actions(order: Order, fresh: Sequence[HistoryStep]) -> list[Action]:
    """The update for a step. The order's key stays, but its sort keys in the indexes change."""
    history = OrderModel.attribute("history")
    actions: list[Action] = [
        OrderModel.attribute("status").set(order.status),
        OrderModel.attribute("status_at").set(order.status_at),
        OrderModel.order_status_date.set(keys.entered(order.status, order.status_at, order.order_id)),
        history.set(history.append(list(fresh))),
    ]
    sparse = _unfinished_keys(order)
    attributes = ((OrderModel.attribute(name), sparse.get(name)) for name in UNFINISHED_KEYS)
    return [*actions, *(attribute.set(key) if key else attribute.remove() for attribute, key in attributes)]


def _has_revision(order: Order) -> Condition:
    """The condition that an order's items are those that its editor saw."""
    revision = OrderModel.attribute("revision")
    return revision == order.revision if order.revision else revision.does_not_exist()


def _correction_actions(order: Order) -> list[Action]:
    """The update of an order whose items are corrected: its total, and whether it is a big order."""
    values = {name: getattr(order, name) for name in ("total", "item_count", "revision")} | _big_order_keys(order)
    removed = [OrderModel.attribute(name).remove() for name in BIG_ORDER_KEYS if name not in values]
    return [*(OrderModel.attribute(name).set(value) for name, value in values.items()), *removed]


def _line_writes(before: Order, after: Order) -> Iterator[Write]:
    """The lines that a correction changes. The order's own write has the condition for all of them."""
    lines = _lines(after)
    for number, line in enumerate(lines):
        if before.items[number : number + 1] != after.items[number : number + 1]:
            yield Put(line)
    yield from (Delete(line) for line in _lines(before)[len(lines) :])


def order_item(order: Order) -> OrderModel:
    """An order's item, with the keys of its indexes."""
    sparse: dict[str, Any] = {**_unfinished_keys(order), **_big_order_keys(order)}
    return OrderModel(
        pk=keys.guest(order.username),
        sk=keys.order(order.order_id),
        order_placed_date=keys.placed(order.placed_at, order.order_id),
        order_status_date=keys.entered(order.status, order.status_at, order.order_id),
        **sparse,
        **stored_values(order),
    )


def _unfinished_keys(order: Order) -> dict[str, str]:
    placed_id = keys.placed(order.placed_at, order.order_id)
    return unfinished_keys(order.order_id, order.hotel_id, order.status, placed_id)


def _big_order_keys(order: Order) -> dict[str, Any]:
    """The keys of the sparse index of big orders; none if the order is not big."""
    if order.total < keys.BIG_TOTAL:
        return {}
    return dict(zip(BIG_ORDER_KEYS, (keys.hotel(order.hotel_id), order.total), strict=True))


def _item_puts(order: Order) -> Iterator[Put]:
    """The items of a new order. The key of the first one holds the order's id alone: no other guest can use the id."""
    for number, line in enumerate(_lines(order), start=1):
        yield Put(line, OrderItemModel.pk.does_not_exist() if number == 1 else None)


def _lines(order: Order) -> list[OrderItemModel]:
    """The items of an order. The first one also names the guest and the hotel, so that it tells whose order it is."""
    return [
        OrderItemModel(
            pk=keys.item(order.order_id, number),
            sk=keys.order(order.order_id),
            username=order.username if number == 1 else None,
            hotel_id=order.hotel_id if number == 1 else None,
            **stored_values(item),
        )
        for number, item in enumerate(order.items or [NO_ITEM], start=1)
    ]
