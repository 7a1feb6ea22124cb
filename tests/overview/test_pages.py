"""The start pages: each figure equals the list to which it leads, and users see only what they may see."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client

from dynamodb_lists.schema.keys import now
from hotels import commands as hotels_commands
from hotels import queries as hotels
from hotels.entities import Hotel
from orders import commands as orders
from orders.lists import stored_order
from orders.statuses import Status
from overview.forms import COLUMNS
from portal.times import in_zone, today_in
from rooms import commands as rooms
from rooms.entities import StatusChange
from rooms.statuses import Housekeeping, Service
from tests.helpers.markup import ListMarkup
from tests.helpers.orders import make_guest, make_order, store
from tests.helpers.people import bind, permit
from tests.helpers.reviews import make_review
from tests.helpers.reviews import store as store_reviews
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.helpers.statistics import together
from tests.helpers.writes import edit_hotel

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
HOTEL = f"/hotels/{ABC}/"
LIST = {"HX-Request": "true", "HX-Target": "list"}
DAYS_AGO = (0, 0, 1, 2, 3, 7, 8, 29, 30, 400, 45)
STATUSES = {
    "101": StatusChange(Housekeeping.DIRTY),
    "102": StatusChange(Housekeeping.INSPECTED),
    "103": StatusChange(Housekeeping.DIRTY, Service.OUT_OF_ORDER, "Painting"),
}


def fill() -> None:
    """Two hotels. The first one has rooms in each status, and orders and reviews of many days."""
    make_hotel([make_room(number) for number in ("101", "102", "103", "104", "105")])
    make_hotel([make_room("1", hotel_id="xyz")], "xyz", "Hôtel XYZ")
    make_hotel(hotel_id="new", name="Empty")
    for number, change in STATUSES.items():
        rooms.set_status(ABC, number, change, "anna")
    before = days_before(45)
    less = make_order("x-2", hotel_id="xyz", status=Status.DELIVERED, placed_at=before, status_at=before, total=400)
    store([*_orders("abc"), make_order("x-1", hotel_id="xyz", placed_at=now(), status_at=now()), less])
    reviews = [make_review(f"r-{ago}", rating=1 + ago % 5, created_at=days_before(ago)) for ago in (0, 1, 40, 90, 800)]
    store_reviews(reviews)


def days_before(ago: int) -> datetime:
    """This time of the hotels' day, so many days ago, also if their clocks changed since."""
    return (in_zone(now(), "Europe/Paris") - timedelta(days=ago)).astimezone(UTC)


def _orders(hotel_id: str) -> Iterator[Any]:
    for number, ago in enumerate(DAYS_AGO):
        at = days_before(ago)
        for status in Status:
            order_id = f"{hotel_id}-{number}-{status}"
            yield make_order(order_id, status=status, placed_at=at, status_at=at, total=number + 1)


def page_of(client: Client, address: str) -> ListMarkup:
    response = client.get(address)
    assert response.status_code == 200, (address, response.status_code, response.headers)
    return ListMarkup(response.content)


def number_of(client: Client, address: str) -> int:
    """Return how many rows the list at an address has; of reviews by month and of orders, all pages are counted."""
    part = client.get(f"{address}{'&' if '?' in address else '?'}page_size=100", headers=LIST)
    assert part.status_code == 200, address
    page = ListMarkup(part.content)
    assert page.link("next") is None
    return len(page.soup.select("[data-row]"))


def links(page: ListMarkup, selector: str) -> list[tuple[str, str]]:
    """Return the addresses and the words of links."""
    return [(str(link["href"]), " ".join(link.get_text(" ").split())) for link in page.soup.select(selector)]


# --- Figures are those of their lists -------------------------------------------------------------------


def test_each_figure_of_a_hotel_is_that_of_its_list(manager: Client) -> None:
    page = page_of(manager, HOTEL)
    figures = links(page, ".plot-figures td a") + links(page, "a.lying-bar")
    figures += [(address, words.partition(" old")[0]) for address, words in links(page, "a.old")]
    assert len(figures) == 15 + 30 + 30 + 12 + 4 + 5 + 1
    assert " late" not in page.text("main"), "an order is late after the time for which it is wanted"
    for number, (address, words) in enumerate(figures):
        counted = _counted(words)
        if counted or (counted == 0 and number % 15 == 0):  # of those without anything, one in fifteen
            assert number_of(manager, address) == counted, (address, words)


def _counted(words: str) -> int | None:
    """The number in a figure's words: the last one in "Dirty 2", the second one in "4.5 of 2"; ``None`` for money."""
    if words == "no review":
        return 0
    if re.search(r"[€$£]|EUR", words):
        return None
    if of := re.fullmatch(r"[\d.]+ of (\d+)", words):
        return int(of.group(1))
    return int(re.findall(r"\d+", words)[-1])


def test_bars_lead_where_their_figures_lead(manager: Client) -> None:
    page = page_of(manager, HOTEL)
    bars = [str(link["href"]) for link in page.soup.select("svg a")]
    figures = [address for address, words in links(page, ".plot-figures td a")]
    assert set(bars) <= set(figures)
    assert all(link["tabindex"] == "-1" for link in page.soup.select("svg a"))
    assert page.soup.select("svg a") == page.soup.select("[aria-hidden=true] svg a, svg[aria-hidden=true] a")


def test_the_sum_of_hotels_of_all_zones_is_of_the_day_of_the_plots(manager: Client) -> None:
    """At any moment, two of these hotels have another day than UTC. Each has an order of each of its last days."""
    zones = {"east": "Pacific/Kiritimati", "west": "Pacific/Pago_Pago", "utc": "UTC"}
    hotels_commands.save_hotels([Hotel(name, name, currency="EUR", time_zone=zone) for name, zone in zones.items()])
    for number, name in enumerate(zones):
        days = [now() - timedelta(days=ago) for ago in (0, 1, 28, 29, 30, 31)]
        amounts = [10 ** (1 + place) * (number + 1) for place in range(len(days))]
        store(
            [
                make_order(f"{name}-{total}", hotel_id=name, placed_at=at, status_at=at, total=total)
                for at, total in zip(days, amounts, strict=True)
            ]
        )
    page = page_of(manager, "/")
    (amount,) = re.findall(r"EUR\s[\d,.]+", page.text("#revenue-EUR ~ .sum"))
    assert amount in page.text("tfoot")


def test_the_group_is_the_sum_of_its_hotels(manager: Client) -> None:
    page = page_of(manager, "/")
    assert page.rows == [ABC, "new", "xyz"]
    assert "EUR 244.00" in page.text("#revenue-EUR ~ .sum")
    assert "EUR 144.00" in page_of(manager, HOTEL).text("#revenue-EUR ~ .sum")
    (revenue,) = (link for link in page.soup.select(f"tr[data-row={ABC}] td a") if "EUR" in link.get_text())
    assert page_of(manager, str(revenue["href"])).rows, "the orders of these days"
    cells = {str(row.get("data-row", "all")): texts(row) for row in page.soup.select(".compared :is(tbody, tfoot) tr")}
    month = texts(page.element("tr[data-row]"))[-1]
    assert cells == {
        ABC: ["5", "40% 2", "20% 1", "33", "21", "EUR 144.00", "+80%", "5", "1.2", month],
        "new": ["0", "0% 0", "0% 0", "0", "0", "–", "–", "0", "–", "–"],
        "xyz": ["1", "0% 0", "0% 0", "1", "0", "EUR 100.00", "−75%", "0", "–", "–"],
        "all": ["6", "33% 2", "17% 1", "34", "21", "EUR 244.00", "−49%", "5", "1.2", month],
    }
    assert dict(links(page, "a.lying-bar")) == {"#hotels": "1 ★ 4"}  # the last of those with this address
    for address, words in links(page, '.plot-figures [href^="/orders/?"]')[-2:]:
        if words.isdecimal():
            assert number_of(manager, address) == int(words) > 0
    for address, words in links(page, '[href^="/orders/unfinished/"]'):
        if words.isdecimal():
            assert number_of(manager, address) == int(words)


def texts(row: Any) -> list[str]:
    """Return the words of the cells of a row."""
    return [" ".join(cell.get_text(" ").split()) for cell in row.select("td")]


def test_each_figure_of_a_line_is_that_of_its_list(manager: Client) -> None:
    found = links(page_of(manager, "/"), "tr[data-row] td a, tfoot td a")
    assert len(found) == 3 * 10 + 7
    for address, words in found:
        count = re.fullmatch(r"(?:\d+% )?(\d+)", words)
        if count and ("/new/" not in address or "attention" in address):  # the new hotel has nothing in any list
            assert number_of(manager, address) == int(count.group(1)), address


def test_the_table_is_sorted_by_every_column(manager: Client) -> None:
    columns = [str(link["data-sort"]) for link in page_of(manager, "/").soup.select("thead a")]
    assert columns == ["hotel", *COLUMNS]
    if today_in("Europe/Paris").month != now().month:  # reviews count in months of UTC, so nobody has one of this month
        columns.remove("month")
    for column in {"hotel", "dirty", "revenue", "change", "month"} & {*columns}:
        assert page_of(manager, f"/?sort=-{column}").rows[0] == ("xyz" if column == "hotel" else ABC)
        rows = page_of(manager, f"/?sort={column}").rows
        lasts = {"hotel": "xyz", "revenue": "new", "change": "new", "rating": "xyz", "month": "xyz"}
        assert (rows[-1], len(rows)) == (lasts.get(column, ABC), 3), column
    assert page_of(manager, "/?sort=change").rows == ["xyz", ABC, "new"]


def test_hotels_to_compare_are_found_by_words_and_turned_page_by_page(manager: Client) -> None:
    assert page_of(manager, "/?q=xyz").rows == ["xyz"]
    first = page_of(manager, "/?page_size=10")
    assert first.link("next") is None
    assert "No hotel was found" in page_of(manager, "/?q=nowhere").text("tr.nothing")
    part = manager.get("/", headers=LIST)
    assert ListMarkup(part.content).rows == [ABC, "new", "xyz"]
    assert b"cards" not in part.content


# --- What a page says -----------------------------------------------------------------------------------


def test_dirty_rooms_and_jobs_are_apart(manager: Client) -> None:
    rooms.set_status(ABC, "104", StatusChange(service=Service.OUT_OF_ORDER, until=now().date() - timedelta(3)), "anna")
    page = page_of(manager, HOTEL)
    assert [words for _, words in links(page, ":has(> #waiting-title) + .waiting a")] == ["Room 101"]
    assert [words for _, words in links(page, ":has(> #jobs-title) + .waiting a")] == ["Room 104", "Room 103"]
    assert "overdue" in page.text(":has(> #jobs-title) + .waiting li:first-child")
    changed = page.text(".changed")
    assert "Room 103" in changed
    assert "anna" in changed


def test_an_empty_hotel_says_what_fills_it(manager: Client) -> None:
    page = page_of(manager, "/hotels/new/")
    offers = [address for address, _ in links(page, ".nothing-yet a")]
    assert {"/hotels/new/rooms/add/", "/orders/place/?hotel_id=new", "/hotels/new/reviews/add/"} == set(offers)
    assert not page.soup.select(".plot-bar")
    assert "manage.py" not in page.soup.get_text()


def test_what_is_below_the_table_follows_the_chosen_hotels(manager: Client) -> None:
    for query, number in (("hotel=xyz", 1), ("hotel=xyz&against=last-year", 1), ("hotel=new&hotel=xyz", 1)):
        page = page_of(manager, f"/?{query}")
        assert page.text("#orders-title ~ .sum") == f"{number} in 30 days, with today", query
        figures = links(page, ".card a[href*='orders']")
        for address, words in (each for each in figures if _counted(each[1])):
            assert "hotel=xyz" in address
            assert number_of(manager, address) == _counted(words), address
    assert page_of(manager, f"/?hotel={ABC}").element(f".card a[href='/reviews/unanswered/?hotel={ABC}']")


# --- Who sees what --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("permission", "titles"),
    [
        ("rooms.view_room", {"rooms-title", "waiting-title", "jobs-title", "changes-title"}),
        ("orders.view_order", {"unfinished-title", "orders-title", "revenue-EUR", "changes-title"}),
        ("reviews.view_review", {"ratings-title", "months-title", "changes-title"}),
    ],
)
def test_each_plot_needs_the_permission_of_its_list(
    newcomer: Client, dana: User, permission: str, titles: set[str]
) -> None:
    permit(dana, permission)
    assert newcomer.get(HOTEL).status_code == 403
    assert {str(title["id"]) for title in page_of(newcomer, "/").soup.select(".card h2")} < titles
    permit(dana, permission, "hotels.view_hotel")
    page = page_of(newcomer, HOTEL)
    assert {str(title["id"]) for title in page.soup.select(".card h2")} == titles
    lists = {address.partition("?")[0]: address for address, _ in links(page, "main a[href^='/']")}
    for address in lists.values():  # one of each list
        assert newcomer.get(address).status_code == 200, address


def test_staff_who_are_bound_to_hotels_see_these_alone(manager: Client, mary: User) -> None:
    bind(mary, ABC)
    assert manager.get("/")["Location"] == HOTEL
    bind(mary, "new", "xyz")
    page = page_of(manager, "/")
    assert page.rows == ["new", "xyz"]
    assert page.text("#orders-title ~ .sum") == "1 in 30 days, with today"
    assert manager.get(HOTEL).status_code == 404
    bind(mary)
    page = page_of(manager, "/")
    assert "Your account has no hotels" in page.text("main")
    assert not page.soup.select(".card, table")


# --- What a page reads ----------------------------------------------------------------------------------


def test_the_group_takes_two_requests_and_one_for_each_hotel_of_the_page(manager: Client) -> None:
    hotels_commands.save_hotels([Hotel(f"h{number:02d}", f"Hotel {number}") for number in range(40)])
    page_of(manager, "/")  # a process reads the number of shards, and the first hotels, once a minute
    page = page_of(manager, "/")
    assert (page.cost("requests"), page.cost("waves"), len(page.rows)) == (27, 2, 25)
    assert "These 25 hotels" in page.text("tfoot")
    assert not page.soup.select("tfoot a")
    following = page_of(manager, str(page.link("next")).replace("?", "/?"))
    assert (following.cost("requests"), len(following.rows)) == (20, 18)
    by_dirt = page_of(manager, "/?sort=-dirty")
    assert (by_dirt.cost("requests"), by_dirt.cost("waves"), by_dirt.rows[0]) == (44, 2, ABC)
    last = page_of(manager, str(by_dirt.link("last")).replace("?", "/?"))
    assert len(last.rows) == 18


def test_a_hundred_hotels_are_in_the_order_of_their_ids(manager: Client) -> None:
    hotels_commands.save_hotels([Hotel(f"h{number:02d}", f"Hotel {number}") for number in range(97)])
    page = page_of(manager, "/")
    assert not page.soup.select("[data-sort], [data-sort-by]")
    assert "cannot be sorted" in page.text(".said")
    response = manager.get("/?sort=-dirty")
    assert response.status_code == 400
    assert "Fewer than 100 hotels can be sorted" in response.content.decode()
    assert ListMarkup(response.content).rows[0] == ABC


def test_no_sort_tells_what_one_may_not_see(newcomer: Client, dana: User) -> None:
    permit(dana, "hotels.view_hotel", "reviews.view_review")
    page = page_of(newcomer, "/?sort=-rating")
    assert (page.rows[0], len(page.soup.select(".compared thead th"))) == (ABC, 4)
    assert newcomer.get("/?sort=-revenue").status_code == 400


# --- Days are those of the hotel ------------------------------------------------------------------------


def _numbers_by_day(hotel_id: str, day: date) -> dict[date, int]:
    found = together([hotel_id], day)
    return {day: sum(numbers.values()) for day, numbers in found.orders.items() if numbers}


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "America/Los_Angeles"])
def test_orders_count_on_the_days_of_their_hotel_as_in_its_list(manager: Client, zone: str) -> None:
    hotels_commands.save_hotels([replace(Hotel("zoned", "Zoned", currency="EUR"), time_zone=zone)])
    make_guest()
    times = [now() - timedelta(hours=3 * number) for number in range(30)]
    store([make_order(f"z-{n}", hotel_id="zoned", placed_at=at, status_at=at) for n, at in enumerate(times)])
    placed = orders.take_step(
        orders.place_order(make_order("placed", hotel_id="zoned"), "anna"), Status.PROCESSING, "anna"
    )
    expected = Counter(in_zone(at, zone).date() for at in (*times, placed.placed_at))
    today = today_in(zone)
    assert _numbers_by_day("zoned", today) == expected

    page = page_of(manager, "/hotels/zoned/")
    address, words = links(page, ".upright + .plot-figures td a")[29]
    assert _counted(words) == expected[today] == number_of(manager, address)
    assert page.text("#times") == f"Times are in {zone}."

    cache.clear()
    stored = hotels.stored_hotel("zoned")
    edit_hotel(stored, replace(stored, time_zone="Asia/Tokyo"), "anna")
    orders.take_step(stored_order("z-0"), Status.CANCELLED, "anna")
    assert _numbers_by_day("zoned", today) == expected  # a step nets out on the day that was counted
    call_command("verify_data", stdout=StringIO())
