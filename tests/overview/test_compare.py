"""Hotels side by side: the table of the start page, with the hotels that one chooses."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from rooms.statuses import Housekeeping
from tests.helpers.markup import get
from tests.helpers.people import permit
from tests.helpers.reviews import make_review, store
from tests.helpers.rooms import make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
COMPARED = "/?hotel=three&hotel=one"


def fill() -> None:
    for number, hotel_id in enumerate(["one", "two", "three"], 1):
        rooms = [make_room(str(each), hotel_id=hotel_id, housekeeping=Housekeeping.DIRTY) for each in range(number)]
        make_hotel([*rooms, make_room("99", hotel_id=hotel_id)], hotel_id, f"House {hotel_id}")
        store([make_review(f"r-{hotel_id}", hotel_id=hotel_id, rating=number)])


def test_the_table_has_the_chosen_hotels_sorted_by_any_figure(alice: User, staff: Client) -> None:
    page = get(staff, COMPARED)
    assert page.rows == ["one", "three"]
    assert get(staff, f"{COMPARED}&sort=-dirty").rows == ["three", "one"]
    assert [str(each["href"]) for each in page.soup.select("tr[data-row] [data-label=Dirty] a")] == [
        "/hotels/one/attention/?status=dirty",
        "/hotels/three/attention/?status=dirty",
    ]
    assert page.text("tfoot th") == "These 2 hotels"
    assert not page.soup.select("tfoot a"), "no list has two hotels of three"
    permit(alice, "hotels.view_hotel", "rooms.view_room")
    assert len(get(staff, COMPARED).soup.select("thead th")) == 4
