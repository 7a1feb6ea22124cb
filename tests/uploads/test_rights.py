"""A file does nothing that its uploader may not do on a page, and no file orders for a guest who was erased."""

import json
from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from hotelapp.dynamodb.connection.errors import Conflict, UnknownValue
from orders import commands as orders
from orders import queries as order_queries
from reviews import commands as reviews
from tests.helpers.contents import Fill
from tests.helpers.orders import make_guest, make_order, profile
from tests.helpers.orders import store as store_orders
from tests.helpers.people import bind, permit
from tests.helpers.reviews import make_review
from tests.helpers.rooms import ABC
from tests.uploads.test_uploads import HEADER, counts, fill, finish, line, send, told

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]


@pytest.fixture
def filling() -> Fill:
    return fill


def order_line(order_id: str, username: str, status: str) -> bytes:
    times = {"placed_at": "2023-01-15T10:22:31Z", "status_at": "2023-01-16T10:22:31Z"}
    items = [{"sku": "sku-0", "name": "Thing", "quantity": 1, "unit_price": 100}]
    order = {"order_id": order_id, "username": username, "hotel_id": ABC, "status": status, "currency": "EUR"}
    return json.dumps({**order, **times, "items": items}).encode() + b"\n"


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
    address = send(newcomer, order_line(*order), "/imports/orders/")
    assert reason in told(newcomer, address)[0][3]
    assert finish(newcomer, address)["refused"] == 1
    permit(dana, "orders.add_order", permission)
    address = send(newcomer, order_line(*order), "/imports/orders/")
    assert finish(newcomer, address)["refused"] == 0


def test_who_placed_an_order_may_cancel_it_by_a_file_as_on_its_page(newcomer: Client, dana: User) -> None:
    bind(dana, ABC)
    permit(dana, "orders.add_order", "orders.add_guest")
    finish(newcomer, send(newcomer, order_line("o-9", "alex", "PLACED"), "/imports/orders/"))
    assert finish(newcomer, send(newcomer, order_line("o-9", "alex", "CANCELLED"), "/imports/orders/"))["changed"] == 1


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
    address = send(manager, order_line("o-9", "alex", "PLACED"), "/imports/orders/")
    assert counts(manager, address)["refused"] == 1
    assert "username: The guest alex was erased" in told(manager, address)[0][3]
    with pytest.raises(orders.GuestErased):
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


def test_an_erasure_between_check_and_write_refuses_the_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """The condition is in the transaction, so that no writer can forget it."""
    store_orders([make_order("o-1", "alex")])
    guest = profile("alex")
    orders.erase_guest(guest, "mary")
    monkeypatch.setattr(order_queries, "guests_as_stored", lambda _: {"alex": replace(guest, name="Erased guest")})
    with pytest.raises(Conflict):
        orders.save_orders([make_order("o-9", "alex")])
