"""The page to correct the items of an order that is only placed."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect

from hotelapp.dynamodb.connection.errors import ChangedMeanwhile, Conflict
from hotelapp.dynamodb.schema import entities
from hotelapp.portal.forms.views import EditPage, FieldDifference
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

    permission = PLACE_ORDERS
    form_class = CorrectOrderForm
    template_name = "orders/correct_order.html"
    changed_text = "Compare both versions. Save again to replace the stored items with yours."

    def load(self) -> Order:
        order = queries.stored_order(self.kwargs["order_id"])
        self.require_hotel(order.hotel_id)
        return order

    def get_initial(self) -> dict[str, Any]:
        """The revision. The form takes the items from the order."""
        return {"revision": self.stored.revision}

    def get_form_kwargs(self) -> dict[str, Any]:
        sent = {"data": self._filled_in(self.request.POST)} if self.request.method == "POST" else {}
        return {**super().get_form_kwargs(), "order": self.stored, **sent}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        order: Order = self.stored
        return super().get_context_data(
            title=f"Correct order {order.order_id}",
            order=order,
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

    def edited(self, form: CorrectOrderForm) -> Order:
        return commands.with_items(self.stored, form.items())

    def save(self, form: CorrectOrderForm) -> str:
        """Correct the order. If it is corrected already, its catalogue may not be, so that is written again."""
        if entities.same(self.stored, self.edited(form)):
            commands.join_catalogue(self.stored)
        return super().save(form)

    def require_seen(self, form: CorrectOrderForm) -> None:
        """Refuse an order that has moved on before one that somebody else has corrected."""
        if self.stored.status != OPEN:
            raise commands.MovedOn(self.stored, self.request.user.get_username())
        super().require_seen(form)

    def change(self, before: Order, after: Order) -> None:
        commands.correct_order(before, after.items, self.request.user.get_username())

    def refuse(self, form: CorrectOrderForm, error: Conflict) -> None:
        super().refuse(form, error)
        if isinstance(error, commands.MovedOn):
            form.add_error(None, TOO_LATE)
        if isinstance(error, ChangedMeanwhile):
            self.differences = _line_differences(self.stored, self.edited(form))

    def address(self, entity: Order) -> str:
        return order_address(entity)

    def _filled_in(self, data: QueryDict) -> QueryDict:
        """What was sent, in the order's currency."""
        order: Order = self.stored
        sent = data.copy()
        sent["currency"] = order.currency
        return filled_in(sent, order.hotel_id, order.currency)


def _line_differences(stored: Order, edited: Order) -> list[FieldDifference]:
    """The lines in which two versions of an order differ."""
    count = max(len(stored.items), len(edited.items))
    both = [[*map(str, order.items), *["-"] * (count - len(order.items))] for order in (stored, edited)]
    pairs = enumerate(zip(*both, strict=True), start=1)
    return [FieldDifference(f"Item {number}", old, new) for number, (old, new) in pairs if old != new]
