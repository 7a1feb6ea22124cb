"""Steps of several orders at once: those that are ticked in a list move on or are cancelled, each in its own write."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect

from dynamodb_lists.connection.errors import Conflict, NotFound
from dynamodb_lists.planning.wording import counted
from orders import commands, queries
from orders.entities import Order
from orders.forms.orders import SeenOrder, TickedForm
from orders.statuses import STEPS, Status, no_step
from orders.views.orders import PLACE_ORDERS, may_take, step_permission
from portal.access import StaffMixin
from portal.forms.parameters import checked
from portal.history.subjects import thing_at
from portal.history.undoing import newest_change, undo
from portal.jinja import part

CANCEL = step_permission(Status.CANCELLED)
MOVE = step_permission(Status.PROCESSING)


class TickedMixin(StaffMixin):
    """A list whose ticked orders can take a step. The message says what was done, with Undo, and names the others."""

    @property
    def ticked_steps(self) -> Sequence[tuple[str, str]]:
        """The steps on offer: their values and the words of their buttons."""
        steps = [(TickedForm.NEXT, "Move selected orders on")] if self.may(MOVE) else []
        may_cancel = self.may(CANCEL) or self.may(PLACE_ORDERS)
        return [*steps, (TickedForm.CANCEL, "Cancel selected orders")] if may_cancel else steps

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        form = TickedForm(request.POST)
        ticked, to = (checked(form)[name] for name in ("order", "to"))
        if to == TickedForm.NEXT:
            self.require(MOVE)
        stored = queries.orders_as_stored((each.username, each.order_id) for each in ticked)
        done, problems = list[Order](), list[str]()
        for each in ticked:
            try:
                done.append(self._taken(each, stored.get(each.order_id), to))
            except (Conflict, NotFound) as error:
                problems.append(f"{each.order_id}: {error}")
        self._say(done, problems, to, dict(form.fields["to"].choices)[to])  # type: ignore[attr-defined]
        return redirect(request.get_full_path())

    def _taken(self, ticked: SeenOrder, order: Order | None, to: str) -> Order:
        """The order after its step. Raises :class:`Conflict` or :class:`NotFound` if it cannot take it."""
        if order is None or not self.scope.allows(order.hotel_id):
            raise NotFound("There is no such order.")
        by = self.request.user.get_username()
        if to == TickedForm.UNDO:
            return cast(Order, undo(thing_at("order", order.order_id), int(ticked.seen), by, self.may).entity)
        seen = Status(ticked.seen)
        step = Status.CANCELLED if to == TickedForm.CANCEL else next(iter(STEPS[seen]), seen)
        if step not in STEPS[seen]:
            raise Conflict(no_step(seen, step))
        order = replace(order, status=seen)
        if not may_take(self, step, order):
            raise Conflict("You may not cancel it.")
        return commands.take_step(order, step, by)

    def _say(self, done: Sequence[Order], problems: Sequence[str], to: str, words: str) -> None:
        if done:
            context: dict[str, Any] = {
                "text": f"{counted(len(done), 'order')} {'was' if len(done) == 1 else 'were'} {words}."
            }
            context |= {"action": self.request.get_full_path(), "csrf_token": get_token(self.request)}
            context["changes"] = [(each, newest_change(each).serial) for each in done] if to != TickedForm.UNDO else []
            messages.success(self.request, part("orders/_steps_taken.html", context))
        if problems:
            messages.error(self.request, " ".join([_sentence(problems, f"not {words}"), *problems]))
        if not done and not problems:
            messages.error(self.request, "No order was selected, so nothing was changed.")


def _sentence(orders: Sequence[Any], words: str) -> str:
    return f"{counted(len(orders), 'order')} {'was' if len(orders) == 1 else 'were'} {words}."
