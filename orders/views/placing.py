"""The page to place an order."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import urlencode

from hotelapp.portal.forms.parameters import checked, rewrite
from hotelapp.portal.forms.views import FormPage
from hotels import queries as hotels
from orders import commands, queries
from orders.forms.placing import MAX_ITEMS, PlaceForForm, PlaceOrderForm, new_order_id
from orders.statuses import OPEN
from orders.views.orders import order_address

HOTEL_CHOICES = 100


class PlaceOrderPage(FormPage[PlaceOrderForm]):
    """A form to place an order."""

    title = "Place an order"
    form_class = PlaceOrderForm
    template_name = "orders/place_order.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The form, and hotels to choose from."""
        return super().get_context_data(
            **{"hotels": hotels.first_hotels(HOTEL_CHOICES), "max_items": MAX_ITEMS, **kwargs}
        )

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """A new form. The order's id is in the address, so that going back and sending the form again adds no order."""
        given = {name: value for name, value in checked(PlaceForForm(request.GET)).items() if value}
        if "order_id" not in given:
            return redirect(f"{request.path}?{urlencode({**given, 'order_id': queries.unused_order_id(new_order_id)})}")
        form = PlaceOrderForm(initial={"currency": hotels.hotel_currency(given.get("hotel_id", "")), **given})
        return self.render_to_response(self.get_context_data(form=form))

    def get_form(self, form_class: type[PlaceOrderForm] | None = None) -> PlaceOrderForm:
        """The form that was sent. A blank currency is that of the hotel."""
        form: PlaceOrderForm = super().get_form(form_class)
        if not form.data.get("currency"):
            rewrite(form, "currency", hotels.hotel_currency(form.data.get("hotel_id", "").strip()))
        return form

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Place the order, or add blank lines to the form."""
        if "more" in request.POST:
            form = PlaceOrderForm.with_more_lines(request.POST)
            return self.render_to_response(self.get_context_data(form=form))
        return super().post(request, *args, **kwargs)

    def save(self, form: PlaceOrderForm) -> str:
        """Place the order. If the form has already placed another order, give the form a new id."""
        try:
            placed = commands.place_order(form.order(), self.request.user.get_username())
        except commands.AlreadyPlaced:
            rewrite(form, "order_id", queries.unused_order_id(new_order_id))
            raise
        again = "" if placed.status == OPEN else f" It was placed before, and is now {placed.status}."
        messages.success(self.request, f"The order is placed.{again}")
        return order_address(placed)
