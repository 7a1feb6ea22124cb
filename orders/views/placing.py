"""The page to place an order."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import urlencode

from orders import commands, keys
from orders.forms.fields import OrderIdField, UsernameField
from orders.forms.placing import MAX_ITEMS, MORE_LINES, PlaceOrderForm
from orders.statuses import OPEN
from orders.views.orders import PLACE_ORDERS, order_address
from portal.form_pages import FormPage, finder_of
from portal.forms.fields import HotelField, NumberField
from portal.forms.parameters import read, rewrite

PICKED = {"username": "guest", "hotel_id": "hotel", "room_number": "room"}
"""The kinds of things that an address may name for the form."""

NAMED = {"username": UsernameField, "hotel_id": HotelField, "room_number": NumberField, "order_id": OrderIdField}


class PlaceOrderPage(FormPage[PlaceOrderForm]):
    title = "Place an order"
    permission = PLACE_ORDERS
    form_class = PlaceOrderForm
    template_name = "orders/place_order.html"
    extra_context = {"max_items": MAX_ITEMS}

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """A new form. The order's id is in the address, so that going back and sending the form again adds no order."""
        asked = {name: field(required=False) for name, field in NAMED.items()}
        given = {name: value for name, value in read(request.GET, **asked).items() if value}
        if "order_id" not in given:
            return redirect(f"{request.path}?{urlencode({**given, 'order_id': keys.new_number()})}")
        if resumed := self.resumed():
            return resumed
        finder, hotel_id = finder_of(request), given.get("hotel_id", "")
        for name in given.keys() & PICKED.keys():
            given[name] = finder.named(PICKED[name], given[name], hotel_id) or given[name]
        return self.render_to_response(self.get_context_data(form=PlaceOrderForm(initial=given, finder=finder)))

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if "more" in request.POST or "update" in request.POST:
            more = MORE_LINES if "more" in request.POST else 0
            form = PlaceOrderForm.unchecked(request.POST, more, finder=finder_of(request))
            return self.render_to_response(self.get_context_data(form=form))
        return super().post(request, *args, **kwargs)

    def save(self, form: PlaceOrderForm) -> str:
        """Place the order. If the form has already placed another order, give the form a new id."""
        try:
            placed = commands.place_order(form.order(), self.by)
        except commands.AlreadyPlaced:
            rewrite(form, "order_id", keys.new_number())
            raise
        again = "" if placed.status == OPEN else f" It was placed before, and is now {placed.status.words.lower()}."
        messages.success(self.request, f"The order is placed.{again}")
        return order_address(placed)
