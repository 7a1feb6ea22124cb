"""Whoever walks through the portal meets no error, wherever a page was opened from: each role, every link and form."""

from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import User

from portal.times import today_in
from rooms import commands
from rooms.entities import StatusChange
from rooms.statuses import Housekeeping, Priority, Service
from tests.conftest import logged_in
from tests.helpers import contents
from tests.helpers.addresses import addresses
from tests.helpers.forms import fill as fill_examples
from tests.helpers.orders import make_order, store
from tests.helpers.people import ROLES, bind, join, permit, show_every_hotel
from tests.helpers.reviews import make_review
from tests.helpers.reviews import store as store_reviews
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.helpers.views import keep_examples
from tests.helpers.walking import Walk

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
XYZ = "xyz"
WHO = 4711
"""The number of the account that walks."""

HOTELS = {"Auditor": (ABC,), "Front desk": (), "Housekeeping": (), "Supervisor": (ABC,), "Manager": (XYZ,), "": ()}
"""The hotels of each group, or every hotel. Without a group, it is a superuser."""

ALONE = ("hotels.view_hotel", "rooms.view_room", "orders.view_order", "reviews.view_review")
"""Permissions to read what pages link from, each without those to read what they link to."""

UNLINKED = {
    "/account/second-factor/backup-codes/",
    "/account/second-factor/remove/",
    "/guests/<username>/orders/",
    "/hotels/<hotel_id>/changed/",
    "/hotels/<hotel_id>/my-rooms/",
    "/hotels/<hotel_id>/rooms/change/<change_id>/",
    "/imports/<things>/<upload_id>/",
    "/imports/<things>/<upload_id>/refused/",
    "/search/choices/",
}
"""Pages that no link leads to, but an entry, a file, a second factor, a script, or that others have a tab for."""


def fill() -> None:
    """Two hotels: in each, rooms in each state, with plans of today for who walks, orders and reviews."""
    fill_examples()
    numbers = [str(number) for number in range(103, 109)]
    make_hotel([make_room(number, hotel_id=XYZ) for number in numbers], XYZ, "Hotel XYZ")
    for number in numbers:
        commands.create_room(make_room(number), "anna")
    for hotel_id in (ABC, XYZ):
        today = today_in("Europe/Paris")
        for number, change in zip(numbers, states(today), strict=True):
            commands.set_status(hotel_id, number, change, "anna")
    for hotel_id in (ABC, XYZ):
        prefix = hotel_id[0]
        store([make_order(f"{prefix}-{n}", total=n * 900, hotel_id=hotel_id, room_number="103") for n in range(1, 4)])
        written = [make_review(f"{prefix}-r{n}", hotel_id=hotel_id, room_number="103", username="alex") for n in (1, 2)]
        store_reviews(written)


def states(today: date) -> list[StatusChange]:
    """Return a change of each kind of state."""
    return [
        StatusChange(Housekeeping.DIRTY, day=today, assignee=str(WHO)),
        StatusChange(Housekeeping.CLEAN, day=today, assignee=str(WHO), priority=Priority.RUSH, note="A cot."),
        StatusChange(Housekeeping.DIRTY),
        StatusChange(Housekeeping.INSPECTED, day=today, assignee=str(WHO), priority=Priority.DO_NOT_DISTURB),
        StatusChange(service=Service.OUT_OF_ORDER, reason="Water", until=today, responsible="Ann"),
        StatusChange(Housekeeping.DIRTY, service=Service.OUT_OF_ORDER, reason="Paint"),
    ]


@pytest.fixture
def filling() -> contents.Fill:
    return fill


@pytest.mark.parametrize("role", [*HOTELS, *ALONE])
def test_no_link_and_no_form_leads_to_an_error(empty_tables: None, db: Any, role: str) -> None:
    walker = User.objects.create_user("walker", pk=WHO, is_staff=True, is_superuser=not role)
    if role in ALONE:
        permit(walker, role)
    elif role:
        join(walker, role)
    if HOTELS.get(role):
        bind(walker, *HOTELS[role])
    else:
        show_every_hotel(walker)
    keep_examples(walker.pk)
    walk = Walk(logged_in(walker), by_origin=not role, by_look=role in {"", "Auditor", *ALONE})
    assert walk.faults == []
    if not role:
        assert {address.route for address in addresses()} - walk.routes <= UNLINKED


def test_every_group_walks() -> None:
    assert ROLES.GRANTED.keys() == HOTELS.keys() - {""}
