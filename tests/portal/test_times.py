"""Each page has one time zone, and names it once."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import User
from django.test import Client

from hotels.commands import save_hotels
from hotels.entities import Hotel
from orders import commands
from orders.entities import Guest
from orders.statuses import Status
from portal.times import time_markup
from reviews import commands as reviews
from rooms import commands as rooms
from rooms.entities import StatusChange
from rooms.statuses import Housekeeping
from tests.helpers.markup import ListMarkup
from tests.helpers.orders import make_order
from tests.helpers.people import bind
from tests.helpers.reviews import make_review
from tests.helpers.rooms import ABC, make_room
from tests.helpers.writes import create_guest

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
OF_HOTEL = [
    f"/hotels/{ABC}/",
    f"/hotels/{ABC}/history/",
    f"/hotels/{ABC}/reviews/",
    f"/hotels/{ABC}/orders/",
    "/orders/o-1/",
    "/reviews/r-1/",
    "/history/order/o-1/",
    f"/history/room/{ABC}/101/",
    "/history/newest/order/o-1/",
]
OF_HOTELS = [
    "/history/mine/",
    "/history/staff/mary/?from=2020-01-01",
    "/history/newest/guest/guest/",
]

ORDERS = ["/orders/", "/orders/unfinished/", "/guests/guest/orders/"]


def with_hotels(*zones: str) -> None:
    """A hotel in each zone, and a change of everything in the first one."""
    names = (ABC, "sea")
    save_hotels([Hotel(ABC, "Zoned", currency="EUR", time_zone=zones[0])])
    save_hotels([Hotel(names[n], "Other", currency="EUR", time_zone=zone) for n, zone in enumerate(zones) if n])
    create_guest(Guest("guest", "Ann"), "mary")
    order = commands.place_order(make_order("o-1", "guest"), "mary")
    commands.take_step(commands.take_step(order, Status.PROCESSING, "mary"), Status.SHIPPED, "mary")
    review = reviews.add_review(make_review(), "mary")
    reviews.reply_to_review(review, "Thank you.", "mary")
    rooms.create_room(make_room("101"), "mary")
    rooms.set_status(ABC, "101", StatusChange(Housekeeping.DIRTY), "mary")


def said(local: datetime) -> str:
    """A time as pages write it: the day is left out of today's, and the year of this year's."""
    today = datetime.now(local.tzinfo).date()
    if (days := (today - local.date()).days) in {0, 1}:
        return f"{'yesterday ' * days}{local:%H:%M}"
    return f"{local:%-d %b, %H:%M}" if local.year == today.year else f"{local:%-d %b %Y, %H:%M}"


def test_a_time_is_as_short_as_it_can_be_told_apart() -> None:
    now = datetime.now(UTC)
    for at in (now, now - timedelta(days=1), now.replace(month=1, day=3), now.replace(year=now.year - 2, day=3)):
        text = BeautifulSoup(time_markup(at, "Europe/Zurich"), "html.parser").get_text()
        assert text == said(at.astimezone(ZoneInfo("Europe/Zurich")))
    assert "yesterday" in time_markup(now - timedelta(days=1), "UTC")


def assert_in(zone: str, client: Client, path: str) -> None:
    """Every time of a page is in a zone, and its name is there once. A part that htmx loads brings the line."""
    part = {"headers": {"HX-Request": "true", "HX-Target": "newest-changes"}} if "newest" in path else {}
    response = client.get(path, follow=True, **part)  # type: ignore[arg-type]
    assert response.status_code == 200, path
    page = ListMarkup(response.content)
    assert page.text("#times") == f"Times are in {zone or 'UTC'}.", path
    if not part:
        words = page.text("body").replace("months in UTC", "").replace("Month (UTC)", "")
        named = [words.count(name) for name in {zone or "UTC", "UTC", "Asia/Tokyo", "America/New_York"}]
        assert sorted(named) == [0] * (len(named) - 1) + [1], words
    times = [time for time in page.soup.select("time[datetime]") if "T" in str(time["datetime"])]
    assert times
    for time in times:
        local = datetime.fromisoformat(str(time["datetime"])).astimezone(ZoneInfo(zone or "UTC"))
        assert time["title"] == f"{local:%-d %b %Y, %H:%M:%S}"
        assert time.get_text() == said(local) or time["lang"] == "en", "or its age"


def test_pages_of_a_group_with_one_zone_are_in_it(manager: Client) -> None:
    with_hotels("America/New_York")
    for path in (OF_HOTEL[0], *OF_HOTELS, *ORDERS, "/guests/guest/"):
        assert_in("America/New_York", manager, path)


def test_pages_of_a_group_with_several_zones_are_in_utc(manager: Client) -> None:
    with_hotels("Asia/Tokyo", "America/New_York")
    for path in OF_HOTEL:
        assert_in("Asia/Tokyo", manager, path)
    for path in OF_HOTELS:
        assert_in("UTC", manager, path)


def test_orders_of_hotels_in_several_zones_are_on_each_hotels_clocks(manager: Client) -> None:
    with_hotels("Asia/Tokyo", "America/New_York")
    hint = "Times in the list are on each hotel’s clocks."
    for path in (*ORDERS, "/orders/?from=2020-01-01"):
        page = ListMarkup(manager.get(path).content)
        assert page.text("#times") == hint, path
        times = page.soup.select("[data-row] time")
        assert times
        for time in times:
            local = datetime.fromisoformat(str(time["datetime"])).astimezone(ZoneInfo("Asia/Tokyo"))
            assert time["title"] == f"{local:%-d %b %Y, %H:%M:%S}", path
    assert ListMarkup(manager.get("/guests/guest/").content).text("#times") == f"Times are in UTC. {hint}"


def test_staff_of_some_hotels_have_the_zone_of_these(manager: Client, mary: User) -> None:
    with_hotels("Asia/Tokyo", "America/New_York")
    bind(mary, ABC)
    for path in ("/orders/", "/guests/guest/", "/history/mine/", "/history/order/o-1/"):
        assert_in("Asia/Tokyo", manager, path)


def test_times_without_a_known_zone_are_in_utc(manager: Client) -> None:
    with_hotels("../etc/passwd")
    assert_in("UTC", manager, f"/hotels/{ABC}/orders/")
