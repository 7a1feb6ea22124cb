"""The page of the room list, by the markup that browsers and scripts use."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from functools import partial
from urllib.parse import unquote

import pytest
from django.test import Client

from dynamodb_lists.tests.helpers.paging import linked
from rooms import commands, queries
from rooms.entities import Room, StatusChange
from rooms.statuses import Housekeeping
from tests.helpers.contents import Fill
from tests.helpers.markup import ListMarkup
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
URL = f"/hotels/{ABC}/rooms/"
VIEWS = ("Sea view", "Garden view", "City view")
TYPES = ("Suite", "Double")


def all_rooms() -> list[Room]:
    return [make_room(str(100 + n), view=VIEWS[n % 3], size=20 + 10 * (n % 4), type=TYPES[n % 2]) for n in range(72)]


def fill() -> None:
    make_hotel(all_rooms())


@pytest.fixture
def filling(request: pytest.FixtureRequest) -> Fill | None:
    return fill if "rooms" in request.fixturenames else None


@pytest.fixture
def rooms(empty_tables: None) -> list[Room]:
    """72 rooms, 100 to 171, with three views, four sizes and two types."""
    return all_rooms()


def get(client: Client, query: str = "", **headers: str) -> ListMarkup:
    response = client.get(URL + query, headers=headers)
    assert response.status_code == 200, response.content
    return ListMarkup(response.content)


def test_walking_by_the_links_gives_every_room_once_and_the_same_pages_back(staff: Client, rooms: list[Room]) -> None:
    pages = linked(get(staff, "?view=sea-view&view=city-view&sort=-size&then=type&page_size=10"), partial(get, staff))
    assert [len(page.rows) for page in pages] == [10, 10, 10, 10, 8]
    assert len({row for page in pages for row in page.rows}) == pages[0].total == 48
    page = get(staff, pages[0].link("last") or "")
    assert page.rows == pages[-1].rows
    for before in reversed(pages[:-1]):
        page = get(staff, page.link("prev") or "")
        assert page.rows == before.rows
    assert page.link("prev") is None
    assert get(staff, pages[2].link("first") or "").rows == pages[0].rows
    assert pages[2].text("nav.pager .range") == "21–30 of 48"


SHOWN_TWICE = "Rates have changed since the first page, so rooms may be missing or shown twice."
HTMX = {"HX-Request": "true", "HX-Target": "list"}


def change_rate(number: str, rate: int) -> None:
    before = queries.room(ABC, number, consistent=True)
    commands.edit_room(before, replace(before, rate=Decimal(rate)), "alice")


@pytest.mark.parametrize("query", ["?sort=rate", "?sort=-rate&view=sea-view&page_size=10"])
def test_a_walk_by_rate_says_when_rates_have_changed_since_its_first_page(
    staff: Client, rooms: list[Room], query: str
) -> None:
    first = get(staff, query)
    commands.set_status(ABC, "101", StatusChange(Housekeeping.DIRTY), "alice")
    second = get(staff, first.link("next") or "")
    assert not second.soup.select(".outdated")
    assert " of " in second.text("nav.pager .range")
    change_rate("171", 1)
    for page in (
        get(staff, first.link("next") or ""),
        get(staff, second.link("next") or ""),
        get(staff, get(staff, first.link("next") or "").link("last") or ""),  # the walk is the same
        get(staff, second.link("prev") or "", **HTMX),
    ):
        assert page.text(".outdated[role=status]").startswith(SHOWN_TWICE)
        assert page.text("nav.pager .range") == f"{len(page.rows)} shown"
    again = get(staff, str(page.element(".outdated a")["href"]))
    assert again.rows == get(staff, query).rows
    assert not get(staff, again.link("next") or "").soup.select(".outdated")


@pytest.mark.parametrize("query", ["", "?sort=size", "?sort=view&rate_min=1"])
def test_a_walk_by_what_did_not_change_says_nothing(staff: Client, rooms: list[Room], query: str) -> None:
    first = get(staff, query)
    change_rate("171", 1000)
    assert not get(staff, first.link("next") or "").soup.select(".outdated")


@pytest.mark.parametrize(
    "change",
    [
        lambda: commands.create_room(make_room("900"), "alice"),
        lambda: commands.delete_room(queries.room(ABC, "101"), "alice"),
        lambda: commands.save_rooms([make_room("101", currency="CHF")]),
    ],
    ids=["added", "deleted", "in another currency"],
)
def test_a_room_that_comes_goes_or_moves_is_a_change_of_rates(
    staff: Client, rooms: list[Room], change: Callable[[], object]
) -> None:
    first = get(staff, "?sort=rate")
    change()
    assert get(staff, first.link("next") or "").soup.select(".outdated")


def test_filters_drill_down(staff: Client, rooms: list[Room]) -> None:
    page = get(staff, "?view=sea-view&type=suite")
    assert page.total == sum(room.view == "Sea view" and room.type == "Suite" for room in rooms) == 12
    assert page.count("view", "garden-view") == 12  # under the type alone
    assert page.count("type", "double") == 12  # under the view alone
    assert page.count("size", "20") == sum(
        (room.view, room.type, room.size) == ("Sea view", "Suite", 20) for room in rooms
    )
    assert {str(box["value"]) for box in page.soup.select("input[name=view][checked]")} == {"sea-view"}


def test_all_choices_of_a_filter_with_many_values_are_a_link_away(staff: Client) -> None:
    make_hotel([make_room(str(n), type=f"Type {n % 40}") for n in range(100)])
    page = get(staff, "?type=type-39")
    assert len(page.soup.select("#choices-type .choice")) == 11, "the ten with most rooms, and the one that is set"
    link = next(link for link in page.soup.select("a") if "All 40 types" in " ".join(link.get_text(" ").split()))
    page = get(staff, str(link["href"]))
    assert len(page.soup.select("#choices-type .choice")) == 40
    assert page.element("#type-type-39").has_attr("checked")


def test_no_numbers_are_beside_filters_where_they_would_be_wrong(staff: Client, rooms: list[Room]) -> None:
    assert get(staff).soup.select("#filters [data-count]")
    assert not get(staff, "?status=dirty").soup.select("#filters [data-count]")


SELECTIONS: dict[str, Callable[[Room], bool]] = {
    "?size=40": lambda room: room.size == 40,
    "?size=20&size=50": lambda room: room.size in {20, 50},
    "?size_min=25": lambda room: room.size >= 25,
    "?size_max=30": lambda room: room.size <= 30,
    "?size_min=30&size_max=40&view=sea-view": lambda room: 30 <= room.size <= 40 and room.view == "Sea view",
    "?view=sea-view&view=garden-view&view=city-view": lambda room: True,
    "?size_min=&size_max=&view=": lambda room: True,
}


def test_a_selection_shows_its_rooms_and_no_others(staff: Client, rooms: list[Room]) -> None:
    for query, keep in SELECTIONS.items():
        pages = linked(get(staff, query + "&page_size=50"), partial(get, staff))
        shown = [row for page in pages for row in page.rows]
        assert sorted(shown) == [room.number for room in rooms if keep(room)], query


def sizes(page: ListMarkup) -> list[int]:
    return [int(cell.get_text().split()[0]) for cell in page.soup.select("td[data-label=Size]")]


def test_headers_toggle_the_sort_and_keep_the_filters(staff: Client, rooms: list[Room]) -> None:
    page = get(staff, "?view=sea-view&page_size=100")
    assert not page.soup.select("[aria-sort]")
    page = get(staff, str(page.element("a[data-sort=size]")["href"]))
    assert page.element("th[aria-sort]")["aria-sort"] == "ascending"
    assert sizes(page) == sorted(sizes(page))
    page = get(staff, str(page.element("a[data-sort=size]")["href"]))
    assert page.element("th[aria-sort]")["aria-sort"] == "descending"
    assert sizes(page) == sorted(sizes(page), reverse=True)
    page = get(staff, str(page.element("a[data-sort=type]")["href"]))
    assert page.text("th[aria-sort] a").startswith("Type")
    assert page.element("[data-then][aria-current]")["data-then"] == "size"
    assert page.total == 24


def test_a_second_sort_that_says_nothing_is_dropped(staff: Client, rooms: list[Room]) -> None:
    for first in ("", "sort=", "sort=size", "sort=-size"):
        page, alone = get(staff, f"?{first}&then=size&page_size=10"), get(staff, f"?{first}&page_size=10")
        assert page.rows == alone.rows, first
        assert page.link("next") == alone.link("next"), first
        assert "then" not in str(page.element("a[data-export]")["href"]), first


def test_chips_switch_off_one_value_and_reset_all(staff: Client, rooms: list[Room]) -> None:
    page = get(staff, "?view=sea-view&view=city-view&size_min=30")
    links = {link.get_text(" ", strip=True): str(link["href"]) for link in page.soup.select(".active-filters a")}
    assert links["Remove view Sea view ×"] == "?view=city-view&size_min=30"
    assert links["Remove from 30 m² ×"] == "?view=sea-view&view=city-view"
    assert links["Reset"] == URL


def test_a_number_is_combined_with_filters_and_sorts(staff: Client, rooms: list[Room]) -> None:
    page = get(staff, "?number=1&view=sea-view&sort=-size&page_size=100")
    wanted = [room for room in rooms if room.number.startswith("1") and room.view == "Sea view"]
    assert sorted(page.rows) == sorted(room.number for room in wanted)
    sizes = {room.number: room.size for room in rooms}
    assert [sizes[number] for number in page.rows] == sorted((room.size for room in wanted), reverse=True)
    kept = {str(each["name"]): str(each["value"]) for each in page.soup.select(".number-search input[type=hidden]")}
    assert kept == {"view": "sea-view", "sort": "-size", "page_size": "100"}, "the search keeps the filters"
    assert page.element("#filters input[name=number]")["value"] == "1", "and the filters keep the number"


def test_no_match_says_so_and_shows_the_way_out(staff: Client, rooms: list[Room]) -> None:
    page = get(staff, "?number=9")
    assert page.rows == []
    assert "No room's number begins with 9." in page.text(".nothing")
    page = get(staff, "?size_min=900")
    assert (page.rows, page.total) == ([], 0)
    assert "No room matches" in page.text(".nothing")
    assert page.element(".nothing a")["href"] == URL
    assert [page.link(rel) for rel in ("first", "prev", "next", "last")] == [None] * 4


def test_a_hotel_without_rooms_says_so(staff: Client) -> None:
    make_hotel()
    for query in ("", "?page_size=50", "?sort=size"):
        page = get(staff, query)
        assert "no rooms yet" in page.text(".nothing")
        assert not page.soup.select(".reset")


def test_a_filter_whose_last_room_is_gone_shows_an_empty_list(staff: Client) -> None:
    make_hotel([make_room("101"), make_room("102", view="Garden")])
    commands.delete_room(queries.room(ABC, "102"), "alice")
    page = get(staff, "?view=garden")
    assert (page.rows, page.total, page.count("view", "garden")) == ([], 0, 0)
    assert "No room matches" in page.text(".nothing")


def test_the_address_bar_gets_the_one_spelling_of_a_page(staff: Client, rooms: list[Room]) -> None:
    headers = {"HX-Request": "true", "HX-Target": "list"}
    untidy = "?size_min=&size_max=&page_size=25&view=sea-view&sort=&odd=1"
    assert staff.get(URL + untidy, headers=headers)["HX-Push-Url"] == f"{URL}?view=sea-view"
    assert staff.get(URL, headers=headers)["HX-Push-Url"] == URL
    following = get(staff, "?page_size=10").link("next") or ""
    assert staff.get(URL + following, headers=headers)["HX-Push-Url"] == unquote(URL + following).replace(":", "%3A")


def test_htmx_may_ask_for_the_whole_page_to_restore_history(staff: Client, rooms: list[Room]) -> None:
    assert get(staff, "?view=sea-view", **HTMX, **{"HX-History-Restore-Request": "true"}).soup.select("html")


# --- Permissions, and bad requests -----------------------------------------------------------------------


BAD = {
    "view": ("view=nowhere", "view=sea%20view", "view=a%23b", "view=%00", f"view={'x' * 65}"),
    "type": ("type=../..",),
    "size": ("size=41", "size=forty", "size=0", "size=99999", "size=0777"),
    "size_min": ("size_min=-1", "size_min=1e9", "size_min=50&size_max=40"),
    "rate_min": ("rate_min=x", "rate_min=-1", "rate_min=9&rate_max=8"),
    "rate_max": ("rate_max=NaN", "rate_max=1e99"),
    "status": ("status=broken",),
    "then": ("sort=size&then=-type", "then=rate", "sort=rate&then=rate"),
    "number": ("number=%2311", f"number={'1' * 17}"),
    "cursor": ("cursor=%F0%9F%92%A9", f"cursor={'A' * 100_000}"),
}
"""What a page of any list refuses, such as an unknown sort, is in ``test_every_page.py``."""


@pytest.mark.parametrize("field", BAD)
def test_a_bad_parameter_is_named_and_the_list_offered_without_it(staff: Client, rooms: list[Room], field: str) -> None:
    for query in BAD[field]:
        valid = ["type=double"] if field != "type" and "number" not in query else []
        valid += ["page_size=10"] if field != "page_size" else []
        exported = query == BAD[field][0] and field not in {"format", "cursor"}
        for part in ([], ["format=csv"])[: 1 + exported]:
            response = staff.get(f"{URL}?{'&'.join([query, *valid, *part])}")
            assert response.status_code == 400, query
            page = ListMarkup(response.content)
            assert [str(code["data-problem"]) for code in page.soup.select("[data-problem]")] == [field], query
            assert page.text(".problems dd"), query
            way_out = str(page.element(".actions a")["href"])
            assert set(valid) <= set(way_out.partition("?")[2].split("&")), query
            assert part or query != BAD[field][0] or staff.get(way_out).status_code == 200, query


def test_a_list_without_a_sort_says_its_order(staff: Client, rooms: list[Room]) -> None:
    by_number = {room.number: room for room in rooms}
    for query in ("?", "?view=sea-view", "?type=suite&view=sea-view", "?size_min=30", "?rate_min=1"):
        page = get(staff, query)
        names = page.text(".ordered-by").removeprefix("Sorted by ").removesuffix(".").split(", then ")
        assert sorted(names) == (["size", "type", "view"] if "view" in query or "size" in query else ["number"]), query
        shown = [[getattr(by_number[number], name) for name in names] for number in page.rows]
        assert shown == sorted(shown), query
        assert not get(staff, f"{query}&sort=size").soup.select(".ordered-by"), query
