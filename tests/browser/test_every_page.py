"""Every kind of page in a real Chromium: axe-core finds nothing, and nothing sticks out on a tablet or a phone.

This is the only test of the rules that hold for all pages. Other tests check parts that only an input or a click shows.
"""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from dynamodb_lists.schema.keys import now
from orders.entities import Guest
from portal.lists.views import ListPage
from reviews import queries as reviews
from rooms import commands, queries
from rooms.entities import StatusChange
from rooms.statuses import Housekeeping, Service
from tests.helpers.accessibility import assert_accessible_and_fitting, assert_fitting, assert_legible_in_the_dark
from tests.helpers.addresses import Address, addresses
from tests.helpers.browsing import NewPage, demo
from tests.helpers.notes import make_note
from tests.helpers.notes import store as store_notes
from tests.helpers.orders import make_order, store
from tests.helpers.people import permit
from tests.helpers.rooms import make_hotel, make_room
from tests.helpers.views import keep_examples
from tests.helpers.writes import create_guest, edit_room

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LONG, HOTEL = "Donaudampfschifffahrt", "/hotels/seaside"
NOTE = "Arrives late: please keep the table at the window until ten"
OF_THE_DEMO = {"hotel_id": "seaside", "ids": "seaside/101"}
LIST = "portal/list_page.html"
ELSEWHERE = {
    "accounts/confirm.html": "test_logins",
    "accounts/second_factor.html": "test_logins",
    "accounts/set_up.html": "test_logins",
    "rooms/bulk_progress.html": "test_statuses",
    "uploads/upload.html": "test_uploads",
}
"""The tests that check templates which need a login or a file, or which change by themselves."""

IN_THE_DARK = {"rooms:rooms", "rooms:room", "rooms:attention", "rooms:bulk_change", "orders:order", "orders:place"}
IN_THE_DARK |= {"overview:hotel", "reviews:review", "search:search", "rooms:lab", "history:undo"}
"""The pages that have every kind of element between them."""

QUERIES = {
    "rooms:rooms": "?view=sea-view&size_min=20&sort=-size&then=type&page_size=10",
    "rooms:attention": "?page_size=10",
    "rooms:attention_of_hotels": "?page_size=10",
    "rooms:bulk_change": "?room=101&room=102",
    "orders:orders": "?page_size=10",
    "orders:guest_orders": "?page_size=10",
    "orders:big_of_hotels": "?page_size=10",
    "history:staff": "?page_size=10",
    "orders:guest": "?page_size=10",
    "orders:place": "?username=alex&hotel_id=seaside",
    "reviews:reviews": "?language=en&rating=1&rating=5&page_size=10",
    "reviews:unanswered": "?page_size=10",
    "search:search": "?q=10",
    "rooms:lab": "?hotel=seaside&view=sea-view&run=1",
}
REFUSED = f"{HOTEL}/rooms/?size_min=50&size_max=40&view=odd&view=sea-view&number=%23&page_size=10"
EMPTY, ERROR, CHANGES = f"{HOTEL}/rooms/?size_min=900", "/hotels/nowhere/rooms/", "/history/room/seaside/101/"
LONG_PAGES = (f"/orders/{'x' * 64}/", "/orders/unfinished/", "/?hotel=seaside&hotel=lakeview&hotel=long&choices=hotel")
NARROW = (f"{HOTEL}/reviews/?rating=6&language=xx&page_size=10", "/hotels/?format=xml", "/guests/alex/?to=2020-01-01")


COLOUR_ALONE = """() => [...document.querySelectorAll("main a")].filter(link =>
    link.checkVisibility() && !link.closest("svg") && getComputedStyle(link).textDecorationLine === "none"
    && getComputedStyle(link).display === "inline"
    && [...link.parentElement.childNodes].some(other => other !== link && other.textContent.trim())
).map(link => link.outerHTML)"""
"""The links in text that only their colour tells from it."""


def fill() -> None:
    """The demo, an example of all that addresses name, and a hotel, a room, a guest and an order with long names."""
    demo()
    item = replace(make_order().items[0], sku="x" * 60, name=LONG * 9, quantity=9999)
    store([make_order("o-1", "alex", hotel_id="seaside", currency="GBP", note=NOTE, placed_at=now())])
    long_order = make_order("x" * 64, "x" * 64, hotel_id="long", items=(item,), total=item.total, note=LONG * 9)
    store([long_order])
    create_guest(Guest("aaron", LONG * 9, f"{LONG * 2}@example.com"), "alice")
    make_hotel([make_room("1", view="Ocean" * 30, type="X" * 120, hotel_id="long")], "long", "Grand Hotel " + LONG * 6)
    dirty, _ = commands.set_status("long", "1", StatusChange(Housekeeping.DIRTY, Service.IN_SERVICE), "alice")[::-1]
    edit_room(dirty, replace(dirty, note=LONG * 9), "alice")
    texts: dict[str, Any] = {"place": LONG * 9, "handed_to": LONG * 9, "about": "room:1", "until": date(2020, 1, 1)}
    store_notes(make_note(hotel_id="seaside"), make_note(hotel_id="long", text=LONG * 20, **texts))
    room = queries.room("seaside", "101", consistent=True)
    changed = edit_room(room, replace(room, view=LONG * 5, rate=room.rate + 1), "alice")
    edit_room(edit_room(changed, replace(changed, number="9-101"), "bob"), room, "bob")


def kinds() -> list[Address]:
    """Return one address for each template of a page, and for each template and columns of a list."""
    found: dict[str, Address] = {}
    for address in addresses():
        template = getattr(address.page, "template_name", None)
        if template and "/_" not in template and address.access.permission != "-":
            page: Any = address.page
            kind = f"{page.list_template_name} {page.columns}" if template == LIST else template
            found.setdefault(kind, address)
    return [address for kind, address in found.items() if kind not in ELSEWHERE]


def test_the_pages_that_are_checked_in_the_dark_are_there() -> None:
    assert {*IN_THE_DARK, *QUERIES} <= {address.name for address in kinds()}


@pytest.mark.usefixtures("superuser")
@pytest.mark.parametrize("share", range(4))
def test_every_kind_of_page_is_accessible_and_fits_a_phone(new_page: NewPage, share: int) -> None:
    page = new_page()
    keep_examples(User.objects.get(is_superuser=True).pk)
    answered = reviews.reviews(hotel_id="seaside", whole=True)
    review_id = next(review.review_id for review in answered if review.reply and review.username)
    for number, address in enumerate(kinds()[share::4]):
        response = page.goto(address.with_values(**OF_THE_DEMO, review_id=review_id) + QUERIES.get(address.name, ""))
        assert response
        assert response.ok, page.url
        assert_accessible_and_fitting(page, "main" if number else "html")
        assert page.evaluate(COLOUR_ALONE) == [], page.url
        if address.name in IN_THE_DARK:
            assert_legible_in_the_dark(page, "html" if address.name == "rooms:rooms" else "main")


@pytest.mark.usefixtures("superuser")
def test_rare_pages_are_accessible_and_long_names_fit_a_phone(new_page: NewPage) -> None:
    page = new_page()
    for address in (REFUSED, EMPTY, ERROR, CHANGES, "/guests/aaron/"):
        page.goto(address)
        assert_accessible_and_fitting(page)
        if address == REFUSED:
            assert_legible_in_the_dark(page)
    values = {"hotel_id": "long", "number": "1"}
    checked = kinds()
    long = [each.with_values(**values) for each in checked if {*each.kwargs} & {*values}]
    others = [each for each in addresses() if issubclass(each.page, ListPage) and each not in checked]
    lists = [each.with_values(**OF_THE_DEMO) for each in others]
    for address in (*long, *lists, *LONG_PAGES, *NARROW):
        page.goto(address)
        assert_fitting(page, 768, 320, back=False)
    page.set_viewport_size({"width": 901, "height": 740})
    page.goto(f"{HOTEL}/orders/big/")
    assert page.evaluate("document.documentElement.scrollWidth") <= 901, "the last column is sorted"


def test_pages_of_who_may_nothing_are_accessible_and_fit_a_phone(new_page: NewPage, alice: User) -> None:
    permit(alice)
    page = new_page()
    page.goto("/")
    expect(page.locator("main")).to_contain_text("Your account has no permission yet")
    assert_accessible_and_fitting(page, "html")
    page.context.clear_cookies()
    for path in ("/nothing/here/", "/admin/login/"):
        page.goto(path)
        assert_accessible_and_fitting(page, "html")
        assert_legible_in_the_dark(page)
