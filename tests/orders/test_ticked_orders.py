"""Orders that are ticked in a list move on or are cancelled, each in a write of its own. One button undoes all."""

from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.test import Client

from orders import commands
from orders.statuses import Status
from portal.history.undoing import newest_change
from tests.helpers.markup import ListMarkup, get
from tests.helpers.orders import ids, make_order, store, stored
from tests.helpers.people import bind, permit
from tests.helpers.rooms import ABC, make_hotel

pytestmark = [pytest.mark.usefixtures("in_step"), pytest.mark.django_db]
LIST, OF_HOTEL = "/orders/unfinished/", f"/hotels/{ABC}/orders/unfinished/?sort=-date"
VIEW, PLACE, MOVE, CANCEL = "orders.view_order", "orders.add_order", "orders.move_order", "orders.cancel_order"


@pytest.fixture
def orders(empty_tables: None) -> list[str]:
    make_hotel()
    make_hotel(hotel_id="xyz", name="Hotel XYZ")
    statuses = (Status.PLACED, Status.PROCESSING, Status.SHIPPED)
    made = [make_order(f"o-{n}", f"guest{n}", status) for n, status in enumerate(statuses)]
    store([*made, make_order("o-3", "guest0", hotel_id="xyz")])
    return ids(made)


def statuses() -> list[Status]:
    return [stored(f"o-{n}", f"guest{n % 3}").status for n in range(4)]


def ticks(page: ListMarkup) -> list[str]:
    return [str(tick["value"]) for tick in page.soup.select("tbody .tick input")]


def test_each_moves_on_to_its_next_status_and_one_button_undoes_all(staff: Client, orders: list[str]) -> None:
    page = get(staff, LIST)
    assert sorted(ticks(page)) == [
        "o-0/guest0/PLACED",
        "o-1/guest1/PROCESSING",
        "o-2/guest2/SHIPPED",
        "o-3/guest0/PLACED",
    ]
    commands.take_step(stored("o-1", "guest1"), Status.CANCELLED, "zoe")
    response = staff.post(f"{LIST}?page_size=10", {"to": "next", "order": ticks(page)[:3] + ticks(page)[3:]})
    assert (response.status_code, response["Location"]) == (302, f"{LIST}?page_size=10")
    assert statuses() == [Status.PROCESSING, Status.CANCELLED, Status.DELIVERED, Status.PROCESSING]
    page = get(staff, LIST)
    said = page.text("#main-content") + page.soup.get_text(" ")
    assert "3 orders were moved on a step." in said
    assert "1 order was not moved on a step. o-1: zoe was first: the order is now cancelled." in said
    undo = [str(field["value"]) for field in page.soup.select(".done [name=undo]")]
    assert len(undo) == 3
    for _ in range(2):  # sent twice, it is done once
        staff.post(LIST, {"undo": undo})
        assert statuses() == [Status.PLACED, Status.CANCELLED, Status.SHIPPED, Status.PLACED]


def test_what_is_sent_twice_is_done_once_and_what_has_no_such_step_is_named(staff: Client, orders: list[str]) -> None:
    ticked = ticks(get(staff, OF_HOTEL))
    for _ in range(2):
        staff.post(OF_HOTEL, {"to": "cancel", "order": ticked})
    assert statuses() == [Status.CANCELLED, Status.CANCELLED, Status.SHIPPED, Status.PLACED]
    said = get(staff, OF_HOTEL).soup.get_text(" ")
    assert 'o-2: An order with the status "On its way" cannot become "Cancelled".' in said
    assert len(stored("o-0", "guest0").history) == 2
    staff.post(LIST, {"to": "next"})
    assert "No order was selected" in get(staff, LIST).soup.get_text(" ")


def test_a_cancellation_has_its_reason_in_the_list_and_in_the_history_and_an_undo_takes_it_back(
    manager: Client, orders: list[str]
) -> None:
    note = replace(stored("o-1", "guest1"), note="Allergic to nuts")
    commands.note_order(stored("o-1", "guest1"), note, "zoe")
    manager.post(
        LIST, {"to": "cancel", "reason": " The guest  left ", "order": ["o-0/guest0/PLACED", "o-1/guest1/PROCESSING"]}
    )
    page = get(manager, f"/hotels/{ABC}/orders/?status=CANCELLED")
    assert [cell.get_text() for cell in page.soup.select("td[data-label=Remark]")] == ["The guest left"] * 2
    assert not get(manager, f"/hotels/{ABC}/orders/").soup.select("td[data-label=Remark]")
    changes = get(manager, "/history/order/o-1/").text("table")
    assert [text in changes for text in ("Allergic to nuts", "The guest left", "Cancelled")] == [True] * 3
    assert manager.post("/history/undo/order/o-1/", {"serial": str(newest_change(stored("o-1", "guest1")).serial)})
    assert (stored("o-1", "guest1").note, statuses()[1]) == ("Allergic to nuts", Status.PROCESSING)


def test_who_placed_an_order_may_say_why_it_is_cancelled_and_undo_that(
    newcomer: Client, dana: User, orders: list[str]
) -> None:
    permit(dana, VIEW, PLACE)
    commands.place_order(make_order("o-9", "guest0"), dana.get_username())
    order = "/orders/o-9/"
    assert get(newcomer, order).soup.select(".steps [name=reason]")
    answer = newcomer.post(order, {"seen": "PLACED", "step": "CANCELLED", "reason": "Twice"}, follow=True)
    assert "Twice" in ListMarkup(answer.content).text(".note-of")
    serial = newest_change(stored("o-9", "guest0")).serial
    assert newcomer.post("/history/undo/order/o-9/", {"serial": str(serial)}).status_code == 302
    assert (stored("o-9", "guest0").note, stored("o-9", "guest0").status) == ("", Status.PLACED)
    newcomer.post(order, {"seen": "PLACED", "step": "PROCESSING", "reason": "Not for this step"})
    assert stored("o-9", "guest0").note == ""


@pytest.mark.parametrize("order", ["o-0", "o-0/guest0/GONE", "o-0/guest0/1", "../guest0/PLACED"])
def test_what_no_tick_says_is_refused(staff: Client, orders: list[str], order: str) -> None:
    assert staff.post(LIST, {"to": "next", "order": order}).status_code == 400


def test_each_needs_its_permission_and_orders_of_other_hotels_are_unknown(
    newcomer: Client, dana: User, orders: list[str]
) -> None:
    permit(dana, VIEW)
    assert not ticks(get(newcomer, LIST))
    assert newcomer.post(LIST, {"to": "next", "order": "o-0/guest0/PLACED"}).status_code == 403
    permit(dana, VIEW, PLACE)
    newcomer.post(LIST, {"to": "cancel", "order": "o-0/guest0/PLACED"})
    assert "o-0: Your account may not cancel it." in get(newcomer, LIST).soup.get_text(" ")
    commands.place_order(make_order("o-9", "guest0"), dana.get_username())
    newcomer.post(LIST, {"to": "cancel", "order": "o-9/guest0/PLACED"})
    assert stored("o-9", "guest0").status == Status.CANCELLED, "of who placed it"
    permit(dana, VIEW, MOVE, CANCEL)
    bind(dana, ABC)
    newcomer.post(LIST, {"to": "next", "order": "o-3/guest0/PLACED"})
    assert "o-3: There is no such order." in get(newcomer, LIST).soup.get_text(" ")
    assert statuses()[3] == Status.PLACED
