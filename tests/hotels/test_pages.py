"""The list of hotels, the switcher, a room's page, and the frame around them."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from hotels.commands import save_hotels
from hotels.entities import Hotel
from hotels.views import SWITCHER_HOTELS
from rooms import keys
from tests.helpers.markup import ListMarkup, get
from tests.helpers.people import join, permit
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
ROOM = f"/hotels/{ABC}/rooms/101/"


def test_hotels_are_listed_with_their_totals(staff: Client) -> None:
    make_hotel([make_room(str(number)) for number in range(30)])
    make_hotel(hotel_id="empty", name="Hôtel vide")
    page = get(staff, "/hotels/")
    assert page.rows == [ABC, "empty"]
    assert [cell.get_text() for cell in page.soup.select("td[data-label=Rooms]")] == ["30", "0"]
    assert page.element("tr[data-row=abc] a")["href"] == f"/hotels/{ABC}/"


@pytest.mark.parametrize("name", ["iPad friendly", "t-hotel", "<b>& Söhne</b>", "de l’Europe"])
def test_the_frames_heading_is_the_name_as_it_is_written(staff: Client, name: str) -> None:
    make_hotel(name=name)
    assert get(staff, f"/hotels/{ABC}/rooms/").text("h1") == f"Rooms of {name}"


@pytest.mark.parametrize(
    ("page", "path"),
    [("reviews:review", "reviews/"), ("rooms:attention", "attention/"), ("orders:big", "orders/"), ("nowhere", "")],
)
def test_the_switcher_keeps_the_tab(staff: Client, page: str, path: str) -> None:
    make_hotel()
    assert get(staff, f"/hotels/switcher/?page={page}").element("a")["href"] == f"/hotels/{ABC}/{path}"
    assert staff.get(f"/hotels/switcher/?page={'x' * 65}").status_code == 400


@pytest.mark.parametrize(
    ("page", "shown", "leads_to"),
    [
        (
            "rooms:rooms",
            "rooms/?view=sea-view&view=city-view&sort=-size&cursor=xyz",
            "rooms/?view=sea-view&view=city-view&sort=-size",
        ),
        ("rooms:room", "rooms/101/?list=1", "rooms/"),
        ("rooms:rooms", "rooms/", "rooms/"),
    ],
)
def test_another_hotel_is_shown_with_the_same_filters(staff: Client, page: str, shown: str, leads_to: str) -> None:
    make_hotel()
    headers = {
        "HX-Request": "true",
        "HX-Target": "switcher-links",
        "HX-Current-URL": f"http://testserver/hotels/x/{shown}",
    }
    link = ListMarkup(staff.get(f"/hotels/switcher/?page={page}", headers=headers).content).element("a")["href"]
    assert link == f"/hotels/{ABC}/{leads_to}"


def test_the_switcher_reads_no_more_hotels_than_it_shows(staff: Client) -> None:
    save_hotels([Hotel(f"h{number:03d}", f"Hotel {number}") for number in range(SWITCHER_HOTELS + 1)])
    response: Any = staff.get("/hotels/switcher/")
    assert len(ListMarkup(response.content).soup.select("a")) == SWITCHER_HOTELS + 1  # the last leads to the list
    (call,) = response.wsgi_request.ledger.of("other")
    assert (call.items_read, call.items_returned) == (SWITCHER_HOTELS, SWITCHER_HOTELS)


def test_the_bar_has_six_entries_and_who_cleans_has_the_own_rooms_and_sees_no_rates(
    manager: Client, newcomer: Client, dana: User
) -> None:
    make_hotel([make_room("101")])
    bar = get(manager, f"/hotels/{ABC}/plan/").soup.select(".hotel-tabs a")
    labels = [link.get_text() for link in bar]
    assert labels == ["Overview", "Rooms", "Housekeeping", "Orders", "Reviews", "Handover"]
    assert [link.get_text() for link in bar if link.get("aria-current")] == ["Housekeeping"]
    page = get(manager, f"/hotels/{ABC}/attention/")
    assert [link.get_text(strip=True) for link in page.soup.select(".tabs .apart, .tabs .apart ~ li")] == [
        "Assignments",
        "Repairs",
        "Cleaned",
        "Jobs",
    ]
    permit(dana)
    join(dana, "Housekeeping")
    rooms = get(newcomer, f"/hotels/{ABC}/rooms/")
    assert [link.get_text() for link in rooms.soup.select(".hotel-tabs a")] == [
        *("Overview", "Rooms", "My rooms", "Housekeeping", "Handover")
    ]
    assert not rooms.soup.select("[data-label='Rate a night'], [data-label=Rate], #drop-rate")
    assert get(manager, f"/hotels/{ABC}/rooms/").soup.select("[data-label=Rate]")
    assert not get(manager, f"/hotels/{ABC}/rooms/").soup.select(
        "#nav-sidebar-apps [href='/hotels/'][aria-current=true]"
    )


def test_a_view_is_saved_once_something_is_filtered(staff: Client) -> None:
    make_hotel([make_room("101")])
    path = f"/hotels/{ABC}/rooms/"
    assert [len(get(staff, f"{path}{query}").soup.select("a.save-wide")) for query in ("", "?type=suite")] == [0, 1]


def test_a_room_shows_all_it_knows_and_its_keys(staff: Client) -> None:
    make_hotel([make_room("101", view="Hướng biển", type="")])
    page = get(staff, f"{ROOM}?explain=1")
    facts = page.text("dl.facts")
    for fact in ("Clean", "Hướng biển", "40 m²", "Unspecified", "EUR 120.50"):
        assert fact in facts
    shown = {str(row["data-key"]): row.select("code")[1].get_text() for row in page.soup.select("tr[data-key]")}
    number, view, size, type_ = "03101#101", "hướng-biển", "0240", "unspecified"
    assert shown == {
        "table": "101",
        "lsi1": number,
        "lsi2": f"{size}#{view}#{type_}#{number}",
        "lsi3": f"{view}#{size}#{type_}#{number}",
        "lsi4": f"{type_}#{size}#{view}#{number}",
        "lsi5": f"{view}#{type_}#{size}#{number}",
        keys.BY_RATE: f"EUR#03120.5#{number}",
        keys.BY_NUMBER: "hotel#abc#rooms",
    }
