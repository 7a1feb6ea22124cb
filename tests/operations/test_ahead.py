"""Requests made ahead are marked in the log, and change nothing that others see."""

import pytest
from django.test import Client

from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.operations.conftest import Lines

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
NEW = {"number": "102", "view": "Sea", "size": "35", "type": "Suite", "rate": "99.90", "currency": "eur"}
ROOM = f"/hotels/{ABC}/rooms/101/"
AHEAD = [{"Sec-Purpose": "prefetch;prerender"}, {"Purpose": "prefetch"}]


@pytest.mark.parametrize("headers", AHEAD, ids=str)
def test_it_is_a_request_like_others_and_marked(manager: Client, lines: Lines, headers: dict[str, str]) -> None:
    make_hotel([make_room("101")])
    manager.get(ROOM)  # which caches the hotel, so that both pages have as many requests
    usual = manager.get(ROOM)
    lines()
    answer = manager.get(ROOM, headers=headers)
    (line,) = lines()
    assert (answer.status_code, line["ahead"], line["view"]) == (200, True, "rooms:room")
    assert len(answer.content) == len(usual.content)
    assert "no-store" in answer["Cache-Control"]


def test_it_takes_no_message(manager: Client) -> None:
    make_hotel([make_room("101")])
    place = manager.post(f"/hotels/{ABC}/rooms/add/", NEW)["Location"]
    for headers, status, shown in ((AHEAD[0], 429, False), ({}, 200, True), (AHEAD[0], 200, False)):
        answer = manager.get(place, headers=headers)
        assert (answer.status_code, b"Room 102 was added" in answer.content) == (status, shown)
