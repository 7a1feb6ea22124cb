"""Pages of the history of a thing and of a member of staff, and undo.

The message after a change has a button that undoes the change; the newest entry in the history of a thing has it, too.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from itertools import groupby
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import get_user_model
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import cached_property

from dynamodb_lists import Listing, Page, counted, errors, folded
from dynamodb_lists.schema import entities
from portal.access import ANY_STAFF, StaffMixin, StaffPage
from portal.forms.numbers import WholeField
from portal.forms.parameters import read
from portal.forms.values import FieldDifference, in_words, recorded_in_words
from portal.history import keys, queries
from portal.history.commands import RECORDED
from portal.history.entities import FieldChange, HistoryEntry, What, is_machine
from portal.history.subjects import Thing, field_of, name_things, thing_at, thing_of
from portal.history.undoing import NotUndone, can_be_undone, may_undo, newest_change, undo
from portal.jinja import part
from portal.lists.days import DaysForm
from portal.lists.views import Column, ListPage
from portal.people import author_name, full_name, names_of
from portal.times import now

UNDONE = "The change was undone."
HOTELS = "hotels"
"""The field of an account whose values are ids of hotels."""

SHOWN = {"", "every hotel"}
"""Values of that field that name no hotel."""

OF_MACHINES = (
    "Changes that imports made are not listed here.",
    "Open the history of the room, the order or whatever else was changed.",
)

SENT_AGAIN = timedelta(minutes=5)
"""How old a thing must be for :func:`say_added` to tell whoever adds it once more that it was there before.

Within this time the form was only sent twice.
"""

MOST_MEMBERS = 500
"""The most members of staff that a menu offers. Others are found by typing their username."""


def entry_for(page: StaffMixin, entry: HistoryEntry) -> HistoryEntry:
    """Return the entry as the user may see it: without a permission for the thing, only what happened and when."""
    thing, scope = thing_of(entry.thing), page.scope
    if thing and (not page.may(thing.subject.permission) or thing.subject.hidden(page.request.user, thing.ids[-1])):
        return entry.hidden
    if entry.hotel_id and not scope.allows(entry.hotel_id):
        return entry.hidden
    told = []
    for change in entry.changes:
        field, both = field_of(entry.thing, change.field), (change.before, change.after)
        words = [recorded_in_words(field, text, change.currency) for text in both if text]
        if words and not any(words):  # steps of a room, which its housekeeping says already
            continue
        if change.field == HOTELS:  # of an account, perhaps such that the user does not see
            both = tuple(text if text in SHOWN or scope.allows(text) else "another hotel" for text in both)  # type: ignore[assignment]
        told.append(replace(change, before=both[0], after=both[1]))
    return replace(entry, changes=tuple(told)) if told else entry


def seen_by(page: StaffMixin, entries: Page[HistoryEntry]) -> Page[HistoryEntry]:
    """Return a page of entries as :func:`entry_for` shows each. The names of authors and things are read at once."""
    names_of({entry.by for entry in entries.rows})
    shown = replace(entries, rows=tuple(map(partial(entry_for, page), entries.rows)))
    name_things(entry.thing for entry in shown.rows if entry.thing)
    return shown


def grouped(entries: Iterable[HistoryEntry]) -> list[list[HistoryEntry]]:
    """Entries that follow each other: those of one bulk change together, and hidden ones, which have no thing."""
    return [list(group) for _, group in groupby(entries, key=lambda entry: entry.thing and (entry.bulk or entry))]


class HistoryPage(ListPage[DaysForm]):
    form_class = DaysForm
    template_name = "history/history.html"
    list_template_name = "history/_list.html"
    entity, noun = HistoryEntry, "changes"
    columns = ("at", "by", "what", Column("", "Field"), Column("", "Before"), Column("", "After"))
    filters, dated = ("days",), "at"
    unmatched = ("Nothing was changed on these days.", "Choose other days")
    nothing = ("Nothing has been changed yet.", "Every change is listed here: who made it, when, and both values.")
    file_columns = ("time", "who", "how", "what", "thing", "field", "before", "after")

    def context(self, form: DaysForm, page: Page[HistoryEntry]) -> dict[str, Any]:
        page = seen_by(self, page)
        return {"page": page, "entries": grouped(page.rows)}

    def exported(self, form: DaysForm, rows: Iterator[HistoryEntry]) -> Iterator[tuple[HistoryEntry, FieldChange]]:
        for entry in rows:
            seen = entry_for(self, entry)
            for change in seen.lines:
                yield seen, change

    def cells(self, entity: tuple[HistoryEntry, FieldChange]) -> Sequence[Any]:
        entry, change = entity
        thing = thing_of(entry.thing)
        field, title = field_of(entry.thing, change.field), thing.title if thing else entry.thing
        is_person = field is not None and field.words is author_name  # files keep all other values
        both = (author_name(text) if is_person and text else text for text in (change.before, change.after))
        label = field.label if field else change.field
        return entry.at, author_name(entry.by), entry.how, entry.what, title, label, *both


class ThingMixin(StaffMixin):
    """A page about the thing in the address, for users who may see the thing. The thing may be deleted by now."""

    kwargs: dict[str, Any]
    permission = ANY_STAFF

    @cached_property
    def thing(self) -> Thing:
        """The thing in the address. Raises :class:`NotFound` for an address that no thing can have."""
        return thing_at(self.kwargs["kind"], self.kwargs["ids"])

    @cached_property
    def hotel_id(self) -> str:
        """The hotel of the thing; blank for what belongs to the group. If the address does not name it, an entry does.

        Without any, as after an import, the thing itself does. Raises :class:`NotFound`.
        """
        kind, ids = self.thing.subject.kind, self.thing.ids
        if self.thing.hotel_id or kind not in RECORDED or "hotel_id" not in self.thing.subject.fields:
            return self.thing.hotel_id
        newest = queries.history(self.thing.key).first()
        recorded = newest.hotel_id if newest else ""
        return recorded or str(RECORDED[kind].load(*ids).hotel_id)

    def may_open(self) -> bool:
        return super().may_open() and self.may(self.thing.subject.permission)

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if self.may_open() and self.scope.bound:
            if self.thing.subject.hidden(request.user, self.thing.ids[-1]):
                raise errors.NotFound(f"{self.by} does not see the history of {self.thing.key}.")
            if self.hotel_id:
                self.require_hotel(self.hotel_id)
        return super().dispatch(request, *args, **kwargs)

    def found(self, entries: Page[HistoryEntry]) -> None:
        """Take the thing's hotel from an entry that the page has read. Without any, the page shows no time."""
        self.hotel_id = self.thing.hotel_id or next((entry.hotel_id for entry in entries.rows), "")

    def undoable(self, newest: HistoryEntry | None) -> HistoryEntry | None:
        """Return the newest entry if the user may undo it."""
        may = newest and can_be_undone(newest) and may_undo(newest, self.by, self.may)
        return newest if may else None


class ThingHistoryPage(ThingMixin, HistoryPage):
    """C1: the history of a thing."""

    csv_name = "history"

    def listing(self, form: DaysForm) -> Listing[HistoryEntry]:
        return form.asked(queries.history(self.thing.key), "at", zones=self.zone if form.days_set else "").listing()

    def context(self, form: DaysForm, page: Page[HistoryEntry]) -> dict[str, Any]:
        context = super().context(form, page)
        self.found(page)
        is_newest = form.order.descending and not form.days_set and not form.cleaned_data["cursor"]
        newest: HistoryEntry | None = next(iter(context["page"].rows), None) if is_newest else None
        gone = newest is not None and (newest.what == What.DELETED or newest.moved_to)
        shown = {"thing": self.thing, "gone": gone, "title": f"History of {self.thing.titled(read=True)}"}
        return {**context, **shown, "undoable": self.undoable(newest)}


class NewestEntries(ThingMixin, StaffPage):
    """The newest entries of a thing. Its own page loads them when the reader opens the history."""

    template_name = "history/_newest.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        found = queries.history(self.thing.key).page(queries.NEWEST)
        self.found(found)
        page = seen_by(self, found)
        fields = entities.by_name(HistoryEntry)
        shown = {"thing": self.thing, "undoable": self.undoable(next(iter(page.rows), None))}
        return super().get_context_data(**shown, page=page, fields=fields, **kwargs)


class StaffHistoryPage(HistoryPage):
    """C2: what a member of staff changed. Everyone may see their own changes."""

    permission = "portal.view_history"
    csv_name = "changes-by"

    def may_open(self) -> bool:
        is_own = self.kwargs["username"] == self.by
        return self.may(ANY_STAFF) if is_own else super().may_open()

    def listing(self, form: DaysForm) -> Listing[HistoryEntry]:
        return form.asked(queries.changes_by(self.kwargs["username"]), "at", zones=self.zone).listing()

    def context(self, form: DaysForm, page: Page[HistoryEntry]) -> dict[str, Any]:
        username, members = self.kwargs["username"], None
        if self.may(self.permission):
            found = get_user_model().objects.filter(is_staff=True).order_by("username")[:MOST_MEMBERS]
            times = Counter(map(full_name, found))
            members = [each.get_username() if times[full_name(each)] > 1 else full_name(each) for each in found]
        name = author_name(username)
        shown = {"username": username, "name": name, "title": f"Changes by {name}", "members": members, "mixed": True}
        return {**super().context(form, page), **shown, "machine": is_machine(username)}

    def empty(self, form: DaysForm) -> tuple[str, str]:
        username = self.kwargs["username"]
        if is_machine(username):
            return OF_MACHINES
        if get_user_model().objects.filter(username=username).exists():
            return self.nothing
        return f"Nobody has the username “{username}”.", "Choose a name from the list."


def username_of(typed: str) -> str:
    """Return the username of the only member of staff with a name; the text as it was typed if there is none."""
    accounts = get_user_model().objects.filter(is_staff=True)
    if not typed or accounts.filter(username=typed).exists():
        return typed
    named = [each.get_username() for each in accounts[:MOST_MEMBERS] if folded(full_name(each)) == folded(typed)]
    return named[0] if len(named) == 1 else typed


class StaffHistoryFinder(StaffPage):
    """Leads to the changes of the member of staff in the query string; without one, to the user's own changes."""

    permission = "portal.view_history"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Redirect to their page, with the query. Raises :class:`~portal.forms.parameters.BadParameters`."""
        member = forms.CharField(required=False, max_length=keys.USERNAME_LENGTH, label="Member of staff")
        chosen = read(request.GET, username=member)["username"]
        if self.may(StaffHistoryFinder.permission):  # to others, the address would tell the username of a name
            chosen = username_of(chosen)
        query = request.GET.copy()
        query.pop("username", None)
        return redirect(reverse("history:staff", args=[chosen or self.by], query=query))


class OwnHistory(StaffHistoryFinder):
    """Leads to the user's own changes, without the permission to see changes by others."""

    permission = ANY_STAFF


# --- Undo -----------------------------------------------------------------------------------------------


def say_added(page: StaffMixin, name: str, entity: Any) -> None:
    """Tell the user that an entity was added, or that it was there before, with the same values."""
    added_at: datetime | None = getattr(entity, "added_at", None)  # notes and standard replies have none
    if added_at and now() - added_at > SENT_AGAIN:
        messages.success(page.request, f"{name} is there already, with these values.")
    else:
        say_done(page, f"{name} was added.", entity, What.CREATED)


def say_done(page: StaffMixin, text: str, entity: Any, what: What = What.CHANGED) -> None:
    """Tell the user what was done with an entity, with Undo if the user may undo it."""
    newest = newest_change(entity)
    permission = RECORDED[newest.thing.subject.kind].undoing.get(what, "")
    if what is What.CHANGED or (permission and page.may(permission)):
        offer_undo(page, text, newest.thing, newest.serial + (what is What.DELETED))
    else:
        messages.success(page.request, text)


def offer_undo(page: StaffMixin, text: str, thing: Thing, serial: int) -> None:
    """Show a message that something was done, with a button that undoes the change of this number."""
    action = page.carrying(reverse("history:undo", args=[thing.subject.kind, thing.path]))
    context = {"text": text, "action": action, "serial": serial, "csrf_token": get_token(page.request)}
    messages.success(page.request, part("history/_done.html", context))


Made = Sequence[tuple[str, Callable[[], Any]]]
"""Changes of selected rows, each with the name of its row."""


def change_each(page: StaffMixin, noun: str, words: str, changes: Made, undoable: Callable[[Any], str]) -> None:
    """Make the changes of selected rows; say how many were made, and which were not, and why.

    One button sends to the page, as ``undo``, what ``undoable`` says of each changed entity; a blank text has no Undo.
    """
    done, problems = list[Any](), list[str]()
    for name, change in changes:
        try:
            done.append(change())
        except (errors.Conflict, errors.NotFound, errors.WrongValue) as error:
            problems.append(f"{name}: {error}")

    def sentence(number: int, said: str) -> str:
        return f"{counted(number, noun)} {'was' if number == 1 else 'were'} {said}."

    if done:
        shown = {"text": sentence(len(done), words), "undo": [*filter(None, map(undoable, done))]}
        shown |= {"action": page.request.get_full_path(), "csrf_token": get_token(page.request)}
        messages.success(page.request, part("history/_several_done.html", shown))
    if problems:
        messages.error(page.request, " ".join([sentence(len(problems), f"not {words}"), *problems]))
    if not changes:
        messages.error(page.request, f"No {noun} was selected, so nothing was changed.")


class UndoPage(ThingMixin, StaffPage):
    """Undoes the newest change of a thing. If somebody has changed it since, the page says who, and the values."""

    title = "Nothing was undone"
    template_name = "history/not_undone.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Lead to the history of the thing: an undo is never a GET."""
        return redirect(self.thing.history_address)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        serial = read(request.POST, serial=WholeField(min_value=1))["serial"]
        undone = undo(self.thing, serial, self.by, self.may)
        if undone.again:
            messages.success(request, UNDONE)
        else:
            offer_undo(self, UNDONE, undone.thing, undone.serial)
        return redirect(self.carrying(undone.thing.address if undone.entity else undone.thing.history_address))

    def refused(self, error: NotUndone) -> dict[str, Any]:
        """Return why nothing was undone, with the fields that would have been set: their values now, and before."""
        stored, found = error.stored, list[FieldDifference]()
        for change in error.wanted.changes if error.wanted else ():
            field = self.thing.subject.fields.get(change.field)
            if field and stored is not None:
                now = in_words(field, getattr(stored, field.name), getattr(stored, "currency", ""), self.zone)
                before = recorded_in_words(field, change.before, change.currency, self.zone)
                found.append(FieldDifference(field.label, now, before))
        shown = {"thing": self.thing, "since": error.since, "stored": stored, "differences": found}
        return {**super().refused(error), **shown}
