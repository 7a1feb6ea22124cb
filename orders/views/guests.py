"""Pages of guests: the list, the profile, and the forms to add and edit one."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.html import format_html, format_html_join

from dynamodb_lists import Listing, errors
from dynamodb_lists.schema import entities
from orders import commands, keys, queries
from orders.apps import VIEW_ORDERS
from orders.entities import Guest
from orders.forms import EditGuestForm, GuestsForm, NewGuestForm
from orders.lists import GUESTS
from orders.statuses import UNFINISHED
from orders.views.order_lists import GuestOrdersPage
from portal.form_pages import EditPage, FormPage, RemarkPage, StoredPage
from portal.forms.fields import RevisionForm
from portal.forms.parameters import rewrite
from portal.history.entities import Actor
from portal.history.undoing import address_of
from portal.history.views import say_added
from portal.lists.views import ListPage

ANOTHER = "another"


def another() -> forms.BooleanField:
    """Return the box to confirm a second guest. Browsers do not require it, because the reader may change the form
    instead.
    """
    return forms.BooleanField(label="This is another guest", required=False)


class GuestsPage(ListPage[GuestsForm]):
    title, noun, permission = "Guests", "guests", "orders.view_guest"
    form_class, entity = GuestsForm, Guest
    columns = ("name", "email", "username")
    key, row_head, noted, row_page = "username", "name", True, ("orders:guest", "username")
    adds = ("Add a guest", "orders.add_guest", "orders:add_guest")
    nothing = ("No guests yet.", "Add a guest, or import orders from a file.")
    found_by = (
        "Guests are found by the beginning of any word of their name, of their e-mail address and of their username, "
        "and by the last four or more digits of their phone number."
    )

    def listing(self, form: GuestsForm) -> Listing[Guest]:
        if query := queries.typed_guest(form.cleaned_data["q"]):
            return queries.guests_found(query)
        return GUESTS.query().order_by("username", descending=form.order.descending).listing()


class GuestPage(GuestOrdersPage):
    lists_link_here = True
    permission = "orders.view_guest"
    title = "{page.guest.name}"
    template_name = "orders/guest.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:  # type: ignore[override]
        if self.may(VIEW_ORDERS):
            return super().get(request, *args, **kwargs)
        if request.GET.get("format"):
            raise PermissionDenied(VIEW_ORDERS)
        return self.render_to_response(self.get_context_data(guest=self.guest, title=self.guest.name))


class AddGuestPage(FormPage[NewGuestForm]):
    title = "Add a guest"
    permission = "orders.add_guest"
    form_class = NewGuestForm
    list_url = "orders:guests"

    def get_initial(self) -> dict[str, Any]:
        return {"username": keys.new_username()}

    def form_valid(self, form: NewGuestForm) -> HttpResponse:
        """Add the guest. If others have the e-mail or the phone, show them first, and ask."""
        asks = self.may(GuestsPage.permission) and ANOTHER not in form.data
        others = queries.namesakes(form.cleaned_data) if asks else ()
        if not others:
            return super().form_valid(form)
        form.fields[ANOTHER] = another()
        named = ((address_of(each), each.name) for each in others)
        links = format_html_join(", ", '<a class="link" href="{}">{}</a>', named)
        text = "This e-mail address or phone already belongs to {}. To add another guest, select the box below."
        form.add_error(None, format_html(text, links))
        return self.form_invalid(form)

    def save(self, form: NewGuestForm) -> str:
        guest = form.new(username=form.cleaned_data["username"] or keys.new_username())
        guest = GUESTS.by(Actor(self.by)).create(guest)
        say_added(self, guest.name, guest)
        return address_of(guest)

    def taken(self, form: NewGuestForm, error: errors.AlreadyExists) -> str:
        rewrite(form, "username", keys.new_username())
        rewrite(form, ANOTHER, "on")
        form.fields[ANOTHER] = another()
        return "This form has already added a guest. To add this one, too, send the form again."


class StoredGuestPage(StoredPage[Any]):
    context_object_name = "guest"

    def load(self) -> Guest:
        return queries.guest(keys.username(self.kwargs["username"]), consistent=True)


class EditGuestPage(StoredGuestPage, EditPage[EditGuestForm]):
    title = "Edit {page.stored.name}"
    permission = "orders.change_guest"
    form_class = EditGuestForm
    command = staticmethod(commands.edit_guest)


class GuestNotePage(StoredGuestPage, RemarkPage):
    title = "Remark on {page.stored.name}"
    permission = "orders.change_guest"
    command = staticmethod(commands.edit_guest)

    def write(self, form: Any) -> str:
        """Refuse a note on a guest who was erased: it would make the guest one like any other again."""
        if self.stored.erased_at:
            raise errors.Conflict("This guest was erased. Nothing was saved.")
        return super().write(form)


class EraseGuestPage(StoredGuestPage):
    title = "Erase {page.stored.name}"
    permission = "orders.erase_guest"
    form_class = RevisionForm
    template_name = "orders/erase_guest.html"
    changed_text = "Do you still want to erase the guest?"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        erased = [(entities.field(Guest, name).label, value) for name, value in self.stored.personal.items()]
        unfinished = {status: number for status in UNFINISHED if (number := self.stored.orders.get(status))}
        return super().get_context_data(**kwargs, erased=erased, unfinished=unfinished)

    def write(self, form: RevisionForm) -> str:
        if not self.stored.erased_at:
            self.require_seen(form)
        commands.erase_guest(self.stored, self.by)
        messages.success(self.request, "The guest's personal data was erased.")
        return self.carrying(address_of(self.stored))
