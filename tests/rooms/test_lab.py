"""The cost lab: two ways to read a selection on the real tables, with what each cost."""

from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from dynamodb_lists.tests.helpers.soup import Tag
from tests.conftest import logged_in
from tests.helpers.markup import ListMarkup
from tests.helpers.people import bind, permit
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
VIEW_ROOMS = "rooms.view_room"
WAYS = ["Key conditions", "FilterExpression"]
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
    """Return the ways on a page, by name."""
    return {str(row["data-way"]): row for row in page.soup.select("[data-way]")}


def figures(page: ListMarkup, name: str) -> list[float]:
    """Return the items read, rows and units of each of the two ways."""
    return [float(str(ways(page)[way][f"data-{name}"])) for way in WAYS]


# --- The two ways ---------------------------------------------------------------------------------------


FOUND: list[tuple[dict[str, Any], int]] = [
    ({}, ROOMS),
    ({"view": "sea-view", "sort": "-size"}, 20),
    ({"view": "sea-view, garden-view", "size_min": 30, "size_max": 49}, 13),
    ({"rate_min": 110, "rate_max": 119}, 10),
]


def test_both_ways_find_the_same_rows(engineer: Client) -> None:
    for asked, matching in FOUND:
        assert figures(run(engineer, **asked), "rows") == [min(matching, 25), matching], asked


def test_a_filter_returns_less_and_reads_and_costs_the_same(engineer: Client) -> None:
    page = run(engineer, view="sea-view")
    assert figures(page, "read")[1] == ROOMS
    assert figures(page, "units")[1] > 2
    assert figures(page, "rows")[1] == 20
    requests = [details.get_text(" ", strip=True) for details in page.soup.select(".lab-requests")]
    assert "BETWEEN" in requests[0]
    assert "view IN ('Sea view')" in requests[1].replace("( ", "(")


def test_a_filter_stops_and_the_whole_is_extrapolated(engineer: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each room has 20 KB, so that a request of 1 MB reads about 50 rooms."""
    make_hotel([make_room(str(300 + n), hotel_id="large", note="x" * 20_000) for n in range(60)], "large")
    assert run(engineer, hotel="large").soup.select("[data-stopped]") == []
    monkeypatch.setattr("rooms.queries.lab.MOST_REQUESTS", 1)
    page = run(engineer, hotel="large")
    units, read = figures(page, "units")[1], figures(page, "read")[1]
    assert 120 < units <= 130
    text = " ".join(page.text("[data-stopped]").split())
    assert f"stopped after 1 MB: {read:.0f} rooms. There are 60" in text
    assert f"= {60 / read * units:.1f} units" in text


# --- Opening, bounds and refusals -----------------------------------------------------------------------


def test_opening_the_lab_reads_no_list_and_says_what_a_run_costs(engineer: Client) -> None:
    response = engineer.get("/lab/", {"hotel": ABC, "view": "sea-view"})
    calls = response.wsgi_request.ledger.calls  # type: ignore[attr-defined]
    assert [call for call in calls if call.operation == "Scan" or call.purpose in {"lab", "list", "counts"}] == []
    text = " ".join(ListMarkup(response.content).soup.get_text().split())
    assert "at most 4 MB by the filter, which are 512 read units ($0.000064)" in text


def test_a_bad_value_is_a_400_that_names_the_field(engineer: Client) -> None:
    for field, value, text in (
        ("hotel", "", "Enter the id of a hotel"),
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
