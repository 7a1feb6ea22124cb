"""Pages that write: a guest, an order to place, an order with its next steps. Form -> command -> on to the result."""

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse, reverse_lazy
from django.utils.http import urlencode

from hotelapp.portal.forms import checked, rewrite
from hotelapp.portal.views import FormPage, StaffPage
from orders import commands, keys, queries
from orders.forms import AfterForm, EditGuestForm, NewGuestForm, PlaceForForm, StepForm, new_order_id
from orders.placing import DEFAULT_CURRENCY, MAX_ITEMS, PlaceOrderForm
from orders.values import OPEN, STEPS, Guest, Order, Status
from orders.views import INDEX_ORDERS
from rooms import queries as rooms

HOTEL_CHOICES = 100
STEP_WORDS = {
    Status.PROCESSING: "Start processing",
    Status.SHIPPED: "Mark as shipped",
    Status.DELIVERED: "Mark as delivered",
    Status.CANCELLED: "Cancel the order",
}


class AddGuestPage(FormPage[NewGuestForm]):
    """A form to add a guest."""

    title = "Add a guest"
    form_class = NewGuestForm
    template_name = "orders/edit_guest.html"
    extra_context = {"back": reverse_lazy("orders:guests")}

    def save(self, form: NewGuestForm) -> str:
        """Add the guest."""
        guest = commands.create_guest(form.guest(form.cleaned_data["username"]))
        messages.success(self.request, f"{guest.name} was added.")
        return _guest_address(guest)


class EditGuestPage(FormPage[EditGuestForm]):
    """A form to change a guest."""

    form_class = EditGuestForm
    template_name = "orders/edit_guest.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The form, filled with what is stored."""
        guest = queries.guest(keys.username(self.kwargs["username"]), consistent=True)
        names = ("name", "email", "phone", "revision")
        if not kwargs["form"].is_bound:
            kwargs["form"].initial = {name: getattr(guest, name) for name in names}
        return super().get_context_data(**kwargs, title=f"Edit {guest.name}", back=_guest_address(guest))

    def save(self, form: EditGuestForm) -> str:
        """Change the guest from what the editor saw."""
        stored = queries.guest(keys.username(self.kwargs["username"]), consistent=True)
        seen = replace(stored, revision=form.cleaned_data["revision"])
        try:
            guest = commands.edit_guest(seen, form.guest(stored.username))
        except commands.ChangedMeanwhile:
            rewrite(form, "revision", str(stored.revision))  # who has read what is there now may save again
            raise
        messages.success(self.request, f"{guest.name} was changed.")
        return _guest_address(guest)


class PlaceOrderPage(FormPage[PlaceOrderForm]):
    """A form to place an order."""

    title = "Place an order"
    form_class = PlaceOrderForm
    template_name = "orders/place_order.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The form with an id of its own, and hotels to choose from."""
        hotels = rooms.first_hotels(HOTEL_CHOICES)
        return super().get_context_data(**{"hotels": hotels, "max_items": MAX_ITEMS, **kwargs})

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """A new form. Its id is in the address, so that going back to it and sending it again places nothing new."""
        given = {name: value for name, value in checked(PlaceForForm(request.GET)).items() if value}
        if "order_id" not in given:
            return redirect(f"{request.path}?{urlencode({**given, 'order_id': new_order_id()})}")
        return self.show(PlaceOrderForm(initial={"currency": DEFAULT_CURRENCY, **given}))

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Place the order, or give the form more lines."""
        if "more" in request.POST:
            return self.show(PlaceOrderForm.with_more_lines(request.POST))
        return super().post(request, *args, **kwargs)

    def save(self, form: PlaceOrderForm) -> str:
        """Place the order; if the form was used for another one, go on under a new id."""
        order = form.order()
        try:
            placed = commands.place_order(order, self.request.user.get_username())
        except commands.AlreadyPlaced:
            rewrite(form, "order_id", new_order_id())
            raise
        again = "" if placed.status == OPEN else f" It was placed before, and is {placed.status} now."
        messages.success(self.request, f"The order is placed.{again}")
        return _address(placed)


class OrderPage(StaffPage):
    """An order with its items, its history and its next steps."""

    template_name = "orders/order.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The order as its index shows it, which may be a moment behind: after a step the page waits for it."""
        after = checked(AfterForm(self.request.GET))["after"]
        order = kwargs.pop("order", None) or self._order(after)
        steps = [(step, STEP_WORDS[step], step == Status.CANCELLED) for step in STEPS[order.status]]
        return super().get_context_data(
            **kwargs,
            order=order,
            title=f"Order {order.order_id}",
            steps=steps,
            hotel_name=rooms.hotel_name(order.hotel_id),
            index_orders=INDEX_ORDERS,
            ledger=self.request.ledger,  # type: ignore[attr-defined]
        )

    def _order(self, after: str) -> Order:
        order_id = self.kwargs["order_id"]
        return queries.order_after(order_id, Status(after)) if after else queries.order(order_id)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Take a step from the status that the user saw; if somebody else was first, say who."""
        step = checked(StepForm(request.POST))
        order = replace(queries.order(self.kwargs["order_id"]), status=Status(step["seen"]))
        try:
            order = commands.take_step(order, Status(step["step"]), request.user.get_username())
        except commands.MovedOn as error:
            context = self.get_context_data(order=error.order, problem=str(error))
            return self.render_to_response(context, status=409)
        messages.success(request, f"The order is {order.status} now.")
        return redirect(_address(order))


def _guest_address(guest: Guest) -> str:
    return reverse("orders:guest", args=[guest.username])


def _address(order: Order) -> str:
    return f"{reverse('orders:order', args=[order.order_id])}?{urlencode({'after': order.status})}"
