"""Orders from files: they move on but never back, and repeating a batch writes nothing."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from itertools import product
from typing import Any

import pytest

from dynamodb_lists import NotFound
from orders import commands, queries
from orders.entities import HistoryStep, Order
from orders.statuses import Status
from tests.helpers.orders import (
    AT,
    all_items,
    make_guest,
    make_items,
    make_order,
    profile,
    store,
    stored,
)
from tests.helpers.rooms import make_hotel
from tests.helpers.writes import create_guest

pytestmark = pytest.mark.usefixtures("in_step")
PLACED, PROCESSING, SHIPPED, DELIVERED, CANCELLED = Status
LATER = {
    PLACED: {PROCESSING, SHIPPED, DELIVERED, CANCELLED},
    PROCESSING: {SHIPPED, DELIVERED, CANCELLED},
    SHIPPED: {DELIVERED},
    DELIVERED: set(),
    CANCELLED: set(),
}
DAY = timedelta(days=1)
NO_ORDERS = dict.fromkeys(Status, 0)
Saved = tuple[int, dict[str, str]]


def fill() -> None:
    make_hotel()
    create_guest(make_guest("alex"), "alice")


def save(*orders: Order) -> Saved:
    written, refused = commands.save_orders(orders)
    return written, dict(refused)


def test_saving_the_same_orders_again_writes_nothing() -> None:
    orders = [
        make_order(f"o-{n}", f"guest{n % 30}", list(Status)[n % 5], total=600 * n, items=make_items(n % 4))
        for n in range(80)
    ]
    assert save(*orders) == (80, {})
    before = list(all_items())
    assert save(*orders) == (0, {})
    assert list(all_items()) == before
    named = [replace(order, guest_name=order.username) for order in orders]
    assert [stored(order.order_id, order.username) for order in orders] == named


def test_a_stored_order_only_moves_on() -> None:
    pairs = {f"{status}-{other}": (status, other) for status, other in product(Status, Status)}
    store([make_order(order_id, status=status) for order_id, (status, _) in pairs.items()])
    before = {order_id: stored(order_id) for order_id in pairs}
    orders = [make_order(order_id, status=other, status_at=AT + DAY) for order_id, (_, other) in pairs.items()]
    moved = {order_id for order_id, (status, other) in pairs.items() if other in LATER[status]}
    earlier = {order_id for order_id, (status, other) in pairs.items() if status in LATER[other] or status == other}
    written, refused = save(*orders)
    assert (written, set(refused)) == (len(moved), pairs.keys() - moved - earlier)
    assert all(reason.startswith("status: it is stored as") for reason in refused.values())
    for order_id, (_, other) in pairs.items():
        step = HistoryStep(other, AT + DAY, "import")
        moved_on = replace(before[order_id].with_step(step), revision=1)
        assert stored(order_id) == (moved_on if order_id in moved else before[order_id])
    assert save(*orders) == (0, refused)


def test_a_status_from_before_the_one_that_it_follows_is_refused() -> None:
    store([make_order(status=SHIPPED, status_at=AT + DAY)])
    early = make_order(status=DELIVERED, status_at=AT + DAY - timedelta(seconds=1))
    refused = {"o-1": "status_at: this is before the order became SHIPPED, at 2023-01-16T10:22:31Z"}
    assert save(early) == (0, refused)
    assert stored().status == SHIPPED
    assert save(make_order(status=DELIVERED, status_at=AT + DAY)) == (1, {}), (
        "at the same second is as good as after it"
    )


OTHERS: list[tuple[dict[str, Any], str]] = [
    ({"hotel_id": "xyz"}, "another hotel_id"),
    ({"currency": "USD"}, "another currency"),
    ({"total": Decimal("100.01")}, "another total"),
    ({"item_count": 2, "items": make_items(2)}, "another item_count"),
    ({"placed_at": AT - DAY, "currency": "USD"}, "another currency, another placed_at"),
]


def test_another_order_of_the_same_id_is_refused() -> None:
    store([make_order()])
    before = stored()
    for number, (other, reason) in enumerate(OTHERS):
        written, refused = save(replace(make_order(status=SHIPPED), **other), make_order(f"new-{number}"))
        assert (written, list(refused)) == (1, ["o-1"]), other
        assert refused["o-1"] == f"it is stored with {reason}; files only add orders and move them on"
        assert stored() == before, other


def test_an_order_of_another_guest_is_refused() -> None:
    for items in (0, 1, 3):
        order = make_order(f"o-{items}", items=make_items(items))
        store([order])
        reason = f"order_id: o-{items} is an order of another guest"
        assert save(replace(order, username="bea")) == (0, {order.order_id: reason})
    with pytest.raises(NotFound):
        profile("bea")


def test_guests_without_a_profile_get_one_and_others_keep_theirs() -> None:
    before = commands.edit_guest(profile(), make_guest(name="Alex Doe", email="a@example.com", phone="1"), "alice")
    assert save(make_order("o-1"), make_order("o-2", "海老名"), make_order("o-3", "海老名", SHIPPED)) == (3, {})
    assert profile() == replace(before, orders={**NO_ORDERS, PLACED: 1})
    created = profile("海老名")
    assert (created.name, created.email, created.revision) == ("海老名", "", 1)
    assert created.orders == {**NO_ORDERS, PLACED: 1, SHIPPED: 1}
    assert created.added_at is not None
    commands.edit_guest(created, replace(created, name="Ebina"), "alice")
    assert profile("海老名").name == "Ebina"


@pytest.mark.parametrize("items", [0, 2])
def test_an_order_that_somebody_stores_meanwhile_is_not_another_guests(
    items: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Import the same file twice at once: the second import writes after the first one has read that no order
    exists.
    """
    owners, order = queries.guests_of, make_order(items=make_items(items))

    def after_the_other_import(order_ids: Sequence[str]) -> dict[str, str]:
        monkeypatch.setattr(queries, "guests_of", owners)
        store([order])
        return owners(order_ids)

    monkeypatch.setattr(queries, "guests_of", after_the_other_import)
    assert save(order, make_order("o-2")) == (1, {})
    assert profile().total_orders == 2
