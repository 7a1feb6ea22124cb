"""The orders in the cost lab."""

from datetime import timedelta

from hotels import queries as hotels
from lab.measured import MeasuredList
from lab.unplanned import Unplanned
from orders import keys, queries
from orders.apps import VIEW_ORDERS
from orders.entities import Order, OrderQuery
from orders.forms.orders import StatusAndDaysForm
from orders.models import OrderModel


def _query(form: StatusAndDaysForm, hotel_id: str) -> OrderQuery:
    return form.query(hotels.hotel(hotel_id).time_zone)


def _unplanned(hotel_id: str, query: OrderQuery) -> Unplanned[Order]:
    """A hotel's orders as a reader without the planner sees them: all of them by the time of placing."""
    moment = "status_at" if query.status else "placed_at"
    last = query.before - timedelta(seconds=1) if query.before else None  # times are to the second
    return Unplanned(
        model=OrderModel,
        partition=hotel_id,
        index=keys.HOTEL_ORDERS,
        build=OrderModel.built,
        attributes=OrderModel.shown_in(keys.HOTEL_ORDERS),
        values={"status": {query.status}} if query.status else {},
        bounds={moment: (query.first, last)},
        sort=(moment, "order_id"),
        descending=query.descending,
    )


ORDERS = MeasuredList(
    name="orders",
    permission=VIEW_ORDERS,
    form=StatusAndDaysForm,
    drawn=("status", "from", "to", "sort"),
    refused=(),
    query=_query,
    planned=queries.hotel_orders,
    unplanned=_unplanned,
    example={"status": "SHIPPED"},
    example_words="those shipped, the newest first",
)
