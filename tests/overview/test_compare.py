"""Hotels side by side."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from rooms.statuses import Housekeeping
from tests.helpers.markup import get
from tests.helpers.people import bind, permit
from tests.helpers.reviews import make_review, store
from tests.helpers.rooms import make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
COMPARE = "/compare/"


def fill() -> None:
    for number, hotel_id in enumerate(["one", "two", "three"], 1):
        rooms = [make_room(str(each), hotel_id=hotel_id, housekeeping=Housekeeping.DIRTY) for each in range(number)]
        make_hotel([*rooms, make_room("99", hotel_id=hotel_id)], hotel_id, f"House {hotel_id}")
        store([make_review(f"r-{hotel_id}", hotel_id=hotel_id, rating=number)])


def test_each_figure_links_to_the_list_of_its_hotel(alice: User, staff: Client) -> None:
    get(staff, f"{COMPARE}?hotel=three&hotel=one")
    page = get(staff, f"{COMPARE}?hotel=three&hotel=one")
    assert [each.get_text(" ", strip=True) for each in page.soup.select("thead th")[1:]] == [
        "House three Paris",
        "House one Paris",
    ]
    assert page.text("[data-row=Dirty]") == "Dirty 75% 3 50% 1"
    assert page.text("[data-row=Rating]") == "Rating 3.0 1.0"
    links = [str(each["href"]) for each in page.soup.select("[data-row=Dirty] td a")]
    assert links == ["/hotels/three/attention/?status=dirty", "/hotels/one/attention/?status=dirty"]
    assert page.cost("requests") == 2, "the statistics of each"
    permit(alice, "hotels.view_hotel", "rooms.view_room")
    assert get(staff, f"{COMPARE}?hotel=one").rows == ["Rooms", "Dirty", "Out of order"]


def test_hotels_are_chosen_without_javascript(mary: User, manager: Client) -> None:
    page = get(manager, COMPARE)
    assert [str(each["value"]) for each in page.soup.select("details[open] input[name=hotel]")] == [
        "one",
        "three",
        "two",
    ]
    assert not page.soup.select("table.compared")
    assert manager.get(f"{COMPARE}?hotel=nowhere").status_code == 400
    assert manager.get(f"{COMPARE}?{'&'.join(f'hotel=h-{number}' for number in range(7))}").status_code == 400
    bind(mary, "one", "two")
    assert manager.get(f"{COMPARE}?hotel=three").status_code == 400
