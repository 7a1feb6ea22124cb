"""Form fields of rooms: sizes, rates, and the words of a status."""

from decimal import Decimal
from typing import Any

from django import forms
from django.core.validators import RegexValidator

from hotelapp.dynamodb.schema.keys import SLUG_LENGTH
from rooms import keys
from rooms.statuses import STATUS_WORDS, Housekeeping, Service


def words_of(statuses: type[Service] | type[Housekeeping]) -> list[tuple[str, str]]:
    """The values of a status and their words: "Out of order"."""
    return [(status.value, STATUS_WORDS[status]) for status in statuses]


class SlugField(forms.CharField):
    """A view or a type as keys hold it: ``sea-view``."""

    def __init__(self) -> None:
        super().__init__(
            max_length=SLUG_LENGTH, validators=[RegexValidator(r"^[\w-]+\Z", "Not a value of this filter.")]
        )


class SizeField(forms.IntegerField):
    """A size in whole square metres, 1 to 9999."""

    def __init__(self, **options: Any) -> None:
        widget = forms.NumberInput(attrs={"inputmode": "numeric"})
        super().__init__(min_value=1, max_value=keys.MAX_SIZE, widget=widget, **options)


class RateField(forms.DecimalField):
    """A rate for a night, in major units of the hotel's currency."""

    def __init__(self, **options: Any) -> None:
        widget = forms.NumberInput(attrs={"inputmode": "decimal", "step": "any"})
        super().__init__(min_value=Decimal(0), max_digits=keys.RATE_DIGITS, widget=widget, **options)
        self.error_messages["invalid"] = "Enter a number, with a point before its decimals: 120.50."
