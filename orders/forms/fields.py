"""Form fields of guests and orders: usernames, order ids, statuses."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator

from orders import keys
from orders.statuses import Status
from portal.forms.fields import LocalTimeField, not_reserved
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
