"""Room numbers: natural order in every list, and the search by the beginning of a number."""

import pytest
from django.test import Client

from dynamodb_lists.tests.helpers.natural import NATURAL
from rooms import queries
from tests.helpers.markup import ListMarkup
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
HOTEL = f"/hotels/{ABC}/"


def get(client: Client, address: str) -> ListMarkup:
    response = client.get(HOTEL + address)
    assert response.status_code == 200, response.content
    return ListMarkup(response.content)


def test_numbers_are_in_natural_order_everywhere(staff: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """A list without filters and one by number, found numbers, and exports: 101 is before 1009, on every page."""
    make_hotel([make_room(number) for number in reversed(NATURAL)])
    for query in ("", "?sort=number", "?sort=number&status=clean", "?sort=number&view=sea-view", "?rate_min=1"):
        assert get(staff, f"rooms/{query}").rows == NATURAL, query
    assert get(staff, "rooms/?sort=-number").rows == NATURAL[::-1]
    for query in (
        "sort=rate",
        "sort=size",
        "sort=type&then=view",
        "view=sea-view",
        "view=sea-view&sort=size&type=suite",
    ):
        assert get(staff, f"rooms/?{query}").rows == NATURAL, f"equal rooms: {query}"
    for start in ("1", "10", "100", "9", "0", "A-1", "a-", ""):
        wanted = [number for number in NATURAL if number.casefold().startswith(start.casefold())]
        assert get(staff, f"rooms/?number={start}").rows == wanted, start
        for most in (50, 1):
            monkeypatch.setattr("rooms.queries.MOST_NUMBERED", most)
            assert [room.number for room in queries.rooms_by_number(ABC, start, 12)] == wanted[:12], (start, most)
    floor = [number for number in NATURAL if number.startswith("10")]
    assert get(staff, "attention/?status=clean&number=10").rows == floor
    assert get(staff, "attention/?status=clean&number=10&sort=-number").rows[0] == "1000001"
    exported = b"".join(staff.get(f"{HOTEL}rooms/?format=csv"))
    assert [line.split(",")[3] for line in exported.decode().splitlines()[1:]] == NATURAL
