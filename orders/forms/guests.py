"""Forms of guests: the search, and the profile."""

from dataclasses import replace

from django import forms

from hotelapp.portal.forms.entity_forms import TEXT_LENGTH, EntityForm
from hotelapp.portal.forms.fields import LineField, RevisionField
from hotelapp.portal.lists.forms import ListForm
from hotelapp.portal.lists.sorting import SortColumn
from orders.entities import Guest
from orders.forms.fields import PrefixField, UsernameField

PHONE_LENGTH = 40


class GuestsForm(ListForm):
    """The guest search's query string."""

    sort_columns = (SortColumn("username", "Username", "A to Z", "Z to A"),)
    default_sort = "username"
    always_shown = frozenset({"q"})
    q = PrefixField(required=False, label="Username begins with", widget=forms.TextInput(attrs={"type": "search"}))


class NewGuestForm(EntityForm):
    """A guest to add."""

    entity = Guest
    username = UsernameField()
    name = LineField(max_length=TEXT_LENGTH)
    email = forms.EmailField(required=False, max_length=TEXT_LENGTH)
    phone = LineField(required=False, max_length=PHONE_LENGTH)

    def guest(self) -> Guest:
        """The guest, once the form is valid."""
        return Guest(**self.values(Guest))


class EditGuestForm(NewGuestForm):
    """A guest to change, and the revision that the editor saw. The username is in the address."""

    username = None  # type: ignore[assignment]
    revision = RevisionField()

    def changed(self, guest: Guest) -> Guest:
        """The guest with the form's values, once the form is valid."""
        return replace(guest, **self.values(Guest))
