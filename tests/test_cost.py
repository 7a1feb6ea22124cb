"""The cost panel: it says of each request what is true of it, and reads stand apart from writes."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from django.conf import settings
from django.test import Client

from hotelapp.dynamodb import ledger
from hotelapp.portal import cost
from hotelapp.portal.cost import Cost
from orders.values import Status
from rooms import commands, models, queries
from tests.orders import make_order, store
from tests.support import ABC, ListMarkup, make_hotel, make_room

pytestmark = pytest.mark.usefixtures("empty_tables")


def cost_of(*calls: Callable[[], object]) -> Cost:
    """The panel of a page that does this."""
    with ledger.recording() as kept:
        for call in calls:
            call()
    return cost.summary(kept, 1, {})


def create_room() -> object:
    return commands.create_room(make_room("102"))


def test_a_batch_counts_the_items_that_it_found() -> None:
    make_hotel([make_room("101")])
    (view,) = cost_of(lambda: queries.rooms_as_stored([(ABC, "101"), (ABC, "102")])).calls
    assert (view.call.items_read, view.call.items_returned) == (1, 1)
    assert view.call.table == models.TABLE
    assert view.words == "Fetches items by their whole keys, as many as a hundred at once."


def test_a_transaction_is_said_to_write() -> None:
    make_hotel()
    (view,) = cost_of(create_room).calls
    assert (view.call.operation, view.call.table) == ("TransactWriteItems", models.TABLE)
    assert view.words == "Writes several items, or none of them if one is not as it was seen."
    assert "range" not in view.words


def test_read_and_write_units_are_not_added_up() -> None:
    make_hotel([make_room("101")])
    read, written = cost_of(lambda: queries.room(ABC, "101")), cost_of(create_room)
    assert (read.read_units, read.write_units) == (Decimal("0.5"), Decimal(0))
    assert written.read_units == 0
    assert written.write_units > 0
    both = cost_of(lambda: queries.room(ABC, "101"), lambda: commands.delete_room(queries.room(ABC, "102")))
    assert both.read_units == 1
    assert both.write_units > 0


@pytest.mark.django_db
def test_the_panel_of_a_step_that_came_second_tells_each_request(staff: Client) -> None:
    store([make_order(status=Status.PROCESSING)])
    for step in ("SHIPPED", "CANCELLED"):
        response = staff.post("/orders/o-1/", {"seen": "PROCESSING", "step": step})
    assert response.status_code == 409
    panel = ListMarkup(response.content).text("[data-cost]")
    assert "TransactWriteItems on the base table of users-and-orders" in panel.replace(
        settings.DYNAMODB_TABLE_PREFIX, ""
    )
    assert "BatchGetItem on the base table of users-and-orders" in panel.replace(settings.DYNAMODB_TABLE_PREFIX, "")
    assert "of ." not in panel
