"""Raise the number of shards of unfinished orders, beside running processes.

Each process keeps the numbers for a while, so processes disagree for that time. An order that is in a shard which
somebody does not read would be missing from lists. So there are two steps: first the lists read the new shards, which
are empty; then, after every process must know, orders are written to them. Orders that are stored already stay in
their shards, which are read as before, until their next step.
"""

import time
from collections.abc import Iterator

from dynamodb_lists.writing import single_items
from orders import queries
from orders.entities import OrderShards
from orders.models import OrderShardsModel
from orders.queries.orders import CACHE_SECONDS

WAIT_SECONDS = 2 * CACHE_SECONDS
"""The time between the two steps. A process may take a while between the read of the numbers and their use."""


def raise_shards(number: int) -> Iterator[OrderShards]:
    """Raise the number of shards; yields the numbers after each step. It may be stopped and repeated.

    Raises :class:`ValueError` for a number below the present one: readers would miss the orders of the other shards.
    Raises :class:`~dynamodb_lists.connection.errors.Conflict` if another command changes the number.
    """
    before = queries.stored_shards()
    if number < before.read:
        raise ValueError(f"There are {before.read} shards. Their number can only grow.")
    if number > before.read:
        before = _put(before, OrderShards(number, before.written))
        yield before
    if number > before.written:
        time.sleep(WAIT_SECONDS)
        yield _put(before, OrderShards(number, number))


def _put(before: OrderShards, after: OrderShards) -> OrderShards:
    """Write the numbers if they are as seen, or already as wanted: the answer to the first attempt may be lost."""
    read, written = (OrderShardsModel.attribute(name) for name in ("read", "written"))
    as_seen, wanted = ((read == each.read) & (written == each.written) for each in (before, after))
    condition = OrderShardsModel.pk.does_not_exist() | as_seen | wanted
    single_items.put(OrderShardsModel.item(after), condition)
    return after
