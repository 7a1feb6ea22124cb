"""Saved views: for oneself and for a hotel, in the sidebar and the search, and what nobody may see or save."""

from typing import Any
from urllib.parse import quote

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from saved_views.models import EVERYONE, MOST_VIEWS, SavedView
from tests.helpers.markup import ListMarkup
from tests.helpers.people import bind, permit
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.helpers.views import SUITES

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
ROOMS = f"/hotels/{ABC}/rooms/"
LINKS = "#nav-sidebar-apps a[data-view]"


def fill() -> None:
    make_hotel([make_room("101")])
    make_hotel([make_room("201", hotel_id="xyz")], hotel_id="xyz", name="Hotel XYZ")


def save(client: Client, name: str, address: str = SUITES, **entry: str) -> Any:
    return client.post(f"/views/save/?list={quote(address)}", {"name": name, "hotel": ":me", **entry})


def names(client: Client, address: str = ROOMS) -> list[str]:
    return [link.text.strip() for link in links(client, address)]


def links(client: Client, address: str = ROOMS) -> list[Any]:
    return list(ListMarkup(client.get(address).content).soup.select(f"{LINKS} bdi"))


def own(user: User) -> list[SavedView]:
    return list(SavedView.objects.filter(user=user))


def test_a_list_gets_a_name_and_stands_in_the_sidebar(manager: Client, mary: User) -> None:
    page = ListMarkup(manager.get(f"{ROOMS}?type=suite&page_size=25&format=&cursor=").content)
    form = manager.get(str(page.element("a.save-wide")["href"]))
    assert ListMarkup(form.content).element("#id_name")["value"] == "Rooms of Hotel ABC (suite)"
    answer = save(manager, "<b>Früh</b> & spät")
    assert answer["Location"] == SUITES
    shown = ListMarkup(manager.get(SUITES).content)
    (link,) = shown.soup.select(LINKS)
    assert (link["href"], link["aria-current"]) == (SUITES, "page")
    assert [each.text for each in link.select("bdi")] == ["<b>Früh</b> & spät"]
    assert [each.get("aria-current") for each in links(manager, ROOMS)] == [None]
    assert save(manager, "<b>Früh</b> & spät", f"{SUITES}&page_size=25")["Location"] == SUITES, "sent twice"
    assert [view.address for view in own(mary)] == [SUITES]
    save(manager, "<b>Früh</b> & spät", "/guests/?q=a")
    assert names(manager) == ["<b>Früh</b> & spät"] * 2, "two of one name"
    assert ListMarkup(manager.get("/views/").content).rows == [str(view.pk) for view in own(mary)]


def test_a_view_is_renamed_and_deleted(manager: Client, mary: User) -> None:
    save(manager, "First")
    (view,) = own(mary)
    rename, delete = (reverse(f"saved_views:{name}", args=[view.pk]) for name in ("rename", "delete"))
    assert manager.post(rename, {"name": ""}).status_code == 200
    for _ in range(2):
        assert manager.post(rename, {"name": "Second"})["Location"] == "/views/"
    assert names(manager) == ["Second"]
    for _ in range(2):
        assert manager.post(delete)["Location"] == "/views/"
    for gone in (manager.get(delete), manager.get(rename), manager.post(rename, {"name": "Third"})):
        assert gone["Location"] == "/views/"
    assert manager.get(f"/views/{10**20}/rename/")["Location"] == "/views/"
    assert names(manager) == []
    assert own(mary) == []


def test_only_a_list_of_the_portal_can_be_saved(manager: Client, mary: User) -> None:
    others = ("", "https://example.com/", "//example.com/guests/", "/nowhere/", "/views/", f"{ROOMS}101/")
    paths = ("/hotels/nowhere/rooms/", "/guests/%2e%2e/orders/", "/guests/../orders/", "/history/room/abc/%2e%2e/")
    for address in (*others, *paths):
        assert manager.get(f"/views/save/?list={quote(address)}")["Location"] == "/views/"
        assert save(manager, "Elsewhere", address)["Location"] == "/views/"
        assert own(mary) == []


def test_a_view_keeps_what_the_list_understands_and_no_cursor(manager: Client, mary: User) -> None:
    save(manager, "All", f"{ROOMS}?type=suite&cursor=abc&format=csv&explain=1&next=//example.com&size_min=x")
    assert [view.address for view in own(mary)] == [SUITES]
    assert save(manager, "x" * 65).status_code == 200
    assert save(manager, "turned \u202e round").status_code == 200


def test_a_view_of_a_hotel_is_for_whoever_sees_the_hotel(manager: Client, staff: Client, alice: User) -> None:
    save(manager, "For all", hotel=ABC)
    assert names(staff) == ["For all"]
    assert names(staff, "/guests/") == [], "on the pages of the hotel"
    bind(alice, ABC)
    cache.clear()
    assert names(staff, "/guests/") == ["For all"], "there is no other hotel"
    view = SavedView.objects.get(hotel_id=ABC)
    rename, delete = (reverse(f"saved_views:{name}", args=[view.pk]) for name in ("rename", "delete"))
    staff.post(rename, {"name": "Mine"})
    staff.post(delete)
    assert names(manager) == ["For all"], "without the permission to share"
    assert "hotel" not in [
        field["name"]
        for field in ListMarkup(staff.get(f"/views/save/?list={SUITES}").content).soup.select("main select")
    ]
    save(staff, "Not for all", hotel=ABC)
    cache.clear()
    assert names(manager) == ["For all"], "a form without the choice saves for oneself"
    assert save(manager, "Guests of all", "/guests/", hotel=ABC).status_code == 200, "it is no list of the hotel"
    bind(alice, "xyz")
    cache.clear()
    assert names(staff, "/guests/") == [], "it is that of a hotel of others"
    assert names(staff, ROOMS) == []
    assert ListMarkup(staff.get("/views/").content).rows == []
    assert save(manager, "For others", "/guests/", hotel="nowhere").status_code == 200
    save(manager, "For all", "/hotels/xyz/rooms/", hotel="xyz")
    bind(alice, ABC, "xyz")
    cache.clear()
    shown = [name for name in names(staff) if name.startswith("For all")]
    assert len({*shown}) == 2, "each with its hotel"


def test_a_list_of_all_hotels_may_be_saved_for_everyone(
    manager: Client, mary: User, staff: Client, alice: User
) -> None:
    bind(alice, ABC)
    assert "Everyone at all hotels" in manager.get("/views/save/?list=/orders/").content.decode()
    assert "all hotels" not in manager.get(f"/views/save/?list={ROOMS}").content.decode()
    save(manager, "Old ones", "/orders/?days=older-than-7-days", hotel=EVERYONE)
    assert names(staff, "/guests/") == ["Old ones"] == names(manager, ROOMS), "on every page"
    row = ListMarkup(manager.get("/views/").content).text("table.views tbody")
    assert "(older than 7 days)" in row
    assert "Everyone at all hotels" in row
    assert "Rename" in row
    permit(alice, "orders.view_order", "portal.share_views")
    assert "Rename" not in ListMarkup(staff.get("/views/").content).text("table.views tbody"), "bound to a hotel"
    view = SavedView.objects.get(hotel_id=EVERYONE)
    rename = reverse("saved_views:rename", args=[view.pk])
    staff.post(rename, {"name": "Mine"})
    assert SavedView.objects.get(hotel_id=EVERYONE).name == "Old ones"
    assert "all hotels" not in staff.get("/views/save/?list=/orders/").content.decode()
    assert manager.post(rename, {"name": "Late"})["Location"] == "/views/"
    assert names(manager, "/guests/") == ["Late"]


def test_a_list_that_the_user_may_not_open_is_not_shown(staff: Client, alice: User) -> None:
    save(staff, "Guests", "/guests/")
    SavedView.objects.create(user=alice, name="Old", address="/no/list/any/more/")
    permit(alice, "rooms.view_room")
    cache.clear()
    assert names(staff) == []


def test_there_are_fifty_views_at_most(manager: Client, mary: User) -> None:
    SavedView.objects.bulk_create(
        SavedView(user=mary, name=f"View {number}", address=SUITES) for number in range(MOST_VIEWS)
    )
    assert len(names(manager)) == MOST_VIEWS
    assert "There are already 50 saved views" in save(manager, "One more").content.decode()
    assert save(manager, "View 7").status_code == 302, "it is there"


def test_a_warm_page_reads_no_views_and_a_cold_one_reads_them_at_once(manager: Client) -> None:
    save(manager, "Suites")

    def cost() -> int:
        with CaptureQueriesContext(connection) as sql:
            assert manager.get("/guests/").status_code == 200
        return len(sql)

    cold, warm = cost(), cost()
    assert cold == warm + 1


def test_another_process_shows_ones_own_change_at_once(manager: Client, mary: User) -> None:
    assert names(manager) == []
    save(manager, "Suites")
    assert names(manager) == ["Suites"]
    SavedView.objects.keep("From another browser", "/guests/", user=mary)
    assert names(manager) == ["Suites"], "for a minute"


def test_the_search_finds_views(manager: Client) -> None:
    save(manager, "Émile's morning")
    for text, found in (("emile morn", True), ("morn emi", True), ("orning", False), ("", False)):
        shown = ListMarkup(manager.get("/search/palette/", {"q": text}).content).soup.select("[data-hit=views]")
        assert bool(shown) == found, text
    assert manager.get("/search/", {"q": "morning", "first": "on"})["Location"] == SUITES


def test_views_end_with_their_account(mary: User) -> None:
    SavedView.objects.keep("Mine", SUITES, user=mary)
    mary.delete()
    assert not SavedView.objects.exists()


def test_what_is_no_hotel_has_no_views(manager: Client) -> None:
    save(manager, "Mine")
    assert manager.get("/hotels/a%00b/rooms/").status_code == 404
