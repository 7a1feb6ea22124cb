"""Explain: every way to read a list's page is run and finds the same rows. The page, text and JSON show them."""

from collections.abc import Iterator
from io import StringIO
from typing import Any, cast

import pytest
from django.contrib.auth.models import Permission, User
from django.core.management import CommandError, call_command
from django.test import Client

from dynamodb_lists import Page
from dynamodb_lists.reading.explaining import Explanation
from dynamodb_lists.schema.entities import listed
from dynamodb_lists.tests.helpers import dynamodb_local
from portal.management.commands.explain import opened
from tests.costs import data
from tests.costs.data import ABC
from tests.helpers.contents import Fill
from tests.helpers.markup import ListMarkup

ROOMS = f"/hotels/{ABC}/rooms/"
LISTS = {
    ROOMS: 3,
    f"{ROOMS}?status=dirty&sort=-rate": 4,
    f"/hotels/{ABC}/attention/": 1,
    f"/hotels/{ABC}/orders/?status=PLACED&sort=date": 3,
    "/orders/": 2,
    "/orders/unfinished/": 3,
    f"/orders/unfinished/?hotel={ABC}&hotel=grand-01&status=PLACED": 3,
    "/guests/?q=ler": 1,
    f"/hotels/{ABC}/reviews/?rating=1&rating=5": 2,
    f"/hotels/{ABC}/reviews/?room=101": 2,
    "/hotels/?q=gra": 1,
    f"/history/room/{ABC}/101/": 1,
}
"""Lists of each kind of source, and in how many ways their first page can be read."""

pytestmark = pytest.mark.usefixtures("empty_tables")


@pytest.fixture
def filling() -> Fill:
    return data.fill


def explained(address: str, most_units: float = 1_000_000) -> Explanation:
    page, form = opened(address)
    return page.explanation(form, most_units)


def output(*args: str, **options: Any) -> str:
    out = StringIO()
    call_command("explain", *args, stdout=out, **options)
    return out.getvalue()


def pages(address: str) -> Iterator[Explanation]:
    """Yield the explanations of the first two pages of a list, and of the last one, which is read backwards."""
    first = explained(address)
    yield first
    if page := first.ways[0].page:
        yield from (explained(f"{address}&cursor={cursor}") for cursor in (page.next, page.last) if cursor)


def shown(row: Any) -> list[Any]:
    """Return what lists show of a row. One that is read by its key has more."""
    return [getattr(row, name) for name in listed(cast(Any, type(row)))]


def same_page(one: Page[Any] | None, other: Page[Any] | None) -> bool:
    """Whether two ways found the same rows. Without a total, the last page is full, as nobody knows where it begins."""
    assert one is not None
    assert other is not None
    rows, others = (
        [[getattr(row, name) for name in listed(cast(Any, type(row)))] for row in page.rows] for page in (one, other)
    )
    if one.total != other.total and not (one.next and other.next):
        shorter = min(len(rows), len(others))
        return shorter > 0 and rows[-shorter:] == others[-shorter:]
    return rows == others


@pytest.mark.django_db
def test_each_way_to_read_a_page_finds_the_same_rows() -> None:
    found: dict[str, int] = {}
    for address in LISTS:
        separator = "&" if "?" in address else "?"
        for explanation in pages(f"{address}{separator}page_size=10"):
            chosen, *others = explanation.ways
            found.setdefault(address, len(explanation.ways))
            assert chosen.candidate.chosen
            assert chosen.page is not None
            assert chosen.measured is not None
            assert chosen.measured.requests > 0
            assert explanation.reason
            assert not [way for way in others if way.candidate.chosen or way.measured is None]
            for way in others:
                assert way.page is None or same_page(way.page, chosen.page), (address, way.candidate)
    assert found == LISTS


@pytest.mark.django_db
def test_a_way_that_costs_too_much_is_not_run() -> None:
    first, *others = explained(f"{ROOMS}?sort=size", most_units=0.5).ways
    assert first.measured is not None
    assert {way.outcome for way in others} == {f"not run: about {way.candidate.cost.units:.1f} units" for way in others}
    assert not [way for way in explained(ROOMS, most_units=0).ways if way.measured]


REFUSED = {
    "/nowhere/": "/nowhere/ is not the address of a list",
    f"{ROOMS}101/": "is not the address of a list",
    "/hotels/none/rooms/": "There is no such hotel",
    f"{ROOMS}?view=moon": "There is no view “moon”",
    f"{ROOMS}?sort=colour&size=x": "sort: Select a valid choice",
    f"{ROOMS}?cursor=abc": "cursor: The cursor was altered",
}


@pytest.mark.django_db
def test_the_command_refuses_what_is_no_list() -> None:
    for address, words in REFUSED.items():
        with pytest.raises(CommandError, match=words):
            output(address)


def permit(user: User) -> None:
    user.user_permissions.add(Permission.objects.get(codename="view_costs"))


@pytest.mark.django_db
def test_lists_are_explained_as_text_and_json_to_who_may_see_costs(staff: Client, alice: User) -> None:
    for form in ("text", "json"):
        assert staff.get(f"{ROOMS}?explain={form}").status_code == 403
        assert Client().get(f"{ROOMS}?explain={form}").status_code == 302
    permit(alice)
    address = f"{ROOMS}?view=sea-view&sort=-rate"
    response = staff.get(f"{address}&explain=text")
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert "(chosen)" in response.content.decode()
    plans = staff.get(f"{address}&explain=json").json()
    assert plans["address"] == address
    assert [plan["plan"] for plan in plans["plans"] if plan["chosen"]] == [plans["chosen"]]
    measured = [plan["measured"] for plan in plans["plans"] if plan["measured"]]
    assert [each["requests"] for each in measured] == [len(each["calls"]) for each in measured]
    assert [each["waves"] for each in measured] == [len({call["wave"] for call in each["calls"]}) for each in measured]
    assert {min(call["wave"] for call in each["calls"]) for each in measured} == {1}, "of the way, not of the request"
    assert [each["units"] for each in measured] == [sum(call["units"] for call in each["calls"]) for each in measured]
    for wrong in ("explain=xml", "explain=json&sort=colour", "explain=text&cursor=abc"):
        assert staff.get(f"{ROOMS}?{wrong}").status_code == 400


@pytest.mark.django_db
def test_the_panel_runs_every_plan_only_for_who_may_see_costs(staff: Client, alice: User) -> None:
    address = f"{ROOMS}?view=sea-view&sort=size"
    plain = ListMarkup(staff.get(f"{address}&explain=1").content)
    assert len(plain.soup.select("[data-plan]")) > 5
    assert not plain.soup.select("[data-measured], #cost a[href*=explain]")
    permit(alice)
    assert not ListMarkup(staff.get(address).content).soup.select("[data-measured]")
    staff.get(f"{address}&explain=1")  # the process learns the sizes of items
    page = ListMarkup(staff.get(f"{address}&explain=1").content)
    plans, run = page.soup.select("[data-plan]"), page.soup.select("[data-measured]")
    assert len(run) == len(plans) or dynamodb_local.wanted(), "DynamoDB Local charges the items beside those of an LSI"
    again = ListMarkup(staff.get(address).content)
    assert page.cost("requests") == again.cost("requests")
    assert page.cost("read-units") == again.cost("read-units")
    assert page.text("[data-why]").startswith("Why ")
    links = [str(link["href"]) for link in page.soup.select("#cost a[href*=explain]")]
    assert [staff.get(f"{ROOMS}{link}").status_code for link in links] == [200, 200]
