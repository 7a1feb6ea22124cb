"""Room numbers: natural order in every list, and the search by the beginning of a number."""

import pytest
from django.test import Client

from rooms import commands, queries
from rooms.entities import StatusChange
from rooms.statuses import Housekeeping
from tests.helpers.markup import ListMarkup
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
HOTEL = f"/hotels/{ABC}/"
NATURAL = [
    "007",
    "08",
    "9",
    "99",
    "101",
    "101 a",
    "101-2",
    "102",
    "1009",
    "1010",
    "1000001",
    "A-9",
    "a-10",
    "B 2",
    "b 10",
]


def get(client: Client, address: str) -> ListMarkup:
    response = client.get(HOTEL + address)
    assert response.status_code == 200, response.content
    return ListMarkup(response.content)


def test_numbers_are_in_natural_order_everywhere(staff: Client) -> None:
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
    for start in ("1", "10", "100", "0", "A-1", "a-", ""):
        wanted = [number for number in NATURAL if number.casefold().startswith(start.casefold())]
        assert get(staff, f"rooms/?number={start}").rows == wanted, start
        assert [room.number for room in queries.rooms_by_number(ABC, start, 12)] == wanted[:12], start
    floor = [number for number in NATURAL if number.startswith("10")]
    assert get(staff, "attention/?status=clean&number=10").rows == floor
    assert get(staff, "attention/?status=clean&number=10&sort=-number").rows[0] == "1000001"
    exported = b"".join(staff.get(f"{HOTEL}rooms/?format=csv"))
    assert [line.split(",")[3] for line in exported.decode().splitlines()[1:]] == NATURAL


def test_the_search_for_a_number_in_housekeeping_stays_there_with_its_status(staff: Client) -> None:
    make_hotel([make_room(number) for number in ("101", "102", "103", "201")])
    for number in ("101", "102", "201"):
        commands.set_status(ABC, number, StatusChange(Housekeeping.DIRTY), "alice")
    page = ListMarkup(staff.get(f"{HOTEL}attention/?sort=-date").content)
    search = page.element("form.number-search")
    sent = {str(each["name"]): str(each["value"]) for each in search.select("input[type=hidden]")}
    assert sent == {"sort": "-date"}
    found = ListMarkup(staff.get(str(search["action"]), {**sent, "number": "10"}).content)
    assert sorted(found.rows) == ["101", "102"]
    tabs = [str(link["href"]) for link in found.soup.select(".tabs a")]
    assert all("number=10" in href for href in tabs)
    assert "number=10" not in str(found.element(".active-filters a")["href"])
    empty = get(staff, "attention/?number=103")
    assert empty.text(".nothing strong") == "No number of a room with this status begins with 103."
    assert str(empty.element(".nothing a")["href"]) == f"{HOTEL}rooms/?number=103"
