"""Pages of saved views: save one, rename it, delete it, and all of them."""

import time
from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from dynamodb_lists.connection.errors import NotFound
from hotels import queries as hotels
from portal.access import ANY_STAFF, StaffPage
from portal.form_pages import FormPage
from portal.lists.origins import Origin
from saved_views import commands, keys, queries
from saved_views.apps import SHARE_VIEWS
from saved_views.entities import NAME_LENGTH, SavedView
from saved_views.forms import ME, RenameForm, SaveForm
from saved_views.views.sidebar import MARK, shown_views

EntryT = TypeVar("EntryT", bound=forms.Form)
MOST_HOTELS = 98
"""The most hotels whose views one page shows. With those of the user and the group, one BatchGetItem reads them."""

ALL_HOTELS = "all hotels"


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
            messages.success(self.request, "There is no such view any more.")
            return redirect("saved_views:views")

    def changed(self, text: str) -> str:
        """Say what was done; returns the address of all views. The next page of the user reads the views again."""
        self.request.session[MARK] = time.time_ns()
        messages.success(self.request, text)
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
        found = self._hotels() if self.may(SHARE_VIEWS) else ()
        named = sum(hotel_id != keys.EVERYONE for hotel_id, _ in found)
        return {**super().get_form_kwargs(), "hotels": found, "first": self.scope.first(MOST_HOTELS, named)}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**{"back": self.shown.address, **kwargs})

    def save(self, form: SaveForm) -> str:
        name, hotel_id = form.cleaned_data["name"], form.cleaned_data.get("hotel", ME)
        owner = self.owner if hotel_id == ME else keys.of_hotel(hotel_id)
        commands.save_view(owner, name, self.shown.lasting)
        self.changed(f"The view “{name}” is saved. It is in the sidebar.")
        return self.shown.address

    def _hotels(self) -> list[tuple[str, str]]:
        """The hotel of the list, or for a list of several, the first that the user sees. Raises :class:`NotFound`.

        Who sees every hotel may save such a list for everyone.
        """
        hotel_id = self.shown.page.kwargs.get("hotel_id")
        found = [hotels.hotel(hotel_id)] if hotel_id else hotels.first_hotels(MOST_HOTELS, self.scope.hotel_ids)
        everyone = [] if hotel_id or self.scope.bound else [(keys.EVERYONE, ALL_HOTELS)]
        return [*everyone, *((hotel.hotel_id, hotel.name) for hotel in found)]


class RenamePage(ChangingPage[RenameForm]):
    """Give a view another name."""

    title = "Rename the view “{page.view.name}”"
    form_class = RenameForm

    def get_initial(self) -> dict[str, Any]:
        return {"name": self.view.name}

    def save(self, form: RenameForm) -> str:
        name = form.cleaned_data["name"]
        commands.rename_view(self.owner, self.kwargs["view_id"], name)
        return self.changed(f"The view is called “{name}” now.")


class DeleteViewPage(ChangingPage[forms.Form]):
    """Ask whether to delete a view, and delete it."""

    title = "Delete the view “{page.view.name}”"
    form_class = forms.Form
    template_name = "portal/delete.html"

    def save(self, form: forms.Form) -> str:
        commands.delete_view(self.owner, self.kwargs["view_id"])
        return self.changed("The view is deleted.")


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
        views = shown_views(self.request, [*names], consistent=MARK in self.request.session)
        names[keys.EVERYONE] = ALL_HOTELS
        shown = [(each, names.get(each.hotel_id, ""), self.scope.allows(each.hotel_id)) for each in views]
        first = self.scope.first(MOST_HOTELS, len(found))
        return super().get_context_data(views=shown, may_share=self.may(SHARE_VIEWS), first=first, **kwargs)
