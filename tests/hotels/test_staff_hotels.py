"""The hotels of an account on its page below ``/admin/``, and what a member of staff who is bound to them sees."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from accounts import account_forms
from hotels import queries
from hotels.staff_hotels import EVERY, MAX_HOTELS, StaffHotel, scope_of
from portal.people import HotelScope
from tests.conftest import logged_in
from tests.helpers.accounts import form_of
from tests.helpers.markup import ListMarkup, entry_of, get
from tests.helpers.orders import make_order, store
from tests.helpers.people import bind
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
XYZ = "xyz"


@pytest.fixture
def hotels(empty_tables: None) -> None:
    """Two hotels."""
    make_hotel([make_room("101")])
    make_hotel(hotel_id=XYZ, name="Hôtel XYZ")


# --- On the page of the account -------------------------------------------------------------------------


def account(user: User) -> str:
    return f"/admin/auth/user/{user.pk}/change/"


def save(client: Client, user: User, *hotel_ids: str, **changes: Any) -> Any:
    """Send the form of an account with these hotels, or these changes."""
    return client.post(account(user), form_of(user, *hotel_ids, **changes))


def bound_to(user: User) -> list[str]:
    hotels = StaffHotel.objects.filter(user=user).exclude(hotel_id=EVERY)
    return sorted(hotels.values_list("hotel_id", flat=True))


@pytest.mark.usefixtures("hotels")
def test_every_hotel_is_a_choice_of_its_own(admin_user: User, alice: User) -> None:
    admin = logged_in(admin_user)
    checked = ListMarkup(admin.get(account(alice)).content).soup.select("[name=reach][checked]")
    assert [box["value"] for box in checked] == ["every"]
    assert "Hôtel XYZ" in admin.get(account(alice)).content.decode(), "by name"
    for changes in ({"reach": "some"}, {"reach": ""}, {"reach": "all"}):
        assert save(admin, alice, **changes).status_code == 200, "no choice means nothing"
    assert scope_of(alice) == HotelScope()
    assert save(admin, alice, reach="none", hotels=[ABC]).status_code == 302
    assert scope_of(alice) == HotelScope(frozenset())
    assert save(admin, alice, ABC).status_code == 302
    assert scope_of(alice) == HotelScope(frozenset({ABC}))
    row = ListMarkup(admin.get("/admin/auth/user/?q=alice").content).element("#result_list tbody tr")
    assert "Hotel ABC" in row.get_text()
    assert save(admin, alice, reach="every", hotels=[ABC]).status_code == 302
    assert scope_of(alice) == HotelScope()
    assert bound_to(alice) == []


@pytest.mark.usefixtures("hotels")
def test_more_hotels_than_are_offered_are_named_by_their_ids(
    admin_user: User, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    admin = logged_in(admin_user)
    assert ListMarkup(admin.get(account(alice)).content).soup.select("input[type=hidden][name=other_hotels]")
    monkeypatch.setattr(account_forms, "MOST_OFFERED", 1)
    assert ListMarkup(admin.get(account(alice)).content).soup.select("input[type=text][name=other_hotels]")
    assert save(admin, alice, reach="some", hotels=[ABC], other_hotels=f"{XYZ}, {ABC}").status_code == 302
    assert bound_to(alice) == [ABC, XYZ]


@pytest.mark.usefixtures("hotels")
def test_who_has_no_hotels_sees_none_and_is_told(staff: Client, alice: User) -> None:
    store([make_order("o-1")])
    bind(alice)
    told = "Your account has no hotels. Ask an administrator"
    place = staff.get("/orders/place/")["Location"]
    lists = ("/hotels/", "/orders/unfinished/", "/orders/unfinished/", "/guests/alex/orders/")
    found = ("/search/?q=101", "/search/?q=o-1", "/hotels/?q=hotel", "/guests/alex/orders/?status=PLACED")
    for url in (*lists, *found, place):
        page = get(staff, url)
        assert page.rows == [], url
        assert told in page.text("#main"), url
    for url in lists:
        assert len(staff.get(f"{url}?format=csv").getvalue().decode().splitlines()) == 1, url
    for url in (f"/hotels/{ABC}/rooms/", "/orders/o-1/", f"/history/room/{ABC}/101/"):
        assert staff.get(url).status_code == 404, url


@pytest.mark.usefixtures("hotels")
def test_a_hotel_that_cannot_be_bound_is_refused(admin_user: User, alice: User) -> None:
    for hotel_ids, complaint in (
        ([ABC, "nowhere"], "There is no hotel “nowhere”"),
        (["a#b"], "There is no hotel “a#b”"),
        ([EVERY], f"There is no hotel “{EVERY}”"),
        (["x" * 65], "There is no hotel"),
        ([f"h{number}" for number in range(MAX_HOTELS + 1)], f"at most {MAX_HOTELS}"),
    ):
        response = save(logged_in(admin_user), alice, *hotel_ids)
        assert response.status_code == 200
        assert complaint in response.content.decode()
        assert bound_to(alice) == []


# --- What the member of staff sees ----------------------------------------------------------------------


@pytest.mark.usefixtures("hotels")
def test_staff_see_their_hotels_alone(staff: Client, alice: User) -> None:
    bind(alice, XYZ, "gone")
    page = get(staff, "/hotels/")
    assert page.rows == [XYZ]
    assert (page.cost("requests"), page.cost("items-read")) == (1, 1)
    assert [link.get_text() for link in get(staff, "/hotels/switcher/").soup.select("a")] == ["Hôtel XYZ", "All hotels"]
    exported = staff.get("/hotels/?format=csv").getvalue().decode()
    assert re.findall(r"^\w+", exported, re.MULTILINE) == ["hotel_id", XYZ]
    assert staff.get(f"/hotels/{ABC}/rooms/").status_code == 404
    assert staff.get(f"/hotels/{XYZ}/rooms/").status_code == 200


@pytest.mark.usefixtures("hotels")
def test_who_is_bound_to_hotels_adds_none(manager: Client, mary: User) -> None:
    assert get(manager, "/hotels/").soup.select('a[href="/hotels/add/"]')
    bind(mary, ABC)
    assert not get(manager, "/hotels/").soup.select('a[href="/hotels/add/"]')
    assert manager.get("/hotels/add/").status_code == 403
    assert manager.get(f"/hotels/{ABC}/edit/").status_code == 200
    entry = entry_of(get(manager, f"/hotels/{ABC}/edit/"))
    assert manager.post(f"/hotels/{XYZ}/edit/", {**entry, "name": "Taken"}).status_code == 404
    assert queries.stored_hotel(XYZ).name == "Hôtel XYZ"
