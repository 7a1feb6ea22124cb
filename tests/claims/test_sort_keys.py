"""What a range of a sort key returns."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import pytest

from orders.models import OrderModel
from orders.statuses import Status
from tests.claims.tables import Table, number, sort_keys, text
from tests.helpers.orders import orders_of_all_statuses, store

ONE = "pk = :pk AND sk BETWEEN :first AND :last"
DAYS = [date(2023, 1, 1) + timedelta(days=n) for n in range(365)]


def test_dates_written_day_first_do_not_sort(table: Table, figures: Sequence[str]) -> None:
    ways = {"day-first": "%d.%m.%Y", "iso": "%Y-%m-%d"}
    table.put(text(pk=way, sk=day.strftime(form)) for way, form in ways.items() for day in DAYS)
    february = [day for day in DAYS if day.month == 2]
    found = {}
    for way, form in ways.items():
        wanted = [day.strftime(form) for day in february]
        found[way] = sort_keys(table.query(ONE, {":pk": way, ":first": wanted[0], ":last": wanted[-1]}))
        assert set(wanted) <= set(found[way])
    assert figures == [str(len(DAYS)), str(len(found["day-first"])), str(len(found["iso"]))]
    assert found["iso"] == [f"{day}" for day in february]


@pytest.mark.usefixtures("empty_tables")
def test_an_open_lower_end_returns_other_statuses(dynamodb: Any, figures: Sequence[str]) -> None:
    orders = orders_of_all_statuses(100, username="alex")
    store(orders)
    table = Table(dynamodb, OrderModel.Meta.table_name)
    index = {"IndexName": "by-status-date"}
    day = {":pk": "USER#alex", ":day": "SHIPPED#2023-02-01"}
    open_end = table.query("PK = :pk AND order_status_date < :day", day, **index)
    both_ends = table.query(
        "PK = :pk AND order_status_date BETWEEN :status AND :day", {**day, ":status": "SHIPPED#"}, **index
    )
    assert figures == [str(open_end["Count"]), str(len(Status)), str(both_ends["Count"])]
    assert {item["status"]["S"] for item in open_end["Items"]} == set(Status)
    assert {item["status"]["S"] for item in both_ends["Items"]} == {Status.SHIPPED}


def test_begins_with_finds_longer_values(table: Table, figures: Sequence[str]) -> None:
    table.put(text(pk="prefixes", sk=sk) for sk in ("40m#101", "40m#102", "40mx#103", "41m#104"))
    found = [
        sort_keys(table.query("pk = :pk AND begins_with(sk, :prefix)", {":pk": "prefixes", ":prefix": prefix}))
        for prefix in ("40m", "40m#")
    ]
    assert figures == [str(len(keys)) for keys in found]
    assert found == [["40m#101", "40m#102", "40mx#103"], ["40m#101", "40m#102"]]


def test_numbers_in_texts_need_padding(table: Table, figures: Sequence[str]) -> None:
    ways = {"unpadded": "{}m", "padded": "{:04d}m"}
    sizes = range(1, 121)
    table.put(
        {**text(pk=way, sk=form.format(size)), **number(metres=size)} for way, form in ways.items() for size in sizes
    )
    found = {
        way: sort_keys(table.query(ONE, {":pk": way, ":first": form.format(40), ":last": form.format(60)}))
        for way, form in ways.items()
    }
    surplus = sorted(set(found["unpadded"]) - {f"{size}m" for size in range(40, 61)})
    as_numbers = table.query(
        "pk = :pk AND metres BETWEEN :first AND :last",
        {":pk": "unpadded", ":first": {"N": "40"}, ":last": {"N": "60"}},
        IndexName="by-metres",
    )
    assert figures == [str(len(found["unpadded"])), *surplus, str(len(found["padded"])), str(as_numbers["Count"])]
