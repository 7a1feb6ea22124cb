"""Forms of guests and orders: their fields, the query strings of lists, guests, and steps."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator

from hotels.forms import OfHotelsForm
from orders import keys
from orders.entities import Guest
from orders.statuses import STEPS, UNFINISHED, Status, no_step
from portal.forms.entity_forms import TEXT_LENGTH, EntityForm
from portal.forms.fields import (
    LineField,
    LocalTimeField,
    MailField,
    NumberField,
    RevisionField,
    SearchField,
    not_reserved,
)
from portal.forms.numbers import WholeField
from portal.forms.parameters import ManyField
from portal.lists.days import DaysForm
from portal.lists.forms import ListForm, SortColumn, SortField
from portal.times import now

GRACE, WANTED_AHEAD = timedelta(hours=1), timedelta(days=366)
"""How long ago, and how far ahead, an order may be wanted. A form may be sent again after its answer was lost."""


class StatusField(forms.TypedChoiceField):
    """The status of an order; ``None`` if it is blank."""

    def __init__(self, statuses: Iterable[Status] = Status, **options: Any) -> None:
        choices = [(status.value, status.value) for status in statuses]
        super().__init__(choices=choices, coerce=Status, empty_value=None, **options)


class WantedField(LocalTimeField):
    """When an order is wanted, on the clocks of its hotel. Only the time that is ``stored`` may be past."""

    stored: datetime | None = None

    def __init__(self) -> None:
        super().__init__(label="Wanted at", help_text="On the hotel's clocks. Leave empty for as soon as possible.")

    def clean(self, value: Any) -> datetime | None:
        at = super().clean(value)
        if at and at != self.stored and not now() - GRACE <= at <= now() + WANTED_AHEAD:
            raise ValidationError("Choose a time from now on, within a year.")
        return at


class UsernameField(forms.CharField):
    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=keys.USERNAME_LENGTH, **options)

    def clean(self, value: Any) -> str:
        name = keys.username(str(super().clean(value) or ""))
        if name and not keys.is_username(name):
            raise ValidationError("A username has up to 64 letters, digits and . _ - + @, without blanks.")
        not_reserved("a username", "/guests/")(name)
        return name


class OrderIdField(forms.CharField):
    default_validators = [
        RegexValidator(keys.ORDER_ID, "An order's id has up to 64 ASCII letters, digits, _ and -."),
        not_reserved("an order's id", "/orders/"),
    ]


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


ORDER_SEEN = r"\A[A-Za-z0-9_-]{{1,64}}/[^/#\x00-\x20]{{1,64}}/{}\Z"
"""An order, its guest, and what was seen of it. None of them can have a slash."""


class BigOrdersForm(OfHotelsForm):
    sort = SortField([SortColumn("total", "Total", "smallest first", "largest first")], "-total")


class StatusAndDaysForm(DaysForm):
    status = StatusField(required=False, widget=forms.HiddenInput)


class OrdersForm(StatusAndDaysForm, OfHotelsForm):
    """Orders of some hotels by status and day; of one hotel, also those for one of its rooms."""

    room = NumberField(required=False, label="Room", widget=forms.TextInput({"size": 6}))


class UnfinishedForm(OrdersForm):
    sort = SortField([SortColumn("date", "Date", "oldest first", "newest first")], "date")
    status = StatusField(UNFINISHED, required=False, widget=forms.HiddenInput)


class WantedForm(UnfinishedForm):
    """A hotel's unfinished orders by the time for which they are wanted."""

    offered = ("yesterday", "today", "tomorrow")
    sort = SortField([SortColumn("date", "Wanted at", "next first", "last first")], "date")


class TickedForm(forms.Form):
    """Orders that are ticked, each as ``7K3M9QTX/alex/PLACED``, and their step; or steps to undo, by their numbers."""

    NEXT, CANCEL = "next", "cancel"
    order = ManyField(forms.RegexField(ORDER_SEEN.format(f"({'|'.join(UNFINISHED)})"), label="Order"))
    undo = ManyField(forms.RegexField(ORDER_SEEN.format("[0-9]{1,9}"), label="Order"))
    to = forms.ChoiceField(choices=[(NEXT, "moved on a step"), (CANCEL, "cancelled")], required=False)
    reason = LineField(required=False, max_length=TEXT_LENGTH)


class StepForm(forms.Form):
    """A step of an order's life, the status and the revision that the user saw, and whose order it is."""

    guest = UsernameField(required=False)
    revision = WholeField(required=False)
    seen = StatusField()
    step = StatusField()
    reason = LineField(required=False, max_length=TEXT_LENGTH)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if "seen" in data and "step" in data and data["step"] not in STEPS[data["seen"]]:
            self.add_error("step", no_step(data["seen"], data["step"]))
        return data
