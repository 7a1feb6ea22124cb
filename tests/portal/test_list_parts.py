"""The part of a page that htmx swaps: the same list as in the whole page, for every list of the portal."""

import re

import pytest
from django.test import Client

from hotelapp.portal.lists.views import ListPage
from rooms import commands as rooms
from rooms.entities import StatusChange
from rooms.statuses import Housekeeping
from tests.helpers.addresses import addresses
from tests.helpers.markup import ListMarkup
from tests.helpers.orders import make_order, store
from tests.helpers.reviews import make_review
from tests.helpers.reviews import store as store_reviews
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
HTMX = {"HX-Request": "true", "HX-Target": "list"}
CAPTIONS = {
    "hotels:hotels": "Hotels: 1–1 of 1",
    "rooms:rooms": "Rooms of Hotel ABC: 1–1 of 1",
    "rooms:attention": "Housekeeping of Hotel ABC: 1–1 of 1",
    "orders:guests": "Guests: 1–1 of 1",
    "orders:guest": "alex, orders: 1–1 of 1",
    "orders:guest_orders": "Orders of alex, orders: 1–1 of 1",
    "orders:orders": "All orders, orders: 1–1 of 1",
    "orders:unfinished": "Unfinished orders, orders: 1–1 of 1",
    "orders:hotel_orders": "Orders of Hotel ABC, orders: 1–1 of 1",
    "orders:hotel_unfinished": "Unfinished orders of Hotel ABC, orders: 1–1 of 1",
    "orders:big": "Big orders of Hotel ABC, orders: Nothing to show",
    "reviews:reviews": "Reviews of Hotel ABC: 1–1 of 1",
    "history:staff": "Changes by alex: Nothing to show",
    "history:thing": "History of Room 101 of Hotel ABC: 1–1 of 1",
    "overview:group": "Unfinished orders by age and status",
    "overview:history": "Changes in Hotel ABC: 1–1 of 1",
}
LISTS = [address for address in addresses() if issubclass(getattr(address.view, "view_class", object), ListPage)]


def words(markup: ListMarkup) -> str:
    """A list as text with its attributes, without tokens and costs, which differ from request to request."""
    for changing in markup.soup.select("[name=csrfmiddlewaretoken], [data-cost], #cost-badge, #list-status, #times"):
        changing.decompose()
    return re.sub(r"\s+", " ", "".join(map(str, (markup.soup.select_one("#list") or markup.soup).contents))).strip()


def test_the_part_is_the_list_of_the_whole_page(manager: Client) -> None:
    make_hotel([make_room("101")])
    store([make_order()])
    store_reviews([make_review()])
    rooms.set_status(ABC, "101", StatusChange(Housekeeping.DIRTY), "mary")
    assert len(LISTS) > 10
    for address in LISTS:
        whole, part = manager.get(address.url), manager.get(address.url, headers=HTMX)
        assert whole.status_code == part.status_code == 200, address.name
        assert words(ListMarkup(part.content)) == words(ListMarkup(whole.content)), address.name
    captions = {address.name: ListMarkup(manager.get(address.url).content).text("caption") for address in LISTS}
    assert captions == CAPTIONS
