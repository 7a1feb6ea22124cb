"""What was opened before a right was taken away does nothing with that right afterwards, however it was prepared."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from django.test import Client

from rooms import queries as room_queries
from tests.conftest import logged_in
from tests.helpers.bulk_changes import TEN_PER_CENT, URL, preview
from tests.helpers.kinds import all_items
from tests.helpers.markup import ListMarkup, entry_of
from tests.helpers.people import bind, join, show_every_hotel
from tests.helpers.rooms import ABC
from tests.helpers.uploads import line, rooms_file, send
from tests.helpers.writes import edit_room
from tests.project.test_access import fill as fill_examples

fill = fill_examples
pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
ROOM = f"/hotels/{ABC}/rooms/101/"
OWN_STATE = {"session", "upload", "upload-piece"}
"""Kinds of items that say how far a user is, and change nothing else."""

Prepared = tuple[str, dict[str, str]]


def form_at(address: str, **changes: str) -> Callable[[Client], Prepared]:
    def prepare(client: Client) -> Prepared:
        page: Any = client.get(address, follow=True)
        return page.wsgi_request.get_full_path(), {**entry_of(ListMarkup(page.content)), **changes}

    return prepare


def undo_of_a_room(client: Client) -> Prepared:
    room = room_queries.room(ABC, "101", consistent=True)
    edited = edit_room(room, replace(room, size=room.size + 1), "mary")
    return f"/history/undo/room/{ABC}/101/", {"serial": str(edited.revision)}


def upload(client: Client) -> Prepared:
    return send(client, rooms_file(line("101", rate="7"), line("901"))), {"confirm": "on"}


def bulk_preview(client: Client) -> Prepared:
    return preview(client, f"{URL}change/?room=101&{urlencode(TEN_PER_CENT)}")[1:]


def bulk_progress(client: Client) -> Prepared:
    return str(client.post(*bulk_preview(client))["Location"]), {}


PREPARED: dict[str, Callable[[Client], Prepared]] = {
    "edit": form_at(f"{ROOM}edit/", size="77"),
    "step": lambda _: ("/orders/o-1/", {"guest": "alex", "seen": "PLACED", "step": "PROCESSING"}),
    "reply": form_at("/reviews/r-1/reply/", reply="Thank you!"),
    "undo of a room": undo_of_a_room,
    "upload": upload,
    "bulk progress": bulk_progress,
}
LOST: list[tuple[Callable[[User], Any], set[int], Callable[[User], Any]]] = [
    (lambda user: user.groups.clear(), {403}, lambda user: join(user, "Manager")),
    (lambda user: bind(user, "xyz"), {404}, show_every_hotel),
    (lambda user: changed(user, is_active=False), {302}, lambda user: changed(user, is_active=True)),
    (lambda user: changed(user, password="!"), {302}, lambda user: user.refresh_from_db()),
]
"""How a right is taken away, with which status the next form is refused then, and how it is given back."""


def changed(user: User, **values: Any) -> None:
    User.objects.filter(pk=user.pk).update(**values)


def stored() -> list[str]:
    kept = (item for _, item in all_items() if item["kind"]["S"] not in OWN_STATE)
    return sorted(json.dumps(item, sort_keys=True, default=repr) for item in kept)


@pytest.mark.parametrize("prepared", PREPARED)
def test_what_was_prepared_before_is_refused_until_the_right_is_given_again(
    manager: Client, mary: User, prepared: str
) -> None:
    """The last request succeeds, which shows that the earlier ones were refused because of the rights."""
    address, data = PREPARED[prepared](manager)
    before = stored()
    for take_away, statuses, give_back in LOST[: 4 if prepared == "edit" else 2]:
        take_away(mary)
        done = (prepared, statuses) == ("upload", {404})
        if done:  # its rows are refused, each with the reason
            manager.post(address, data)
            assert "you are not bound to the hotel abc" in manager.get(f"{address}refused/").content.decode()
        else:
            assert manager.post(address, data).status_code in statuses, statuses
        assert stored() == before
        give_back(mary)
        manager = logged_in(mary) if statuses == {302} else manager  # the session has ended
        address, data = PREPARED[prepared](manager) if done else (address, data)
    assert manager.post(address, data).status_code in {200, 302}
    assert stored() != before
