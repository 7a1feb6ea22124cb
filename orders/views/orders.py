"""The page of an order with its next steps."""

from dataclasses import replace
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from dynamodb_lists.connection.errors import ChangedMeanwhile, NotFound
from hotels import queries as hotels
from hotels.app_config import RoomPart
from orders import commands, keys, queries
from orders.apps import VIEW_ORDERS
from orders.entities import ERASED_NAME, HistoryStep, Order
from orders.forms.fields import UsernameField
from orders.forms.orders import StepForm
from orders.lists import order_item
from orders.statuses import OPEN, STEPS, Status, ahead
from portal.access import StaffMixin, StaffPage
from portal.form_pages import NotePage
from portal.forms.parameters import checked, read
from portal.history.undo_views import say_done
from rooms.queries import has_room

OF_ROOM = RoomPart("orders/_of_room.html", VIEW_ORDERS, queries.newest_of_room)
PLACE_ORDERS = "orders.add_order"
STEP_WORDS = {
    Status.PROCESSING: "Start processing",
    Status.SHIPPED: "Mark as on its way",
    Status.DELIVERED: "Mark as delivered",
    Status.CANCELLED: "Cancel the order",
}


class OrderPage(StaffPage):
    lists_link_here = True
    permission = VIEW_ORDERS
    template_name = "orders/order.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """The page. An address with a number as it may have been read aloud leads to the order's own."""
        try:
            return super().get(request, *args, **kwargs)
        except NotFound:
            order_id = self.kwargs["order_id"]
            number = keys.order_ids(order_id)[-1] if keys.is_number(order_id) else order_id
            if number == order_id:
                raise
            return redirect(f"{reverse('orders:order', args=[number])}?{request.GET.urlencode()}".removesuffix("?"))

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        order = kwargs.pop("order", None) or self._order(
            read(self.request.GET, guest=UsernameField(required=False))["guest"]
        )
        allowed = [step for step in STEPS[order.status] if may_take(self, step, order)]
        return super().get_context_data(
            **kwargs,
            order=order,
            title=f"Order {order.order_id}",
            next_step=next(((step, STEP_WORDS[step]) for step in allowed if step != Status.CANCELLED), None),
            may_cancel=Status.CANCELLED in allowed,
            taken=order.history or [HistoryStep(order.status, order.status_at, "")],
            ahead=[*ahead(order.status)],
            may_correct=order.status == OPEN and self.may(PLACE_ORDERS),
            may_note=order.guest_name != ERASED_NAME and self.may(OrderNotePage.permission),
            room_exists=bool(order.room_number) and has_room(order.hotel_id, order.room_number),
            hotel=hotels.named_hotel(order.hotel_id),
            places=lambda: [each for each in order_item(order, 1).places() if each[0] not in keys.SHARDED],
        )

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Take a step from the status that the user saw. If somebody else took a step first, the page says who."""
        step = checked(StepForm(request.POST))
        if step["step"] != Status.CANCELLED:  # who placed an order is read from the order
            self.require(step_permission(step["step"]))
        guest = step["guest"] or self._order("").username
        order = replace(self._order(guest), status=step["seen"])
        if not may_take(self, step["step"], order):
            raise PermissionDenied
        try:
            order = commands.take_step(order, step["step"], request.user.get_username())
        except ChangedMeanwhile as error:
            context = self.get_context_data(order=error.stored, problem=str(error))
            return self.render_to_response(context, status=409)
        say_done(self, f"The order is now {order.status.words.lower()}.", order)
        return redirect(self.carrying(order_address(order)))

    def _order(self, guest: str) -> Order:
        order_id = self.kwargs["order_id"]
        order = queries.order_as_stored(guest, order_id) if guest else queries.order(order_id)
        self.require_hotel(order.hotel_id)
        return order


def may_take(page: StaffMixin, step: Status, order: Order) -> bool:
    """Whether the user may take a step. Who placed an order may cancel it until somebody starts to process it."""
    placed_it = order.history[:1] and order.history[0].by == page.request.user.get_username()
    own = step == Status.CANCELLED and order.status == OPEN and placed_it and page.may(PLACE_ORDERS)
    return bool(own) or page.may(step_permission(step))


def step_permission(step: Status) -> str:
    return "orders.cancel_order" if step == Status.CANCELLED else "orders.move_order"


def order_address(order: Order) -> str:
    """The address of an order that has just been written. It names the guest, so that the page reads the table."""
    return f"{reverse('orders:order', args=[order.order_id])}?{urlencode({'guest': order.username})}"


class OfStoredOrder(StaffMixin):
    """The base of pages that change the order in their address."""

    context_object_name = "order"
    address = staticmethod(order_address)


class OrderNotePage(OfStoredOrder, NotePage):
    title = "Note on order {page.stored.order_id}"
    permission = "orders.move_order"
    command = staticmethod(commands.note_order)
