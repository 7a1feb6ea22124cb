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
from tests.helpers.writes import delete_room, edit_room

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


SHOWN_TWICE = "Rates changed while you were reading this list, so rooms may be missing or shown twice."
HTMX = {"HX-Request": "true", "HX-Target": "list"}


def change_rate(number: str, rate: int) -> None:
    before = queries.room(ABC, number, consistent=True)
    edit_room(before, replace(before, rate=Decimal(rate)), "alice")


def test_a_walk_by_rate_says_when_rates_have_changed_since_its_first_page(staff: Client, rooms: list[Room]) -> None:
    query, others = "?sort=-rate&view=sea-view&page_size=10", ("", "?sort=size", "?sort=view&rate_min=1")
    first, unsorted = get(staff, query), [get(staff, each).link("next") or "" for each in others]
    commands.set_status(ABC, "101", StatusChange(Housekeeping.DIRTY), "alice")
    second = get(staff, first.link("next") or "")
    assert not second.soup.select(".outdated")
    assert " of " in second.text("nav.pager .range")
    change_rate("171", 1)
    assert not [each for each in unsorted if get(staff, each).soup.select(".outdated")], "by what did not change"
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


def test_a_room_that_comes_goes_or_moves_is_a_change_of_rates(staff: Client, rooms: list[Room]) -> None:
    changes: list[Callable[[], object]] = [
        lambda: commands.create_room(make_room("900"), "alice"),
        lambda: delete_room(queries.room(ABC, "101"), "alice"),
        lambda: commands.save_rooms([make_room("102", currency="CHF")]),
    ]
    for change in changes:
        first = get(staff, "?sort=rate")
        change()
        assert get(staff, first.link("next") or "").soup.select(".outdated")


def test_filters_drill_down(staff: Client, rooms: list[Room]) -> None:
    page = get(staff, "?view=sea-view&type=suite")
    assert page.total == sum(room.view == "Sea view" and room.type == "Suite" for room in rooms) == 12
    assert not get(staff, "?status=dirty").soup.select("#filters [data-count]"), "they would be wrong"
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


SELECTIONS: dict[str, Callable[[Room], bool]] = {
    "?size=20&size=50": lambda room: room.size in {20, 50},
    "?size_min=30&size_max=40&view=sea-view": lambda room: 30 <= room.size <= 40 and room.view == "Sea view",
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
    "view": ("nowhere", "a%23b"),
    "size": ("41", "0777"),
    "size_min": ("-1", "50&size_max=40"),
    "rate_min": ("x", "9&rate_max=8"),
    "rate_max": ("NaN",),
    "status": ("broken",),
    "then": ("-type", "rate"),
    "number": ("%2311", "1" * 17),
}
"""What a page of any list refuses, such as an unknown sort, is in ``test_every_page.py``."""


def test_a_bad_parameter_is_named_and_the_list_offered_without_it(staff: Client, rooms: list[Room]) -> None:
    for field, values in BAD.items():
        for value in values:
            response = staff.get(f"{URL}?{field}={value}&page_size=10")
            page = ListMarkup(response.content)
            assert (response.status_code, page.element("[data-problem]")["data-problem"]) == (400, field), value
            assert "page_size=10" in str(page.element(".actions a")["href"]), field
