"""Pages of guests and of lists of orders: form -> query -> template. Those that write are in editing.py."""

from collections.abc import Sequence
from typing import Any, ClassVar, TypeVar

from hotelapp.dynamodb.keys import time_part
from hotelapp.dynamodb.reading import Listing
from hotelapp.portal.forms import SortedForm
from hotelapp.portal.views import ListPage
from orders import keys, queries
from orders.forms import BigOrdersForm, DatedForm, GuestOrdersForm, GuestsForm
from orders.values import Guest, Order, Status
from rooms import queries as rooms

FormT = TypeVar("FormT", bound=SortedForm)
INDEX_ORDERS = {
    keys.BY_ORDER: "sort key, partition key: the table turned round",
    keys.BY_PLACED: "time placed",
    keys.BY_STATUS_DATE: "status, time entered",
    keys.OPEN_ORDERS: "time placed",
    keys.BIG_ORDERS: "total",
}


class GuestsPage(ListPage[GuestsForm]):
    """All guests, or those whose username begins with a text."""

    title = "Guests"
    form_class = GuestsForm
    template_name = "orders/guests.html"
    list_template_name = "orders/_guests.html"
    csv_columns = ("username", "name", "email", "orders")

    def load(self, form: GuestsForm) -> dict[str, Any]:
        """One page of guests."""
        return {**super().load(form), "index_orders": INDEX_ORDERS}

    def listing(self, form: GuestsForm) -> Listing[Guest]:
        """A9: the guests."""
        return queries.guests(form.cleaned_data["q"], descending=form.descending)

    def cells(self, row: Guest) -> Sequence[Any]:
        """A line of the export."""
        return row.username, row.name, row.email, row.total_orders

    def csv_name(self) -> str:
        """File name of the export."""
        return "guests"


class OrderListPage(ListPage[FormT]):
    """What lists of orders share. ``hidden`` names the column that would say the same in each row."""

    list_template_name = "orders/_orders.html"
    hidden: ClassVar[str] = ""
    csv_columns = (
        "order_id",
        "username",
        "hotel_id",
        "status",
        "placed_at",
        "status_at",
        "currency",
        "total",
        "items",
    )

    def load(self, form: FormT) -> dict[str, Any]:
        """One page of orders."""
        return {**super().load(form), "index_orders": INDEX_ORDERS, "hidden": self.hidden}

    def cells(self, row: Order) -> Sequence[Any]:
        """A line of the export. Times are UTC."""
        times = (time_part(row.placed_at), time_part(row.status_at))
        return row.order_id, row.username, row.hotel_id, row.status, *times, row.currency, row.total, row.item_count


class GuestOrdersPage(OrderListPage[GuestOrdersForm]):
    """A guest's orders by status and day."""

    form_class = GuestOrdersForm
    template_name = "orders/guest_orders.html"
    hidden = "guest"

    def guest(self) -> Guest:
        """A1: whose orders they are."""
        return queries.guest(keys.username(self.kwargs["username"]))

    def listing(self, form: GuestOrdersForm) -> Listing[Order]:
        """A2, A4, A5 or A6."""
        return queries.guest_orders(self.guest(), form.query())

    def load(self, form: GuestOrdersForm) -> dict[str, Any]:
        """One page of orders, and the tabs with the number of orders in each status."""
        guest, query = self.guest(), form.query()
        dated = bool(query.first or query.before)
        tabs = [(status, guest.orders.get(status, 0), status == query.status) for status in Status]
        return {
            "guest": guest,
            "title": guest.name,
            "page": self.page(queries.guest_orders(guest, query), form),
            "index_orders": INDEX_ORDERS,
            "hidden": self.hidden,
            "query": query,
            "tabs": tabs,
            "all_selected": query.status is None,
            "dated": dated,
            "narrowed": dated or bool(query.status),
            "days": {name: form.cleaned_data[name] for name in ("from", "to", "before")},
        }

    def csv_name(self) -> str:
        """File name of the export."""
        return f"orders-{self.kwargs['username']}"


class GuestPage(GuestOrdersPage):
    """A guest: the profile, and the orders."""

    template_name = "orders/guest.html"


class OpenOrdersPage(OrderListPage[DatedForm]):
    """Orders of all guests that wait for somebody to take them on."""

    title = "Open orders"
    form_class = DatedForm
    template_name = "orders/open_orders.html"
    hidden = "status"

    def listing(self, form: DatedForm) -> Listing[Order]:
        """A7: the open orders."""
        return queries.open_orders(descending=form.descending)

    def csv_name(self) -> str:
        """File name of the export."""
        return "open-orders"


class BigOrdersPage(OrderListPage[BigOrdersForm]):
    """A hotel's orders of a thousand or more."""

    form_class = BigOrdersForm
    template_name = "orders/big_orders.html"
    hidden = "hotel"

    def listing(self, form: BigOrdersForm) -> Listing[Order]:
        """A8: the big orders."""
        return queries.big_orders(rooms.hotel(self.kwargs["hotel_id"]).hotel_id, descending=form.descending)

    def load(self, form: BigOrdersForm) -> dict[str, Any]:
        """One page of orders, and the hotel."""
        hotel = rooms.hotel(self.kwargs["hotel_id"])
        title = f"Big orders of {hotel.name}"
        return {**super().load(form), "hotel": hotel, "title": title, "least": keys.BIG_TOTAL}

    def csv_name(self) -> str:
        """File name of the export."""
        return f"big-orders-{self.kwargs['hotel_id']}"
