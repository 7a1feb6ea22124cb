"""Form fields that more than one domain needs."""

import unicodedata
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from hotelapp.dynamodb.keys import SLUG_LENGTH
from hotelapp.portal.money import currencies, decimals

FIRST_YEAR, LAST_YEAR = 1900, 2999
AHEAD = timedelta(days=1)  # that a clock, or a day without its time zone, may be ahead
MAX_REVISION = 10**9
DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


class HotelField(forms.SlugField):
    """A hotel's id."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=SLUG_LENGTH, allow_unicode=True, **options)


class LineField(forms.CharField):
    """A name or a title: one line that can be seen, and that turns nothing around it round."""

    def clean(self, value: Any) -> str:
        """The text, any blanks and line breaks in it as one blank each. Raises :class:`ValidationError`."""
        text = " ".join(str(super().clean(value)).split())
        if any(unicodedata.category(char) == "Cc" or char in DIRECTIONS for char in text):
            raise ValidationError("This holds a control character. Write it anew.")
        if text and all(unicodedata.category(char)[0] in "CZ" for char in text):
            raise ValidationError("Nothing of this can be seen.")
        return text


class CurrencyField(forms.CharField):
    """An ISO 4217 code, in capitals."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=3, **options)

    def clean(self, value: Any) -> str:
        """The code. Raises :class:`ValidationError` for one that nobody knows."""
        code = str(super().clean(value)).upper()
        if code not in currencies():
            raise ValidationError(f"“{code}” is no ISO 4217 currency.")
        return code


class DayField(forms.DateField):
    """A whole UTC day, ``2023-01-15``."""

    def __init__(self) -> None:
        day = forms.DateInput(attrs={"type": "date"})
        super().__init__(required=False, input_formats=["%Y-%m-%d"], widget=day)
        self.error_messages["invalid"] = "Write a day as year, month and day: 2023-01-15."

    def clean(self, value: Any) -> date | None:
        """The day, in a year that a calendar would show."""
        day: date | None = super().clean(value)
        if day and not FIRST_YEAR <= day.year <= LAST_YEAR:
            raise ValidationError(f"Choose a year from {FIRST_YEAR} to {LAST_YEAR}.")
        return day


class MomentField(forms.DateTimeField):
    """A moment that has been, ISO 8601; UTC unless it says otherwise, and to the second."""

    def __init__(self) -> None:
        super().__init__(input_formats=["%Y-%m-%d"])  # besides ISO 8601; Django's own list would guess at 01/02/2023

    def clean(self, value: Any) -> datetime:
        """The moment in UTC."""
        moment: datetime = super().clean(value)
        try:
            moment = moment.astimezone(UTC)
        except OverflowError:
            moment = moment.replace(tzinfo=UTC)
        if not FIRST_YEAR <= moment.year <= LAST_YEAR:
            raise ValidationError(f"The year must be from {FIRST_YEAR} to {LAST_YEAR}.")
        if moment > timezone.now() + AHEAD:
            raise ValidationError("This lies in the future.")
        return moment.replace(microsecond=0)


class RevisionField(forms.IntegerField):
    """The revision that somebody saw of what a form changes."""

    def __init__(self) -> None:
        super().__init__(min_value=0, max_value=MAX_REVISION, widget=forms.HiddenInput)


def precision_problem(amount: Decimal | None, currency: str | None) -> str:
    """What is wrong with an amount that has more decimals than its currency; blank if nothing is."""
    if amount is None or not currency or amount == round(amount, decimals(currency)):
        return ""
    return f"{amount} has too many decimals: {currency} has {decimals(currency)}."
