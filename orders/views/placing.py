"""The pages to place an order, and to correct one that is only placed."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import urlencode

from dynamodb_lists.connection.errors import Conflict
from dynamodb_lists.schema import entities
from hotels import queries as hotels
from orders import commands, keys
from orders.entities import Order
from orders.forms.fields import OrderIdField, UsernameField
from orders.forms.placing import MAX_ITEMS, MORE_LINES, CorrectOrderForm, LinesForm, PlaceOrderForm
from orders.lists import AlreadyPlaced, join_catalogue
from orders.statuses import OPEN
from orders.views.orders import PLACE_ORDERS, OfStoredOrder, order_address
from portal.form_pages import EditPage, FormPage, StoredPage, finder_of
from portal.forms.fields import HotelField, NumberField
from portal.forms.parameters import read, rewrite
from portal.forms.pickers import Pick
from portal.forms.values import FieldDifference

TOO_LATE = "Only the items of an order that is placed can be corrected. Nothing was changed."
LinesT = TypeVar("LinesT", bound=LinesForm)
PICKED = {"username": "guest", "hotel_id": "hotel", "room_number": "room"}
"""The kinds of things that an address may name for the form."""

NAMED = {"username": UsernameField, "hotel_id": HotelField, "room_number": NumberField, "order_id": OrderIdField}


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


class PlaceOrderPage(LinesPage[PlaceOrderForm]):
    title = "Place an order"
    form_class = PlaceOrderForm
    template_name = "orders/place_order.html"

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

    def save(self, form: PlaceOrderForm) -> str:
        """Place the order. If the form has already placed another order, give the form a new id."""
        try:
            placed = commands.place_order(form.order(), self.by)
        except AlreadyPlaced:
            rewrite(form, "order_id", keys.new_number())
            raise
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
        return commands.correct_order(before, after.items, by, after.room_number)

    def get_initial(self) -> dict[str, Any]:
        """The revision and the room. The form takes the items from the order."""
        number = self.stored.room_number
        return {**super().get_initial(), "room_number": Pick(number, number) if number else ""}

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "order": self.stored}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        order: Order = self.stored
        return super().get_context_data(hotel=hotels.named_hotel(order.hotel_id), **kwargs)

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if self.stored.status != OPEN:
            messages.error(request, f"The order is {self.stored.status.words.lower()}. {TOO_LATE}")
            return redirect(self.carrying(order_address(self.stored)))
        return super().get(request, *args, **kwargs)

    def write(self, form: CorrectOrderForm) -> str:
        """Correct the order. If it is corrected already, its catalogue may not be, so that is written again."""
        try:
            if entities.same(self.stored, self.edited(form)):
                join_catalogue(self.stored)
            elif self.stored.status != OPEN:
                raise commands.MovedOn(self.stored, self.by)
            return super().write(form)
        except commands.MovedOn as error:
            raise Conflict(f"{error} {TOO_LATE}") from error

    def parts(self, entity: Order) -> dict[str, Any]:
        seen: Counter[str] = Counter()
        parts: dict[str, Any] = {"room_number": entity.room_number}
        for item in entity.items:
            seen[item.sku] += 1
            parts[f"Item {item.sku}" + (f", line {seen[item.sku]}" if seen[item.sku] > 1 else "")] = item
        return parts

    def joined(self, entity: Order, parts: Mapping[str, Any]) -> Order:
        room_number, *items = parts.values()
        return replace(entity.with_items(tuple(filter(None, items))), room_number=room_number)

    def compared(self, form: CorrectOrderForm) -> Sequence[FieldDifference]:
        """The room and the lines in which the two versions differ. The form shows the lines that would be saved."""
        differences, merged = super().compared(form), self.edited(form)
        form.write_items(merged.items)
        return differences
