"""Orders from files, guests, and a database that fails: whatever happens, keys, items and counts agree."""

import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from functools import partial
from itertools import count, product
from typing import Any

import pytest

from hotelapp.dynamodb import transactions
from hotelapp.dynamodb.errors import Conflict, NotFound, Unavailable
from orders import commands, queries
from orders.forms import new_order_id
from orders.values import STEPS, Order, Status, Step
from tests.orders import (
    AT,
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
from tests.support import answering, cancelled, make_hotel, refusal

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


@pytest.fixture(autouse=True)
def in_step(empty_tables: None) -> Iterator[None]:
    """A hotel, and a guest without orders; and after every test, keys, items and counts agree."""
    make_hotel()
    commands.create_guest(make_guest("alex"))
    yield
    assert_orders_in_step()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hardly any waiting between two attempts."""
    monkeypatch.setattr(transactions, "FIRST_WAIT", 0.0001)


def place(order_id: str = "") -> Order:
    return commands.place_order(make_order(order_id or new_order_id()), "alice")


def save(*orders: Order) -> Saved:
    written, refused = commands.save_orders(orders)
    return written, dict(refused)


# --- Orders from files ----------------------------------------------------------------------------------


def test_saving_the_same_orders_again_writes_nothing() -> None:
    orders = [
        make_order(f"o-{n}", f"guest{n % 60}", list(Status)[n % 5], total=600 * n, items=make_items(n % 4))
        for n in range(150)
    ]
    assert save(*orders) == (150, {})
    before = list(all_items())
    assert save(*orders) == (0, {})
    assert list(all_items()) == before
    assert [stored(order.order_id, order.username) for order in orders] == orders


@pytest.mark.parametrize(("status", "other"), list(product(Status, Status)))
def test_a_stored_order_only_moves_on(status: Status, other: Status) -> None:
    store([make_order(status=status)])
    before, order = stored(), make_order(status=other, status_at=AT + DAY)
    if other in LATER[status]:
        assert save(order) == (1, {})
        step = Step(other, AT + DAY, "import")
        assert stored() == replace(before, status=other, status_at=step.at, history=(*before.history, step))
        assert save(order) == (0, {})
    elif status in LATER[other] or status == other:
        assert save(order) == (0, {})
        assert stored() == before
    else:
        written, refused = save(order)
        assert (written, list(refused)) == (0, ["o-1"])
        assert refused["o-1"].startswith("status: ")
        assert {str(status), str(other)} <= set(refused["o-1"].replace(",", "").split())
        assert stored() == before


def test_a_big_order_that_is_no_longer_open_is_still_big() -> None:
    store([make_order(total=1000)])
    assert save(make_order(total=1000, status=DELIVERED, status_at=AT + DAY)) == (1, {})
    (item,) = [item for item in all_items() if "order_id" in item]
    assert not {"placed_shard", "placed_id"} & item.keys()
    assert {"big_order_hotel", "big_order_total"} <= item.keys()
    assert [order.status for order in queries.big_orders("abc").stream()] == [DELIVERED]


def test_a_file_goes_on_with_what_people_have_begun() -> None:
    placed = place()
    commands.take_step(placed, PROCESSING, "bob")
    order = make_order(placed.order_id, status=SHIPPED, placed_at=placed.placed_at, status_at=AT)
    assert save(order) == (1, {})
    found = stored(placed.order_id)
    assert [(step.status, step.by) for step in found.history] == [
        (PLACED, "alice"),
        (PROCESSING, "bob"),
        (SHIPPED, "import"),
    ]
    assert found.history[1].at == found.status_at > AT, "time never goes back"


OTHERS: list[dict[str, Any]] = [
    {"hotel_id": "xyz"},
    {"currency": "USD"},
    {"total": Decimal("100.01")},
    {"item_count": 2, "items": make_items(2)},
]


@pytest.mark.parametrize("other", OTHERS, ids="+".join)
def test_another_order_of_the_same_id_is_refused(other: dict[str, Any]) -> None:
    store([make_order()])
    before = stored()
    written, refused = save(replace(make_order(status=SHIPPED), **other), make_order("o-2"))
    assert (written, list(refused)) == (1, ["o-1"])
    assert "another hotel, currency, total or number of items" in refused["o-1"]
    assert stored() == before


@pytest.mark.parametrize("items", [0, 1, 3])
def test_an_order_of_another_guest_is_refused(items: int) -> None:
    order = make_order(items=make_items(items))
    store([order])
    assert save(replace(order, username="bea")) == (0, {"o-1": "order_id: o-1 is an order of alex"})
    with pytest.raises(NotFound):
        profile("bea")


def test_guests_without_a_profile_get_one_and_others_keep_theirs() -> None:
    before = commands.edit_guest(profile(), make_guest(name="Alex Doe", email="a@example.com", phone="1"))
    assert save(make_order("o-1"), make_order("o-2", "海老名"), make_order("o-3", "海老名", SHIPPED)) == (3, {})
    assert profile() == replace(before, orders={**NO_ORDERS, PLACED: 1})
    made = profile("海老名")
    assert (made.name, made.email, made.revision) == ("海老名", "", 1)
    assert made.orders == {**NO_ORDERS, PLACED: 1, SHIPPED: 1}
    assert made.added_at is not None
    commands.edit_guest(made, replace(made, name="Ebina"))
    assert profile("海老名").name == "Ebina"


def test_orders_of_many_items_or_guests_fit_into_transactions() -> None:
    large = [make_order(f"o-{n}", items=make_items(90)) for n in range(3)]
    scattered = [make_order(f"p-{n}", f"guest{n}") for n in range(70)]
    assert save(*large, *scattered) == (73, {})
    assert [len(stored(order.order_id).items) for order in large] == [90] * 3


@pytest.mark.parametrize("status", [PLACED, SHIPPED])
def test_one_batch_saved_many_times_at_once_is_written_once(status: Status) -> None:
    orders = [make_order(f"o-{n}", f"guest{n % 7}", items=make_items(n % 3)) for n in range(120)]
    if status == SHIPPED:
        store(orders)
    batch = [replace(order, status=status, history=(Step(status, AT, "import"),)) for order in orders]
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: save(*batch), range(4)))
    assert sum(written for written, _ in results) == 120
    assert [refused for _, refused in results] == [{}] * 4


def test_a_database_that_fails_half_way_leaves_whole_transactions() -> None:
    orders = [make_order(f"o-{n}", f"guest{n % 9}", items=make_items(2)) for n in range(100)]
    sent = count(1)
    with answering(lambda **_: refusal("AccessDenied") if next(sent) == 3 else None), pytest.raises(Unavailable):
        save(*orders)
    assert_orders_in_step()
    missing = 100 - sum("order_id" in item for item in all_items())
    assert 0 < missing < 100
    assert save(*orders) == (missing, {})


# --- A database that fails ------------------------------------------------------------------------------


@pytest.mark.parametrize("code", ["RequestTimeout", "RequestTimeoutException"])
def test_an_order_whose_answer_was_lost_is_sent_again_by_the_sdk(code: str) -> None:
    with losing_an_answer(code):
        placed = place()
    assert placed == stored(placed.order_id)
    assert profile().total_orders == 1


def test_an_order_whose_answer_was_lost_for_good_is_there_when_the_form_is_sent_again() -> None:
    order_id = new_order_id()
    with losing_an_answer("InternalServerError"), pytest.raises(Unavailable):
        place(order_id)
    assert place(order_id) == stored(order_id)
    assert profile().total_orders == 1


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
        place,
        lambda: commands.take_step(stored(), PROCESSING, "alice"),
        lambda: commands.create_guest(make_guest("bea")),
        lambda: save(make_order("o-2")),
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


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("answer", [partial(cancelled, "TransactionConflict"), partial(cancelled, "ThrottlingError")])
def test_a_database_that_refuses_to_the_end_is_left_as_it_was(answer: Callable[[], Any]) -> None:
    store([make_order()])
    before = list(all_items())
    writes: list[Callable[[], object]] = [
        place,
        lambda: commands.take_step(stored(), PROCESSING, "alice"),
        lambda: commands.create_guest(make_guest("bea")),
        lambda: commands.edit_guest(profile(), make_guest(name="Other")),
        lambda: save(make_order("o-2")),
    ]
    for write in writes:
        with answering(lambda **_: answer()), pytest.raises(Unavailable):
            write()
    assert list(all_items()) == before


def test_everything_agrees_after_random_concurrent_commands() -> None:
    store([make_order(f"o-{n}", f"guest{n % 3}", total=990 + n) for n in range(20)])

    def worker(seed: int) -> int:
        draw, done = random.Random(seed), 0
        for _ in range(30):
            try:
                random_command(draw)()
                done += 1
            except Conflict:  # somebody else was quicker
                continue
        return done

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(worker, range(6))) > 60


def random_command(draw: random.Random) -> Callable[[], object]:
    number, status = draw.randrange(20), draw.choice(list(Status))
    order_id, username, total = f"o-{number}", f"guest{number % 3}", 990 + number
    kind = draw.randrange(4)
    if kind == 0:
        return lambda: commands.place_order(make_order(new_order_id(), username, items=make_items(3)), "alice")
    if kind == 1:
        return lambda: save(make_order(order_id, username, status, status_at=AT + DAY, total=total))
    if kind == 2:
        seen = profile(username)
        return lambda: commands.edit_guest(seen, replace(seen, name=f"Name {number}"))
    order = stored(order_id, username)
    to = draw.choice(STEPS[order.status] or (SHIPPED,))
    return lambda: commands.take_step(order, to, f"user{number}")
