"""Pages of orders: the lists, and an order with its next steps."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import Any, ClassVar, TypeVar

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from hotelapp.dynamodb.reading.lists import Listing
from hotelapp.dynamodb.reading.pages import Page
from hotelapp.dynamodb.schema import entities
from hotelapp.portal.access import StaffPage
from hotelapp.portal.forms.parameters import checked
from hotelapp.portal.lists.forms import ListForm
from hotelapp.portal.lists.views import ListPage
from hotels.mixins import HotelMixin
from orders import commands, keys, queries
from orders.entities import Guest, ListedOrder, Order
from orders.forms.orders import BigOrdersForm, DatedForm, StatusAndDaysForm, StepForm, WrittenForm
from orders.statuses import OPEN, STEPS, Status
from orders.views.tabs import status_tabs

FormT = TypeVar("FormT", bound=ListForm)
INDEX_ORDERS = {
    keys.BY_ORDER: "sort key, partition key: the table with its keys swapped",
    keys.BY_PLACED: "time placed",
    keys.BY_STATUS_DATE: "status, time entered",
    keys.GUESTS: "username",
    keys.OPEN_ORDERS: "time placed",
    keys.UNFINISHED: "time placed",
    keys.HOTEL_UNFINISHED: "time placed",
    keys.BY_HOTEL: "time placed",
    keys.BY_HOTEL_STATUS: "status, time entered",
    keys.BIG_ORDERS: "total",
}
VIEW_ORDERS, PLACE_ORDERS = "orders.view_order", "orders.add_order"
NAMES = {"username": ["guest_name"], "hotel_id": ["hotel_name"]}
EXPORTED = list(chain.from_iterable([column, *NAMES.get(column, [])] for column in entities.columns(Order)))
"""The columns of exports of orders: those of an order, and the name after each id that has one."""

STEP_WORDS = {
    Status.PROCESSING: "Start processing",
    Status.SHIPPED: "Mark as shipped",
    Status.DELIVERED: "Mark as delivered",
    Status.CANCELLED: "Cancel the order",
}


class OrderListPage(ListPage[FormT]):
    """The base of lists of orders. ``hidden`` names the column that would have the same value in each row."""

    permission = VIEW_ORDERS
    list_template_name = "orders/_orders.html"
    entity = Order
    noun = "orders"
    columns = EXPORTED
    hidden: ClassVar[str] = ""
    empty_template: ClassVar[str]

    def context(self, form: FormT, page: Page[Order], guest_names: Mapping[str, str] | None = None) -> dict[str, Any]:
        """The orders with the names of their guests and hotels. ``guest_names`` are known already, by username."""
        return {
            "rows": queries.listed_orders(page.rows, guest_names),
            "index_orders": INDEX_ORDERS,
            "hidden": self.hidden,
            "empty_template": "portal/_no_hotels.html" if self.scope.empty else self.empty_template,
        }

    def exported(self, rows: Iterator[Order]) -> Iterable[ListedOrder]:
        return queries.streamed_orders(rows)

    def cells(self, entity: ListedOrder) -> Sequence[str]:
        texts = dict(zip(entities.columns(Order), entities.cells(entity.order), strict=True))
        texts |= {"guest_name": entity.guest_name, "hotel_name": entity.hotel_name}
        return [texts[column] for column in self.columns]


class GuestOrdersPage(OrderListPage[StatusAndDaysForm]):
    """A guest's orders by status and day."""

    form_class = StatusAndDaysForm
    template_name = "orders/guest_orders.html"
    hidden = "username"
    empty_template = "orders/_no_orders_of_guest.html"
    csv_name = "orders-{username}"

    @cached_property
    def guest(self) -> Guest:
        """A1: the guest in the address."""
        return queries.guest(keys.username(self.kwargs["username"]))

    def listing(self, form: StatusAndDaysForm) -> Listing[Order]:
        return queries.guest_orders(self.guest, form.query(), self.scope.hotel_ids)

    def context(
        self, form: StatusAndDaysForm, page: Page[Order], guest_names: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        """The tabs with the number of orders in each status, too.

        Guests count their orders at all hotels. Staff who are bound to some hotels see no numbers.
        """
        guest, query = self.guest, form.query()
        dated = bool(query.first or query.before)
        return {
            **super().context(form, page, {guest.username: guest.name}),
            "guest": guest,
            "title": guest.name,
            "query": query,
            "tabs": status_tabs(query.status, Status, None if dated or self.scope.bound else guest.orders),
            "narrowed": dated or bool(query.status),
            "bound": self.scope.bound,
        }


class OpenOrdersPage(OrderListPage[DatedForm]):
    """The orders of all guests that nobody has started to process."""

    title = "Open orders"
    form_class = DatedForm
    template_name = "orders/open_orders.html"
    hidden = "status"
    empty_template = "orders/_no_open_orders.html"
    csv_name = "open-orders"

    def listing(self, form: DatedForm) -> Listing[Order]:
        """A7: the open orders."""
        return queries.open_orders(descending=form.order.descending, hotel_ids=self.scope.hotel_ids)


class BigOrdersPage(HotelMixin, OrderListPage[BigOrdersForm]):
    """A hotel's orders of a thousand or more."""

    form_class = BigOrdersForm
    template_name = "orders/big_orders.html"
    hidden = "hotel_id"
    empty_template = "orders/_no_big_orders.html"
    csv_name = "big-orders-{hotel_id}"

    def listing(self, form: BigOrdersForm) -> Listing[Order]:
        """A8: the big orders."""
        return queries.big_orders(self.hotel.hotel_id, descending=form.order.descending)

    def context(self, form: BigOrdersForm, page: Page[Order], *args: Any) -> dict[str, Any]:
        title = f"Big orders of {self.hotel.name}"
        return {**super().context(form, page), "hotel": self.hotel, "title": title, "least": keys.BIG_TOTAL}


class OrderPage(StaffPage):
    """An order with its items, its history and its next steps."""

    permission = VIEW_ORDERS
    template_name = "orders/order.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        order = kwargs.pop("order", None) or self._order(checked(WrittenForm(self.request.GET))["guest"])
        allowed = [step for step in STEPS[order.status] if self._may_take(step, order)]
        steps = [(step, STEP_WORDS[step], step == Status.CANCELLED) for step in allowed]
        return super().get_context_data(
            **kwargs,
            order=order,
            title=f"Order {order.order_id}",
            steps=steps,
            may_correct=order.status == OPEN and self.may(PLACE_ORDERS),
            row=queries.listed_orders([order])[0],
            index_orders=INDEX_ORDERS,
        )

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Take a step from the status that the user saw. If somebody else took a step first, the page says who."""
        step = checked(StepForm(request.POST))
        if Status(step["step"]) != Status.CANCELLED:  # who placed an order is read from the order
            self.require(step_permission(Status(step["step"])))
        guest = step["guest"] or self._order("").username
        order = replace(self._order(guest), status=Status(step["seen"]))
        if not self._may_take(Status(step["step"]), order):
            raise PermissionDenied
        try:
            order = commands.take_step(order, Status(step["step"]), request.user.get_username())
        except commands.MovedOn as error:
            context = self.get_context_data(order=error.order, problem=str(error))
            return self.render_to_response(context, status=409)
        messages.success(request, f"The order is now {order.status.lower()}.")
        return redirect(order_address(order))

    def _may_take(self, step: Status, order: Order) -> bool:
        """Whether the user may take a step. Who placed an order may cancel it until somebody starts to process it."""
        placed_it = order.history[:1] and order.history[0].by == self.request.user.get_username()
        own = step == Status.CANCELLED and order.status == OPEN and placed_it and self.may(PLACE_ORDERS)
        return bool(own) or self.may(step_permission(step))

    def _order(self, guest: str) -> Order:
        order_id = self.kwargs["order_id"]
        order = queries.order_as_stored(guest, order_id) if guest else queries.order(order_id)
        self.require_hotel(order.hotel_id)
        return order


def step_permission(step: Status) -> str:
    """The permission that a step of an order's life needs."""
    return "orders.cancel_order" if step == Status.CANCELLED else "orders.move_order"


def order_address(order: Order) -> str:
    """The address of an order that has just been written. It names the guest, so that the page reads the table."""
    return f"{reverse('orders:order', args=[order.order_id])}?{urlencode({'guest': order.username})}"
