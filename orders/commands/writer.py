"""The writes of a change: orders with their keys and items, and the counts in their guests' profiles."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from pynamodb.expressions.update import Action

from dynamodb_lists.connection.errors import Conflict
from dynamodb_lists.reading.items import refusing
from dynamodb_lists.schema.keys import now
from dynamodb_lists.schema.templates import shard
from dynamodb_lists.writing.changes import Change, as_seen, deltas
from dynamodb_lists.writing.transactions import Delete, Put, Update, Write, assigned
from hotels.commands import statistics_changed
from orders import keys, queries
from orders.commands.catalogue import join_catalogue
from orders.entities import ERASED_NAME, HistoryStep, Order
from orders.models import BIG_ORDER_KEYS, STATUS_KEYS, GuestModel, OrderItemModel, OrderModel, order_counter
from orders.statuses import Status
from portal.history.commands import RecordedWriter
from rooms.queries import rooms_as_stored


class OrderWriter(RecordedWriter[Order]):
    """Writes new orders, their steps and corrections. The orders of a guest share the counts in the guest's profile.

    The guest must exist, and have the name that new orders have.
    """

    model = OrderModel
    ids = ("order_id",)
    undoing = {
        "changed": "orders.add_order",
        "note": "orders.move_order",
        "status": "orders.move_order",
        "status=CANCELLED": "orders.cancel_order",
        "own status=CANCELLED": "orders.add_order",
    }

    def stored(self, refusal: Conflict) -> Order | None:
        """The order as it was when it refused a write, with those lines that refused it, too. Steps write no lines."""
        order = super().stored(refusal)
        lines = map(OrderItemModel.entity_of, refusing(OrderItemModel, refusal))
        return order and replace(order, items=tuple(lines)[: order.item_count])

    def load(self, *ids: str) -> Order:
        return queries.stored_order(*ids)

    @staticmethod
    def serial(entity: Any) -> int:
        """The revision and the steps, so that the placing has a number, too."""
        return int(entity.revision + len(entity.history))

    def undo(self, before: Order | None, after: Order | None) -> Order:
        """Take a correction or the newest step back. The undo of a step is a step, too: the history tells both."""
        assert before is not None, "an undo never adds an order"
        assert after is not None, "an undo never deletes an order"
        if after.status == before.status:
            if after.room_number != before.room_number and unknown_rooms([after]):
                raise Conflict(f"Room {after.room_number} does not exist any more.")
            restored = replace(after.with_items(after.items), revision=before.revision + 1)
        else:
            at = max(now(), before.status_at)
            restored = before.with_step(HistoryStep(after.status, at, self.actor.username, undo=True))
        self.commit([Change(before, restored)])
        if after.status == before.status:
            join_catalogue(restored, before)
        return restored

    def item_writes(self, change: Change[Order]) -> list[Write]:
        """A new order with its items, a step, or a correction of the items. Both need the revision that the user saw.

        They also need the status, which a form may have shown before the revision was read. A change of the note also
        needs that the guest was not erased.

        The key of a new item holds the order's id alone: no other guest can use the id.
        """
        order, item = change.entity, order_item(change.entity)
        if change.before is None:
            return [Put(new, OrderModel.pk.does_not_exist()) for new in (item, *OrderItemModel.of(order))]
        is_as_seen = (OrderModel.attribute("status") == change.before.status) & as_seen(OrderModel, change.before)
        key = OrderModel(item.pk, item.sk)
        if len(order.history) == len(change.before.history):
            names = ["room_number", "order_room", "total", "item_count", "revision", *BIG_ORDER_KEYS]
            if order.note != change.before.note:
                names.append("note")
                is_as_seen &= OrderModel.attribute("guest_name") != ERASED_NAME
            corrected = assigned(item, names)
            return [Update(key, is_as_seen, corrected), *_line_writes(change.before, order)]
        history = OrderModel.attribute("history")
        taken = history.set(history.append(list(order.history[len(change.before.history) :])))
        moved = assigned(item, ["status", "status_at", "revision", *STATUS_KEYS])
        return [Update(key, is_as_seen, [taken, *moved])]

    def counts_and_totals(self, changes: Sequence[Change[Order]]) -> list[Write]:
        """The counts of each guest, which a correction does not change, and the statistics of hotels and the group."""
        counted = [change for change in changes if not change.before or change.before.status != change.entity.status]
        updates = [
            self._count_update(username, list(group))
            for username, group in groupby(sorted(counted, key=_username), key=_username)
        ]
        return [*updates, *statistics_changed(changes)]

    def group(self, change: Change[Order]) -> Any:
        """Orders of one hotel and day share the most statistics."""
        return change.entity.hotel_id, change.entity.placed_at

    def _count_update(self, username: str, changes: Sequence[Change[Order]]) -> Update:
        added = deltas(
            ((change.before.status,) if change.before else None, (change.entity.status,)) for change in changes
        )
        exists = GuestModel.pk.exists()
        for name in {change.entity.guest_name for change in changes if change.before is None}:
            # An order must not bring back the name of a guest who is erased, nor be placed for one who was.
            exists &= (GuestModel.attribute("name") == name) & GuestModel.attribute("erased_at").does_not_exist()
        actions: list[Action] = [
            GuestModel.attribute(order_counter(Status(status))).add(number) for (status,), number in added.items()
        ]
        return Update(GuestModel.keyed(username=username), exists, actions)


def unknown_rooms(orders: Iterable[Order]) -> set[tuple[str, str]]:
    """The rooms that these orders name and that do not exist: hotel id and number. No request if they name none."""
    named = {(order.hotel_id, order.room_number) for order in orders if order.room_number}
    return named - rooms_as_stored(named).keys()


def _username(change: Change[Order]) -> str:
    return change.entity.username


def _line_writes(before: Order, after: Order) -> Iterator[Write]:
    """The lines that a correction changes. The order's own write has the condition for all of them."""
    lines = OrderItemModel.of(after)
    for number, line in enumerate(lines):
        if before.items[number : number + 1] != after.items[number : number + 1]:
            yield Put(line)
    yield from (Delete(line) for line in OrderItemModel.of(before)[len(lines) :])


def order_places(order: Order) -> list[tuple[str, list[str]]]:
    """An order's keys in the table and in indexes, without those of its shards, which only the stored item has."""
    return [(name, pair) for name, pair in order_item(order, 1).places() if name not in keys.SHARDED]


def order_item(order: Order, shards: int = 0) -> OrderModel:
    """An order's item. By default, its shard is one of those that are written now."""
    return OrderModel.item(order, shard=shard(order.order_id, shards or queries.SHARDS.numbers().written))
