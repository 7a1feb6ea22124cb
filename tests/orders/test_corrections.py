"""Corrections of orders until they are on their way, and cancellations by who placed them."""

from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from dynamodb_lists.tests.helpers.answers import answering, refusal
from orders import commands, queries
from orders.entities import Order, OrderItem
from orders.lists import CATALOGUE, MovedOn, stored_order
from orders.statuses import Status
from portal.form_pages import AS_STORED
from portal.history.subjects import thing_at
from portal.history.undoing import newest_change, undo
from tests.helpers.history import all_entries
from tests.helpers.markup import ListMarkup, differences, entry_of, errors
from tests.helpers.orders import AT, assert_orders_in_step, at_once, ids, make_order, store, stored
from tests.helpers.people import permit
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("in_step"), pytest.mark.django_db]
EDIT, ORDER = "/orders/o-1/edit/", "/orders/o-1/"
SPA, TEA = OrderItem("spa", "Massage", 2, Decimal(95)), OrderItem("tea", "Tea", 1, Decimal("4.5"))
VIEW, PLACE = "orders.view_order", "orders.add_order"


def order(*items: OrderItem, order_id: str = "o-1", **values: Any) -> Any:
    return make_order(order_id, items=items, total=sum(item.total for item in items), **values)


def fill() -> None:
    make_hotel([make_room("101"), make_room("102")])
    store([order(SPA, TEA)])
    commands.collect_items([stored()])


def form(client: Client, **changes: str) -> dict[str, str]:
    """Return what a browser sends after its user has changed the form."""
    return {**entry_of(ListMarkup(client.get(EDIT).content)), **changes}


def items(order_id: str = "o-1") -> tuple[OrderItem, ...]:
    return stored_order(order_id).items


def recorded() -> list[dict[str, tuple[str, str]]]:
    """Return what the history says of changes of the order."""
    entries = [entry for entry in all_entries() if entry.thing == "order#o-1"]
    return [{change.field: (change.before, change.after) for change in entry.changes} for entry in entries]


# --- The form -------------------------------------------------------------------------------------------


def test_items_are_changed_added_and_removed(staff: Client) -> None:
    page = ListMarkup(staff.get(ORDER).content)
    assert page.element(f"a[href='{EDIT}']")
    spa = {"items-0-quantity": "20", "items-0-unit_price": "90.50", "items-1-quantity": "0"}
    wine = {"items-2-sku": "Wine", "items-2-quantity": "1", "items-2-unit_price": "30"}
    response = staff.post(EDIT, form(staff, **spa, **wine), follow=True)
    shown = ListMarkup(response.content)
    assert "The change was saved." in shown.soup.get_text()
    assert "EUR 1,840.00" in shown.text("tfoot")
    expected = (OrderItem("spa", "Massage", 20, Decimal("90.5")), OrderItem("wine", "Wine", 1, Decimal(30)))
    corrected = stored()
    assert corrected.items == items() == queries.order("o-1").items == expected
    assert (corrected.total, corrected.item_count, corrected.revision) == (Decimal(1840), 2, 1)
    assert (corrected.status, corrected.username, corrected.hotel_id) == ("PLACED", "alex", ABC)
    assert ids(list(queries.big_orders(ABC).stream())) == ["o-1"]
    (listed,) = queries.orders_in(hotel_id=ABC)
    assert (listed.total, listed.item_count) == (Decimal(1840), 2)
    assert recorded() == [
        {
            "total": ("194.5", "1840"),
            "items": (
                '[["spa", "Massage", "2", "95"], ["tea", "Tea", "1", "4.5"]]',
                '[["spa", "Massage", "20", "90.5"], ["wine", "Wine", "1", "30"]]',
            ),
        }
    ]
    history = ListMarkup(staff.get("/history/order/o-1/").content).text("table")
    assert "2 × Massage (spa), EUR 95.00 each" in history
    assert staff.post(EDIT, form(staff, **{"items-0-quantity": "1"})).status_code == 302
    assert list(queries.big_orders(ABC).stream()) == []


def test_the_room_is_corrected_too(staff: Client) -> None:
    assert staff.post(EDIT, form(staff, room_number="101")).status_code == 302
    assert (stored().room_number, stored().items, stored().revision) == ("101", (SPA, TEA), 1)
    late = staff.post(EDIT, {**form(staff), "room_number": "102", "revision": "0"})
    assert differences(late) == [("Room", "101", "102")]
    assert staff.post(EDIT, form(staff, room_number="")).status_code == 302
    assert recorded() == [{"room_number": ("", "101")}, {"room_number": ("101", "")}]
    commands.correct_order(stored(), [SPA], "alice")
    assert stored().room_number == ""
    gone = staff.post(EDIT, form(staff, **{"room_number": "999", "room_number-chosen": "id=999&name=999&text=999"}))
    assert "There is no room “999” here." in errors(gone)


def test_fewer_and_more_items_leave_none_behind(staff: Client) -> None:
    one, two = (OrderItem(f"a{n}", "A", 1, Decimal(1)) for n in range(2))
    for number, corrected in enumerate(([one], [one, two] * 45, [two], [two, one, two])):
        commands.correct_order(stored(), corrected, "alice")
        assert (list(items()), stored().revision) == (corrected, number + 1)
        assert_orders_in_step()
    commands.correct_order(stored(), [one] * 90, "alice")
    assert_orders_in_step()
    commands.correct_order(stored(), [two] * 90, "alice")
    assert list(items()) == [two] * 90


def test_the_catalogue_follows(staff: Client) -> None:
    """The catalogue loses the items that only this order has sold, and its prices follow the corrected order."""

    def sold() -> dict[str, Decimal]:
        return {entry.sku: entry.unit_price for entry in CATALOGUE.query(hotel_id=ABC).take(9)}

    commands.collect_items([order(TEA, order_id="o-0", placed_at=AT.replace(year=2020))])
    commands.correct_order(stored(), [OrderItem("spa", "Massage", 2, Decimal(59)), TEA], "alice")
    assert sold() == {"spa": 59, "tea": Decimal("4.5")}
    commands.correct_order(stored(), [OrderItem("spa-60", "Massage", 2, Decimal(95))], "alice")
    assert sold() == {"spa-60": 95}
    later = order(SPA, TEA, order_id="o-9", placed_at=AT.replace(year=AT.year + 1))
    commands.collect_items([later])
    commands.correct_order(stored(), [OrderItem("spa", "Massage", 1, Decimal(1))], "alice")
    assert sold() == {"spa": 95, "tea": Decimal("4.5")}, "a later order has sold them"


def test_blank_names_and_prices_are_filled_in_and_more_lines_keep_what_was_typed(staff: Client) -> None:
    commands.collect_items([order(OrderItem("wine", "Wine", 1, Decimal(30)), order_id="o-9")])
    wine = {"items-2-sku": "wine", "items-2-quantity": "3", "items-2-unit_price": ""}
    page = ListMarkup(staff.post(EDIT, form(staff, more="1", **wine)).content)
    assert page.element("[name=items-2-sku]")["value"] == "Wine"
    assert len(page.soup.select("fieldset.line")) == 17
    assert str(page.element("[name=revision]")["value"]).startswith("0 ")
    assert page.text("[data-running-total]") == "EUR 284.50"
    assert stored().items == (SPA, TEA)
    assert staff.post(EDIT, form(staff, **wine)).status_code == 302
    assert (stored().items[2], stored().currency) == (OrderItem("wine", "Wine", 3, Decimal(30)), "EUR")


# --- Twice, at the same time, too late ------------------------------------------------------------------


def test_the_second_of_two_editors_sees_both_versions(staff: Client, bob: Client) -> None:
    sent = form(bob, **{"items-0-quantity": "7"})
    staff.post(EDIT, form(staff, **{"items-0-quantity": "3", "items-1-quantity": "0"}))
    response = bob.post(EDIT, sent)
    assert "Somebody else changed this meanwhile" in errors(response)
    assert differences(response) == [
        ("Item spa", "3 × Massage (spa), EUR\xa095.00 each", "7 × Massage (spa), EUR\xa095.00 each"),
        ("Item tea", "-", AS_STORED),
    ]
    assert stored().items[0].quantity == 3
    assert bob.post(EDIT, entry_of(ListMarkup(response.content))).status_code == 302
    assert [item.quantity for item in stored().items] == [7]


def test_corrections_of_other_lines_stand_both(staff: Client, bob: Client) -> None:
    sent = form(bob, **{"items-1-quantity": "0", "items-2-sku": "Wine", "items-2-quantity": "2"})
    sent["items-2-unit_price"] = "30"
    gin = {"items-2-sku": "Gin", "items-2-quantity": "1", "items-2-unit_price": "9"}
    staff.post(EDIT, form(staff, room_number="101", **gin, **{"items-0-quantity": "3"}))
    response = bob.post(EDIT, sent)
    assert {row[0]: row[2] for row in differences(response)} == {
        **dict.fromkeys(("Room", "Item spa", "Item gin"), AS_STORED),
        "Item tea": "-",
        "Item wine": "2 × Wine (wine), EUR\xa030.00 each",
    }
    assert bob.post(EDIT, entry_of(ListMarkup(response.content))).status_code == 302
    assert {item.sku: item.quantity for item in stored().items} == {"spa": 3, "wine": 2, "gin": 1}
    assert (stored().room_number, stored().total) == ("101", Decimal("354"))


def test_what_is_in_process_is_corrected_with_its_history_and_counts(staff: Client) -> None:
    """Somebody who begins with the order meanwhile is no conflict; who corrects it, too, is."""
    sent = form(staff, room_number="101", **{"items-0-quantity": "7", "items-1-quantity": "0"})
    commands.take_step(stored(), Status.PROCESSING, "bob")
    assert ListMarkup(staff.get(ORDER).content).element(f"a[href='{EDIT}']").get_text() == "Correct the order"
    late = form(staff, **{"items-0-quantity": "1"})
    assert staff.post(EDIT, sent).status_code == 302
    corrected = stored()
    assert (corrected.status, corrected.room_number, corrected.total) == (Status.PROCESSING, "101", Decimal(665))
    assert [item.sku for item in corrected.items] == ["spa"]
    assert {change: each for entry in recorded() for change, each in entry.items()} == {
        **{
            "status": ("PLACED", "PROCESSING"),
            "room_number": ("", "101"),
            "total": ("194.5", "665"),
            "item_count": ("2", "1"),
        },
        "items": (
            '[["spa", "Massage", "2", "95"], ["tea", "Tea", "1", "4.5"]]',
            '[["spa", "Massage", "7", "95"]]',
        ),
    }
    (there,) = queries.placed([Status.PROCESSING], hotel_id=ABC, room_number="101")
    assert there.total == 665
    assert [entry.sku for entry in CATALOGUE.query(hotel_id=ABC).take(9)] == ["spa"]
    assert {row[0] for row in differences(staff.post(EDIT, late))} == {"Room", "Item spa", "Item tea"}
    undone = undo(thing_at("order", "o-1"), newest_change(corrected).serial, "alice", lambda permission: True)
    assert (undone.entity, stored().items, stored().room_number) == (stored(), (SPA, TEA), "")


def test_of_a_correction_and_a_step_at_the_same_time_the_second_is_refused_or_sees_the_first() -> None:
    seen = commands.take_step(stored(), Status.PROCESSING, "bob")
    for _ in range(3):
        calls: list[Callable[[], Order]] = [
            partial(commands.correct_order, seen, [TEA], "alice"),
            partial(commands.take_step, seen, Status.SHIPPED, "bob"),
        ]
        corrected, shipped = at_once(calls)
        assert isinstance(shipped, Order)
        assert stored().status == Status.SHIPPED
        if isinstance(corrected, Order):
            assert stored().items == (TEA,)
        else:
            assert isinstance(corrected, MovedOn)
            assert str(corrected) == "bob was first: the order is now on its way."
            assert stored().items == seen.items
        assert_orders_in_step()
        undo(thing_at("order", "o-1"), newest_change(stored()).serial, "bob", lambda permission: True)
        seen = stored()


def test_what_is_on_its_way_is_not_corrected_and_nothing_typed_is_lost(staff: Client) -> None:
    commands.take_step(stored(), Status.PROCESSING, "bob")
    sent = form(staff, **{"items-0-quantity": "7"})
    commands.take_step(stored(), Status.SHIPPED, "bob")
    response = staff.post(EDIT, sent)
    assert "bob was first: the order is now on its way." in errors(response)
    assert "Nothing was changed" in errors(response)
    assert ListMarkup(response.content).element("[name=items-0-quantity]")["value"] == "7"
    page = ListMarkup(staff.get(EDIT, follow=True).content)
    assert "can be corrected only until it is on its way" in page.soup.get_text()
    assert not page.soup.select(f"a[href='{EDIT}']")
    assert (stored().items, set(recorded()[0])) == ((SPA, TEA), {"status"})


def test_the_command_refuses_what_is_on_its_way() -> None:
    """Also if its caller has not seen the last step."""
    begun = commands.take_step(stored(), Status.PROCESSING, "bob")
    shipped = commands.take_step(begun, Status.SHIPPED, "bob")
    for seen in (shipped, begun):
        with pytest.raises(MovedOn, match="the order is now on its way"):
            commands.correct_order(seen, shipped.items[:1], "alice")
    assert stored().items == (SPA, TEA)


def test_who_ships_what_somebody_has_just_corrected_sees_the_correction_first(staff: Client) -> None:
    commands.take_step(stored(), Status.PROCESSING, "bob")
    page = ListMarkup(staff.get(ORDER).content)
    sent = {str(each["name"]): str(each["value"]) for each in page.soup.select("form.steps input[value]")}
    commands.correct_order(stored(), [TEA], "bob")
    refused = staff.post(ORDER, {**sent, "step": "SHIPPED"})
    shown = ListMarkup(refused.content)
    assert (refused.status_code, stored().status) == (409, Status.PROCESSING)
    assert "Somebody has changed this order." in shown.text("[role=alert]")
    assert "Massage" not in shown.text("[data-list=items]"), "the items as they are now"
    again = {str(each["name"]): str(each["value"]) for each in shown.soup.select("form.steps input[value]")}
    for _ in range(2):  # the same form again, as after a lost answer
        assert staff.post(ORDER, {**again, "step": "SHIPPED"}).status_code == 302
    assert stored().status == Status.SHIPPED


def test_a_step_after_a_correction_that_its_taker_did_not_see_is_a_write_of_its_own(staff: Client) -> None:
    seen = stored()
    commands.correct_order(seen, [TEA], "alice")
    moved = commands.take_step(seen, Status.PROCESSING, "bob")
    assert (moved.revision, moved.items, stored()) == (2, (TEA,), moved)
    assert staff.post("/history/undo/order/o-1/", {"serial": "2"}).status_code == 409, "it is bob's step"
    assert stored().status == Status.PROCESSING
    own_undo = undo(thing_at("order", "o-1"), newest_change(moved).serial, "bob", lambda permission: True)
    assert (own_undo.entity, stored().status, stored().items) == (stored(), Status.PLACED, (TEA,))


def test_a_catalogue_that_could_not_follow_does_when_it_is_sent_again(staff: Client) -> None:
    sent = form(staff, **{"items-0-unit_price": "59"})
    with answering(lambda **_: refusal("InternalServerError"), "PutItem"):
        assert staff.post(EDIT, sent).status_code == 302
    assert CATALOGUE.get(hotel_id=ABC, sku="spa").unit_price == 95
    assert staff.post(EDIT, sent).status_code == 302
    assert CATALOGUE.get(hotel_id=ABC, sku="spa").unit_price == 59


# --- Who may --------------------------------------------------------------------------------------------


def test_the_front_desk_cancels_what_it_has_placed_itself(newcomer: Client, dana: User) -> None:
    permit(dana, PLACE, VIEW)
    for placed_by, placed, status, answer in (
        ("dana", "own", "PLACED", 302),
        ("bob", "other", "PLACED", 403),
        ("dana", "begun", "PROCESSING", 403),
    ):
        commands.place_order(order(SPA, order_id=placed), placed_by)
        if status == Status.PROCESSING:
            commands.take_step(stored_order(placed), Status.PROCESSING, "bob")
        url, sent = f"/orders/{placed}/", {"guest": "alex", "seen": status, "step": "CANCELLED"}
        offered = ListMarkup(newcomer.get(f"{url}?guest=alex").content).soup.select("button.danger[value=CANCELLED]")
        assert len(offered) == (answer == 302), placed
        assert newcomer.post(url, sent).status_code == answer, placed
        assert stored_order(placed).status == ("CANCELLED" if answer == 302 else status)
    assert newcomer.post("/orders/own/", {"seen": "PLACED", "step": "CANCELLED"}).status_code == 302, "sent twice"
    late = newcomer.post("/orders/begun/", {"seen": "PLACED", "step": "CANCELLED"})
    assert late.status_code == 409, "somebody has just begun with it"
    permit(dana, VIEW)
    assert newcomer.post("/orders/own/", {"seen": "PLACED", "step": "CANCELLED"}).status_code == 403
