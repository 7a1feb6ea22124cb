"""What an attribute gets from its one line, in a copy of the project that has a room's floor."""

import pytest
from django.test import Client

from tests.helpers.markup import entry_of, get
from tests.helpers.rooms import ABC, assert_in_step, make_hotel, make_room
from tests.helpers.uploads import HEADER, finish, line, rooms_file, send

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
ROOMS = f"/hotels/{ABC}/rooms/"


def edited(client: Client, **changed: str) -> str:
    """Return the text of the room's page after its form was sent with these values."""
    entry = {**entry_of(get(client, f"{ROOMS}101/edit/")), **changed}
    assert client.post(f"{ROOMS}101/edit/", entry)["Location"] == f"{ROOMS}101/"
    return get(client, f"{ROOMS}101/").text("dl.facts")


def floors(client: Client) -> list[str]:
    """Return the floors in an export."""
    header, *rooms = (row.split(",") for row in b"".join(client.get(f"{ROOMS}?format=csv")).decode().splitlines())
    return [room[header.index("floor")] for room in rooms]


def test_an_attribute_is_edited_shown_exported_imported_and_in_the_history(manager: Client) -> None:
    make_hotel([make_room("101"), make_room("102")])
    assert floors(manager) == ["", ""], "items from before have none"
    assert "Floor Unspecified" in edited(manager)
    assert "Floor 3rd" in edited(manager, floor="3rd")
    assert "Floor 4th" in edited(manager, floor="4th")
    history = get(manager, f"/history/room/{ABC}/101/").table.get_text(" ", strip=True)
    assert "Floor 3rd 4th" in history
    finish(manager, send(manager, rooms_file(line("101", "99"))))
    assert floors(manager) == ["4th", ""], "a file without the column leaves it as it is"
    rows = f"{HEADER},floor\n{line('101')},5th\n{line('103')},6th\n"
    finish(manager, send(manager, rows.encode()))
    assert floors(manager) == ["5th", "", "6th"]
    assert_in_step()
