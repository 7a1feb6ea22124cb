"""Staff who are bound to 300 or 5,000 hotels: no page costs more for each hotel, and each page says what it omits."""

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from dynamodb_lists import ItemModel, read_page
from dynamodb_lists.tests.helpers.paging import linked
from hotels import queries
from hotels.entities import Hotel
from hotels.models import HotelModel, HotelWordModel
from hotels.staff_hotels import scope_of
from portal.people import HotelScope
from rooms import commands as room_commands
from rooms import queries as rooms
from search.views import search
from tests.conftest import logged_in
from tests.helpers import contents
from tests.helpers.accounts import form_of
from tests.helpers.markup import ListMarkup, get
from tests.helpers.orders import make_order, read, store
from tests.helpers.people import bind
from tests.helpers.rooms import make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
IDS = [f"h{number:04d}" for number in range(600)]
OWN = {300: IDS[::2], 5000: [*IDS, *(f"h{number}" for number in range(1000, 5400))]}
"""Every second one of 600 hotels; and all of them, with others that do not exist any more."""

PAGES = (
    *("/", "/hotels/", "/hotels/?q=h0002", "/hotels/switcher/", "/guests/alex/", "/guests/alex/orders/"),
    *("/orders/unfinished/", "/orders/big/", "/reviews/unanswered/", "/attention/", "/views/", "/lab/"),
    *("/search/?q=101", "/search/?q=h0002", "/search/?q=o-1", "/search/choices/?kind=hotel&q="),
    *("/views/save/?list=/hotels/", "/history/staff/anna/", "/admin/auth/user/", "/admin/auth/user/add/"),
)
MOST_REQUESTS, MOST_UNITS, MOST_BYTES = 35, 80, 160_000
"""Of a page. The start page reads the statistics of the 25 hotels that it compares. A list without rows looks twice."""


def hotel(hotel_id: str) -> Hotel:
    return Hotel(hotel_id, f"Hotel {hotel_id}", "Paris", currency="EUR", time_zone="Europe/Paris")


def fill() -> None:
    """Hotels without words but for a few, two rooms, and orders of a guest."""
    items: list[ItemModel] = [HotelModel.item(hotel(each)) for each in IDS]
    items += [word for each in IDS[:30] for word in HotelWordModel.of(hotel(each))]
    puts = [{"PutRequest": {"Item": item.to_dynamodb_dict()}} for item in items]
    for start in range(0, len(puts), contents.BATCH):
        contents.send("BatchWriteItem", RequestItems={HotelModel.Meta.table_name: puts[start : start + contents.BATCH]})
    room_commands.save_rooms([make_room("101", hotel_id=each) for each in ("h0001", "h0002", "h0598")])
    store([make_order(f"o-{number}", hotel_id=IDS[number]) for number in range(8)])


@pytest.fixture
def many(request: pytest.FixtureRequest, manager: Client, mary: User) -> Client:
    """Mary's browser, who is bound to as many hotels as the test says."""
    codenames = ("open_lab", "view_user", "add_user", "change_user")
    mary.user_permissions.add(*Permission.objects.filter(codename__in=codenames))
    bind(mary, *OWN[request.param])
    return manager


@pytest.mark.parametrize("many", [5000], indirect=True)
def test_a_page_costs_the_same_for_many_hotels(many: Client) -> None:
    for address in PAGES:
        answer = many.get(address, follow=True)
        ledger = answer.wsgi_request.ledger  # type: ignore[attr-defined]
        cost = ledger.requests, ledger.read_units, len(answer.content)
        assert answer.status_code == 200, address
        assert all(map(lambda one, most: one <= most, cost, (MOST_REQUESTS, MOST_UNITS, MOST_BYTES))), (address, cost)


@pytest.mark.parametrize("many", [300], indirect=True)
def test_a_page_says_that_it_shows_the_first_hotels(many: Client) -> None:
    said = "The first 100 of your 300 hotels"
    for address in ("/hotels/switcher/", "/orders/unfinished/", "/orders/big/"):
        assert said in get(many, address).soup.get_text(), address
    assert "The first 98 of your 300 hotels" in get(many, "/views/").text("#main")
    assert "You see 300 hotels, so the figures are those of the hotels in the table" in get(many, "/").text(".days-of")


@pytest.mark.parametrize("many", [300], indirect=True)
def test_all_that_belongs_to_many_hotels_is_found_and_nothing_else(many: Client) -> None:
    pages = linked(get(many, "/hotels/?page_size=100"), lambda link: get(many, f"/hotels/{link}"))
    assert [row for page in pages for row in page.rows] == OWN[300]
    assert get(many, f"/hotels/{pages[2].link('prev')}").rows == pages[1].rows
    assert get(many, "/orders/unfinished/").rows == ["o-0", "o-2", "o-4", "o-6"]
    assert get(many, "/guests/alex/orders/").rows == ["o-6", "o-4", "o-2", "o-0"]
    hits = get(many, "/search/?q=101").text("#main")
    assert ("h0002" in hits, "h0598" in hits, "h0001" in hits) == (True, True, False)
    assert [each.hotel_id for each in rooms.rooms_anywhere("101", 1, HotelScope(frozenset(OWN[300])))] == ["h0002"]
    (found, more) = search("hotel", ["hotels"], HotelScope(frozenset(IDS[28:29])))["hotels"]
    assert ([each.hotel_id for each in found], more) == ([IDS[28]], False), "behind those of others"


def test_hotels_that_are_far_apart_are_read_by_their_keys() -> None:
    """Ask for three of 600 hotels: the query stops reading the list of all hotels as soon as this costs more."""
    own = [IDS[0], IDS[300], IDS[599], *(f"h0000-{number}" for number in range(200))]
    listing = queries.hotels(HotelScope(frozenset(own)))
    page, calls = read(listing, 2)
    assert [each.hotel_id for each in page.rows] == [IDS[0], IDS[300]]
    last, _ = read(listing, 2, page.next)
    assert [each.hotel_id for each in last.rows] == [IDS[599]]
    assert read_page(listing, 2, page.last or "").rows == (page.rows[1], last.rows[0])
    assert [each.hotel_id for each in listing.stream()] == [IDS[0], IDS[300], IDS[599]]
    assert calls.read_units <= 110


def test_an_account_of_many_hotels_keeps_them(admin_user: User, alice: User) -> None:
    bind(alice, *OWN[300])
    admin, address = logged_in(admin_user), f"/admin/auth/user/{alice.pk}/change/"
    page = ListMarkup(admin.get(address).content)
    assert len(page.soup.select("input[name=hotels][checked]")) == 300
    assert admin.post(address, form_of(alice, *OWN[300][1:])).status_code == 302
    assert scope_of(alice) == HotelScope(frozenset(OWN[300][1:]))
