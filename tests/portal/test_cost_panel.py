"""The engineers' panel: it describes each request correctly, and separates reads from writes."""

import re
from decimal import Decimal

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from tests.helpers.markup import ListMarkup
from tests.helpers.orders import all_items as order_items
from tests.helpers.orders import make_items, make_order, store
from tests.helpers.reviews import all_items as review_items
from tests.helpers.reviews import make_review
from tests.helpers.reviews import store as store_reviews
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = pytest.mark.usefixtures("empty_tables")


@pytest.mark.django_db
def test_only_who_may_see_costs_reads_of_units_and_keys(staff: Client, alice: User) -> None:
    make_hotel([make_room("101")])
    pages = (
        f"/hotels/{ABC}/rooms/",
        f"/hotels/{ABC}/rooms/101/",
        f"/hotels/{ABC}/reviews/",
        "/guests/",
        "/search/?q=101",
    )
    for path in pages:
        page = ListMarkup(staff.get(path).content)
        assert page.cost("requests") > 0, path
        assert page.text("[data-cost]") == "", path
        assert not page.soup.select(".cost-badge, #cost"), path
        assert not re.search(r"units|lsi\d|partition|sort key", page.soup.get_text()), path
    alice.user_permissions.add(Permission.objects.get(codename="view_costs"))
    for path in pages:
        page = ListMarkup(staff.get(path).content)
        units = page.cost("read-units")
        assert page.text(".cost-badge").endswith(f"{units:.1f} units"), path
        assert "How this page was read" in page.text("#cost[popover]"), path
        assert not page.soup.select("#cost :is([data-key], .waves)"), "drawn when the panel is opened"
    opened = staff.get(pages[1], HTTP_HX_REQUEST="true", HTTP_HX_TARGET="cost-drawn")
    assert "hotel#abc#rooms" in ListMarkup(opened.content).text("#cost-drawn [data-key=table]")


@pytest.mark.django_db
def test_the_panel_is_shown_on_one_page_that_asks_for_it(staff: Client) -> None:
    make_hotel([make_room(str(number)) for number in range(101, 130)])
    list_page = f"/hotels/{ABC}/rooms/"
    page = ListMarkup(staff.get(f"{list_page}?explain=1&sort=size").content)
    assert page.text("#cost")
    links = [str(link["href"]) for link in page.soup.select("main a[href]")]
    assert page.link("next") in links
    assert not [link for link in links if "explain" in link]
    assert staff.get(f"{list_page}?explain=yes").status_code == 400
    assert staff.get(f"{list_page}?explain=1&format=csv").status_code == 200
    staff.logout()
    assert staff.get(f"{list_page}101/?explain=1").status_code == 302


@pytest.mark.django_db
def test_the_keys_in_the_panel_are_those_of_the_stored_item(staff: Client) -> None:
    store([make_order(items=make_items(1, Decimal(1200)))])
    store_reviews([make_review("r-1", room_number="101")])
    for path, items, sort_key in (
        ("/orders/o-1/", order_items(), "ORDER#o-1"),
        ("/reviews/r-1/", review_items(), "REVIEW"),
    ):
        page = ListMarkup(staff.get(f"{path}?explain=1").content)
        places = [[code.get_text() for code in row.select("code")] for row in page.soup.select("#cost tr[data-key]")]
        assert len(places) > 5, path
        assert places[0][1] == sort_key
        values = [{str(next(iter(value.values()))) for value in item.values()} for item in items]
        (stored,) = (value for value in values if value >= {*places[0]})
        assert {part for place in places for part in place} <= stored, path
