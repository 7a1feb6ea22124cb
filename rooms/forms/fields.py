"""Form fields of rooms: sizes, rates, and the words of a status."""

from collections.abc import Iterable
from decimal import Decimal
from enum import StrEnum
from typing import Any

from django import forms
from django.core.validators import RegexValidator

from portal.forms.fields import PART_LENGTH
from portal.forms.numbers import AmountField, WholeField
from rooms import keys
from rooms.statuses import status_words


def words_of(statuses: Iterable[StrEnum]) -> list[tuple[str, str]]:
    """Return the values of a status and their words: "Out of order"."""
    return [(status.value, status_words(status)) for status in statuses]


class SlugField(forms.CharField):
    """A view or a type as keys hold it: ``sea-view``."""

    def __init__(self) -> None:
        is_slug = RegexValidator(r"^[\w-]+\Z", "This filter has no such value.")
        super().__init__(max_length=PART_LENGTH, validators=[is_slug])


class SizeField(WholeField):
    """A size in whole square metres, 1 to 9999."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=1, max_value=keys.MAX_SIZE, **options)


class RateField(AmountField):
    """A rate for a night, in major units of the hotel's currency."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=Decimal(0), max_digits=keys.RATE_DIGITS, in_currency=True, **options)
