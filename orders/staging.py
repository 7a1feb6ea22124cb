"""What each write puts into its transaction: orders with their keys, items, and the counts of their guests."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.utils import timezone
from pynamodb.expressions.update import Action
from pynamodb.transactions import TransactWrite

from hotelapp.dynamodb import counts
from hotelapp.dynamodb import keys as key_parts
from hotelapp.dynamodb.transactions import commit
from orders import keys, models
from orders.values import OPEN, Guest, Order, Status, Step


@dataclass(frozen=True, slots=True)
class Change:
    """An order as it was, ``None`` for not there, and as it is to be."""

    before: Order | None
    after: Order

    @property
    def writes(self) -> int:
        """The writes that the order and its items take."""
        return 1 if self.before else 1 + max(len(self.after.items), 1)


def apply(changes: Sequence[Change]) -> None:
    """Write the changes and their guests' counts, or nothing; guests without a profile get one.

    Raises :class:`Conflict`.
    """
    at = now()
    by_guest: dict[str, list[Change]] = {}
    for change in changes:
        by_guest.setdefault(change.after.username, []).append(change)

    def stage(transaction: TransactWrite) -> None:
        for change in changes:
            stage_order(transaction, change)
        for username, own in by_guest.items():
            stage_counts(transaction, username, moved(own), added_at=at)

    commit(models.Order.connection().connection, stage)


def moved(changes: Iterable[Change]) -> dict[Status, int]:
    """What changes add to the counts of their guest."""
    pairs = [((change.before.status,) if change.before else None, (change.after.status,)) for change in changes]
    return {Status(status): n for (status,), n in counts.deltas(pairs).items()}


def stage_order(transaction: TransactWrite, change: Change) -> None:
    """A new order with its items, or the step of one that is as it was seen.

    An order keeps its keys, so a step is an update; all attributes that an index is sorted by change with it.
    """
    if change.before is None:
        unused = models.Order.pk.does_not_exist()
        transaction.save(_order_item(change.after), condition=unused)
        for place, item in enumerate(_items(change.after) or [_no_item(change.after)]):
            # The key of the first holds the order's id alone: no other guest's order can have the same.
            transaction.save(item, condition=models.OrderItem.pk.does_not_exist() if place == 0 else None)
        return
    as_seen = models.Order.status == change.before.status
    transaction.update(_order_key(change.after), actions=_step_actions(change), condition=as_seen)


def _step_actions(change: Change) -> list[Action]:
    fresh = change.after.history[len(change.before.history) if change.before else 0 :]
    order = models.Order
    status_date = keys.entered(change.after.status, change.after.status_at, change.after.order_id)
    actions: list[Action] = [
        order.status.set(change.after.status),
        order.status_at.set(key_parts.time_part(change.after.status_at)),
        order.order_status_date.set(status_date),
        order.history.set(order.history.append(_history(fresh))),
    ]
    if change.after.status != OPEN:
        actions += [order.placed_shard.remove(), order.placed_id.remove()]
    return actions


def stage_counts(
    transaction: TransactWrite, username: str, added: Mapping[Status, int], *, added_at: datetime | None = None
) -> None:
    """Add to the counts of a guest, who must exist, or with a time gets a profile of that time, named by the username.

    What is staged is the same at each attempt: a transaction that may have gone through is repeated word for word.
    """
    guest = models.Guest
    actions: list[Action] = [guest.orders(status).add(n) for status, n in added.items()]
    if added_at:
        texts = ((guest.username, username), (guest.name, username), (guest.added_at, key_parts.time_part(added_at)))
        actions += [attribute.set(attribute | value) for attribute, value in texts]
        actions += [guest.revision.set(guest.revision | 1)]
    condition = None if added_at else guest.pk.exists()
    transaction.update(guest_key(username), actions=actions, condition=condition)


def guest_key(username: str) -> models.Guest:
    return models.Guest(keys.guest(username), keys.PROFILE)


def guest_item(guest: Guest) -> models.Guest:
    return models.Guest(
        pk=keys.guest(guest.username),
        sk=keys.PROFILE,
        username=guest.username,
        name=guest.name,
        email=guest.email,
        phone=guest.phone,
        added_at=key_parts.time_part(guest.added_at) if guest.added_at else None,
        revision=guest.revision,
    )


def _order_key(order: Order) -> models.Order:
    return models.Order(keys.guest(order.username), keys.order(order.order_id))


def _order_item(order: Order) -> models.Order:
    sparse: dict[str, Any] = {}
    if order.status == OPEN:
        sparse |= {
            "placed_shard": keys.shard(order.order_id),
            "placed_id": keys.placed(order.placed_at, order.order_id),
        }
    if order.total >= keys.BIG_TOTAL:
        sparse |= {"big_order_hotel": keys.big_order_hotel(order.hotel_id), "big_order_total": order.total}
    return models.Order(
        pk=keys.guest(order.username),
        sk=keys.order(order.order_id),
        order_id=order.order_id,
        username=order.username,
        hotel_id=order.hotel_id,
        status=order.status,
        placed_at=key_parts.time_part(order.placed_at),
        status_at=key_parts.time_part(order.status_at),
        currency=order.currency,
        total=order.total,
        item_count=order.item_count,
        history=_history(order.history),
        order_placed_date=keys.placed(order.placed_at, order.order_id),
        order_status_date=keys.entered(order.status, order.status_at, order.order_id),
        **sparse,
    )


def _items(order: Order) -> list[models.OrderItem]:
    return [
        models.OrderItem(
            pk=keys.item(order.order_id, place),
            sk=keys.order(order.order_id),
            sku=item.sku,
            name=item.name,
            quantity=item.quantity,
            unit_price=item.unit_price,
        )
        for place, item in enumerate(order.items, start=1)
    ]


def _no_item(order: Order) -> models.OrderItem:
    """What stands in the first item's place where an order has none, so that its id is taken, too."""
    return models.OrderItem(
        pk=keys.item(order.order_id, 1),
        sk=keys.order(order.order_id),
        sku="",
        name="",
        quantity=0,
        unit_price=Decimal(0),
    )


def _history(steps: Iterable[Step]) -> list[models.Step]:
    texts = ({"status": step.status, "at": key_parts.time_part(step.at), "by": step.by} for step in steps)
    return [models.Step(**text) for text in texts]  # type: ignore[no-untyped-call]


def now() -> datetime:
    return timezone.now().replace(microsecond=0)
