"""Form fields of guests and orders: usernames, order ids, statuses."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator

from orders import keys
from orders.statuses import Status
from portal.forms.fields import not_reserved


class StatusField(forms.TypedChoiceField):
    """The status of an order; ``None`` if it is blank."""

    def __init__(self, statuses: Iterable[Status] = Status, **options: Any) -> None:
        choices = [(status.value, status.value) for status in statuses]
        super().__init__(choices=choices, coerce=Status, empty_value=None, **options)


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
