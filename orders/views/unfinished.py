"""Pages of the unfinished orders of a hotel, or of several.

Those that are ticked move on or are cancelled, each in its own write.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.utils.html import format_html

from dynamodb_lists.connection.errors import Conflict, NotFound
from dynamodb_lists.planning.wording import counted
from dynamodb_lists.reading.listing import Listing
from orders import commands, queries
from orders.entities import Order
from orders.forms.orders import TickedForm, UnfinishedForm
from orders.statuses import STEPS, UNFINISHED, Status
from orders.views.order_lists import OrderListPage
from orders.views.orders import PLACE_ORDERS, may_take, step_permission
from portal.forms.parameters import checked
from portal.history.subjects import thing_at
from portal.history.undoing import newest_change, undo
from portal.jinja import part
from portal.lists import PAGE_SIZES

CANCEL, MOVE = step_permission(Status.CANCELLED), step_permission(Status.PROCESSING)


class UnfinishedPage(OrderListPage[UnfinishedForm]):
    """Orders whose ticked ones can take a step. The message says what was done, with Undo, and names the others."""

    title = "Unfinished orders{page.of}"
    form_class = UnfinishedForm
    nothing = (
        "Every order is finished.",
        "Orders are listed here from the moment they are placed until they are delivered or cancelled.",
    )
    csv_name = "unfinished-orders"
    tabs: ClassVar[Mapping[str, str]] = {"": "All unfinished", **{str(status): status.words for status in UNFINISHED}}

    def listing(self, form: UnfinishedForm) -> Listing[Order]:
        status, room = form.cleaned_data["status"], form.cleaned_data.get("room")
        found = queries.placed([status] if status else UNFINISHED, **({"room_number": room} if room else {}))
        return form.asked(self.narrowed(form).of(found), *queries.sort_of(None), zones=self.zones(form)).listing()

    def empty(self, form: UnfinishedForm) -> tuple[str, str]:
        all_of_them = format_html('<a href="{}">Show all unfinished orders</a>', self.request.path)
        return ("No order is in this status.", all_of_them) if form.cleaned_data["status"] else super().empty(form)

    @property
    def steps(self) -> Sequence[tuple[str, str]]:  # type: ignore[override]
        """The steps on offer: their values and the words of their buttons."""
        steps = [(TickedForm.NEXT, "Move on")] if self.may(MOVE) else []
        may_cancel = self.may(CANCEL) or self.may(PLACE_ORDERS)
        return [*steps, (TickedForm.CANCEL, "Cancel orders")] if may_cancel else steps

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        data, _ = checked(TickedForm(request.POST)), self.hotel  # raises NotFound for an unknown one
        if data["to"] != TickedForm.CANCEL and not data["undo"]:
            self.require(MOVE)
        ticked = [text.split("/") for text in (data["undo"] or data["order"])[: max(PAGE_SIZES)]]
        stored = queries.orders_as_stored((username, order_id) for order_id, username, _ in ticked)
        done, problems = list[Order](), list[str]()
        for order_id, _, seen in ticked:
            try:
                done.append(self._taken(stored.get(order_id), seen, data["to"]))
            except (Conflict, NotFound) as error:
                problems.append(f"{order_id}: {error}")
        words = "put back" if data["undo"] else "cancelled" if data["to"] == TickedForm.CANCEL else "moved on"
        self._say(done, problems, words, undoable=not data["undo"])
        return redirect(request.get_full_path())

    def _taken(self, order: Order | None, seen: str, to: str) -> Order:
        """The order after its step, or after the undo of one. Raises :class:`Conflict` or :class:`NotFound`."""
        by = self.request.user.get_username()
        if order is None or not self.scope.allows(order.hotel_id):
            raise NotFound("There is no such order.")
        if seen.isdecimal():
            return cast(Order, undo(thing_at("order", order.order_id), int(seen), by, self.may).entity)
        status = Status(seen)
        step = Status.CANCELLED if to == TickedForm.CANCEL else STEPS[status][0]
        order = replace(order, status=status)
        if not may_take(self, step, order):
            raise Conflict("You may not cancel it.")
        return commands.take_step(order, step, by)

    def _say(self, done: Sequence[Order], problems: Sequence[str], words: str, *, undoable: bool) -> None:
        if done:
            context = {"text": _sentence(done, words), "action": self.request.get_full_path()}
            changes = [(each, newest_change(each).serial) for each in done if undoable]
            more = {"changes": changes, "csrf_token": get_token(self.request)}
            messages.success(self.request, part("orders/_steps_taken.html", {**context, **more}))
        if problems:
            messages.error(self.request, " ".join([_sentence(problems, f"not {words}"), *problems]))
        if not done and not problems:
            messages.error(self.request, "No order was selected, so nothing was changed.")


def _sentence(orders: Sequence[Any], words: str) -> str:
    return f"{counted(len(orders), 'order')} {'was' if len(orders) == 1 else 'were'} {words}."
