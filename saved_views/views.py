"""Pages of saved views, and what the sidebar and the search show of them."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from hashlib import sha256
from typing import Any, NamedTuple, TypeVar
from urllib.parse import parse_qsl, unquote

from django import forms
from django.contrib import messages
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from hotelapp.dynamodb.connection import ledger
from hotelapp.dynamodb.connection.errors import KeyPartError, NotFound, Unavailable
from hotelapp.portal.access import ANY_STAFF, StaffPage, scope_in
from hotelapp.portal.forms.views import FormPage
from hotelapp.portal.lists.forms import ListForm
from hotelapp.portal.lists.origins import Origin, list_at
from hotelapp.portal.messages import saved_before
from hotels import queries as hotels
from saved_views import commands, keys, queries
from saved_views.apps import SHARE_VIEWS
from saved_views.entities import NAME_LENGTH, SavedView
from saved_views.forms import ME, RenameForm, SaveForm

EntryT = TypeVar("EntryT", bound=forms.Form)
CACHE_SECONDS = 60
MARK = "saved_views"
"""The key in the session of the time when its user last changed a view, so that all processes read it again."""

FEW_HOTELS = 3
"""The most hotels of a user whose views are in the sidebar on every page."""

MOST_HOTELS = 99
"""The most hotels whose views one page shows. With the user's own, one BatchGetItem reads them."""


class ShownView(NamedTuple):
    """A view that the user may open. ``hotel_id`` is blank for a view of one's own."""

    view: SavedView
    hotel_id: str
    origin: Origin

    @property
    def actions(self) -> list[tuple[str, str]]:
        """What can be done with it: words and addresses."""
        end, args = ("_of_hotel", [self.hotel_id, self.view.view_id]) if self.hotel_id else ("", [self.view.view_id])
        return [(name.title(), reverse(f"saved_views:{name}{end}", args=args)) for name in ("rename", "delete")]


def shown_views(request: HttpRequest, hotel_ids: Sequence[str], *, consistent: bool = True) -> Iterator[ShownView]:
    """The views of the user and of these hotels that lead to lists that the user may open."""
    owners = {keys.of_account(request.user.pk): ""}
    for hotel_id in filter(scope_in(request).allows, hotel_ids):
        with suppress(KeyPartError):
            owners[keys.of_hotel(hotel_id)] = hotel_id
    for owner, stored in queries.views_of([*owners], consistent=consistent).items():
        for view in stored.views:
            if origin := list_at(request, view.address):
                yield ShownView(view, owners[owner], origin)


def known_views(request: HttpRequest, hotel_id: str) -> Sequence[tuple[str, str, str]]:
    """The views for the user's sidebar on the pages of a hotel, or of none: name, address, and the hotel's id or blank.

    Who sees only a few hotels has the views of these on every page.

    A process remembers them for a minute, but the user's own changes are shown at once. Without the database there are
    none, so that the page is not lost for them.
    """
    mark = request.session.get(MARK, "")
    whose = repr((request.user.pk, mark, hotel_id))  # an address may name a hotel with any text
    key = f"saved-views:{sha256(whose.encode()).hexdigest()}"
    known: Sequence[tuple[str, str, str]] | None = cache.get(key)
    if known is None and hasattr(request, "outage"):
        return ()
    if known is None:
        try:
            with ledger.purpose("frame"):
                found = shown_views(request, _hotels_beside(request, hotel_id), consistent=bool(mark))
                known = [(shown.view.name, shown.view.address, shown.hotel_id) for shown in found]
        except Unavailable:
            return ()
        cache.set(key, known, CACHE_SECONDS)
    return known


def _hotels_beside(request: HttpRequest, hotel_id: str) -> list[str]:
    own = scope_in(request).hotel_ids or ()
    return sorted({hotel_id, *(own if len(own) <= FEW_HOTELS else ())} - {""})


def sidebar_group(request: HttpRequest) -> dict[str, Any]:
    """The group of the sidebar. The view whose list is open is marked."""
    match, here = request.resolver_match, _essence(request.get_full_path())
    known = known_views(request, match.kwargs.get("hotel_id", "") if match else "")
    items = [_item(*each) | {"active": _essence(each[1]) == here} for each in known]
    everything = {"title": "All saved views", "icon": "checklist", "link": reverse("saved_views:views")}
    return {"title": "Saved views", "items": [*items, everything] if items else []}


def _item(name: str, address: str, hotel_id: str) -> dict[str, Any]:
    return {"title": name, "icon": "hotel" if hotel_id else "person", "link": address, "view": True}


def _essence(address: str) -> tuple[str, list[tuple[str, str]]]:
    """What an address asks for, however it is spelt: its path and its parameters, without those of a single visit."""
    path, _, query = address.partition("?")
    passing = ListForm.transient | {"list"}
    return unquote(path), sorted(pair for pair in parse_qsl(query) if pair[0] not in passing)


class ChangingPage(FormPage[EntryT]):
    """A page that changes the views of the user, or of the hotel in the address."""

    permission = ANY_STAFF

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return self._or_gone(super().get)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return self._or_gone(super().post)

    def _or_gone(self, respond: Callable[..., HttpResponse]) -> HttpResponse:
        """The response; if there is no such view or list, the way to all views."""
        try:
            return respond(self.request, **self.kwargs)
        except NotFound:
            saved_before(self.request, "There is no such view any more.")
            return redirect("saved_views:views")

    def changed(self, is_new: bool, text: str) -> str:
        """Say what was done; returns the address of all views. The next page of the user reads the views again."""
        self.request.session[MARK] = time.time_ns()
        if is_new:
            messages.success(self.request, text)
        else:
            saved_before(self.request, text)
        return reverse("saved_views:views")

    @property
    def owner(self) -> str:
        """Whose view it is."""
        hotel_id = self.kwargs.get("hotel_id")
        return keys.of_hotel(hotel_id) if hotel_id else keys.of_account(self.request.user.pk)

    @cached_property
    def view(self) -> SavedView:
        """The view in the address. Raises :class:`NotFound`."""
        found = queries.views_of([self.owner])[self.owner].view(self.kwargs["view_id"])
        if found is None:
            raise NotFound("There is no such view.")
        return found

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**{"back": reverse("saved_views:views"), **kwargs})


class SavePage(ChangingPage[SaveForm]):
    """Save the list in the parameter ``list`` as a view."""

    title = "Save this view"
    form_class = SaveForm

    @cached_property
    def shown(self) -> Origin:
        """The list. Raises :class:`NotFound` if the user may open no such list."""
        if self.origin is None:
            raise NotFound("There is no such list.")
        return self.origin

    def get_initial(self) -> dict[str, Any]:
        return {"name": f"{self.shown.title}{self.shown.chosen}"[:NAME_LENGTH]}

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "hotels": self._hotels() if self.may(SHARE_VIEWS) else ()}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**{"back": self.shown.address, **kwargs})

    def save(self, form: SaveForm) -> str:
        name, hotel_id = form.cleaned_data["name"], form.cleaned_data.get("hotel", ME)
        owner = self.owner if hotel_id == ME else keys.of_hotel(hotel_id)
        saved = commands.save_view(owner, name, self.shown.lasting)
        self.changed(saved, f"The view “{name}” is saved. It is in the sidebar.")
        return self.shown.address

    def _hotels(self) -> list[tuple[str, str]]:
        """The hotel of the list, or for a list of several hotels, the first of those that the user sees."""
        hotel_id = self.shown.page.kwargs.get("hotel_id")
        found = [hotels.named_hotel(hotel_id)] if hotel_id else hotels.first_hotels(MOST_HOTELS, self.scope.hotel_ids)
        return [(hotel.hotel_id, hotel.name) for hotel in found]


class RenamePage(ChangingPage[RenameForm]):
    """Give a view another name."""

    title = "Rename the view “{page.view.name}”"
    form_class = RenameForm

    def get_initial(self) -> dict[str, Any]:
        return {"name": self.view.name}

    def save(self, form: RenameForm) -> str:
        name = form.cleaned_data["name"]
        renamed = commands.rename_view(self.owner, self.kwargs["view_id"], name)
        return self.changed(renamed, f"The view is called “{name}” now.")


class DeleteViewPage(ChangingPage[forms.Form]):
    """Ask whether to delete a view, and delete it."""

    title = "Delete the view “{page.view.name}”"
    form_class = forms.Form
    template_name = "portal/delete.html"

    def save(self, form: forms.Form) -> str:
        return self.changed(commands.delete_view(self.owner, self.kwargs["view_id"]), "The view is deleted.")


class HotelRenamePage(RenamePage):
    """Give a view of a hotel another name."""

    permission = SHARE_VIEWS


class HotelDeletePage(DeleteViewPage):
    """Ask whether to delete a view of a hotel, and delete it."""

    permission = SHARE_VIEWS


class ViewsPage(StaffPage):
    """All views of the user, and of the hotels that the user sees."""

    title = "Saved views"
    permission = ANY_STAFF
    template_name = "saved_views/views.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        found = hotels.first_hotels(MOST_HOTELS, self.scope.hotel_ids)
        names = {hotel.hotel_id: hotel.name for hotel in found}
        shown = [(each, names.get(each.hotel_id, "")) for each in shown_views(self.request, [*names])]
        return super().get_context_data(views=shown, may_share=self.may(SHARE_VIEWS), **kwargs)
