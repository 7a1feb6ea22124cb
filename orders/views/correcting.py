"""The page to correct the items of an order that is only placed."""

from itertools import zip_longest
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect

from hotelapp.dynamodb.connection.errors import Conflict
from hotelapp.dynamodb.schema import entities
from hotelapp.portal.forms.values import FieldDifference
from hotelapp.portal.forms.views import EditPage
from hotels import queries as hotels
from orders import commands, queries
from orders.entities import Order
from orders.forms.correcting import CorrectOrderForm
from orders.forms.placing import MAX_ITEMS, MORE_LINES
from orders.statuses import OPEN
from orders.views.orders import PLACE_ORDERS, order_address
from orders.views.placing import catalogue_context, filled_in

TOO_LATE = "Only the items of an order that is placed can be corrected. Nothing was changed."


class CorrectOrderPage(EditPage[CorrectOrderForm]):
    """A form with the items of an order. Its guest, its hotel and its currency stay."""

    title = "Correct order {page.stored.order_id}"
    permission = PLACE_ORDERS
    form_class = CorrectOrderForm
    template_name = "orders/correct_order.html"
    context_object_name = "order"
    address = staticmethod(order_address)
    changed_text = "Compare both versions. Save again to replace the stored items with yours."

    def load(self) -> Order:
        order = queries.stored_order(self.kwargs["order_id"])
        self.require_hotel(order.hotel_id)
        return order

    @staticmethod
    def command(before: Order, after: Order, by: str) -> None:
        """Write the correction."""
        commands.correct_order(before, after.items, by)

    def get_initial(self) -> dict[str, Any]:
        """The revision. The form takes the items from the order."""
        return {"revision": self.stored.revision}

    def get_form_kwargs(self) -> dict[str, Any]:
        sent = {"data": self._filled_in(self.request.POST)} if self.request.method == "POST" else {}
        return {**super().get_form_kwargs(), "order": self.stored, **sent}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        order: Order = self.stored
        return super().get_context_data(
            hotel_name=hotels.hotel_name(order.hotel_id),
            max_items=MAX_ITEMS,
            **catalogue_context(self.scope, order.hotel_id),
            **kwargs,
        )

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if self.stored.status != OPEN:
            messages.error(request, f"The order is {self.stored.status}. {TOO_LATE}")
            return redirect(order_address(self.stored))
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
        """The lines in which the two versions differ."""
        orders = (self.stored, form.changed(self.stored))
        lines = zip_longest(*(map(str, order.items) for order in orders), fillvalue="-")
        return [FieldDifference(f"Item {n}", old, new) for n, (old, new) in enumerate(lines, start=1) if old != new]

    def _filled_in(self, data: QueryDict) -> QueryDict:
        """What was sent, in the order's currency."""
        order: Order = self.stored
        sent = data.copy()
        sent["currency"] = order.currency
        return filled_in(sent, order.hotel_id, order.currency)
