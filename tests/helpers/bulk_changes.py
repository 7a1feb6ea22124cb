"""Bulk changes of rooms, and their pages."""

from typing import Any

from django.test import Client
from ulid import ULID

from dynamodb_lists.schema.keys import now
from dynamodb_lists.tests.helpers.paging import until
from rooms import commands, queries
from rooms.entities import BulkChange, BulkProgress, Room, RoomAction
from tests.helpers.markup import ListMarkup
from tests.helpers.rooms import ABC

URL = f"/hotels/{ABC}/rooms/"
TEN_PER_CENT = {"new-action": "rate-percent", "new-rate_percent": "10"}


def make_change(rooms: list[Room], action: RoomAction, **values: Any) -> BulkChange:
    """Anna asks for a change of these rooms."""
    numbers = "\n".join(room.number for room in rooms)
    change = BulkChange(str(ULID()), action, numbers, "anna", now(), currency="EUR", **values)
    commands.ask_for(ABC, change)
    return change


def preview(client: Client, address: str) -> tuple[ListMarkup, str, dict[str, str]]:
    """Return the page of a preview, its address, and what its button sends."""
    response: Any = client.get(address, follow=True)
    page = ListMarkup(response.content)
    sent = {"seen": str(page.element("#preview input[name=seen]")["value"])}
    return page, response.wsgi_request.get_full_path(), sent


def finish(change: BulkChange) -> BulkProgress:
    """Take all steps of a change."""
    until(lambda: commands.take_step_of(ABC, change).tried == len(change.room_numbers))
    return queries.bulk_progress(ABC, change.change_id)
