"""The pages to place an order and to correct its items, and their part with the items that the hotel has sold."""

from itertools import zip_longest
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.http import urlencode

from hotelapp.dynamodb.connection.errors import Conflict, NotFound, UnknownValue
from hotelapp.dynamodb.schema import entities
from hotelapp.dynamodb.schema.words import folded, typed
from hotelapp.history.undo_views import UndoMixin
from hotelapp.portal.access import HotelScope, StaffPage
from hotelapp.portal.forms.parameters import checked, rewrite
from hotelapp.portal.forms.values import FieldDifference
from hotelapp.portal.forms.views import EditPage, FormPage
from hotels import queries as hotels
from hotels.entities import Hotel
from orders import commands, keys, queries
from orders.entities import Order
from orders.forms.placing import (
    MAX_ITEMS,
    MORE_LINES,
    CorrectOrderForm,
    HotelSoughtForm,
    PlaceForForm,
    PlaceOrderForm,
    blank_skus,
    completed,
)
from orders.statuses import OPEN
from orders.views.orders import PLACE_ORDERS, order_address

HOTEL_CHOICES = 100
SUGGESTED = 5
CATALOGUE_CHOICES = 500
"""The most items that a form offers. The name and price of any other item of the hotel are found by its SKU."""

TOO_LATE = "Only the items of an order that is placed can be corrected. Nothing was changed."


class PlaceOrderPage(FormPage[PlaceOrderForm]):
    """A form to place an order."""

    title = "Place an order"
    permission = PLACE_ORDERS
    form_class = PlaceOrderForm
    template_name = "orders/place_order.html"
    extra_context = {"max_items": MAX_ITEMS}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = super().get_context_data(**kwargs)
        hotel_id = str(context["form"]["hotel_id"].value() or "")
        choices = hotels.first_hotels(HOTEL_CHOICES, self.scope.hotel_ids)
        return {**context, "hotels": choices, **catalogue_context(self.scope, hotel_id)}

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """A new form. The order's id is in the address, so that going back and sending the form again adds no order."""
        given = {name: value for name, value in checked(PlaceForForm(request.GET)).items() if value}
        if "order_id" not in given:
            return redirect(
                f"{request.path}?{urlencode({**given, 'order_id': queries.unused_order_id(keys.new_number)})}"
            )
        if resumed := self.resumed():
            return resumed
        hotel_id = given.get("hotel_id", "")
        currency = hotels.named_hotel(hotel_id).currency if self.scope.allows(hotel_id) else ""
        form = PlaceOrderForm(initial={"currency": currency, **given})
        return self.render_to_response(self.get_context_data(form=form))

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "data": self._completed(self.request.POST)}

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if "more" in request.POST or "update" in request.POST:
            more = MORE_LINES if "more" in request.POST else 0
            form = PlaceOrderForm.unchecked(self._completed(request.POST), more)
            form.initial["currency"] = request.POST.get("currency", "")  # blank stays the hotel's, whichever is chosen
            return self.render_to_response(self.get_context_data(form=form))
        return super().post(request, *args, **kwargs)

    def form_invalid(self, form: PlaceOrderForm) -> HttpResponse:
        """The form again. A blank currency stays blank, in case the user chooses another hotel.

        If there is no guest of that username, the form names the guests who are found by the text. The same for hotels.
        """
        rewrite(form, "currency", self.request.POST.get("currency", ""))
        query = typed(self.request.POST.get("username", "")) if "username" in form.errors else None
        if query and self.may("orders.view_guest"):
            found = [row.value for row in queries.guests_found(query).take(SUGGESTED, None, backward=False)]
            names = ", ".join(f"{guest.username} ({guest.name})" for guest in found)
            form.add_error("username", f"Guests found by this text: {names}." if found else "This text finds no guest.")
        self._explain_hotel(form, self.request.POST.get("hotel_id", "").strip())
        return super().form_invalid(form)

    def _explain_hotel(self, form: PlaceOrderForm, text: str) -> None:
        """If the text is not the id or the name of one hotel, list the hotels that it finds beside the field.

        Remove the form's other errors about the hotel, and about a blank currency, because they would mislead.
        """
        if not text or chosen_hotel(self.scope, text):
            return
        for name in ("hotel_id", *([] if self.request.POST.get("currency") else ["currency"])):
            form.errors.pop(name, None)
        form.add_error("hotel_id", f"There is no hotel “{text}” here.")
        meant = ", ".join(f"{hotel.hotel_id} ({hotel.name})" for hotel in hotels_meant(self.scope, text))
        form.add_error("hotel_id", f"Hotels found by this text: {meant}." if meant else "This text finds no hotel.")

    def save(self, form: PlaceOrderForm) -> str:
        """Place the order. If the form has already placed another order, give the form a new id.

        A hotel that the user does not see is refused like one that does not exist.
        """
        if not self.scope.allows(form.cleaned_data["hotel_id"]):
            raise UnknownValue("hotel_id", form.cleaned_data["hotel_id"])
        try:
            placed = commands.place_order(form.order(), self.by)
        except commands.AlreadyPlaced:
            rewrite(form, "order_id", queries.unused_order_id(keys.new_number))
            raise
        again = "" if placed.status == OPEN else f" It was placed before, and is now {placed.status}."
        messages.success(self.request, f"The order is placed.{again}")
        return order_address(placed)

    def _completed(self, data: QueryDict) -> QueryDict:
        """Fill in the blanks of the sent data: the hotel's currency, and names and prices of items that it has sold.

        A hotel's name is replaced by its id.
        """
        hotel = chosen_hotel(self.scope, data.get("hotel_id", ""))
        if hotel is None:
            return data
        filled = filled_in(data, hotel.hotel_id, hotel.currency)
        filled["hotel_id"] = hotel.hotel_id
        return filled


class CorrectOrderPage(UndoMixin, EditPage[CorrectOrderForm]):
    """A form with the items of an order. Its guest, its hotel and its currency stay."""

    title = "Correct order {page.stored.order_id}"
    permission = PLACE_ORDERS
    form_class = CorrectOrderForm
    template_name = "orders/correct_order.html"
    extra_context = {"max_items": MAX_ITEMS}
    context_object_name = "order"
    address = staticmethod(order_address)
    changed_text = "Compare both versions. Save again to replace the stored items with yours."

    def load(self) -> Order:
        order = queries.stored_order(self.kwargs["order_id"])
        self.require_hotel(order.hotel_id)
        return order

    @staticmethod
    def command(before: Order, after: Order, by: str) -> Order:
        """Write the correction."""
        return commands.correct_order(before, after.items, by, after.room_number)

    def get_initial(self) -> dict[str, Any]:
        """The revision and the room. The form takes the items from the order."""
        return {"revision": self.stored.revision, "room_number": self.stored.room_number}

    def get_form_kwargs(self) -> dict[str, Any]:
        sent = {"data": self._filled_in(self.request.POST)} if self.request.method == "POST" else {}
        return {**super().get_form_kwargs(), "order": self.stored, **sent}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        order: Order = self.stored
        return super().get_context_data(
            hotel=hotels.named_hotel(order.hotel_id),
            **catalogue_context(self.scope, order.hotel_id),
            **kwargs,
        )

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if self.stored.status != OPEN:
            messages.error(request, f"The order is {self.stored.status}. {TOO_LATE}")
            return redirect(self.carrying(order_address(self.stored)))
        return super().get(request, *args, **kwargs)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        order: Order = self.stored
        if "more" in request.POST or "update" in request.POST:
            more = MORE_LINES if "more" in request.POST else 0
            form = CorrectOrderForm.unchecked(self._filled_in(request.POST), more, order=order)
            return self.render_to_response(self.get_context_data(form=form))
        return super().post(request, *args, **kwargs)

    def write(self, form: CorrectOrderForm) -> str:
        """Correct the order. If it is corrected already, its catalogue may not be, so that is written again."""
        try:
            if entities.same(self.stored, form.changed(self.stored)):
                commands.join_catalogue(self.stored)
            elif self.stored.status != OPEN:
                raise commands.MovedOn(self.stored, self.by)
            return super().write(form)
        except commands.MovedOn as error:
            raise Conflict(f"{error} {TOO_LATE}") from error

    def compared(self, form: CorrectOrderForm) -> list[FieldDifference]:
        """The room and the lines in which the two versions differ."""
        orders = (self.stored, form.changed(self.stored))
        lines = zip_longest(*(map(str, order.items) for order in orders), fillvalue="-")
        both = [
            ("Room", *(order.room_number for order in orders)),
            *((f"Item {n}", *each) for n, each in enumerate(lines, 1)),
        ]
        return [FieldDifference(name, old, new) for name, old, new in both if old != new]

    def _filled_in(self, data: QueryDict) -> QueryDict:
        """Fill in the blanks of the sent data, in the order's currency."""
        order: Order = self.stored
        sent = data.copy()
        sent["currency"] = order.currency
        return filled_in(sent, order.hotel_id, order.currency)


class CataloguePart(StaffPage):
    """The items of a hotel to choose from. htmx loads them into the form when its user chooses the hotel."""

    permission = PlaceOrderPage.permission
    template_name = "orders/_catalogue.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return catalogue_context(self.scope, checked(HotelSoughtForm(self.request.GET))["hotel_id"])


def filled_in(data: QueryDict, hotel_id: str, currency: str) -> QueryDict:
    """Fill in the blanks of the sent data: the currency, and names and prices of items that the hotel has sold."""
    entries = queries.catalogue_entries({(hotel_id, sku) for sku in blank_skus(data).values()})
    return completed(data, currency, {sku: entry for (_, sku), entry in entries.items()})


def chosen_hotel(scope: HotelScope, text: str) -> Hotel | None:
    """The hotel of this id or, if there is none, the only one of this name; ``None`` if the user sees no such hotel."""
    hotel_id = text.strip()
    try:
        if scope.allows(hotel_id):
            return hotels.hotel(hotel_id)
    except NotFound:
        pass
    words = folded(text).split()
    named = [found for found in hotels_meant(scope, text, HOTEL_CHOICES) if folded(found.name).split() == words]
    return hotels.hotel(named[0].hotel_id) if len(named) == 1 else None


def hotels_meant(scope: HotelScope, text: str, count: int = SUGGESTED) -> list[Hotel]:
    """The hotels that the user sees and that are found by a text (H1), at most ``count``: ids, names and cities."""
    query = typed(text)
    if query is None:
        return []
    return [row.value for row in hotels.hotels_found(query, scope.hotel_ids).take(count, None, backward=False)]


def catalogue_context(scope: HotelScope, text: str) -> dict[str, Any]:
    """The items that a hotel has sold, for a template; the hotels that the text may mean, if it is not one hotel."""
    hotel = chosen_hotel(scope, text)
    if hotel is None:
        meant = hotels_meant(scope, text)
        return {"catalogue": [], "catalogue_hotel": None, "sought": text.strip(), "meant": meant}
    rows = queries.catalogue(hotel.hotel_id).take(CATALOGUE_CHOICES, None, backward=False)
    return {"catalogue": [row.value for row in rows], "catalogue_hotel": hotel}
