"""The page of an order with its next steps, and the pages to place an order, and to correct one."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from dynamodb_lists import errors, in_parallel
from dynamodb_lists.schema import entities
from hotels import queries as hotels
from hotels.app_config import RoomPart
from orders import commands, keys, queries
from orders.apps import VIEW_ORDERS
from orders.entities import ERASED_NAME, HistoryStep, Order
from orders.forms import OrderIdField, StepForm, UsernameField
from orders.forms.placing import CORRECTED, MAX_ITEMS, MORE_LINES, CorrectOrderForm, LinesForm, PlaceOrderForm
from orders.lists import MovedOn, join_catalogue, order_item
from orders.statuses import CORRECTABLE, OPEN, STEPS, Status, ahead
from portal.access import StaffMixin, StaffPage
from portal.form_pages import AddPage, EditPage, FormPage, RemarkPage, StoredPage, finder_of
from portal.forms.fields import HotelField, NumberField
from portal.forms.parameters import checked, read
from portal.forms.pickers import Pick
from portal.forms.values import FieldDifference
from portal.history.views import say_done
from rooms.queries import has_room

OF_ROOM = RoomPart("orders/_of_room.html", VIEW_ORDERS, queries.newest_of_room)
PLACE_ORDERS = "orders.add_order"
STEP_WORDS = {
    Status.PROCESSING: "Start processing",
    Status.SHIPPED: "Mark as on its way",
    Status.DELIVERED: "Mark as delivered",
    Status.CANCELLED: "Cancel the order",
}


CORRECTED_MEANWHILE = "Somebody has changed this order. Look at it, and press the button again."


class OrderPage(StaffPage):
    lists_link_here = True
    permission = VIEW_ORDERS
    template_name = "orders/order.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Return the page. An address with a number as it may have been read aloud leads to the order's own."""
        try:
            return super().get(request, *args, **kwargs)
        except errors.NotFound:
            order_id = self.kwargs["order_id"]
            number = keys.order_ids(order_id)[-1] if keys.is_number(order_id) else order_id
            if number == order_id:
                raise
            return redirect(f"{reverse('orders:order', args=[number])}?{request.GET.urlencode()}".removesuffix("?"))

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        order = kwargs.pop("order", None) or self._order(
            read(self.request.GET, guest=UsernameField(required=False))["guest"]
        )
        may_see = self.may("orders.view_guest")
        room_exists, guest = in_parallel(
            [
                lambda: bool(order.room_number) and has_room(order.hotel_id, order.room_number),
                lambda: queries.known_guest(order.username) if may_see else None,
            ]
        )
        allowed = [step for step in STEPS[order.status] if may_take(self, step, order, order.status)]
        return super().get_context_data(
            **kwargs,
            order=order,
            title=f"Order {order.order_id}",
            next_step=next(((step, STEP_WORDS[step]) for step in allowed if step != Status.CANCELLED), None),
            may_cancel=Status.CANCELLED in allowed,
            taken=order.history or [HistoryStep(order.status, order.status_at, "")],
            ahead=[*ahead(order.status)],
            may_correct=order.status in CORRECTABLE and self.may(PLACE_ORDERS),
            may_note=order.guest_name != ERASED_NAME and self.may(OrderNotePage.permission),
            may_reason=order.guest_name != ERASED_NAME,
            room_exists=room_exists,
            guest=guest,
            hotel=hotels.named_hotel(order.hotel_id),
            places=lambda: [each for each in order_item(order, 1).places() if each[0] not in keys.SHARDED],
        )

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Take a step from the status that the user saw. If somebody else took a step first, the page names this
        person.
        """
        step = checked(StepForm(request.POST))
        if step["step"] != Status.CANCELLED:  # who placed an order is read from the order
            self.require(step_permission(step["step"]))
        guest = step["guest"] or self._order("").username
        order = self._order(guest)
        if not may_take(self, step["step"], order, step["seen"]):
            raise PermissionDenied
        if order.status == step["seen"] and step["revision"] not in {None, order.revision}:
            raise errors.ChangedMeanwhile(CORRECTED_MEANWHILE)
        order = commands.take_step(order, step["step"], self.by, step["seen"], step["reason"])
        say_done(self, f"The order is now {order.status.words.lower()}.", order)
        return redirect(self.carrying(order_address(order)))

    def refused(self, error: Any) -> dict[str, Any]:
        return {**super().refused(error), "order": getattr(error, "stored", None)}

    def _order(self, guest: str) -> Order:
        order_id = self.kwargs["order_id"]
        order = queries.order_as_stored(guest, order_id) if guest else queries.order(order_id)
        self.require_hotel(order.hotel_id)
        return order


def may_take(page: StaffMixin, step: Status, order: Order, seen: Status) -> bool:
    """Return whether the user may take a step. The author of an order may cancel it until somebody processes it."""
    placed_it = order.history[:1] and order.history[0].by == page.by
    own = step == Status.CANCELLED and seen == OPEN and placed_it and page.may(PLACE_ORDERS)
    return bool(own) or page.may(step_permission(step))


def step_permission(step: Status) -> str:
    return "orders.cancel_order" if step == Status.CANCELLED else "orders.move_order"


def order_address(order: Order) -> str:
    """Return the address of an order that was just written. It names the guest, so that the page reads the table."""
    return f"{reverse('orders:order', args=[order.order_id])}?{urlencode({'guest': order.username})}"


class OfStoredOrder(StaffMixin):
    context_object_name = "order"
    address = staticmethod(order_address)


class OrderNotePage(OfStoredOrder, RemarkPage):
    title = "Remark on order {page.stored.order_id}"
    permission = "orders.move_order"
    command = staticmethod(commands.note_order)


# --- Its items ------------------------------------------------------------------------------------------


TOO_LATE = "An order can be corrected only until it is on its way. Nothing was changed."
LinesT = TypeVar("LinesT", bound=LinesForm)
PICKED = {"username": "guest", "hotel_id": "hotel", "room_number": "room"}
"""The kinds of things that an address may name for the form."""


class LinesPage(FormPage[LinesT]):
    """The base of pages with the items of an order, which add lines and show the total without saving anything."""

    permission = PLACE_ORDERS
    extra_context = {"max_items": MAX_ITEMS}

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if "more" not in request.POST and "update" not in request.POST:
            return super().post(request, *args, **kwargs)
        options, more = self.get_form_kwargs(), MORE_LINES if "more" in request.POST else 0
        data, _ = options.pop("data"), options.pop("files")
        form = self.get_form_class().unchecked(data, more, **options)
        return self.render_to_response(self.get_context_data(form=form))


class PlaceOrderPage(LinesPage[PlaceOrderForm], AddPage[PlaceOrderForm]):
    title = "Place an order"
    form_class = PlaceOrderForm
    template_name = "orders/place_order.html"
    id_name, new_id = "order_id", staticmethod(keys.new_number)
    asks = {"order_id": OrderIdField, "username": UsernameField, "hotel_id": HotelField, "room_number": NumberField}

    def get_initial(self) -> dict[str, Any]:
        given, finder = super().get_initial(), finder_of(self.request)
        if len(only := self.scope.hotel_ids or ()) == 1:
            given.setdefault("hotel_id", *only)
        hotel_id = given.get("hotel_id", "")
        for name in given.keys() & PICKED.keys():
            given[name] = finder.named(PICKED[name], given[name], hotel_id) or given[name]
        return given

    def save(self, form: PlaceOrderForm) -> str:
        placed = commands.place_order(form.order(), self.by)
        again = "" if placed.status == OPEN else f" It was placed before, and is now {placed.status.words.lower()}."
        messages.success(self.request, f"The order is placed.{again}")
        return order_address(placed)


class CorrectOrderPage(OfStoredOrder, LinesPage[CorrectOrderForm], EditPage[CorrectOrderForm]):
    """A form with the items of an order. Its guest, its hotel and its currency stay."""

    title = "Correct order {page.stored.order_id}"
    form_class = CorrectOrderForm
    template_name = "orders/correct_order.html"

    gone = StoredPage.gone  # no order is ever deleted

    @staticmethod
    def command(before: Order, after: Order, by: str) -> Order:
        return commands.correct_order(before, after.items, by, after.room_number, wanted_at=after.wanted_at)

    def get_initial(self) -> dict[str, Any]:
        """Return the revision, the room and the time. The form takes the items from the order."""
        number = self.stored.room_number
        return {**super().get_initial(), "room_number": Pick(number, number) if number else ""}

    def get_form_kwargs(self) -> dict[str, Any]:
        time_zone = hotels.named_hotel(self.stored.hotel_id).time_zone
        return {**super().get_form_kwargs(), "order": self.stored, "time_zone": time_zone}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        order: Order = self.stored
        return super().get_context_data(hotel=hotels.named_hotel(order.hotel_id), **kwargs)

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if self.stored.status not in CORRECTABLE:
            messages.error(request, f"The order is {self.stored.status.words.lower()}. {TOO_LATE}")
            return redirect(self.carrying(order_address(self.stored)))
        return super().get(request, *args, **kwargs)

    def write(self, form: CorrectOrderForm) -> str:
        """Correct the order, and write its catalogue, also if the order is corrected already."""
        if entities.same(self.stored, self.edited(form)):
            join_catalogue(self.stored)
        elif self.stored.status not in CORRECTABLE:
            raise errors.Conflict(f"{MovedOn(self.stored, self.by)} {TOO_LATE}")
        return super().write(form)

    def require_seen(self, form: CorrectOrderForm) -> None:
        """Raise :class:`ChangedMeanwhile` if somebody has corrected the order. To begin with it is no conflict."""
        if not self.edit(form).up_to_date:
            raise errors.ChangedMeanwhile

    def parts(self, entity: Order) -> dict[str, Any]:
        seen: Counter[str] = Counter()
        parts: dict[str, Any] = {name: getattr(entity, name) for name in CORRECTED}
        for item in entity.items:
            seen[item.sku] += 1
            parts[f"Item {item.sku}" + (f", line {seen[item.sku]}" if seen[item.sku] > 1 else "")] = item
        return parts

    def joined(self, entity: Order, parts: Mapping[str, Any]) -> Order:
        fields = {name: parts[name] for name in CORRECTED}
        items = (part for name, part in parts.items() if name not in fields and part)
        return replace(entity.with_items(tuple(items)), **fields)

    def compared(self, form: CorrectOrderForm) -> Sequence[FieldDifference]:
        """Return the room and the lines in which the versions differ. The form shows the lines to be saved."""
        differences, merged = super().compared(form), self.edited(form)
        form.write_items(merged.items)
        return differences
