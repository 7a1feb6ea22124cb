"""Orders that are wanted for a time: typed on the hotel's clocks, listed by this time, printed for the kitchen."""

import csv
import io
import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from dynamodb_lists.tests.helpers.paging import linked
from hotels.commands import save_hotels
from hotels.entities import Hotel
from orders import commands, queries
from orders.entities import Order, OrderItem
from orders.lists import stored_order
from orders.statuses import UNFINISHED, Status
from orders.views import order_lists
from portal.times import in_zone, now
from tests.conftest import logged_in
from tests.helpers.markup import ListMarkup, differences, entry_of, errors, get
from tests.helpers.orders import all_items, ids, make_order, store
from tests.helpers.people import bind, permit
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("in_step"), pytest.mark.django_db]
PARIS = ZoneInfo("Europe/Paris")
WANTED, PLACE, EDIT, ORDER = f"/hotels/{ABC}/orders/wanted/", "/orders/place/", "/orders/o-1/edit/", "/orders/o-1/"
TEA = OrderItem("tea", "Tea <green>", 2, 4)  # type: ignore[arg-type]


def fill() -> None:
    make_hotel([make_room("101")])
    make_hotel(hotel_id="sea")
    store([make_order(items=(TEA,), total=8)])


def soon(**after: int) -> datetime:
    """Return a time to the minute, in UTC."""
    return now().replace(second=0) + timedelta(**after)


def typed(at: datetime) -> str:
    """Return a time as somebody in Paris types it."""
    return f"{at.astimezone(PARIS):%Y-%m-%dT%H:%M}"


def placing(at: str) -> dict[str, str]:
    line = {"sku": "Wine", "quantity": "2", "unit_price": "4"}
    lines = {f"items-0-{name}": value for name, value in line.items()}
    header = {"order_id": f"at-{now():%H%M%S%f}", "username": "alex", "hotel_id": ABC, "wanted_at": at}
    return {**header, **lines, "items-TOTAL_FORMS": "1", "items-INITIAL_FORMS": "0"}


def correcting(client: Client, **changes: str) -> dict[str, str]:
    return {**entry_of(ListMarkup(client.get(EDIT).content)), **changes}


def rows_of(client: Client, query: str = "") -> list[str]:
    pages = linked(get(client, WANTED + query), lambda link: get(client, WANTED + link))
    return [row for page in pages for row in page.rows]


def wanted(orders: Sequence[Order]) -> list[str]:
    """Return what the list has, by plain Python."""
    found = [each for each in orders if each.wanted_at and each.status in UNFINISHED and each.hotel_id == ABC]
    return ids(sorted(found, key=lambda each: (each.wanted_at, each.order_id)))


# --- The time of an order -------------------------------------------------------------------------------


def test_a_time_is_typed_and_shown_on_the_hotels_clocks(staff: Client) -> None:
    at = soon(days=1)
    shown = get(staff, PLACE).element("[name=wanted_at]")
    assert (shown["type"], shown.get("value")) == ("datetime-local", None)
    page = ListMarkup(staff.post(PLACE, sent := placing(typed(at)), follow=True).content)
    placed = stored_order(sent["order_id"])
    assert placed.wanted_at == at
    assert f"tomorrow {at.astimezone(PARIS):%H:%M}" in page.text(".facts")
    assert get(staff, f"/orders/{placed.order_id}/edit/").element("[name=wanted_at]")["value"] == typed(at)
    assert "Wanted at" not in get(staff, ORDER).text(".facts"), "no time, no tile"
    assert typed(at) in staff.post(PLACE, {**placing(typed(at)), "more": "1"}).content.decode()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("tomorrow", "Enter day and time"),
        ("0001-01-01T00:00", "year from 1900"),
        ("9999-12-31T23:59", "year from 1900"),
        ("abcZ", "Enter day and time"),
        ("2031-03-30T02:30", "couldn’t be interpreted in time zone Europe/Paris"),
        (typed(soon(hours=-2)), "from now on, within a year"),
        (typed(soon(days=400)), "from now on, within a year"),
    ],
)
def test_a_time_that_nobody_can_want_is_refused_with_the_form(staff: Client, text: str, reason: str) -> None:
    page = staff.post(PLACE, placing(text))
    assert reason in errors(page)
    assert ListMarkup(page.content).element("[name=wanted_at]")["value"] == text, "what was typed stays"
    assert len(list(queries.placed(UNFINISHED))) == 1


def test_a_correction_sets_the_time_and_the_history_takes_it_back(staff: Client) -> None:
    first, second = soon(days=1), soon(days=2)
    assert staff.post(EDIT, correcting(staff, wanted_at=typed(first))).status_code == 302
    assert staff.post(EDIT, correcting(staff, wanted_at=typed(second))).status_code == 302
    assert stored_order("o-1").wanted_at == second
    assert stored_order("o-1").items == (TEA,)
    history = get(staff, "/history/order/o-1/")
    local = second.astimezone(PARIS)
    assert f"{local:%-d %b %Y, %H:%M}" in history.text("table")
    newest = get(staff, "/history/newest/order/o-1/")
    undo = {field["name"]: field["value"] for field in newest.soup.select("form[action*=undo] input[name]")}
    assert staff.post("/history/undo/order/o-1/", undo).status_code == 302
    assert stored_order("o-1").wanted_at == first
    assert staff.post(EDIT, correcting(staff, wanted_at="")).status_code == 302
    assert stored_order("o-1").wanted_at is None
    assert not rows_of(staff)


def test_a_colleagues_time_is_kept_or_compared(staff: Client, bob: Client) -> None:
    mine, theirs = soon(days=1), soon(days=2)
    sent = correcting(bob, **{"items-0-quantity": "5"})
    staff.post(EDIT, correcting(staff, wanted_at=typed(mine)))
    page = bob.post(EDIT, sent)
    assert ("Wanted at", f"{mine:%-d %b %Y, %H:%M} UTC", "unchanged by you") in differences(page)
    assert ListMarkup(page.content).element("[name=wanted_at]")["value"] == typed(mine)
    assert bob.post(EDIT, entry_of(ListMarkup(page.content))).status_code == 302
    assert (stored_order("o-1").wanted_at, stored_order("o-1").items[0].quantity) == (mine, 5)
    sent = correcting(bob, wanted_at=typed(theirs))
    staff.post(EDIT, correcting(staff, wanted_at=""))
    page = bob.post(EDIT, sent)
    assert ("Wanted at", "blank", f"{theirs:%-d %b %Y, %H:%M} UTC") in differences(page)
    assert bob.post(EDIT, entry_of(ListMarkup(page.content))).status_code == 302
    assert stored_order("o-1").wanted_at == theirs


def test_a_late_order_can_be_corrected_and_says_that_it_is_late(staff: Client) -> None:
    store([make_order("o-2", wanted_at=soon(days=-1)), make_order("o-3", wanted_at=soon(hours=1))])
    assert "late" in get(staff, "/orders/o-2/").text(".facts")
    assert "late" not in get(staff, "/orders/o-3/").text(".facts")
    page = get(staff, WANTED)
    assert [row["data-row"] for row in page.soup.select("tr[data-row]:has(.late)")] == ["o-2"]
    assert len(page.soup.select("tr[data-row=o-3] :is(td, th) > time")) == 2, "times are elements"
    sent = entry_of(get(staff, "/orders/o-2/edit/"))
    assert staff.post("/orders/o-2/edit/", {**sent, "items-0-quantity": "7"}).status_code == 302
    assert stored_order("o-2").items[0].quantity == 7
    for step in (Status.PROCESSING, Status.SHIPPED, Status.DELIVERED):
        commands.take_step(stored_order("o-2"), step, "alice")
    assert "late" not in get(staff, "/orders/o-2/").text(".facts")


# --- The list by this time ------------------------------------------------------------------------------


def forty(at: datetime) -> list[Order]:
    """Orders in all statuses and two hotels, some of the same minute, some without a time; nothing in order."""
    return [
        make_order(
            f"w-{n:02d}",
            status=list(Status)[n % 5],
            hotel_id=(ABC, ABC, ABC, "sea")[n % 4],
            wanted_at=at + timedelta(minutes=7 * (n * 11 % 17)) if n % 3 else None,
        )
        for n in range(80)
    ]


def test_the_list_has_what_is_wanted_and_unfinished_by_its_time(staff: Client) -> None:
    store(orders := forty(soon(hours=2)))
    assert rows_of(staff, "?page_size=10") == wanted(orders)
    assert len(wanted(orders)) > 20
    assert rows_of(staff, "?sort=-date&page_size=10") == wanted(orders)[::-1]
    processing = [order for order in orders if order.status == Status.PROCESSING]
    assert rows_of(staff, "?status=PROCESSING") == wanted(processing)
    assert get(staff, f"/hotels/{ABC}/orders/unfinished/").element(f"a[href='{WANTED}']").get_text() == "By time wanted"
    said = get(staff, WANTED)
    assert "wanted as soon as possible have no time" in said.text("#list")
    assert said.element("#list p a.link")["href"] == f"/hotels/{ABC}/orders/unfinished/"
    assert "have no time" not in get(staff, f"/hotels/{ABC}/orders/unfinished/").text("#list")
    moved = stored_order(wanted(processing)[0])
    commands.take_step(commands.take_step(moved, Status.SHIPPED, "alice"), Status.DELIVERED, "alice")
    assert moved.order_id not in rows_of(staff)
    unfinished = {each.order_id for each in orders if each.status in UNFINISHED and each.wanted_at} - {moved.order_id}
    assert {item["order_id"]["S"] for item in all_items() if "wanted_hotel" in item} == unfinished, "sparse"


def test_days_are_those_of_the_hotel(staff: Client) -> None:
    """Half an hour after midnight in Paris is the day before in UTC."""
    midnight = in_zone(now(), "Europe/Paris").replace(hour=0, minute=30, second=0)
    days = {
        name: (midnight + timedelta(days=n)).astimezone(UTC) for n, name in enumerate(("today", "tomorrow", "later"))
    }
    store(
        [
            make_order(name, wanted_at=at)
            for name, at in {**days, "yesterday": days["today"] - timedelta(hours=1)}.items()
        ]
    )
    for name in ("yesterday", "today", "tomorrow"):
        assert rows_of(staff, f"?days={name}") == [name]
    assert rows_of(staff, f"?from={midnight + timedelta(days=2):%Y-%m-%d}") == ["later"]
    offered = [link.get_text(strip=True) for link in get(staff, WANTED).soup.select("#drop-days .menu a")]
    assert offered == ["Yesterday", "Today", "Tomorrow"]
    assert "Tomorrow" not in get(staff, f"/hotels/{ABC}/orders/").text("#drop-days")


def test_lists_of_several_hotels_say_the_time_on_the_hotels_clocks(manager: Client) -> None:
    at = soon(days=1)
    zones = {"far": "Asia/Tokyo", "sea": "Europe/Paris"}
    save_hotels([Hotel(each, each, "City", currency="EUR", time_zone=zone) for each, zone in zones.items()])
    store([make_order(f"o-{each}", hotel_id=each, wanted_at=at) for each in zones])
    page = get(manager, "/orders/unfinished/")
    for hotel_id, zone in zones.items():
        shown = page.text(f"[data-row=o-{hotel_id}] [data-label='Wanted at']")
        assert shown.endswith(f"{in_zone(at, zone):%H:%M}"), hotel_id


def test_orders_of_the_list_take_steps(staff: Client, bob: Client) -> None:
    """A colleague has moved one of two orders: it is left out by name."""
    store([make_order(name, wanted_at=soon(hours=1)) for name in ("o-2", "o-3")])
    boxes = [box["value"] for box in get(staff, WANTED).soup.select("[name=order]")]
    assert boxes == ["o-2/alex/PLACED", "o-3/alex/PLACED"]
    commands.take_step(stored_order("o-3"), Status.PROCESSING, "bob")
    page = staff.post(WANTED, {"order": boxes, "to": "next"}, follow=True)
    assert "1 order was moved on a step" in page.content.decode()
    assert "o-3" in page.content.decode()
    assert stored_order("o-2").status == Status.PROCESSING


def test_the_kitchen_prints_the_items_without_the_permission_to_export(db: None) -> None:
    user = User.objects.create_user("kim", is_staff=True)
    permit(user, "orders.view_order")
    bind(user, ABC)
    kim = logged_in(user)
    store([make_order("o-2", items=(TEA, TEA), wanted_at=soon(days=1), room_number="101", note="With lemon")])
    page = get(kim, f"{WANTED}?format=print")
    assert [head.get_text(strip=True).partition("▲")[0] for head in page.soup.select("thead th")] == [
        *("Wanted at", "Room", "Order", "Guest", "Items ordered", "Status")
    ]
    row = page.text("[data-row=o-2]")
    for words in ("tomorrow", "101", "With lemon", "2 × Tea <green>", "Placed"):
        assert words in row, words
    assert not page.soup.select("tr[data-row] [type=checkbox]")
    assert kim.get(f"{WANTED}?format=csv").status_code == 403
    assert "Tea" not in get(kim, WANTED).text("table"), "only paper has the items, which cost half a unit each"


def test_more_items_than_paper_takes_are_refused(staff: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    store([make_order(f"o-{n}", items=(TEA,) * 3, wanted_at=soon(hours=1)) for n in range(2, 4)])
    monkeypatch.setattr(order_lists, "MOST_ITEMS", 6)
    assert staff.get(f"{WANTED}?format=print").status_code == 200
    monkeypatch.setattr(order_lists, "MOST_ITEMS", 5)
    refused = staff.get(f"{WANTED}?format=print")
    assert (refused.status_code, "Choose days first" in refused.content.decode()) == (400, True)


# --- Files ----------------------------------------------------------------------------------------------


def test_exports_and_imports_have_the_time(staff: Client, tmp_path: Path) -> None:
    at = soon(days=1)
    store([make_order("o-2", wanted_at=at)])
    answer: Any = staff.get(f"{WANTED}?format=csv")
    (row,) = csv.DictReader(io.StringIO(b"".join(answer).decode("utf-8-sig")))
    assert (row["order_id"], row["wanted_at"]) == ("o-2", f"{at:%Y-%m-%dT%H:%M:%SZ}")
    line = {
        **{"order_id": "o-9", "username": "alex", "hotel_id": ABC, "status": "PLACED", "currency": "EUR", "items": []},
        **{
            "placed_at": "2023-01-15T10:22:31Z",
            "status_at": "2023-01-15T10:22:31Z",
            "wanted_at": f"{at:%Y-%m-%dT%H:%M}:31Z",
        },
    }
    file = tmp_path / "orders.jsonl"

    def imported(**changes: object) -> str:
        file.write_text(json.dumps({**line, **changes}))
        call_command("import_orders", file, stdout=(out := io.StringIO()))
        return out.getvalue()

    assert "1 written" in imported()
    assert stored_order("o-9").wanted_at == at, "to the minute, as forms have it"
    assert "1 written" in imported(wanted_at=None, status="PROCESSING")
    assert stored_order("o-9").wanted_at == at, "a file without the time leaves it"
    with pytest.raises(Exception, match="1 row refused"):
        imported(wanted_at="2023-01-16T06:00:00Z")
    assert "stored with another wanted_at" in (tmp_path / "orders.rejected.jsonl").read_text()


def test_an_order_without_a_time_is_as_small_as_before() -> None:
    (item,) = (item for item in all_items() if item.get("order_id") == {"S": "o-1"} and "placed_at" in item)
    assert not {name for name in item if name.startswith("wanted")}
