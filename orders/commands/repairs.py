"""Repairs for ``manage.py verify_data``: single writes, each on the condition that the item is as it was seen."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pynamodb.expressions.condition import Condition

from hotelapp.dynamodb.schema.words import Term
from hotelapp.dynamodb.writing import single_items
from hotelapp.dynamodb.writing.changes import Change
from hotelapp.history.entities import REPAIR
from orders import keys, queries
from orders.commands.changes import GuestWriter, guest_key, order_item, to_store
from orders.entities import Order
from orders.models import GuestModel, GuestWordModel, OrderModel, order_counter
from orders.statuses import Status


def mend_keys(order: Order, names: Sequence[str]) -> None:
    """Set or remove attributes that are keys of indexes. Raises :class:`Conflict` if the order is not as seen."""
    as_seen = (
        (OrderModel.attribute("status") == order.status)
        & (OrderModel.attribute("status_at") == order.status_at)
        & (OrderModel.attribute("total") == order.total)
    )
    single_items.mend(order_item(order), names, as_seen)


def mend_guest_shard(username: str) -> None:
    """Set a guest's partition in the list of guests. Raises :class:`Conflict` without such a profile."""
    shard = GuestModel.guest_shard.set(keys.guest_shard(username))
    single_items.update(guest_key(username), [shard], GuestModel.attribute("username") == username)


def mend_counts(username: str, seen: Mapping[str, int], counted: Mapping[str, int]) -> None:
    """Set the counts in a guest's profile. Raises :class:`Conflict` if they are not as seen, or without a profile."""
    actions = []
    as_seen: Condition = GuestModel.pk.exists()
    for status in Status:
        counter = GuestModel.attribute(order_counter(status))
        actions.append(counter.set(counted.get(status, 0)))
        as_seen &= counter == seen[status] if status in seen else counter.does_not_exist()
    single_items.update(guest_key(username), actions, as_seen)


def mend_words(username: str, surplus: Term | None = None) -> None:
    """Write a guest's words anew, and delete one that is surplus. Raises :class:`Conflict` if the guest changes."""
    guest = queries.guest(username, consistent=True)
    seen = replace(guest, terms=guest.terms | {surplus} if surplus else guest.terms, name="")
    GuestWriter(REPAIR).apply([Change(seen, to_store(guest))])


def delete_word(username: str, term: Term) -> None:
    """Delete the word item of a guest who does not exist."""
    single_items.delete(GuestWordModel, *keys.word(username, term))
