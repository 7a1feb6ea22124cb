"""The page to place an order, and its part with the items that the hotel has sold."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.http import urlencode

from hotelapp.dynamodb.connection.errors import NotFound, UnknownValue
from hotelapp.dynamodb.schema.words import typed
from hotelapp.portal.access import HotelScope
from hotelapp.portal.forms.parameters import checked, rewrite
from hotelapp.portal.forms.views import FormPage
from hotelapp.portal.views import StaffPage
from hotels import queries as hotels
from orders import commands, queries
from orders.forms.placing import (
    MAX_ITEMS,
    MORE_LINES,
    PlaceForForm,
    PlaceOrderForm,
    blank_skus,
    completed,
    new_order_id,
)
from orders.statuses import OPEN
from orders.views.orders import order_address

HOTEL_CHOICES = 100
SUGGESTED_GUESTS = 5
CATALOGUE_CHOICES = 500
"""The most items that a form offers. The name and price of any other item of the hotel are found by its SKU."""


class PlaceOrderPage(FormPage[PlaceOrderForm]):
    """A form to place an order."""

    title = "Place an order"
    permission = "orders.add_order"
    form_class = PlaceOrderForm
    template_name = "orders/place_order.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The form, hotels to choose from, and the items of the chosen hotel."""
        context = super().get_context_data(
            **{
                "hotels": hotels.first_hotels(HOTEL_CHOICES, self.scope.hotel_ids),
                "max_items": MAX_ITEMS,
                **kwargs,
            }
        )
        form: PlaceOrderForm = context["form"]
        return {**context, **catalogue_context(self.scope, str(form["hotel_id"].value() or "").strip())}

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """A new form. The order's id is in the address, so that going back and sending the form again adds no order."""
        given = {name: value for name, value in checked(PlaceForForm(request.GET)).items() if value}
        if "order_id" not in given:
            return redirect(f"{request.path}?{urlencode({**given, 'order_id': queries.unused_order_id(new_order_id)})}")
        form = PlaceOrderForm(initial={"currency": self._currency(given.get("hotel_id", "")), **given})
        return self.render_to_response(self.get_context_data(form=form))

    def get_form_kwargs(self) -> dict[str, Any]:
        """The data that was sent, with what the portal knows of what was left blank."""
        return {**super().get_form_kwargs(), "data": self._completed(self.request.POST)}

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Place the order; or show the form again, with more blank lines or with what the portal has filled in."""
        if "more" in request.POST or "update" in request.POST:
            more = MORE_LINES if "more" in request.POST else 0
            form = PlaceOrderForm.unchecked(self._completed(request.POST), more)
            form.initial["currency"] = request.POST.get("currency", "")  # blank stays the hotel's, whichever is chosen
            return self.render_to_response(self.get_context_data(form=form))
        return super().post(request, *args, **kwargs)

    def form_invalid(self, form: PlaceOrderForm) -> HttpResponse:
        """The form again. A blank currency stays blank, in case the user chooses another hotel.

        If there is no guest of that username, the form names the guests who are found by the text.
        """
        rewrite(form, "currency", self.request.POST.get("currency", ""))
        query = typed(self.request.POST.get("username", "")) if "username" in form.errors else None
        if query and self.may("orders.view_guest"):
            found = [row.value for row in queries.guests_found(query).take(SUGGESTED_GUESTS, None, backward=False)]
            names = ", ".join(f"{guest.username} ({guest.name})" for guest in found)
            form.add_error("username", f"Guests who are found by it: {names}." if found else "It finds no guest.")
        return super().form_invalid(form)

    def save(self, form: PlaceOrderForm) -> str:
        """Place the order. If the form has already placed another order, give the form a new id.

        A hotel that the user does not see is refused like one that does not exist.
        """
        if not self.scope.allows(form.cleaned_data["hotel_id"]):
            raise UnknownValue("hotel_id", form.cleaned_data["hotel_id"])
        try:
            placed = commands.place_order(form.order(), self.request.user.get_username())
        except commands.AlreadyPlaced:
            rewrite(form, "order_id", queries.unused_order_id(new_order_id))
            raise
        again = "" if placed.status == OPEN else f" It was placed before, and is now {placed.status}."
        messages.success(self.request, f"The order is placed.{again}")
        return order_address(placed)

    def _currency(self, hotel_id: str) -> str:
        """The currency of a hotel that the user sees; blank for another one."""
        return hotels.hotel_currency(hotel_id) if self.scope.allows(hotel_id) else ""

    def _completed(self, data: QueryDict) -> QueryDict:
        """What was sent, with the currency of the hotel, and names and prices of the items that it has sold."""
        hotel_id = data.get("hotel_id", "").strip()
        try:
            self.require_hotel(hotel_id)
            hotel = hotels.hotel(hotel_id)
        except NotFound:
            return data
        wanted = {(hotel.hotel_id, sku) for sku in blank_skus(data).values()}
        entries = queries.catalogue_entries(wanted)
        return completed(data, hotel.currency, {sku: entry for (_, sku), entry in entries.items()})


class CataloguePart(StaffPage):
    """The items of a hotel to choose from. htmx loads them into the form when its user chooses the hotel."""

    permission = PlaceOrderPage.permission
    template_name = "orders/_catalogue.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The items of the hotel in the address."""
        return catalogue_context(self.scope, checked(PlaceForForm(self.request.GET))["hotel_id"])


def catalogue_context(scope: HotelScope, hotel_id: str) -> dict[str, Any]:
    """The items that a hotel has sold, for a template. None if there is no such hotel that the user sees."""
    try:
        hotel = hotels.hotel(hotel_id) if scope.allows(hotel_id) else None
    except NotFound:
        hotel = None
    if hotel is None:
        return {"catalogue": [], "catalogue_hotel": None}
    rows = queries.catalogue(hotel.hotel_id).take(CATALOGUE_CHOICES, None, backward=False)
    return {"catalogue": [row.value for row in rows], "catalogue_hotel": hotel}
