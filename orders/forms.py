"""Query strings, guests and orders from outside, parsed and checked."""

from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from ulid import ULID

from hotelapp.dynamodb.keys import is_part
from hotelapp.portal.fields import DayField, HotelField, LineField, RevisionField
from hotelapp.portal.forms import SortedForm
from orders import keys
from orders.values import STEPS, Guest, OrderQuery, Status

TEXT_LENGTH = 200
STATUSES = [(status.value, status.value) for status in Status]
USERNAME_HELP = "A username has up to 64 letters, digits and . _ - + @, without blanks."
RESERVED_USERNAMES = {"add"}  # an address of its own: /guests/add/
RESERVED_ORDER_IDS = {"open", "place"}


class PrefixField(forms.CharField):
    """The beginning of a username, as it stands in keys."""

    def clean(self, value: Any) -> str:
        """The text normalised, in lower case; what no username begins with finds none."""
        start = keys.username(str(super().clean(value) or ""))
        if start and not is_part(start):
            raise ValidationError("A username holds no # and no control characters.")
        if len(start) > keys.USERNAME_LENGTH:  # some characters become many when they are normalised
            raise ValidationError(USERNAME_HELP)
        return start


class UsernameField(forms.CharField):
    """A username as it stands in keys."""

    def __init__(self, *, required: bool = True, label: str = "Username") -> None:
        super().__init__(required=required, max_length=keys.USERNAME_LENGTH, label=label)

    def clean(self, value: Any) -> str:
        """The text normalised, in lower case. Words that are addresses are refused."""
        name = keys.username(str(super().clean(value) or ""))
        if name and not keys.is_username(name):
            raise ValidationError(USERNAME_HELP)
        if name in RESERVED_USERNAMES:
            raise ValidationError(f"“{name}” cannot be a username. Choose another one.")
        return name


class OrderIdField(forms.CharField):
    """An order's id."""

    def clean(self, value: Any) -> str:
        """The id as it is: imported ones are kept."""
        order_id = str(super().clean(value))
        if not order_id:
            return ""
        if not keys.is_order_id(order_id):
            raise ValidationError("An order's id has up to 64 ASCII letters, digits, _ and -.")
        if order_id in RESERVED_ORDER_IDS:
            raise ValidationError(f"“{order_id}” cannot be an order's id. Choose another one.")
        return order_id


class GuestsForm(SortedForm):
    """The guest search's query string."""

    column = "username"
    ways = ("A to Z", "Z to A")
    descends = False
    q = PrefixField(required=False, max_length=keys.USERNAME_LENGTH)


class DatedForm(SortedForm):
    """A list of orders by time."""

    column = "date"


class BigOrdersForm(SortedForm):
    """A hotel's big orders."""

    column = "total"
    ways = ("smallest first", "largest first")


class GuestOrdersForm(DatedForm):
    """A guest's orders: a status, and whole UTC days. ``from`` and ``to`` are included, ``before`` is not."""

    status = forms.ChoiceField(required=False, choices=STATUSES)
    to = DayField()
    before = DayField()

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["from"] = DayField()  # a word of Python's, so it cannot be an attribute

    def clean(self) -> dict[str, Any]:
        """Refuse days that leave none between them, naming the field to change."""
        data = super().clean() or self.cleaned_data
        first, to, before = (data.get(name) for name in ("from", "to", "before"))
        if first and to and first > to:
            self.add_error("from", f"The first day ({first}) is after the last one ({to}).")
        if first and before and first >= before:
            self.add_error("before", f"Nothing lies between {first} and the days before {before}.")
        return data

    def query(self) -> OrderQuery:
        """What the reader asks for. Call it after :meth:`checked`."""
        data = self.cleaned_data
        ends = [day for day in (data["to"] and data["to"] + date.resolution, data["before"]) if day]
        status = Status(data["status"]) if data["status"] else None
        return OrderQuery(status, data["from"], min(ends, default=None), self.descending)


class GuestForm(forms.Form):
    """What is known of a guest."""

    name = LineField(max_length=TEXT_LENGTH)
    email = forms.EmailField(required=False, max_length=TEXT_LENGTH)
    phone = LineField(required=False, max_length=40)

    def guest(self, username: str, revision: int = 0) -> Guest:
        """The guest, once the form is valid."""
        data = self.cleaned_data
        return Guest(username, data["name"], data["email"], data["phone"], revision=revision)


class NewGuestForm(GuestForm):
    """A guest to add."""

    username = UsernameField()
    field_order = ("username", "name", "email", "phone")


class EditGuestForm(GuestForm):
    """A guest to change, and the revision that its editor saw."""

    revision = RevisionField()


class StepForm(forms.Form):
    """A step of an order's life, and the status that the user saw."""

    seen = forms.ChoiceField(choices=STATUSES)
    step = forms.ChoiceField(choices=STATUSES)

    def clean(self) -> dict[str, Any]:
        """Refuse steps that no order can take."""
        data = super().clean() or self.cleaned_data
        if "seen" in data and "step" in data and Status(data["step"]) not in STEPS[Status(data["seen"])]:
            self.add_error("step", f"An order that is {data['seen']} cannot become {data['step']}.")
        return data


class AfterForm(forms.Form):
    """The status that an order has got just now, so that its page waits for the index to show it."""

    after = forms.ChoiceField(required=False, choices=STATUSES)


class PlaceForForm(forms.Form):
    """Whom an order is for, which hotel, and its id: what the address of the form to place one may name."""

    username = UsernameField(required=False)
    hotel_id = HotelField(required=False)
    order_id = OrderIdField(required=False)


def new_order_id() -> str:
    """An id for an order that is to be placed; it keeps a form that is sent twice from placing two."""
    return str(ULID())
