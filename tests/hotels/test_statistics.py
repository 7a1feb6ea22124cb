"""Statistics: what writes add to them, what pages read, and for how much."""

from datetime import date, datetime, timedelta
from decimal import Decimal
from io import StringIO

import pytest
from django.core.cache import cache
from django.core.management import call_command

from dynamodb_lists import ledger
from dynamodb_lists.schema.keys import now
from dynamodb_lists.writing.transactions import commit
from hotels import commands, queries
from hotels.commands import statistic_update
from hotels.entities import (
    AGES,
    Hotel,
    HotelStatistics,
    unanswered_by_language,
    year_before,
)
from hotels.models import GroupStatisticsModel
from orders import commands as orders
from orders import queries as order_queries
from orders.lists import stored_order
from orders.statuses import Status
from overview.forms import LAST_YEAR
from overview.views.figures import sums_of
from portal import shards
from portal.times import today_in
from rooms import commands as rooms
from rooms.entities import StatusChange
from rooms.statuses import Housekeeping
from tests.helpers.faults import verify
from tests.helpers.kinds import items_of
from tests.helpers.orders import assert_orders_in_step, make_guest, make_items, make_order, store
from tests.helpers.rooms import ABC, assert_in_step, make_hotel, make_room
from tests.helpers.statistics import together
from tests.helpers.writes import create_guest

pytestmark = pytest.mark.usefixtures("empty_tables")
TODAY = date(2026, 3, 1)


def ago(days: float) -> datetime:
    return now() - timedelta(days=days)


def today() -> date:
    return now().date()


def of(*stored: tuple[tuple[str, ...], dict[str, str]]) -> HotelStatistics:
    """Statistics of TODAY from what is stored."""
    return HotelStatistics.of(
        [(what, {name: Decimal(number) for name, number in numbers.items()}) for what, numbers in stored], TODAY
    )


# --- What is stored becomes statistics ------------------------------------------------------------------


def test_what_is_outside_of_the_days_is_the_rest_of_the_total() -> None:
    numbers = of(
        (("orders", "2026-03-02", "EUR"), {"PLACED": "1", "revenue": "0.1"}),  # of a clock that is ahead
        (("orders", "2026-03-01", "EUR"), {"PLACED": "2", "revenue": "0.2"}),
        (("orders", "2026-02-27", "CHF"), {"PLACED": "4", "revenue": "9"}),
        (("orders", "2026-01-31", "EUR"), {"PLACED": "8", "CANCELLED": "0"}),
        (("orders", "2026-01-30", "EUR"), {"PLACED": "16"}),
        (("orders", "total"), {"PLACED": "100"}),
    )
    assert list(numbers.orders_by_age("PLACED").values()) == [3, 4, 0, 8, 85]
    assert set(numbers.orders_by_age("SHIPPED").values()) == {0}
    assert numbers.revenue["EUR"][TODAY] == Decimal("0.3")
    assert sum(numbers.revenue["CHF"].values()) == 9
    assert numbers.orders[date(2026, 1, 31)] == {"PLACED": 8}


def test_a_trend_compares_the_days_of_the_plots_with_as_many_before() -> None:
    """Also if a clock is ahead, so that an order is of tomorrow."""
    ago = {-1: 64, 0: 1, 1: 2, 29: 4, 30: 8, 59: 16, 60: 32}
    days = {(TODAY - timedelta(days=each)): Decimal(amount) for each, amount in ago.items()}
    orders = [(("orders", str(day), "EUR"), {"revenue": amount, "PLACED": Decimal(1)}) for day, amount in days.items()]
    stored = [*orders, (("orders", "total"), {"PLACED": Decimal(6)})]
    *_, now, before = sums_of(stored, TODAY)
    assert (now, before) == ({"EUR": 71}, {"EUR": 24})
    assert sum(HotelStatistics.of(stored, TODAY).revenue["EUR"].values()) == now["EUR"]


@pytest.mark.parametrize(
    ("today", "this_month", "last_year"),
    [
        (date(2024, 2, 29), ("2024-02-01", "2024-02-29"), ("2023-02-01", "2023-02-28")),
        (date(2026, 1, 31), ("2026-01-01", "2026-01-31"), ("2025-01-01", "2025-01-31")),
        (date(2026, 1, 1), ("2026-01-01", "2026-01-01"), ("2025-01-01", "2025-01-01")),
    ],
)
def test_this_month_is_compared_with_the_same_days_of_last_year(
    today: date, this_month: tuple[str, str], last_year: tuple[str, str]
) -> None:
    beside = {str(date.fromisoformat(first) - date.resolution) for first, _ in (this_month, last_year)}
    if last_year[1] != "2023-02-28":
        beside.add(str(date.fromisoformat(last_year[1]) + date.resolution))
    orders = [(("orders", day, "EUR"), {"revenue": Decimal(1)}) for day in {*this_month, *last_year, *beside}]
    rated = {today: "5", year_before(today): "2"}
    ratings = [(("reviews", f"{day:%Y-%m}"), {rating: Decimal(1)}) for day, rating in rated.items()]
    *_, month, month_before, now, before = sums_of([*orders, *ratings], today, LAST_YEAR)
    assert (now, before) == ({"EUR": len({*this_month})}, {"EUR": len({*last_year})})
    assert (month, month_before) == ({5: 1}, {2: 1})


def test_wrong_totals_give_no_number_below_zero() -> None:
    waiting = {"unanswered-en": "-2", "unanswered-de": "1", "5": "-1"}
    numbers = of(
        (("rooms", "total"), {"clean": "-1", "dirty": "2"}),
        (("orders", "2026-03-01", "EUR"), {"PLACED": "3"}),
        (("reviews", "total"), waiting),
    )
    assert numbers.rooms == {"dirty": 2}
    assert (numbers.unanswered, numbers.all_ratings) == (1, {})
    assert unanswered_by_language({name: Decimal(number) for name, number in waiting.items()}) == {"de": 1}
    assert numbers.orders_by_age("PLACED")[AGES[-1]] == 0


# --- Writes ---------------------------------------------------------------------------------------------


def test_every_write_of_an_order_counts() -> None:
    make_hotel()
    day = today_in(queries.stored_hotel(ABC).time_zone)
    store([make_order(f"o-{n}", placed_at=ago(n), total=10) for n in (0, 1, 5, 20, 29, 31, 470)])
    create_guest(make_guest("bo"), "anna")
    placed = orders.place_order(make_order("new", "bo", items=make_items(2), total=50), "anna")
    corrected = orders.correct_order(placed, make_items(1), "anna")
    numbers = together([ABC], day)
    assert list(numbers.orders_by_age("PLACED").values()) == [2, 1, 1, 2, 2]
    assert numbers.revenue["EUR"][day] == 10 + corrected.total
    moved = orders.take_step(corrected, Status.PROCESSING, "anna")
    orders.take_step(moved, Status.CANCELLED, "anna")
    orders.take_step(stored_order("o-470"), Status.PROCESSING, "anna")  # a day that nobody reads
    orders.erase_guest(order_queries.guest("bo", consistent=True), "anna")
    numbers = together([ABC], day)
    assert numbers.orders[day] == {"PLACED": 1, "CANCELLED": 1}
    assert numbers.revenue["EUR"][day] == 10
    assert numbers.all_orders == {"PLACED": 6, "PROCESSING": 1, "CANCELLED": 1}
    assert_orders_in_step()


# --- Shards of the group --------------------------------------------------------------------------------


def test_more_shards_of_the_group_are_a_setting_and_need_no_rebuild(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hotel's counts are in one shard before the change of the setting, and in another shard after it. The sum of the
    shards stays that of the hotels.
    """
    monkeypatch.setattr(shards, "WAIT_SECONDS", 0)
    names = [f"h-{n:02d}" for n in range(30)]
    commands.save_hotels([Hotel(name, name, currency="EUR") for name in names])
    rooms.save_rooms([make_room("101", hotel_id=name) for name in names])
    assert partitions() == {"group#statistics"}
    call_command("statistics_shards", "20", stdout=StringIO())
    cache.clear()
    for name in names:
        rooms.set_status(name, "101", StatusChange(Housekeeping.DIRTY), "anna")
    assert partitions() == {"group#statistics", "group#statistics#1", "group#statistics#2"}
    store([make_order(name, hotel_id=name, placed_at=ago(0)) for name in names])
    assert partitions("orders#total#") == partitions()
    assert partitions(f"orders#{today()}#") == partitions(), "days have shards in each partition"
    queries.GROUP_SHARDS.numbers()
    with ledger.recording() as calls:
        numbers = queries.group_statistics(today()).rooms
    assert numbers == {"in-service": 30, "dirty": 30}
    assert (calls.requests, calls.waves) == (3, 1)
    assert_in_step()
    assert_orders_in_step()


def test_the_group_is_repaired_over_all_its_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "WAIT_SECONDS", 0)
    make_hotel([make_room("101")])
    list(queries.GROUP_SHARDS.raise_to(9))
    cache.clear()
    rooms.set_status(ABC, "101", StatusChange(Housekeeping.DIRTY), "anna")
    commit([statistic_update(GroupStatisticsModel.place(("rooms", "total"), 8), {"dirty": 2, "clean": 1})])
    fault = "the statistics rooms#total of the group count clean 1 instead of 0, dirty 3 instead of 1"
    assert fault in verify()[0]
    verify("--repair")
    assert verify() == ("", True)
    assert_in_step()


def partitions(what: str = "") -> set[str]:
    """Return the partitions that hold statistics of the group, or some of them."""
    keys = ((item["pk"]["S"], item["sk"]["S"]) for item in items_of(GroupStatisticsModel.Meta.table_name))
    return {partition for partition, key in keys if partition.startswith("group#") and key.startswith(what)}


# --- Reads ----------------------------------------------------------------------------------------------
