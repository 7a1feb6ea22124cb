"""Requests of which nobody may see the answer are marked in the log, and take no message."""

import pytest
from django.test import Client

from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.operations.conftest import Lines

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
NEW = {"number": "102", "view": "Sea", "size": "35", "type": "Suite", "rate": "99.90", "currency": "eur"}
AHEAD = [{"Sec-Purpose": "prefetch;prerender"}, {"Purpose": "prefetch"}]


def test_it_is_marked_and_takes_no_message(manager: Client, lines: Lines) -> None:
    make_hotel([make_room("101")])
    place = manager.post(f"/hotels/{ABC}/rooms/add/", NEW)["Location"]
    lines()
    for headers, status, shown in ((AHEAD[0], 429, False), ({}, 200, True), (AHEAD[1], 200, False)):
        answer = manager.get(place, headers=headers)
        (line,) = lines()
        assert line.get("ahead", False) == bool(headers)
        assert (answer.status_code, b"Room 102 was added" in answer.content) == (status, shown)
