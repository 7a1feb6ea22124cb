"""Pages of saved views: save one, rename it, delete it, and all of them."""

import time
from functools import cached_property
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse

from dynamodb_lists import errors
from hotels import queries as hotels
from portal.access import ANY_STAFF, StaffMixin, StaffPage
from portal.form_pages import EntryT, FormPage
from portal.lists.origins import Origin
from saved_views.apps import SHARE_VIEWS
from saved_views.forms import ME, RenameForm, SaveForm
from saved_views.models import EVERYONE, NAME_LENGTH, SavedView
from saved_views.views.sidebar import MARK, shown_views

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
