"""The cost panel: it describes each request correctly, and separates reads from writes."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pytest
from django.conf import settings
from django.test import Client

from hotelapp.dynamodb.connection import ledger
from hotelapp.dynamodb.reading import fetching
from hotelapp.history.models import HistoryModel
from hotelapp.portal import cost_panel as cost
from hotelapp.portal.cost_panel import Cost
from orders import queries as order_queries
from orders.statuses import Status
from rooms import commands, models, queries
from tests.helpers.markup import ListMarkup
from tests.helpers.orders import make_order, store
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = pytest.mark.usefixtures("empty_tables")


def cost_of(*calls: Callable[[], object]) -> Cost:
    """The cost panel of a page that makes these calls."""
    with ledger.recording() as recorded:
        for call in calls:
            call()
    return cost.summary(recorded, 1, {})


def create_room() -> object:
    return commands.create_room(make_room("102"), "alice")


def test_a_batch_counts_the_items_that_it_found() -> None:
    make_hotel([make_room("101")])
    (view,) = cost_of(lambda: queries.rooms_as_stored([(ABC, "101"), (ABC, "102")])).calls
    assert (view.call.items_read, view.call.items_returned) == (1, 1)
    assert view.call.table == models.RoomModel.Meta.table_name
    assert view.words == "Fetches items by their whole keys, up to a hundred at a time."


def test_a_transaction_is_said_to_write() -> None:
    make_hotel()
    view, *_ = cost_of(create_room).calls
    tables = f"{models.RoomModel.Meta.table_name}, {HistoryModel.Meta.table_name}"
    assert (view.call.operation, view.call.table) == ("TransactWriteItems", tables)
    assert view.words == "Writes several items. If one of them has changed meanwhile, it writes none."
    assert "range" not in view.words


def test_read_and_write_units_are_not_added_up() -> None:
    make_hotel([make_room("101")])
    read, written = cost_of(lambda: queries.room(ABC, "101")), cost_of(create_room)
    assert (read.page.read_units, read.page.write_units) == (Decimal("0.5"), Decimal(0))
    assert written.page.read_units == 3  # to pack the counts: the hotel, the packed counts and the counts, consistently
    assert written.page.write_units > 0
    both = cost_of(lambda: queries.room(ABC, "101"), lambda: commands.delete_room(queries.room(ABC, "102"), "alice"))
    assert both.page.read_units == 1 + 3
    assert both.page.write_units > 0


@pytest.mark.django_db
def test_the_panel_of_a_step_that_came_second_tells_each_request(staff: Client) -> None:
    store([make_order(status=Status.PROCESSING)])
    for step in ("SHIPPED", "CANCELLED"):
        response = staff.post("/orders/o-1/?explain=1", {"seen": "PROCESSING", "step": step})
    assert response.status_code == 409
    panel = ListMarkup(response.content).text("[data-cost]")
    assert "TransactWriteItems on the base table of history, users-and-orders" in panel.replace(
        settings.DYNAMODB_TABLE_PREFIX, ""
    )
    assert "BatchGetItem on the base table of users-and-orders" in panel.replace(settings.DYNAMODB_TABLE_PREFIX, "")
    assert "of ." not in panel


def test_requests_that_may_go_out_together_are_one_wave(monkeypatch: pytest.MonkeyPatch) -> None:
    """The statuses of unfinished orders are one wave, even where a busy processor asks them one after the other."""

    def read() -> bool:
        return queries.has_room(ABC, "101")

    def read_twice() -> bool:
        return read() and read()

    make_hotel([make_room("101")])
    order_queries.shards()
    with ThreadPoolExecutor(1) as pool:
        monkeypatch.setattr(fetching, "_pool", pool)
        unfinished = cost_of(lambda: order_queries.unfinished_orders().take(25, None, backward=False))
        assert (unfinished.page.requests, unfinished.page.waves) == (3, 1)
        assert cost_of(read, read).page.waves == 2
        assert cost_of(lambda: fetching.in_parallel([read, read_twice, read])).page.waves == 2
        assert cost_of(read, lambda: fetching.in_parallel([read_twice, read, read_twice]), read).page.waves == 4
