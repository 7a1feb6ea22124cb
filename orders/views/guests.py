"""Pages of guests: the list, the profile, and the forms to add and edit one."""

from collections.abc import Iterator
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.urls import reverse, reverse_lazy

from hotelapp.dynamodb.reading.lists import Listing
from hotelapp.dynamodb.reading.pages import Page
from hotelapp.dynamodb.schema import entities
from hotelapp.portal.forms.fields import RevisionForm
from hotelapp.portal.forms.views import DeletePage, EditPage, FormPage
from hotelapp.portal.lists.views import ListPage
from orders import commands, keys, queries
from orders.entities import Guest
from orders.forms.guests import EditGuestForm, GuestsForm, NewGuestForm
from orders.views.orders import INDEX_ORDERS, VIEW_ORDERS, GuestOrdersPage


class GuestsPage(ListPage[GuestsForm]):
    """All guests, or those found by the beginnings of words."""

    title = "Guests"
    permission = "orders.view_guest"
    form_class = GuestsForm
    template_name = "orders/guests.html"
    list_template_name = "orders/_guests.html"
    entity = Guest
    noun = "guests"

    def context(self, form: GuestsForm, page: Page[Guest]) -> dict[str, Any]:
        return {"index_orders": INDEX_ORDERS}

    def listing(self, form: GuestsForm) -> Listing[Guest]:
        """A9: the guests."""
        if query := form.query:
            return queries.guests_found(query)
        return queries.guests(descending=form.order.descending)

    def exported(self, rows: Iterator[Guest]) -> Iterator[Guest]:
        return queries.exported_guests(rows)


class GuestPage(GuestOrdersPage):
    """A guest: the profile and the orders."""

    permission = "orders.view_guest"
    template_name = "orders/guest.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:  # type: ignore[override]
        if self.may(VIEW_ORDERS):
            return super().get(request, *args, **kwargs)
        if request.GET.get("format"):
            raise PermissionDenied(VIEW_ORDERS)
        return self.render_to_response(self.get_context_data(guest=self.guest, title=self.guest.name))


class AddGuestPage(FormPage[NewGuestForm]):
    """A form to add a guest."""

    title = "Add a guest"
    permission = "orders.add_guest"
    form_class = NewGuestForm
    template_name = "orders/edit_guest.html"
    extra_context = {"back": reverse_lazy("orders:guests")}

    def save(self, form: NewGuestForm) -> str:
        guest = commands.create_guest(form.guest(), self.request.user.get_username())
        messages.success(self.request, f"{guest.name} was added.")
        return _address(guest)


class EditGuestPage(EditPage[EditGuestForm]):
    """A form to change a guest."""

    permission = "orders.change_guest"
    form_class = EditGuestForm
    template_name = "orders/edit_guest.html"

    def load(self) -> Guest:
        return queries.guest(keys.username(self.kwargs["username"]), consistent=True)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs, title=f"Edit {self.stored.name}")

    def edited(self, form: EditGuestForm) -> Guest:
        return form.changed(self.stored)

    def change(self, before: Guest, after: Guest) -> None:
        commands.edit_guest(before, after, self.request.user.get_username())

    def address(self, entity: Guest) -> str:
        return _address(entity)


class EraseGuestPage(DeletePage[RevisionForm]):
    """Asks whether to erase a guest's personal data, says what goes and what stays, and erases it."""

    permission = "orders.erase_guest"
    form_class = RevisionForm
    template_name = "orders/erase_guest.html"
    changed_text = "Do you still want to erase the guest?"

    def load(self) -> Guest:
        return queries.guest(keys.username(self.kwargs["username"]), consistent=True)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        guest = self.stored
        erased = [(entities.field(Guest, name).label, value) for name, value in guest.personal.items()]
        back, title = _address(guest), f"Erase {guest.name}"
        return super().get_context_data(**kwargs, guest=guest, erased=erased, back=back, title=title)

    def save(self, form: RevisionForm) -> str:
        if not self.stored.erased_at:
            self.require_seen(form)
        commands.erase_guest(self.stored, self.request.user.get_username())
        messages.success(self.request, "The guest's personal data was erased.")
        return _address(self.stored)


def _address(guest: Guest) -> str:
    return reverse("orders:guest", args=[guest.username])
