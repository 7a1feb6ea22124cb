"""Undo on pages: the message after a change offers it, and the history of a thing does so at its newest entry."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.urls import reverse

from portal.access import StaffMixin, StaffPage
from portal.forms.numbers import WholeField
from portal.forms.parameters import read
from portal.forms.values import FieldDifference, in_words, recorded_in_words
from portal.history.commands import RECORDED
from portal.history.entities import HistoryEntry, What
from portal.history.subjects import Thing
from portal.history.undoing import NotUndone, newest_change, undo
from portal.history.views import ThingMixin
from portal.jinja import part

UNDONE = "The change was undone."


def say_done(page: StaffMixin, text: str, entity: Any, what: What = What.CHANGED) -> None:
    """Tell the user what was done with an entity, with Undo if the user may undo it."""
    newest = newest_change(entity)
    permission = RECORDED[newest.thing.subject.kind].undoing.get(what, "")
    if what is What.CHANGED or page.may(permission):
        offer_undo(page, text, newest.thing, newest.serial + (what is What.DELETED))
    else:
        messages.success(page.request, text)


def offer_undo(page: StaffMixin, text: str, thing: Thing, serial: int) -> None:
    """A message that something was done, with a button that undoes the change of this number."""
    action = page.carrying(reverse("history:undo", args=[thing.subject.kind, thing.path]))
    context = {"text": text, "action": action, "serial": serial, "csrf_token": get_token(page.request)}
    messages.success(page.request, part("history/_done.html", context))


class UndoPage(ThingMixin, StaffPage):
    """Undoes the newest change of a thing. If it has been changed since, the page says by whom, and what it is now."""

    title = "Nothing was undone"
    template_name = "history/not_undone.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Lead to the history of the thing: an undo is never a GET."""
        return redirect(self.thing.history_address)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        serial = read(request.POST, serial=WholeField(min_value=1))["serial"]
        try:
            undone = undo(self.thing, serial, request.user.get_username(), self.may)
        except NotUndone as error:
            return self.render_to_response(self.get_context_data(**self._explained(error)), status=409)
        if undone.again:
            messages.success(request, UNDONE)
        else:
            offer_undo(self, UNDONE, undone.thing, undone.serial)
        address = undone.thing.address if undone.entity else undone.thing.history_address
        return redirect(self.carrying(address))

    def _explained(self, error: NotUndone) -> dict[str, Any]:
        differences = self._differences(error.wanted, error.stored) if error.wanted else []
        shown = {"problem": str(error), "differences": differences}
        return {**shown, "thing": self.thing, "since": error.since, "stored": error.stored}

    def _differences(self, wanted: HistoryEntry, stored: Any | None) -> list[FieldDifference]:
        """The fields that the undo would have set: as they are now, and as they were before the change."""
        found = []
        for change in wanted.changes:
            field = self.thing.subject.fields.get(change.field)
            if field and stored is not None:
                now = in_words(field, getattr(stored, field.name), getattr(stored, "currency", ""), self.zone)
                before = recorded_in_words(field, change.before, change.currency, self.zone)
                found.append(FieldDifference(field.label, now, before))
        return found
