"""A7: how many shards the work lists have.

``test_models.py`` compares the lists with plain Python, and the costs are in ``docs/costs.json``.
"""

from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from types import SimpleNamespace

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command

from dynamodb_lists import Conflict
from dynamodb_lists.schema.templates import shard
from dynamodb_lists.tests.helpers import dynamodb_local
from orders import commands, queries
from orders.lists import SHARDS
from orders.statuses import UNFINISHED, Status
from portal import shards
from portal.shards import Shards
from tests.helpers.faults import verify
from tests.helpers.orders import (
    AT,
    all_items,
    assert_orders_in_step,
    assert_pages,
    by_placed,
    dated,
    ids,
    make_order,
    read,
    store,
)

pytestmark = pytest.mark.usefixtures("empty_tables")
PLACED, PROCESSING, SHIPPED, *_ = Status
SECOND = timedelta(seconds=1)


# --- Shards ---------------------------------------------------------------------------------------------


@pytest.fixture
def raised(empty_tables: None, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Raise the number of shards, without the wait for other processes."""
    monkeypatch.setattr(shards, "WAIT_SECONDS", 0)

    def to(number: int) -> None:
        call_command("order_shards", str(number), stdout=StringIO())
        cache.clear()

    return to


def test_a7_more_shards_are_a_setting_and_need_no_rebuild(raised: Callable[[int], None]) -> None:
    """Orders stay in the shards in which they are stored, and move at their next step."""
    before = [make_order(f"before-{n:02d}", status=UNFINISHED[n % 3], placed_at=AT + n * SECOND) for n in range(12)]
    store(before)
    raised(8)
    after = [make_order(f"o-{n:03d}", status=UNFINISHED[n % 3], placed_at=AT + n * SECOND) for n in range(48)]
    store(after)
    assert_orders_in_step()
    assert verify() == ("", True)
    found = {order_id: shard.split("#") for order_id, shard in stored_shards().items()}
    assert {found[order_id][1] for order_id in ids(before)} == {"0"}
    assert {found[order_id][1] for order_id in ids(after)} == set("01234567")
    orders = [*before, *after]
    assert_pages(queries.placed(UNFINISHED).listing(), ids(sorted(orders, key=by_placed, reverse=True)), 25)
    shipped = [order for order in orders if order.status == SHIPPED]
    assert_pages(dated(queries.placed([SHIPPED]), descending=False).listing(), ids(sorted(shipped, key=by_placed)))
    _, calls = read(queries.placed([SHIPPED]).listing(), 25)
    assert (calls.requests, calls.waves) == (8, 1)
    assert calls.read_units == 4 or dynamodb_local.wanted(), "an empty Query is free on DynamoDB Local"
    moving = next(order for order in before if order.status == PLACED and shard(order.order_id, 8))
    commands.take_step(moving, PROCESSING, "alice")
    assert stored_shards()[moving.order_id] == f"PROCESSING#{shard(moving.order_id, 8)}"


def stored_shards() -> dict[str, str]:
    return {item["order_id"]["S"]: item["status_shard"]["S"] for item in all_items() if "status_shard" in item}


def test_shards_are_read_before_any_process_writes_to_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process may know the numbers of a minute ago. The command may stop between its steps, and goes on."""
    waited: list[tuple[float, Shards]] = []
    sleep = lambda seconds: waited.append((seconds, SHARDS.stored()))  # noqa: E731
    monkeypatch.setattr(shards, "time", SimpleNamespace(sleep=sleep))
    assert SHARDS.stored() == Shards(1, 1)
    steps = SHARDS.raise_to(4)
    assert next(steps) == SHARDS.stored() == Shards(4, 1)
    store([make_order("meanwhile")])
    assert ids(queries.placed([PLACED])) == ["meanwhile"]
    assert list(SHARDS.raise_to(4)) == [Shards(4, 4)], "another run goes on"
    assert waited == [(120, Shards(4, 1))], "a process keeps the numbers for 60 seconds"
    assert list(SHARDS.raise_to(5)) == [Shards(5, 4), Shards(5, 5)]
    with pytest.raises(Conflict):
        next(steps)
    for smaller in (1, 3):
        with pytest.raises(CommandError, match="can only grow"):
            call_command("order_shards", str(smaller))
    out = StringIO()
    call_command("order_shards", stdout=out)
    assert out.getvalue() == "Each list of the orders of all hotels has 5 shards.\n"
