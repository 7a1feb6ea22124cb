"""An erasure removes every text of a guest, in whatever field of whatever entity, or docs/operate.md names it."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from dynamodb_lists import Conflict
from dynamodb_lists.schema import entities
from orders import commands, queries
from orders.entities import ERASED_NAME, Guest, Order, OrderItem
from orders.lists import stored_order
from orders.statuses import Status
from portal.forms.fields import seen_text
from portal.history.undoing import newest_change, undo
from portal.lists.views import ListPage
from portal.uploads.steps import _unpacked
from tests.helpers.addresses import addresses
from tests.helpers.faults import verify
from tests.helpers.kinds import all_items
from tests.helpers.markup import get
from tests.helpers.orders import make_order, store
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.helpers.uploads import ORDERS, order_line, send
from tests.helpers.writes import create_guest

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
OF_OTHERS = {"Guest.added_by", "Guest.erasing_by", "Order.username", "Order.hotel_id", "Order.currency"}
"""Texts of staff and of hotels, and what another field of the table is."""

KEPT = {"Guest.username", "Order.order_id", "Order.room_number", "OrderItem.sku", "OrderItem.name"}
"""What docs/operate.md says of an erased guest's orders: these stay."""

TEXTS = [
    f"{entity.__name__}.{field.name}"
    for entity in (Guest, Order, OrderItem)
    for field in entities.fields(entity)
    if field.type is str and f"{entity.__name__}.{field.name}" not in OF_OTHERS
]
MARKS = {name: f"zq{number}zq" for number, name in enumerate(TEXTS)}
"""A word for each text, that nothing else has. A field that is new here must be filled below."""


def of(entity: type, more: str) -> dict[str, Any]:
    """Return the texts that people enter into an entity."""
    named = {field: f"{entity.__name__}.{field}" for field in entities.entered(entity)}
    return {field: f"{MARKS[name]}{more}" for field, name in named.items() if name in MARKS}


@pytest.fixture
def eraser(empty_tables: None, manager: Client, mary: User) -> Client:
    mary.user_permissions.add(Permission.objects.get(codename="erase_guest"))
    return manager


def fill_all() -> Order:
    """Store a guest with two orders. Each text was changed once, and the note of the second order was removed."""
    make_hotel([make_room(MARKS["Order.room_number"])])
    username, order_id = MARKS["Guest.username"], MARKS["Order.order_id"]
    guest = create_guest(Guest(username, **of(Guest, " old")), "anna")
    name = f"{MARKS['Guest.name']} {MARKS['Order.guest_name']}"
    commands.edit_guest(guest, replace(guest, **{**of(Guest, ""), "name": name}), "anna")
    item = OrderItem(**of(OrderItem, "old"), quantity=1, unit_price=Decimal(9000))  # a big order is in more lists
    values: dict[str, Any] = {"room_number": MARKS["Order.room_number"], "items": (item,), "total": "9000"}
    orders = [commands.place_order(make_order(each, username, **values), "anna") for each in (order_id, "second")]
    mark = MARKS["Order.note"]
    for placed, notes in zip(orders, [(f"{mark} one", f"{mark} two"), (f"{mark} three", "")], strict=True):
        order = commands.correct_order(placed, [replace(item, **of(OrderItem, ""))], "anna")
        for note in notes:
            order = commands.note_order(order, replace(order, note=note), "anna")
    return queries.order_as_stored(username, order_id)


def marks_in(texts: list[str]) -> set[str]:
    return {name for name, mark in MARKS.items() if any(mark in text.lower() for text in texts)}


def stored(*, waiting: bool = False) -> list[str]:
    """Return the items of all tables as texts: those that stay, or, with ``waiting``, those that TTL deletes."""
    items = [item for _, item in all_items() if ("expires_at" in item) is waiting]
    packed = [_unpacked(value["B"]) for item in items for value in item.values() if "B" in value]
    return [str(each) for each in (*items, *packed)]


def shown(client: Client) -> list[str]:
    """Return the export of each list, and the pages of the orders and of what happens in the hotel."""
    named = {"username": MARKS["Guest.username"], "order_id": MARKS["Order.order_id"]}
    named |= {"kind": "order", "ids": named["order_id"]}
    found = []
    for address in addresses():
        if issubclass(getattr(address.view, "view_class", object), ListPage):
            answer: Any = client.get(f"{address.with_values(**named)}?format=csv", follow=True)
            if answer.streaming:
                found.append(answer.getvalue().decode())
    for path in (
        f"/orders/{named['order_id']}/",
        "/orders/second/",
        f"/hotels/{ABC}/handover/",
        "/history/staff/anna/",
    ):
        found.append(client.get(path, follow=True).content.decode())
    return found


def test_every_text_of_a_guest_goes_or_is_named(eraser: Client) -> None:
    fill_all()
    username = MARKS["Guest.username"]
    send(eraser, order_line("third", username, "PLACED", note=f"{MARKS['Order.note']} four"), ORDERS, "o.jsonl")
    assert marks_in(stored()) == MARKS.keys(), "each text is somewhere"
    before = marks_in(shown(eraser))
    assert before >= {"Guest.name", "Guest.email", "Guest.note", "Order.note"}
    assert "Order.note" in marks_in(stored(waiting=True))

    page = f"/guests/{username}/erase/"
    revision = get(eraser, page).element("form.entries input[name=revision]")["value"]
    assert "Remarks on the guest's orders, and notes about the guest and these orders, are erased" in get(
        eraser, page
    ).text("form.entries")
    assert eraser.post(page, {"revision": revision}).status_code == 302

    assert marks_in(stored()) == KEPT
    assert marks_in(shown(eraser)) <= KEPT
    assert verify() == ("", True)


def test_an_erasure_names_the_orders_that_are_unfinished(eraser: Client) -> None:
    create_guest(Guest("ada", "Ada"), "mary")
    store([make_order(f"o-{n}", "ada", status=status) for n, status in enumerate((*Status, Status.PLACED))])
    page = get(eraser, "/guests/ada/erase/")
    offered = {link.get_text(): str(link["href"]) for link in page.soup.select("#unfinished a")}
    assert list(offered) == ["2 placed", "1 processing", "1 on its way"]
    assert len(get(eraser, offered["2 placed"]).rows) == 2
    assert get(eraser, "/guests/ada/").soup.select("a[href*='/edit/']")
    commands.erase_guest(queries.guest("ada", consistent=True), "mary")
    assert not get(eraser, "/guests/ada/erase/").soup.select("#unfinished")
    assert not get(eraser, "/guests/ada/").soup.select("a[href*='/edit/']")


def test_no_note_comes_back(eraser: Client) -> None:
    """By a form that was opened before, a correction that began before, an undo, or somebody who knows the address."""
    seen = fill_all()
    removed = newest_change(stored_order("second"))
    commands.erase_guest(queries.guest(MARKS["Guest.username"], consistent=True), "mary")
    for before in (seen, replace(seen, guest_name=ERASED_NAME, note="")):
        for note in ("Back", ""):
            if note != before.note:
                with pytest.raises(Conflict):
                    commands.note_order(before, replace(before, note=note), "anna")
    commands.correct_order(seen, seen.items, "anna")
    undo(removed.thing, removed.serial, "anna", lambda _: True)
    assert "Order.note" not in marks_in(stored())
    path = f"/orders/{seen.order_id}/"
    assert not get(eraser, path).soup.select(".note-of form, .note-of .note")
    opened = seen_text(seen.revision, {"note": ""})
    assert "cannot add a remark" in eraser.post(f"{path}note/", {"revision": opened, "note": "Back"}).content.decode()
    assert verify() == ("", True)
