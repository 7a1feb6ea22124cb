from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from orders.entities import Guest
from orders.forms.fields import UsernameField
from portal.forms.entity_forms import TEXT_LENGTH, EntityForm
from portal.forms.fields import LineField, MailField, RevisionField, SearchField
from portal.lists.forms import ListForm, SortColumn, SortField

PHONE_LENGTH = 40


class PhoneField(LineField):
    """A phone number as people write it: with blanks, signs and words such as "ext."."""

    def clean(self, value: Any) -> str:
        text = str(super().clean(value))
        if text and not any(map(str.isdecimal, text)):
            raise ValidationError("Enter a phone number with digits, or leave this empty.")
        return text


class GuestsForm(ListForm):
    sort = SortField([SortColumn("username", "Username", "A to Z", "Z to A")], "username")
    always_shown = ("q",)
    q = SearchField(label="Beginning of a name, e-mail or username; end of a phone number")


class NewGuestForm(EntityForm):
    """A guest to add. The form has the username, so that sending it twice adds one guest."""

    entity = Guest
    username = UsernameField(required=False, widget=forms.HiddenInput)
    email = MailField(required=False, max_length=TEXT_LENGTH)
    phone = PhoneField(
        required=False,
        max_length=PHONE_LENGTH,
        widget=forms.TextInput(attrs={"type": "tel"}),
        help_text="You can find the guest by the last four digits.",
    )


class EditGuestForm(NewGuestForm):
    """A guest to change, and the revision that the editor saw. The username is in the address."""

    username = None  # type: ignore[assignment]
    revision = RevisionField()
