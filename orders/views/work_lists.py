"""Pages of the lists that staff work from: unfinished orders of the group and of a hotel, and a hotel's orders."""

from typing import Any

from hotelapp.dynamodb.reading.lists import Listing
from hotelapp.dynamodb.reading.pages import Page
from hotels.mixins import HotelMixin
from orders import queries
from orders.entities import Order
from orders.forms.orders import StatusAndDaysForm, UnfinishedForm
from orders.statuses import UNFINISHED, Status
from orders.views.orders import OrderListPage
from orders.views.tabs import status_tabs


class UnfinishedOrdersPage(OrderListPage[UnfinishedForm]):
    """The unfinished orders of the group: all of them, or those in one status."""

    title = "Unfinished orders"
    form_class = UnfinishedForm
    template_name = "orders/unfinished_orders.html"
    empty_template = "orders/_no_unfinished_orders.html"
    csv_name = "unfinished-orders"

    def listing(self, form: UnfinishedForm) -> Listing[Order]:
        """A7: the unfinished orders."""
        return queries.unfinished_orders(form.status_asked, self.scope.hotel_ids, descending=form.order.descending)

    def context(self, form: UnfinishedForm, page: Page[Order], *args: Any) -> dict[str, Any]:
        tabs = status_tabs(form.status_asked, UNFINISHED, everything="All unfinished")
        return {**super().context(form, page), "tabs": tabs, "unfinished": True}


class HotelUnfinishedPage(HotelMixin, UnfinishedOrdersPage):
    """A hotel's unfinished orders."""

    template_name = "orders/hotel_orders.html"
    hidden = "hotel_id"
    csv_name = "unfinished-orders-{hotel_id}"

    def listing(self, form: UnfinishedForm) -> Listing[Order]:
        """A7: the hotel's unfinished orders."""
        return queries.unfinished_orders(form.status_asked, [self.hotel.hotel_id], descending=form.order.descending)

    def context(self, form: UnfinishedForm, page: Page[Order], *args: Any) -> dict[str, Any]:
        title = f"Unfinished orders of {self.hotel.name}"
        return {**super().context(form, page), "hotel": self.hotel, "title": title}


class HotelOrdersPage(HotelMixin, OrderListPage[StatusAndDaysForm]):
    """A hotel's orders by day and status."""

    form_class = StatusAndDaysForm
    template_name = "orders/hotel_orders.html"
    hidden = "hotel_id"
    empty_template = "orders/_no_orders_of_hotel.html"
    csv_name = "orders-{hotel_id}"

    def listing(self, form: StatusAndDaysForm) -> Listing[Order]:
        """A10: the hotel's orders."""
        return queries.hotel_orders(self.hotel.hotel_id, form.query())

    def context(self, form: StatusAndDaysForm, page: Page[Order], *args: Any) -> dict[str, Any]:
        query = form.query()
        return {
            **super().context(form, page),
            "hotel": self.hotel,
            "title": f"Orders of {self.hotel.name}",
            "query": query,
            "tabs": status_tabs(query.status, Status),
            "narrowed": bool(query.status or query.first or query.before),
        }
