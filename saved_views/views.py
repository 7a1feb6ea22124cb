"""Pages of saved views: save one, rename it, delete it, all of them; and what sidebar and search show of them."""

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from hashlib import sha256
from operator import itemgetter
from typing import Any
from urllib.parse import parse_qsl, unquote

from django import forms
from django.contrib import messages
from django.core.cache import cache
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse

from dynamodb_lists import errors
from dynamodb_lists.schema import keys
from hotels import queries as hotels
from portal.access import ANY_STAFF, StaffMixin, StaffPage, scope_in
from portal.form_pages import EntryT, FormPage
from portal.forms.fields import LineField
from portal.frame import address, current
from portal.lists.forms import ListForm
from portal.lists.origins import Origin, list_at
from saved_views.apps import SHARE_VIEWS
from saved_views.models import EVERYONE, NAME_LENGTH, SavedView

ME = ":me"
"""The choice of a view for oneself. No hotel has this id."""


class RenameForm(forms.Form):
    name = LineField(max_length=NAME_LENGTH, widget=forms.TextInput(attrs={"autofocus": True, "dir": "auto"}))


class SaveForm(RenameForm):
    """A new view: its name, and who has it: oneself, or everyone at the hotel of the list, if the user may share it."""

    hotel = forms.ChoiceField(label="For whom")

    def __init__(self, *args: Any, everyone: Sequence[tuple[str, str]] = (), **options: Any) -> None:
        super().__init__(*args, **options)
        if everyone:
            self.fields["hotel"].choices = [(ME, "Only me"), *everyone]  # type: ignore[attr-defined]
        else:
            del self.fields["hotel"]


CACHE_SECONDS = 60
MARK = "saved_views"
"""The key in the session of the time when its user last changed a view, so that all processes read it again."""

SEEN = {"has_permission": True}
"""Says to django-unfold that the user may open a link."""

FEW_HOTELS = 3
"""The most hotels of a user whose views are in the sidebar on every page."""


def shown_views(request: HttpRequest, hotel_ids: Iterable[str]) -> Iterator[tuple[Any, Origin]]:
    """Yield the views of the user, of these hotels, and of the group that lead to lists that the user may open."""
    shared = [*filter(scope_in(request).allows, hotel_ids), EVERYONE]
    for view in SavedView.objects.filter(Q(user=request.user.pk) | Q(hotel_id__in=shared)):
        if origin := list_at(request, view.address):
            yield view, origin


def known_views(request: HttpRequest, hotel_id: str) -> Sequence[tuple[str, str, str]]:
    """Return the views for the user's sidebar on the pages of a hotel, or of none: name, address, and hotel id.

    Users who see only a few hotels have the views of these hotels on every page. Views are cached for a minute, except
    after the user's own changes.
    """

    def read() -> list[tuple[str, str, str]]:
        own = scope_in(request).hotel_ids or ()
        beside = sorted({hotel_id, *(own if len(own) <= FEW_HOTELS else ())} - {""})
        found = shown_views(request, filter(keys.is_part, beside))
        return [(view.name, view.address, view.hotel_id) for view, _ in found]

    whose = repr((request.user.pk, request.session.get(MARK), hotel_id))  # an address may name a hotel with any text
    key = f"saved-views:{sha256(whose.encode()).hexdigest()}"
    return cache.get_or_set(key, read, CACHE_SECONDS) or ()


def sidebar_group(request: HttpRequest) -> dict[str, Any]:
    """Return the group of the sidebar. The view whose list is open is marked."""
    match, here = request.resolver_match, _essence(request.get_full_path())
    known = known_views(request, match.kwargs.get("hotel_id", "") if match else "")
    times, items = Counter(map(itemgetter(0), known)), []
    for name, link, hotel_id in known:
        if times[name] > 1 and hotel_id not in {"", EVERYONE}:  # views of several hotels have this name
            name = f"{name}, {hotels.hotel_name(hotel_id, read=False)}"  # noqa: PLW2901
        marked = "page" if _essence(link) == here else ""
        icon = "hotel" if hotel_id else "person"
        items.append({**SEEN, "title": name, "icon": icon, "link": link, "active": marked, "view": True})
    if items:
        page = "saved_views:views"
        link, marked = address(page), current(page, request)
        items.append({**SEEN, "title": "All saved views", "icon": "checklist", "link": link, "active": marked})
    return {"title": "Saved views", "items": items}


def _essence(list_address: str) -> tuple[str, list[tuple[str, str]]]:
    """Return what identifies the list at an address: its path and its parameters, without those of a single visit."""
    path, _, query = list_address.partition("?")
    asked = []
    for name, value in parse_qsl(query):
        if name != "list" and name not in ListForm.transient:
            asked.append((name, value))
    return unquote(path), sorted(asked)


MOST_HOTELS = 98
"""The most hotels whose views one page shows."""

ALL_HOTELS = "all hotels"


def may_change(page: StaffMixin) -> QuerySet[Any]:
    """Return the views that the user may change: their own and, with :data:`SHARE_VIEWS`, those of their hotels.

    Users who see every hotel may change the views of the group, too.
    """
    own, hotel_ids = Q(user=page.request.user.pk), page.scope.hotel_ids if page.may(SHARE_VIEWS) else ()
    return SavedView.objects.filter(own | (Q(user=None) if hotel_ids is None else Q(hotel_id__in=hotel_ids)))


class ChangingPage(FormPage[EntryT]):
    """A page that changes the views of the user or, with a permission, of hotels."""

    permission = ANY_STAFF

    @property
    def found(self) -> QuerySet[Any]:
        """Return the view in the address: the user's own, or one of hotels that the user may change; or ``None``."""
        return may_change(self).filter(pk=self.kwargs["view_id"])

    @cached_property
    def view(self) -> Any:
        if view := self.found.first():
            return view
        raise errors.NotFound("There is no such view.")

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Return the page; if there is no such view or list, the way to all views."""
        try:
            return super().dispatch(request, *args, **kwargs)
        except errors.NotFound:
            messages.warning(request, "There is no such view any more.")
            return redirect("saved_views:views")

    def changed(self, text: str) -> str:
        """Say what was done; returns the address of all views. The next page of the user reads the views again."""
        self.request.session[MARK] = time.time_ns()
        messages.success(self.request, text)
        return reverse("saved_views:views")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**{"back": reverse("saved_views:views"), **kwargs})


class SavePage(ChangingPage[SaveForm]):
    title = "Save this view"
    form_class = SaveForm

    @cached_property
    def shown(self) -> Origin:
        """The list. Raises :class:`NotFound` if the user may open no such list."""
        if self.origin is None:
            raise errors.NotFound("There is no such list.")
        return self.origin

    def get_initial(self) -> dict[str, Any]:
        return {"name": f"{self.shown.title}{self.shown.chosen}"[:NAME_LENGTH]}

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "everyone": self._everyone() if self.may(SHARE_VIEWS) else ()}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**{"back": self.shown.address, **kwargs})

    def save(self, form: SaveForm) -> str:
        name, hotel_id = form.cleaned_data["name"], form.cleaned_data.get("hotel", ME)
        owner = {"user": self.request.user} if hotel_id == ME else {"hotel_id": hotel_id}
        SavedView.objects.keep(name, self.shown.lasting, **owner)
        self.changed(f"The view “{name}” is saved. It is in the sidebar.")
        return self.shown.address

    def _everyone(self) -> list[tuple[str, str]]:
        """Return whom the view may be shared with: the hotel of the list or, for users who see every hotel, the group.
        Raises: :class:`NotFound`.
        """
        if hotel_id := self.shown.page.kwargs.get("hotel_id"):
            return [(hotel_id, f"Everyone at {hotels.hotel(hotel_id).name}")]
        return [] if self.scope.bound else [(EVERYONE, f"Everyone at {ALL_HOTELS}")]


class RenamePage(ChangingPage[RenameForm]):
    title = "Rename the view “{page.view.name}”"
    form_class = RenameForm

    def get_initial(self) -> dict[str, Any]:
        return {"name": self.view.name}

    def save(self, form: RenameForm) -> str:
        name = form.cleaned_data["name"]
        if not self.found.update(name=name):
            raise errors.NotFound("There is no such view.")
        return self.changed(f"The view is called “{name}” now.")


class DeleteViewPage(ChangingPage[forms.Form]):
    title = "Delete the view “{page.view.name}”"
    form_class = forms.Form
    template_name = "portal/delete.html"

    def save(self, form: forms.Form) -> str:
        self.found.delete()
        return self.changed("The view is deleted.")


class ViewsPage(StaffPage):
    title = "Saved views"
    permission = ANY_STAFF
    template_name = "saved_views/views.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        names = hotels.hotel_names(self.scope, MOST_HOTELS)
        views, mine = shown_views(self.request, [*names]), {*may_change(self).values_list("pk", flat=True)}
        words = {**names, EVERYONE: ALL_HOTELS}
        shown = [(view, origin, words.get(view.hotel_id, ""), view.pk in mine) for view, origin in views]
        return super().get_context_data(views=shown, first=self.scope.first(MOST_HOTELS, len(names)), **kwargs)
