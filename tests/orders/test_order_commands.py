"""Placing orders and their steps: each is all or nothing, and sending it twice has the same effect as once.

Guests are in ``test_guest_commands.py``, orders from files in ``test_saving.py``, outages in ``test_outages.py``.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from functools import partial
from itertools import product
from typing import Any

import pytest

from dynamodb_lists import AlreadyExists, Conflict, UnknownValue, ledger
from dynamodb_lists.schema.keys import now
from hotels.commands import save_hotels
from hotels.entities import Hotel
from orders import commands, queries
from orders.commands import MovedOn
from orders.entities import HistoryStep, Order, OrderItem
from orders.models import GuestWordModel
from orders.statuses import STEPS, Status
from tests.helpers.orders import (
    AT,
    all_items,
    at_once,
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
LEGAL = [(status, to) for status, steps in STEPS.items() for to in steps]
ILLEGAL = [pair for pair in product(Status, Status) if pair not in LEGAL]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[datetime], None]:
    """Lets the clock of the commands stand at a time."""
    return lambda at: monkeypatch.setattr("orders.commands.now", lambda: at)


def fill() -> None:
    make_hotel()
    create_guest(make_guest("alex"), "alice")
    create_guest(make_guest("bea"), "alice")


def place_order(order: Order | None = None) -> Order:
    return commands.place_order(order or make_order(), "alice")


def kinds() -> dict[str, int]:
    """Return the numbers of orders and of items."""
    others = [item for item in all_items() if item["kind"]["S"] != GuestWordModel.kind]
    items = [item for item in others if item["SK"]["S"] != "PROFILE"]
    lines = [item for item in items if item["PK"]["S"].startswith("ORDER#")]
    orders = [item for item in items if item["kind"]["S"] == "order"]
    return {"orders": len(orders), "items": sum(line["quantity"]["N"] != "0" for line in lines)}


# --- Placing --------------------------------------------------------------------------------------------


def test_a_placed_order_is_stored_with_its_items_and_counted() -> None:
    items = (
        OrderItem("tea", "Green tea", 3, Decimal("4.10")),
        OrderItem("茶", "Tee, schwarz", 1, Decimal("12345678901.005")),
    )
    save_hotels([Hotel("petra", "Petra", currency="JOD")])
    order = make_order(total="12345678913.305", items=items, hotel_id="petra", currency="JOD", status=SHIPPED)
    before = now()
    placed = place_order(order)
    assert placed == stored() == queries.order("o-1")
    assert before <= placed.placed_at == placed.status_at <= now()
    assert placed.history == (HistoryStep(PLACED, placed.placed_at, "alice"),)
    assert (placed.status, placed.items, placed.total) == (PLACED, items, Decimal("12345678913.305"))
    assert profile().orders == {**dict.fromkeys(Status, 0), PLACED: 1}


def test_an_order_in_another_currency_than_its_hotels_is_refused() -> None:
    with pytest.raises(Conflict, match="in EUR, not in GBP"):
        place_order(make_order(currency="GBP"))
    assert kinds() == {"orders": 0, "items": 0}


@pytest.mark.parametrize(("seconds", "items"), [(0, 90), (700, 0)])
def test_the_same_form_sent_again_gives_the_order_that_is_there(
    seconds: int, items: int, clock: Callable[[datetime], None]
) -> None:
    """The form is sent again immediately, or after many minutes, and when the order has moved on."""
    form, at = make_order(items=make_items(items)), now()
    clock(at)
    first = place_order(form)
    clock(at + timedelta(seconds=seconds))
    assert place_order(form) == first == stored()
    assert (profile().total_orders, kinds()) == (1, {"orders": 1, "items": items})
    moved = commands.take_step(first, PROCESSING, "bob")
    assert place_order(form) == moved
    assert profile().orders[PROCESSING] == profile().total_orders == 1


OTHER_CONTENT: list[dict[str, Any]] = [
    {"hotel_id": "xyz"},
    {"hotel_id": "petra", "currency": "JOD"},
    {"total": Decimal(101)},
    {"items": (OrderItem("sku-0", "Thing", 2, Decimal(50)),)},
    {"items": make_items(2), "item_count": 2},
]


def test_an_id_serves_one_order_alone() -> None:
    make_hotel(hotel_id="xyz")
    save_hotels([Hotel("petra", "Petra", currency="JOD")])
    first = place_order()
    for other in OTHER_CONTENT:
        hidden = {"hotel_id"} & other.keys()
        with pytest.raises(AlreadyExists, match="placed an order of another" if hidden else "placed order o-1"):
            place_order(replace(make_order(), **other))
        assert stored() == first, other
    assert profile().total_orders == 1


@pytest.mark.parametrize(("facet", "value"), [("username", "nobody"), ("hotel_id", "nowhere")])
def test_an_order_needs_its_guest_and_its_hotel_and_leaves_nothing_behind(facet: str, value: str) -> None:
    before = list(all_items())
    other: dict[str, Any] = {facet: value}
    form = replace(make_order(items=make_items(5), total=1000), **other)
    with pytest.raises(UnknownValue) as refused:
        place_order(form)
    assert (refused.value.facet, refused.value.value) == (facet, value)
    assert list(all_items()) == before
    create_guest(make_guest("nobody"), "alice")
    make_hotel(hotel_id="nowhere")
    assert place_order(form).username == form.username


# --- Steps ----------------------------------------------------------------------------------------------


def test_a_step_moves_the_order_with_its_keys_and_counts() -> None:
    """Keys and counts are compared with the orders after the test."""
    store([make_order(f"{status}-{to}", status=status, status_at=AT, total=2000) for status, to in LEGAL])
    for status, to in LEGAL:
        before = stored(f"{status}-{to}")
        moved = commands.take_step(before, to, "alice")
        assert moved == stored(before.order_id) == queries.order(before.order_id)
        assert moved.history == (*before.history, HistoryStep(to, moved.status_at, "alice"))


def test_no_other_step_is_taken() -> None:
    store([make_order(f"o-{status}", status=status) for status in Status])
    for status, to in ILLEGAL:
        before = stored(f"o-{status}")
        words = f'"{status.words}" cannot become "{to.words}"'
        with ledger.recording() as calls, pytest.raises(Conflict, match=words):
            commands.take_step(before, to, "alice")
        assert (calls.requests, stored(f"o-{status}")) == (0, before), to


def test_a_step_from_a_list_keeps_the_history_and_counts_on_the_day_of_the_hotel() -> None:
    """The hotel's day is another one than that in UTC. The statistics of that day agree after the test."""
    zone = "Pacific/Kiritimati" if now().hour >= 10 else "Pacific/Pago_Pago"  # noqa: PLR2004 (14 hours before, or 11 after)
    save_hotels([Hotel("far", "Far away", currency="EUR", time_zone=zone)])
    place_order(make_order(hotel_id="far"))
    assert stored().history[0].day
    (listed,) = queries.placed([Status.PLACED])
    assert listed.history == ()
    commands.take_step(listed, PROCESSING, "bob")
    assert [(step.status, step.by) for step in stored().history] == [(PLACED, "alice"), (PROCESSING, "bob")]


@pytest.mark.django_db
def test_of_those_who_ship_and_those_who_cancel_one_wins() -> None:
    store([make_order(f"o-{n}", status=PROCESSING) for n in range(3)])
    for n in range(3):
        seen = stored(f"o-{n}")
        steps = [(to, f"user{user}") for user in range(5) for to in (SHIPPED, CANCELLED)]
        results = at_once([partial(commands.take_step, seen, to, by) for to, by in steps])
        (winner,) = [result for result in results if isinstance(result, Order)]
        assert winner == stored(f"o-{n}")
        last = winner.history[-1]
        assert len(winner.history) == len(seen.history) + 1
        for (_, by), result in zip(steps, results, strict=True):
            if result is not winner:
                assert isinstance(result, MovedOn)
                assert result.stored == winner
                who = "You have already changed it" if by == last.by else f"{last.by} was first"
                assert str(result).startswith(f"{who}: the order is now {last.status.words.lower()}.")


def test_who_comes_late_sees_the_lines_of_a_correction_too() -> None:
    seen = place_order()
    commands.take_step(commands.correct_order(seen, make_items(3), "bob"), PROCESSING, "bob")
    with pytest.raises(MovedOn) as refused:
        commands.take_step(seen, CANCELLED, "alice")
    assert refused.value.stored == stored()
    assert stored().items == make_items(3)


def test_the_same_person_pressing_twice_gets_the_order_as_it_is() -> None:
    seen = place_order()
    moved = commands.take_step(seen, PROCESSING, "alice")
    assert commands.take_step(seen, PROCESSING, "alice") == moved
    results = at_once([partial(commands.take_step, moved, SHIPPED, "alice")] * 12)
    assert results == [stored()] * 12
    assert len(stored().history) == 3


def test_time_never_goes_back() -> None:
    """The clock of another machine may be ahead."""
    ahead = now() + timedelta(days=1)
    store([make_order(placed_at=ahead)])
    moved = commands.take_step(commands.take_step(stored(), PROCESSING, "alice"), SHIPPED, "alice")
    assert [step.at for step in moved.history] == [ahead] * 3
    assert stored().status_at == ahead
