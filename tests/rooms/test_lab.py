"""The cost lab: four ways to read a selection on the real tables, with what each cost."""

from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from dynamodb_lists.tests.helpers.answers import answering, refusal
from dynamodb_lists.tests.helpers.soup import Tag
from rooms.queries.lab import PAGE_UNITS
from tests.conftest import logged_in
from tests.helpers.markup import ListMarkup
from tests.helpers.people import bind, permit
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
VIEW_ROOMS = "rooms.view_room"
WAYS = ["Key conditions", "FilterExpression", "In memory", "Scan"]
ROOMS = 60


def fill() -> None:
    """A hotel of 60 rooms, and an empty one."""
    rooms = [
        make_room(str(100 + n), ("Sea view", "Garden view", "")[n % 3], 20 + n, rate=Decimal(100 + n))
        for n in range(ROOMS)
    ]
    make_hotel(rooms)
    make_hotel(hotel_id="xyz", name="Hotel XYZ")


@pytest.fixture
def engineer(empty_tables: None, dana: User) -> Client:
    """Dana's browser. She may open the lab, and see every list."""
    permit(dana, "portal.open_lab", VIEW_ROOMS)
    return logged_in(dana)


def run(client: Client, **asked: Any) -> ListMarkup:
    response = client.get("/lab/", {"hotel": ABC, "run": 1, **asked})
    assert response.status_code == 200, response.content
    return ListMarkup(response.content)


def ways(page: ListMarkup) -> dict[str, Tag]:
    """The ways on a page, by name."""
    return {str(row["data-way"]): row for row in page.soup.select("[data-way]")}


def figures(page: ListMarkup, name: str) -> list[float]:
    """The items read, rows and units of each of the four ways."""
    return [float(str(ways(page)[way][f"data-{name}"])) for way in WAYS]


# --- The four ways --------------------------------------------------------------------------------------


FOUND: list[tuple[dict[str, Any], int]] = [
    ({}, ROOMS),
    ({"view": "sea-view", "sort": "-size"}, 20),
    ({"view": "sea-view, garden-view", "size_min": 30, "size_max": 49}, 13),
    ({"rate_min": 110, "rate_max": 119}, 10),
]


def test_the_four_ways_find_the_same_rows(engineer: Client) -> None:
    for asked, matching in FOUND:
        page = run(engineer, requests=4, **asked)
        assert figures(page, "rows") == [min(matching, 25), matching, matching, matching], asked


def test_a_filter_returns_less_and_reads_and_costs_the_same(engineer: Client) -> None:
    page = run(engineer, view="sea-view")
    read, units = figures(page, "read"), figures(page, "units")
    assert read[1] == read[2] == ROOMS
    assert units[1] == units[2] > 2
    assert read[3] > ROOMS < units[3] * 100
    cells = {name: [cell.get_text(strip=True) for cell in row.select("td")] for name, row in ways(page).items()}
    assert cells["FilterExpression"][3] == "20"
    assert cells["In memory"][3] == "60"
    requests = [details.get_text(" ", strip=True) for details in page.soup.select(".lab-requests")]
    assert "BETWEEN" in requests[0]
    assert "view IN ('Sea view')" in requests[1].replace("( ", "(")
    assert "Scan on the base table" in requests[3]


def test_a_scan_stops_and_the_whole_is_extrapolated_with_its_arithmetic(engineer: Client) -> None:
    """A room and its guard have 20 KB each, so that a request of 1 MB reads some of them."""
    make_hotel([make_room(str(300 + n), note="x" * 20_000) for n in range(30)], "large")
    page = run(engineer, hotel="large")
    scan = ways(page)["Scan"]
    units = float(str(scan["data-units"]))
    assert 120 < units <= 130
    stopped = {
        str(text["data-stopped"]): " ".join(text.get_text().split()) for text in page.soup.select("[data-stopped]")
    }
    assert list(stopped) == ["Scan"]
    assert "stopped after 1 MB" in stopped["Scan"]
    measured = " ".join(page.soup.select("[data-measured]")[0].get_text().split())
    assert f"{units} units, which pay for {units / PAGE_UNITS:.2f} MB" in measured
    whole = run(engineer, hotel="large", requests=4)
    assert whole.soup.select("[data-stopped]") == []
    assert int(str(ways(whole)["Scan"]["data-read"])) > int(str(scan["data-read"]))


# --- Opening, bounds and refusals -----------------------------------------------------------------------


def test_opening_the_lab_reads_no_list_and_says_what_a_run_costs(engineer: Client) -> None:
    response = engineer.get("/lab/", {"hotel": ABC, "view": "sea-view"})
    calls = response.wsgi_request.ledger.calls  # type: ignore[attr-defined]
    assert [call for call in calls if call.operation == "Scan" or call.purpose in {"lab", "list", "counts"}] == []
    text = " ".join(ListMarkup(response.content).soup.get_text().split())
    assert "A run reads at most 384 read units ($0.000048)" in text
    assert "Measured above" not in text


def test_in_production_the_scan_is_refused_and_the_rest_is_shown(engineer: Client) -> None:
    with answering(lambda **_: refusal("AccessDeniedException"), "Scan"):
        page = run(engineer, view="sea-view")
    found = ways(page)
    assert [found[way]["data-rows"] for way in WAYS] == ["20", "20", "20", ""]
    assert "DynamoDB refused it" in found["Scan"].get_text()
    assert page.soup.select("[data-measured]") == []


def test_a_bad_value_is_a_400_that_names_the_field(engineer: Client) -> None:
    for field, value, text in (
        ("hotel", "", "Choose a hotel"),
        ("requests", "5", "less than or equal to 4"),
        ("run", "2", "Select a valid choice"),
        ("view", "moon", "There is no view"),
        ("status", "dirty", "does not compare"),
        ("number", "10", "does not compare"),
    ):
        response = engineer.get("/lab/", {"hotel": ABC, "run": "1", field: value})
        assert response.status_code == 400, field
        assert text in response.content.decode()
        page = ListMarkup(response.content)
        assert page.element("[data-problem]")["data-problem"] == field
        typed = page.element("form.lab [name=hotel]").get("value", "")
        assert typed == (value if field == "hotel" else ABC), "what was typed stays"


def test_who_may_open_the_lab_measures_only_what_they_may_see(engineer: Client, dana: User, manager: Client) -> None:
    asked: Any = {"hotel": ABC, "run": "1"}
    assert "Cost lab" in engineer.get("/lab/").content.decode()
    assert "Cost lab" not in manager.get("/hotels/").content.decode()
    permit(dana, "portal.open_lab")
    assert engineer.get("/lab/", asked).status_code == 403
    permit(dana, "portal.open_lab", VIEW_ROOMS)
    bind(dana, "xyz")
    assert engineer.get("/lab/", {**asked, "hotel": "xyz"}).status_code == 200
    for hidden in (ABC, "nowhere"):
        response = engineer.get("/lab/", {**asked, "hotel": hidden})
        assert response.status_code == 400
        assert f"There is no hotel {hidden}." in response.content.decode()
        assert ListMarkup(response.content).element(".field.wrong [name=hotel]")["value"] == hidden
