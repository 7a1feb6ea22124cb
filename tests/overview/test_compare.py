"""Hotels side by side: the table of the start page, with the hotels that one chooses."""

import csv
from datetime import timedelta
from decimal import Decimal
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.test import Client

from hotels.entities import year_before
from hotels.queries import stored_hotel
from portal.access import EXPORT_DATA
from portal.times import midnight, now, today_in
from rooms.statuses import Housekeeping
from tests.helpers.markup import get
from tests.helpers.orders import make_order
from tests.helpers.orders import store as store_orders
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


def test_a_change_from_hardly_anything_is_not_written_out(manager: Client) -> None:
    """And the sum is that of the rows, whose months begin at other times."""
    zone = stored_hotel("one").time_zone
    first = today_in(zone).replace(day=1)
    for hotel_id in ("one", "three"):
        for day, total in {first: 300, year_before(first): 1}.items():
            at = midnight(day, zone) + timedelta(hours=1)
            order = make_order(f"{hotel_id}-{total}", hotel_id=hotel_id, total=Decimal(total), placed_at=at)
            store_orders([order])
    page = get(manager, f"{COMPARED}&against=last-year")
    changes = [cell.get_text(strip=True) for cell in page.soup.select("table [data-label='Revenue change']")]
    assert changes == ["over +999%"] * 3
    assert page.text("tfoot [data-label=Revenue]") == "EUR 600.00"


def test_revenue_and_ratings_are_compared_with_last_year(manager: Client) -> None:
    """Whatever the day: the hotel's first of this month, and the same day a year ago."""
    zone = stored_hotel("one").time_zone
    first = today_in(zone).replace(day=1)
    for day, total in {first: 300, year_before(first): 200}.items():
        at = midnight(day, zone) + timedelta(hours=1)
        store_orders([make_order(f"o-{total}", hotel_id="one", total=Decimal(total), placed_at=at)])
    link = next(each for each in get(manager, "/hotels/one/").soup.select("p.actions a") if "last year" in each.text)
    page = get(manager, str(link["href"]))
    assert page.rows == ["one"]
    assert page.text("tr[data-row] [data-label=Revenue]") == "EUR 300.00"
    assert page.text("tr[data-row] [data-label='Revenue change']") == "+50%"
    amounts = [str(each["href"]) for each in page.soup.select("tr[data-row] [data-label^=Revenue] a")]
    for address, number in zip(amounts, ("o-300", "o-200"), strict=True):
        assert get(manager, address).rows == [number]
    file = str(page.element("a[data-export]")["href"])
    row = next(csv.DictReader(StringIO(b"".join(manager.get(f"/{file}")).decode("utf-8-sig"))))
    assert (row["revenue"], row["revenue_change"]) == ("EUR 300", "EUR +50.0%")


@pytest.mark.parametrize("sort", ["", "&sort=-dirty"])
def test_the_table_is_a_file_with_its_figures_as_plain_numbers(alice: User, staff: Client, sort: str) -> None:
    store_orders([make_order(hotel_id="one", total=Decimal("1200.50"), placed_at=now())])
    text = b"".join(staff.get(f"{COMPARED}&format=csv{sort}")).decode("utf-8-sig")
    rows = {row["hotel_id"]: row for row in csv.DictReader(StringIO(text))}
    assert [*rows] == (["three", "one"] if sort else ["one", "three"])
    one, three = rows["one"], rows["three"]
    assert (one["rooms"], one["dirty"], three["dirty"], one["out_of_order"]) == ("2", "1", "3", "0")
    assert (one["without_a_reply"], one["rating"], three["rating"]) == ("1", "1.0", "3.0")
    assert (one["revenue"], three["revenue"]) == ("EUR 1200.5", "")
    assert b"".join(staff.get(f"{COMPARED}&format=xlsx"))[:2] == b"PK"
    permit(alice, "hotels.view_hotel", "rooms.view_room", EXPORT_DATA)
    text = b"".join(staff.get(f"{COMPARED}&format=csv")).decode("utf-8-sig")
    assert "dirty" in text.splitlines()[0]
    assert "revenue" not in text, "only figures that one may see"
