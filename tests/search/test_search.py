"""The search: one request for each kind at the same time, hits with links, and only what the user may view."""

from urllib.parse import quote

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from dynamodb_lists import ledger
from orders import commands as orders
from orders.entities import Guest
from search.views import search
from tests.conftest import logged_in
from tests.helpers.markup import ListMarkup
from tests.helpers.orders import make_order, store
from tests.helpers.people import bind
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.helpers.writes import create_guest

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
KINDS = {
    "hotels": "hotels.view_hotel",
    "rooms": "rooms.view_room",
    "guests": "orders.view_guest",
    "orders": "orders.view_order",
}


def fill() -> None:
    make_hotel([make_room("101"), make_room("12A")], name="Grand Hôtel Lerida")
    make_hotel([make_room("101", hotel_id="xyz")], hotel_id="xyz", name="Zur Altstadt")
    create_guest(Guest("g1", "Émile Leroux", "mail@example.com", "+43 664 9911"), "alice")
    store([make_order("101", "alex"), make_order("7K0M1QTX", "alex", hotel_id="xyz")])


@pytest.fixture
def viewer(empty_tables: None, alice: User) -> Client:
    """Alice's browser. She may view everything that the search finds."""
    allow(alice, *KINDS.values())
    return logged_in(alice)


def allow(user: User, *permissions: str) -> None:
    names = [permission.split(".")[1] for permission in permissions]
    user.user_permissions.set(Permission.objects.filter(codename__in=names))


def hits(client: Client, text: str) -> dict[str, list[str]]:
    """Return the addresses of the hits, by kind."""
    response = client.get("/search/", {"q": text})
    assert response.status_code == 200
    lists = ListMarkup(response.content).soup.select("ul.hits")
    return {str(found["data-list"]): [str(link["href"]) for link in found.select("li a")] for found in lists}


FOUND: dict[str, dict[str, list[str]]] = {
    "ler": {"hotels": [f"/hotels/{ABC}/"], "guests": ["/guests/g1/"]},
    "GRAND lerida": {"hotels": [f"/hotels/{ABC}/"]},
    "leroux emile": {"guests": ["/guests/g1/"]},
    "mail@": {"guests": ["/guests/g1/"]},
    "0664 99 11": {"guests": ["/guests/g1/"]},
    "12a": {"rooms": [f"/hotels/{ABC}/rooms/12A/"]},
    "101": {"rooms": [f"/hotels/{ABC}/rooms/101/", "/hotels/xyz/rooms/101/"], "orders": ["/orders/101/"]},
    "#7K0M1QTX": {"orders": ["/orders/7K0M1QTX/"]},
    "7kom-iqtx": {"orders": ["/orders/7K0M1QTX/"]},
    "al": {"hotels": ["/hotels/xyz/"], "guests": ["/guests/alex/"]},
    "nothing": {},
}


def test_one_field_finds_every_kind(viewer: Client) -> None:
    assert {text: hits(viewer, text) for text in FOUND} == FOUND


@pytest.mark.parametrize("bound", [False, True])
def test_a_thing_of_each_kind_is_found_by_its_id_in_whatever_capitals(viewer: Client, alice: User, bound: bool) -> None:
    rooms, numbers = ["Ab1c", "b-2", "Penthouse West"], ["K-1", "a_b", "Ord-17", "Kitchen1", "aBcDeFgHiJk"]
    make_hotel([make_room(number, hotel_id="Ho-1") for number in rooms], "Ho-1", "Third")
    orders.add_missing_guests([Guest("mia.b", "Third")])
    store([make_order(number, "mia.b", hotel_id="Ho-1") for number in numbers])
    if bound:
        bind(alice, ABC, "Ho-1")
    ids = {"hotels": ["Ho-1"], "rooms": rooms, "guests": ["mia.b"], "orders": numbers}
    assert ids.keys() == KINDS.keys()
    for kind, thing_id in [(kind, each) for kind, named in ids.items() for each in named]:
        for text in (thing_id.lower(), thing_id.swapcase()):
            found = hits(viewer, text).get(kind, [])
            assert any(quote(thing_id) in address for address in found), (text, found)


def test_more_than_eight_hits_link_to_the_whole_list(viewer: Client) -> None:
    orders.add_missing_guests([Guest(f"guest{n}", f"Leroux {n}") for n in range(9)])
    page = ListMarkup(viewer.get("/search/?q=ler").content)
    assert len(page.soup.select("ul[data-list=guests] li")) == 8
    assert page.element("a[href^='/guests/?']")["href"] == "/guests/?q=ler"
    assert len(page.soup.select("ul[data-list=hotels] li")) == 1
    assert not page.soup.select("a[href^='/hotels/?']")


def test_each_kind_needs_its_permission(newcomer: Client, dana: User) -> None:
    assert hits(newcomer, "ler") == hits(newcomer, "101") == {}
    assert "Your account may not see anything" in ListMarkup(newcomer.get("/search/?q=ler").content).text(
        "[data-nothing]"
    )
    for kind, permission in KINDS.items():
        allow(dana, permission)
        assert {*hits(newcomer, "ler"), *hits(newcomer, "101")} == {kind}


def test_inside_a_hotel_the_search_leads_to_its_notes(newcomer: Client, viewer: Client, dana: User) -> None:
    asked = {"q": "wallet", "hotel": ABC}
    allow(dana, "rooms.view_room")
    assert "Search the notes" not in newcomer.get("/search/", asked).content.decode()
    allow(dana, "rooms.view_room", "notes.view_note")
    page = ListMarkup(newcomer.get("/search/", asked).content)
    link = page.element("ul[data-list=notes] a")
    assert (link["href"], link.text) == (
        f"/hotels/{ABC}/notes/?q=wallet&status=any",
        "Search the notes of Grand Hôtel Lerida for “wallet”",
    )
    assert not ListMarkup(newcomer.get("/search/", {"q": "wallet"}).content).soup.select("ul.hits")


def test_a_bad_text_is_named(viewer: Client) -> None:
    response = viewer.get("/search/?q=%23")
    assert response.status_code == 400
    assert ListMarkup(response.content).element("[data-problem]")["data-problem"] == "q"
    assert viewer.get("/search/palette/?q=%23").status_code == 200, "its list is empty"


def test_the_palette_has_the_same_hits(viewer: Client) -> None:
    soup = ListMarkup(viewer.get("/search/palette/?q=ler").content).soup
    assert [
        (item["data-hit"], link["href"])
        for item in soup.select("#command-results-list li")
        for link in item.select("a")
    ] == [("hotels", f"/hotels/{ABC}/"), ("guests", "/guests/g1/")]
    assert viewer.get("/search/palette/?q=").content.strip() == b""


def test_what_belongs_to_the_hotel_of_the_page_comes_first(viewer: Client, alice: User) -> None:
    for number in range(9):
        make_hotel([make_room("101", hotel_id=f"h{number}")], hotel_id=f"h{number}")
    soup = ListMarkup(viewer.get("/search/palette/?q=101&hotel=xyz").content).soup
    links = [str(link["href"]) for link in soup.select("#command-results-list a")]
    assert links[:2] == ["/hotels/xyz/rooms/101/", f"/hotels/{ABC}/rooms/101/"]
    assert len(links) == len(set(links))
    assert "Room 101 • Zur Altstadt · Suite · Sea view" in soup.get_text(" ", strip=True)
    with ledger.recording() as calls:
        search("101", KINDS, here="xyz")
    assert (calls.requests, calls.waves) == (len(KINDS) + 1, 1)
    store([make_order("7K0M1QTY", "g1")])
    assert "guest Émile Leroux" in viewer.get("/search/palette/?q=7K0M1QTY").content.decode()
    orders_first = viewer.get("/search/?q=7K0M1QTX&hotel=xyz&first=on")
    assert orders_first["Location"] == "/orders/7K0M1QTX/"
    bind(alice, ABC)
    assert "xyz" not in viewer.get("/search/palette/?q=101&hotel=xyz").content.decode()


def test_enter_in_the_palette_opens_the_first_hit(viewer: Client) -> None:
    assert viewer.get("/search/?q=leroux&hotel=&first=on")["Location"] == "/guests/g1/"
    assert viewer.get("/search/?q=nothing&hotel=nowhere&first=on").status_code == 200
    assert viewer.get("/search/?q=leroux&hotel=a%23b&first=on").status_code == 400


def test_the_list_of_hotels_by_words_has_whole_hotels(viewer: Client) -> None:
    page = ListMarkup(viewer.get("/hotels/?q=paris").content)
    assert sorted(page.rows) == [ABC, "xyz"]
    assert page.text(f"tr[data-row={ABC}] [data-label=Rooms]") == "2"
    assert page.cost("requests") == 2, "the words, and then the hotels"
    nothing = ListMarkup(viewer.get("/hotels/?q=zzz").content)
    assert "No hotel was found for “zzz”" in nothing.text(".nothing")
    assert nothing.cost("requests") == 1


def test_staff_who_are_bound_to_a_hotel_find_what_is_there(viewer: Client, alice: User) -> None:
    assert {*hits(viewer, "101")} == {"rooms", "orders"}
    bind(alice, "xyz")
    assert hits(viewer, "zur") == {"hotels": ["/hotels/xyz/"]}
    assert hits(viewer, "grand") == {}
    assert hits(viewer, "101") == {"rooms": ["/hotels/xyz/rooms/101/"]}
    assert hits(viewer, "7k0m1qtx") == {"orders": ["/orders/7K0M1QTX/"]}
    assert ListMarkup(viewer.get("/hotels/?q=grand").content).rows == []
    assert ListMarkup(viewer.get("/hotels/?q=zur").content).rows == ["xyz"]
    assert f"/hotels/{ABC}/" not in viewer.get("/search/palette/?q=grand").content.decode()


def choices(client: Client, **asked: str) -> list[str]:
    """Return the ids of what a picker offers."""
    response = client.get("/search/choices/", asked)
    assert response.status_code == 200
    return [choice["id"] for choice in response.json()["choices"]]


def test_pickers_are_offered_what_the_search_finds(viewer: Client, alice: User) -> None:
    assert choices(viewer, kind="guest", q="ler") == choices(viewer, kind="guest", q="9911") == ["g1"]
    assert choices(viewer, kind="hotel", q="alt") == ["xyz"]
    assert sorted(choices(viewer, kind="hotel")) == [ABC, "xyz"], "the first ones, before anything is typed"
    assert choices(viewer, kind="room", q="1", hotel=ABC) == ["12A", "101"]
    assert choices(viewer, kind="room", q="１2", hotel=ABC) == ["12A"]
    assert choices(viewer, kind="item", q="thing", hotel=ABC) == [], "who places orders finds items"
    for asked in (
        {"kind": "room", "q": "1"},
        {"kind": "room", "q": "1#", "hotel": ABC},
        {"kind": "robot", "q": "a"},
        {},
    ):
        assert choices(viewer, **asked) == [], asked
    bind(alice, "xyz")
    assert choices(viewer, kind="hotel") == ["xyz"]
    assert choices(viewer, kind="room", q="1", hotel=ABC) == choices(viewer, kind="hotel", q="grand") == []
    assert viewer.get("/search/choices/?kind=guest&q=%23").status_code == 400


def test_pickers_find_what_one_may_view(newcomer: Client, dana: User) -> None:
    for kind in ("guest", "hotel", "room"):
        asked = {"kind": kind, "q": "1" if kind == "room" else "ler", "hotel": ABC}
        assert choices(newcomer, **asked) == [], kind
        allow(dana, KINDS[f"{kind}s"])
        assert choices(newcomer, **asked) != [], kind


PAGES: dict[str, dict[str, list[str]]] = {
    "place order": {"pages": ["/orders/place/"]},
    "all dirty rooms": {"pages": ["/attention/"]},
    "unfinished": {"pages": ["/orders/unfinished/"]},
    "cost lab": {},
}


def test_pages_that_one_may_open_are_found_by_the_words_of_their_links(viewer: Client) -> None:
    alice = User.objects.get()
    allow(alice, *KINDS.values(), "orders.add_order")
    assert {text: hits(viewer, text) for text in PAGES} == PAGES
    assert viewer.get("/search/?q=place+order&first=on").headers["Location"] == "/orders/place/"
    assert viewer.get(f"/search/?q=repairs&hotel={ABC}&first=on").headers["Location"] == f"/hotels/{ABC}/repairs/"
    allow(alice, *KINDS.values())
    assert hits(viewer, "place order") == {}


def test_the_palette_knows_rooms_of_a_hotel_and_pages_by_their_words(viewer: Client) -> None:
    def first(text: str, here: str = "") -> str:
        return str(viewer.get("/search/", {"q": text, "hotel": here, "first": "on"})["Location"])

    assert first("room 101", "xyz") == "/hotels/xyz/rooms/101/"
    assert first("room 101", ABC) == f"/hotels/{ABC}/rooms/101/"
    assert first("101 altstadt") == first("altstadt room 101") == "/hotels/xyz/rooms/101/"
    assert first("handover", "xyz") == "/hotels/xyz/handover/"
    assert first("dirty rooms", ABC) == f"/hotels/{ABC}/attention/"
    assert first("handover altstadt", ABC) == "/hotels/xyz/handover/"
    assert first("handover xyz", ABC) == "/hotels/xyz/handover/"
    assert "rooms" not in hits(viewer, "101 nowhere")


def test_staff_are_found_by_their_names_by_who_may_see_them(viewer: Client, alice: User, dana: User) -> None:
    User.objects.filter(pk=dana.pk).update(first_name="Dana", last_name="Okoro")
    assert "staff" not in hits(viewer, "oko")
    allow(alice, "auth.view_user")
    for text in ("oko", "dana okoro"):
        assert hits(viewer, text)["staff"] == [f"/admin/auth/user/{dana.pk}/change/"]
    bind(alice, "xyz")
    bind(dana, ABC)
    assert "staff" not in hits(viewer, "oko")
