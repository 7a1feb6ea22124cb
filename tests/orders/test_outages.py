"""A database that refuses, throttles or loses its answers: a write is stored once or not at all."""

from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any

import pytest

from dynamodb_lists.connection.errors import Unavailable
from dynamodb_lists.tests.helpers.answers import answering, cancelled, refusal
from orders import commands
from orders.entities import Order
from orders.keys import new_number
from orders.statuses import Status
from tests.helpers.orders import (
    all_items,
    assert_orders_in_step,
    losing_an_answer,
    make_guest,
    make_items,
    make_order,
    profile,
    store,
    stored,
)
from tests.helpers.rooms import make_hotel

pytestmark = pytest.mark.usefixtures("in_step")
PLACED, PROCESSING, SHIPPED, DELIVERED, CANCELLED = Status
NO_ORDERS = dict.fromkeys(Status, 0)


def fill() -> None:
    make_hotel()
    commands.create_guest(make_guest("alex"), "alice")


def place_order(order_id: str = "") -> Order:
    return commands.place_order(make_order(order_id or new_number()), "alice")


def test_a_step_whose_answer_was_lost_is_taken_once() -> None:
    store([make_order()])
    with losing_an_answer("RequestTimeout"):
        moved = commands.take_step(stored(), PROCESSING, "alice")
    assert moved == stored()
    with losing_an_answer("InternalServerError"), pytest.raises(Unavailable):
        commands.take_step(moved, SHIPPED, "alice")
    assert commands.take_step(moved, SHIPPED, "alice") == stored()
    assert [step.status for step in stored().history] == [PLACED, PROCESSING, SHIPPED]


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("code", ["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"])
def test_a_refusal_that_passes_is_waited_for(code: str) -> None:
    store([make_order()])
    writes: list[Callable[[], object]] = [
        place_order,
        lambda: commands.take_step(stored(), PROCESSING, "alice"),
        lambda: commands.save_orders([make_order("o-2")]),
    ]
    for write in writes:
        attempts: list[str] = []

        def refuse(attempts: list[str] = attempts, **_: Any) -> Any:
            attempts.append(code)
            return cancelled(code) if len(attempts) <= 3 else None

        with answering(refuse):
            write()
        assert len(attempts) == 4
    assert profile().orders == {**NO_ORDERS, PLACED: 2, PROCESSING: 1}


def test_a_database_that_fails_half_way_leaves_whole_transactions() -> None:
    orders = [make_order(f"o-{n}", f"guest{n % 9}", items=make_items(2)) for n in range(60)]
    sent = count(1)
    with answering(lambda **_: refusal("AccessDenied") if next(sent) == 3 else None), pytest.raises(Unavailable):
        commands.save_orders(orders)
    assert_orders_in_step()
    missing = 60 - sum("history" in item for item in all_items())
    assert 0 < missing < 60
    assert commands.save_orders(orders) == (missing, {})


@pytest.mark.usefixtures("impatient")
def test_a_busy_item_may_be_one_that_refuses_the_write_too() -> None:
    """A transaction may be refused for several reasons. Only one that meets no busy item tells what is stored."""
    reasons = [{"Code": code, "Message": code} for code in ("None", "ConditionalCheckFailed", "TransactionConflict")]
    refuse = partial(refusal, "TransactionCanceledException", CancellationReasons=reasons)
    placed = place_order(order_id := new_number())
    refusals = [refuse() for _ in range(3)]
    with answering(lambda **_: refusals.pop() if refusals else None):
        assert place_order(order_id) == placed, "the second of two clicks, while the first one is being written"
    assert not refusals
    with answering(lambda **_: refuse()), pytest.raises(commands.UsernameTaken):
        commands.create_guest(make_guest("alex", "Somebody else"), "alice")
