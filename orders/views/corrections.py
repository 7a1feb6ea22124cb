"""The page to correct an order that is only placed."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from dynamodb_lists.connection.errors import Conflict
from dynamodb_lists.schema import entities
from hotels import queries as hotels
from orders import commands, queries
from orders.entities import Order
from orders.forms.corrections import CorrectOrderForm
from orders.forms.placing import MAX_ITEMS, MORE_LINES
from orders.statuses import OPEN
from orders.views.orders import PLACE_ORDERS, order_address
from portal.form_pages import EditPage, finder_of
from portal.forms.pickers import Pick
from portal.forms.values import FieldDifference

TOO_LATE = "Only the items of an order that is placed can be corrected. Nothing was changed."


class CorrectOrderPage(EditPage[CorrectOrderForm]):
    """A form with the items of an order. Its guest, its hotel and its currency stay."""

    title = "Correct order {page.stored.order_id}"
    permission = PLACE_ORDERS
    form_class = CorrectOrderForm
    template_name = "orders/correct_order.html"
    extra_context = {"max_items": MAX_ITEMS}
    context_object_name = "order"
    address = staticmethod(order_address)

    def load(self) -> Order:
        order = queries.stored_order(self.kwargs["order_id"])
        self.require_hotel(order.hotel_id)
        return order

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

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        order: Order = self.stored
        if "more" in request.POST or "update" in request.POST:
            more = MORE_LINES if "more" in request.POST else 0
            form = CorrectOrderForm.unchecked(request.POST, more, order=order, finder=finder_of(request))
            return self.render_to_response(self.get_context_data(form=form))
        return super().post(request, *args, **kwargs)

    def write(self, form: CorrectOrderForm) -> str:
        """Correct the order. If it is corrected already, its catalogue may not be, so that is written again."""
        try:
            if entities.same(self.stored, self.edited(form)):
                commands.join_catalogue(self.stored)
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
