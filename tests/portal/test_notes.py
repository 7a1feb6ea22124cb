"""The note of a room, an order and a guest: one form for all, with history and undo, and a mark in lists."""

import pytest
from django.test import Client

from orders import commands as orders
from orders import queries as order_queries
from orders.statuses import Status
from rooms import commands
from rooms.entities import StatusChange
from rooms.statuses import Housekeeping
from tests.helpers.markup import ListMarkup, differences, get
from tests.helpers.orders import make_order, store
from tests.helpers.rooms import ABC, assert_in_step, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
ROOM, ORDER, GUEST = f"/hotels/{ABC}/rooms/101/", "/orders/o-1/", "/guests/alex/"
LISTS = {
    ROOM: [f"/hotels/{ABC}/rooms/", f"/hotels/{ABC}/attention/", f"/hotels/{ABC}/rooms/?sort=rate"],
    ORDER: ["/orders/", f"/hotels/{ABC}/orders/?status=PLACED", "/orders/unfinished/", "/guests/alex/orders/"],
    GUEST: ["/guests/", "/guests/?q=al"],
}
"""The page of each thing, and lists that have it."""


def fill() -> None:
    make_hotel([make_room("101")])
    commands.set_status(ABC, "101", StatusChange(Housekeeping.DIRTY), "anna")
    store([make_order()])


def note_form(client: Client, path: str) -> dict[str, str]:
    return {"revision": str(get(client, path).element(f"form[action='{path}note/'] [name=revision]")["value"])}


def send(client: Client, path: str, note: str, form: dict[str, str] | None = None) -> ListMarkup:
    response = client.post(f"{path}note/", {**(form or note_form(client, path)), "note": note}, follow=True)
    assert response.status_code == 200
    return ListMarkup(response.content)


@pytest.mark.parametrize("path", LISTS)
def test_a_note_is_set_seen_in_lists_undone_and_removed(manager: Client, path: str) -> None:
    page = send(manager, path, "Needs a <cot>")
    assert "Remark: Needs a <cot>" in page.text(".note-of")
    for address in LISTS[path]:
        assert get(manager, address).element("tr[data-row] .note")["title"] == "Needs a <cot>", address
        if ".csv" not in address and path != ROOM:
            joined = "&" if "?" in address else "?"
            assert "Needs a <cot>" in manager.get(f"{address}{joined}format=csv").getvalue().decode()
    undo = page.element("form[action*='/undo/']")
    sent = {str(each["name"]): str(each.get("value", "")) for each in undo.select("[name]")}
    manager.post(str(undo["action"]), sent)
    assert not get(manager, path).soup.select(".note-of .note")
    send(manager, path, "Again")
    send(manager, path, "")
    assert not get(manager, path).soup.select(".note-of .note")
    assert_in_step()


def test_only_a_change_of_the_note_itself_is_in_its_way(manager: Client) -> None:
    form = note_form(manager, ORDER)
    order = order_queries.order("o-1")
    moved = orders.take_step(order, Status.PROCESSING, "anna")
    assert "Remark: Ring twice" in send(manager, ORDER, "Ring twice", form).text(".note-of")
    stored = order_queries.order("o-1")
    assert (stored.status, stored.note) == (Status.PROCESSING, "Ring twice")
    assert orders.take_step(moved, Status.SHIPPED, "anna").note == "Ring twice", "a step does not lose it"
    response = manager.post(f"{ORDER}note/", {**form, "note": "Ring once"})
    assert differences(response) == [("Remark", "Ring twice", "Ring once")]
    assert order_queries.order("o-1").note == "Ring twice"
