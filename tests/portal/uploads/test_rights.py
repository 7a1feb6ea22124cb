"""An upload does only what its user may do on a page, and orders nothing for a guest who was erased."""

from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from dynamodb_lists import Conflict, UnknownValue
from hotels import queries as hotels
from orders import commands as orders
from orders import queries as order_queries
from orders.lists import stored_order
from reviews import commands as reviews
from rooms import queries as room_queries
from tests.helpers.orders import make_guest, make_order, profile
from tests.helpers.orders import store as store_orders
from tests.helpers.people import bind, permit
from tests.helpers.reviews import make_review
from tests.helpers.rooms import ABC
from tests.helpers.uploads import HEADER, ORDERS, counts, finish, line, order_line, send, told
from tests.helpers.uploads import fill as fill_examples
from tests.helpers.writes import delete_room, edit_hotel

fill = fill_examples
pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]


@pytest.mark.parametrize(
    ("order", "permission", "reason"),
    [
        (("o-9", "nobody", "PLACED"), "orders.add_guest", "you may not add the guest nobody"),
        (("o-9", "alex", "SHIPPED"), "orders.move_order", "you may not move orders on"),
        (("o-9", "alex", "CANCELLED"), "orders.cancel_order", "you may not cancel orders"),
        (("o-1", "alex", "CANCELLED"), "orders.cancel_order", "it is stored with other values, and you may not cancel"),
        (("o-1", "alex", "PROCESSING"), "orders.move_order", "it is stored with other values, and you may not move"),
    ],
)
def test_a_file_of_orders_needs_what_the_pages_ask_for(
    newcomer: Client, dana: User, order: tuple[str, str, str], permission: str, reason: str
) -> None:
    store_orders([make_order("o-1", "alex")])
    bind(dana, ABC)
    every = {"orders.add_order", "orders.add_guest", "orders.move_order", "orders.cancel_order"}
    permit(dana, *(every - {permission}))
    address = send(newcomer, order_line(*order), ORDERS)
    assert reason in told(newcomer, address)[0][3]
    permit(dana, "orders.add_order", permission)
    address, late = (send(newcomer, order_line(*order), ORDERS) for _ in range(2))
    permit(dana, *(every - {permission}))
    assert finish(newcomer, late)["refused"] == 1, "it was checked before the right was taken away"
    permit(dana, "orders.add_order", permission)
    assert finish(newcomer, address)["refused"] == 0


def test_a_new_order_is_for_a_room_and_in_the_currency_of_its_hotel_whoever_writes_it(
    manager: Client, tmp_path_factory: pytest.TempPathFactory
) -> None:
    bad: dict[str, dict[str, Any]] = {
        "room_number: There is no room number “999” here.": {"room_number": "999"},
        "currency: The prices of Hotel ABC are in EUR, not in CHF.": {"currency": "CHF"},
    }
    lines = [order_line(f"o-{n}", "alex", "PLACED", **values) for n, values in enumerate(bad.values())]
    content = b"".join([order_line("o-9", "alex", "PLACED", room_number="101"), *lines])
    address = send(manager, content, ORDERS)
    assert counts(manager, address) == {"added": 1, "changed": 0, "same": 0, "refused": 2}
    assert all(reason in row[3] for reason, row in zip(bad, told(manager, address)[1:], strict=True))
    file = tmp_path_factory.mktemp("orders") / "orders.jsonl"
    file.write_bytes(content)
    with pytest.raises(CommandError, match="2 rows refused"):
        call_command("import_orders", str(file))
    assert stored_order("o-9").room_number == "101"
    refused = file.with_name("orders.rejected.jsonl").read_text("utf-8")
    assert all(reason in refused for reason in bad)
    for values in bad.values():
        with pytest.raises((UnknownValue, Conflict)):
            orders.place_order(make_order("o-8", "alex", **values), "mary")


def test_a_stored_order_moves_on_by_a_file_though_its_room_and_its_hotels_currency_are_no_more(manager: Client) -> None:
    finish(manager, send(manager, order_line("o-1", "alex", "PLACED", room_number="101"), ORDERS))
    for room in (room_queries.room(ABC, number, consistent=True) for number in ("101", "102")):
        delete_room(room, "mary")
    hotel = hotels.stored_hotel(ABC)
    edit_hotel(hotel, replace(hotel, currency="CHF"), "mary")
    moved = order_line("o-1", "alex", "SHIPPED", room_number="101")
    assert finish(manager, send(manager, moved, ORDERS)) == {
        "added": 0,
        "changed": 1,
        "same": 0,
        "refused": 0,
    }


@pytest.mark.parametrize(
    ("permissions", "outcomes"),
    [
        ("", ["Refused", "Refused", "New", "Refused", "Stays the same"]),
        ("rooms.change_room", ["Refused", "Change", "New", "Refused", "Stays the same"]),
        ("rooms.change_room_status", ["Change", "Refused", "New", "New", "Stays the same"]),
    ],
)
def test_a_file_of_rooms_needs_what_the_pages_ask_for(
    newcomer: Client, dana: User, permissions: str, outcomes: list[str]
) -> None:
    bind(dana, ABC, "xyz")
    permit(dana, "rooms.add_room", *filter(None, [permissions]))
    rows = [line("101") + ",dirty", line("102") + ",", line("103") + ",", line("104") + ",dirty", line("101") + ","]
    address = send(newcomer, "\n".join([HEADER + ",housekeeping", *rows[:4]]).encode())
    assert [row[2] for row in told(newcomer, address)] == outcomes[:4]
    address = send(newcomer, "\n".join([HEADER + ",housekeeping", rows[4]]).encode())
    assert [row[2] for row in told(newcomer, address)] == outcomes[4:]


def test_nobody_orders_for_a_guest_who_was_erased(manager: Client, tmp_path_factory: pytest.TempPathFactory) -> None:
    store_orders([make_order("o-1", "alex")])
    orders.erase_guest(profile("alex"), "mary")
    address = send(manager, order_line("o-9", "alex", "PLACED"), ORDERS)
    assert counts(manager, address)["refused"] == 1
    assert "username: The guest alex was erased" in told(manager, address)[0][3]
    with pytest.raises(Conflict, match="was erased"):
        orders.place_order(make_order("o-9", "alex"), "mary")
    file = tmp_path_factory.mktemp("orders") / "orders.jsonl"
    file.write_bytes(order_line("o-9", "alex", "PLACED") + order_line("o-1", "alex", "PLACED"))
    with pytest.raises(CommandError, match="1 row refused"):
        call_command("import_orders", str(file))
    with pytest.raises(UnknownValue):
        reviews.add_review(make_review("r-1", username="alex"), "mary")
    erased = profile("alex")
    orders.edit_guest(erased, replace(make_guest("alex"), revision=erased.revision), "mary")
    assert orders.place_order(make_order("o-9", "alex"), "mary").guest_name == "Alex Doe"


@pytest.mark.usefixtures("impatient")
def test_an_erasure_between_check_and_write_refuses_the_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """The condition is in the transaction, so that no writer can forget it."""
    store_orders([make_order("o-1", "alex")])
    guest = profile("alex")
    orders.erase_guest(guest, "mary")
    monkeypatch.setattr(order_queries, "guests_as_stored", lambda _: {"alex": replace(guest, name="Erased guest")})
    with pytest.raises(Conflict):
        orders.save_orders([make_order("o-9", "alex")])
