"""Requests made ahead are marked in the log, take no place that somebody needs, and change nothing that others see."""

import pytest
from django.conf import settings
from django.test import Client

from dynamodb_lists.connection import places
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.operations.conftest import Lines

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
NEW = {"number": "102", "view": "Sea", "size": "35", "type": "Suite", "rate": "99.90", "currency": "eur"}
ROOM = f"/hotels/{ABC}/rooms/101/"
AHEAD = [{"Sec-Purpose": "prefetch;prerender"}, {"Purpose": "prefetch"}]


@pytest.mark.parametrize("headers", AHEAD, ids=str)
def test_it_is_a_request_like_others_and_marked(manager: Client, lines: Lines, headers: dict[str, str]) -> None:
    make_hotel([make_room("101")])
    usual = manager.get(ROOM)
    lines()
    answer = manager.get(ROOM, headers=headers)
    (line,) = lines()
    assert (answer.status_code, line["ahead"], line["view"]) == (200, True, "rooms:room")
    assert len(answer.content) == len(usual.content)
    assert "no-store" in answer["Cache-Control"]


def test_it_is_refused_while_places_are_short(manager: Client, lines: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    make_hotel([make_room("101")])
    monkeypatch.setattr(settings, "PAGE_PLACES", 4)
    places.of_process.cache_clear()
    for taken, status in ((1, 200), (2, 429)):
        places.of_process().free = 4 - taken
        lines()
        assert manager.get(ROOM, headers=AHEAD[0]).status_code == status
        assert manager.get(ROOM).status_code == 200
        ahead, other = lines()
        assert (ahead["level"], ahead["requests"] > 0, ahead["sql_queries"]) == ("INFO", taken == 1, int(taken == 1))
        assert "ahead" not in other
    places.of_process.cache_clear()


def test_it_takes_no_message(manager: Client) -> None:
    make_hotel([make_room("101")])
    place = manager.post(f"/hotels/{ABC}/rooms/add/", NEW)["Location"]
    for headers, status, shown in ((AHEAD[0], 429, False), ({}, 200, True), (AHEAD[0], 200, False)):
        answer = manager.get(place, headers=headers)
        assert (answer.status_code, b"Room 102 was added" in answer.content) == (status, shown)
