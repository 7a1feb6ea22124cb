"""Who cleans does not inspect: without the permission for it, nothing that a user sends sets a room to inspected."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from rooms import commands, queries
from rooms.apps import INSPECT_ROOMS
from rooms.entities import RoomAction, StatusChange
from rooms.statuses import Housekeeping
from tests.conftest import logged_in
from tests.helpers.bulk_changes import finish, make_change, preview
from tests.helpers.markup import ListMarkup, entry_of, get
from tests.helpers.people import join, make_groups, permit, portal_permissions
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.helpers.uploads import HEADER, line, send
from tests.helpers.uploads import finish as finish_upload
from tests.helpers.writes import delete_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
ROOMS = f"/hotels/{ABC}/rooms/"
STATUS, UNDO = f"{ROOMS}101/status/", f"/history/undo/room/{ABC}/101/"
DIRTY, INSPECTED = StatusChange(Housekeeping.DIRTY), StatusChange(Housekeeping.INSPECTED)


def fill() -> None:
    make_hotel([make_room("101", housekeeping=Housekeeping.DIRTY)])


def tap(client: Client) -> None:
    client.post(STATUS, {"list": "plan?", "housekeeping": "inspected", "initial-housekeeping": "dirty"})


def send_form(client: Client) -> None:
    client.post(STATUS, {**entry_of(get(client, STATUS)), "housekeeping": "inspected"})


def change_all(client: Client) -> None:
    _, address, sent = preview(client, f"{ROOMS}change/?room=101&new-action=status&new-housekeeping=inspected")
    client.post(client.post(address, sent)["Location"])


def upload(client: Client) -> None:
    address = send(client, "\n".join([f"{HEADER},housekeeping", f"{line('101')},inspected"]).encode())
    finish_upload(client, address)


def upload_a_new_room(client: Client) -> None:
    delete_room(queries.room(ABC, "101", consistent=True), "anna")
    upload(client)


def undo(client: Client) -> None:
    commands.set_status(ABC, "101", INSPECTED, "anna")
    room = commands.set_status(ABC, "101", DIRTY, "anna")[1]
    client.post(UNDO, {"serial": str(room.revision)})


def undo_a_tap(client: Client) -> None:
    commands.set_status(ABC, "101", INSPECTED, "anna")
    client.post(STATUS, {"list": "plan?", "housekeeping": "dirty"})
    serial = queries.room(ABC, "101", consistent=True).revision
    client.post(STATUS, {"list": "plan?", "undo": "inspected", "tap_revision": f"{serial}"})


def undo_a_bulk_change(client: Client) -> None:
    commands.set_status(ABC, "101", INSPECTED, "anna")
    change = make_change([queries.room(ABC, "101")], RoomAction.STATUS, status=StatusChange(Housekeeping.DIRTY))
    finish(change)
    client.post(client.post(f"{ROOMS}change/{change.change_id}/", {"undo": "1"})["Location"])


@pytest.mark.parametrize(
    "way", [tap, undo_a_tap, send_form, change_all, upload, upload_a_new_room, undo, undo_a_bulk_change]
)
def test_a_room_becomes_inspected_only_by_who_may_inspect(dana: User, way: Callable[[Client], None]) -> None:
    client = logged_in(dana)
    permit(dana, *portal_permissions() - {INSPECT_ROOMS})
    way(client)
    stored = queries.rooms_as_stored([(ABC, "101")]).get((ABC, "101"))
    assert stored is None or stored.housekeeping == Housekeeping.DIRTY
    permit(dana, *portal_permissions())
    commands.save_rooms([make_room("101")])
    commands.set_status(ABC, "101", DIRTY, "anna")
    way(client)
    assert queries.room(ABC, "101", consistent=True).housekeeping == Housekeeping.INSPECTED


def test_who_may_not_inspect_is_offered_neither_that_nor_its_undo(newcomer: Client, dana: User) -> None:
    permit(dana)
    join(dana, "Housekeeping")
    commands.set_status(ABC, "101", INSPECTED, "anna")
    buttons = f"{ROOMS}?status=inspected", f"/hotels/{ABC}/attention/?status=inspected"
    for shown in (f"{ROOMS}change/?room=101&new-first=status", STATUS):
        assert not get(newcomer, shown).soup.select("option[value=inspected]")
    for address in buttons:
        page = get(newcomer, address)
        assert "inspected" in page.element("[data-row] .status")["class"], "it shows the present state"
        assert not page.soup.select("button[value=inspected]")
    for tapped in ({"list": "plan?"}, {}):
        page = ListMarkup(newcomer.post(STATUS, {**tapped, "housekeeping": "dirty"}, follow=True).content)
        assert not page.soup.select("[name=serial], button.undo"), "it would be refused"
        commands.set_status(ABC, "101", INSPECTED, "anna")
    commands.set_status(ABC, "101", DIRTY, "anna")
    for address in (f"/hotels/{ABC}/attention/", f"{ROOMS}?status=dirty"):
        assert not get(newcomer, address).soup.select("button[value=inspected]")
    assert not get(newcomer, f"/history/room/{ABC}/101/").soup.select("tbody form")


def test_supervisors_and_managers_inspect() -> None:
    make_groups()  # tests with a live server empty the SQL tables
    who = Group.objects.filter(permissions__codename="inspect_room").order_by("name")
    assert [*who.values_list("name", flat=True)] == ["Manager", "Supervisor"]
