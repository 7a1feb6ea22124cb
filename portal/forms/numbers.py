"""Numbers as people write them: with a point or a comma before the decimals, and with groups of three digits.

Every number in forms, query strings and files is read here. What is certain is understood: ``59,90``, ``1.200,00``,
``1 200``, ``4.0`` for 4, digits of any script. A text in the shape of a thousands separator, such as ``1.250``, is
refused with both readings. A point may stand there if the currency has three decimals.
"""

import re
import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from portal.money import decimals

ENTER_A_NUMBER = "Enter a number, such as 1250 or 120.50."
LONGEST, GROUP = 100, 3
_SIGNS = {"\N{MINUS SIGN}": "-", "\N{ARABIC DECIMAL SEPARATOR}": ".", "\N{ARABIC THOUSANDS SEPARATOR}": "'"}
_BLANKS = re.compile(r"(?<=\d)[ '\N{RIGHT SINGLE QUOTATION MARK}](?=\d{3}(?!\d))")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)")
_SHAPE = re.compile(r"[+-]?[1-9]\d{0,2}((\.\d{3})+|(,\d{3})+)")
_GROUPS = re.compile(r"([+-]?\d{1,3})((?:,\d{3})+\.\d*|(?:\.\d{3})+,\d*)")


class AmountField(forms.DecimalField):
    """A decimal number. Zero has no sign.

    With ``in_currency``, the form compares the number with its currency: see :func:`amount_problem`.
    """

    def __init__(self, *, in_currency: bool = False, **options: Any) -> None:
        super().__init__(**{"widget": forms.TextInput(attrs={"inputmode": "decimal"}), **options})
        self.error_messages["invalid"] = ENTER_A_NUMBER
        self._in_currency = in_currency

    def to_python(self, value: Any) -> Decimal | None:  # type: ignore[override]
        if value in self.empty_values:
            return None
        text = plain(str(value), in_currency=self._in_currency)
        if not self._in_currency and (problem := two_readings(text)):
            raise ValidationError(problem)
        number: Decimal | None = super().to_python(text)
        return number if number is None else number or abs(number)  # 0 has no sign


class WholeField(forms.IntegerField):
    def __init__(self, **options: Any) -> None:
        super().__init__(**{"widget": forms.TextInput(attrs={"inputmode": "numeric"}), **options})

    def to_python(self, value: Any) -> int | None:
        """Return the number; 40,0 is 40. Raises :class:`ValidationError`."""
        if value in self.empty_values:
            return None
        text = plain(str(value))
        if problem := two_readings(text):
            raise ValidationError(problem)
        number: int | None = super().to_python(text)
        return number


_WHOLE = WholeField()


class WholeChoiceField(forms.TypedChoiceField):
    """One of a few whole numbers. ``others`` are choices before them, such as a blank one."""

    def __init__(self, numbers: Iterable[int], others: Iterable[tuple[Any, str]] = (), **options: Any) -> None:
        choices = [*others, *((number, str(number)) for number in numbers)]
        super().__init__(choices=choices, coerce=int, **options)

    def to_python(self, value: Any) -> str:
        """Return the number as its choice has it. A text that is no number is no choice."""
        with suppress(ValidationError):
            value = _WHOLE.to_python(value)
        return str(super().to_python(value))


def plain(text: str, *, in_currency: bool = False) -> str:
    """Return a number as Python writes it; ``?`` for a text that is no number. ``1.250`` stays as it is.

    Raises: :class:`ValidationError` with both readings, for a text with two readings in every currency.
    """
    text = _BLANKS.sub("", "".join(map(_plain_sign, text.strip()))) if len(text) <= LONGEST else "?"
    if _SHAPE.fullmatch(text) and text.count(".") != 1:
        raise ValidationError(two_readings(text, in_currency=in_currency))
    if _GROUPS.fullmatch(text):
        text = text.replace("," if text.rindex(".") > text.rindex(",") else ".", "")
    text = text.replace(",", ".")
    return text if _NUMBER.fullmatch(text) else "?"


def _plain_sign(char: str) -> str:
    """Return a digit of any script as an ASCII digit, and any blank as a usual one. ``²`` stays what it is."""
    if char.isdecimal():
        return str(unicodedata.decimal(char))
    return _SIGNS.get(char) or (char if char.isdigit() else unicodedata.normalize("NFKC", char))


def number_text(number: Decimal) -> str:
    """Return a number, such as one of JSON, as a text with only one reading: 1.250 is ``1.2500``."""
    text = f"{number:f}" if abs(number.adjusted()) < LONGEST else str(number)
    return f"{text}0" if _SHAPE.fullmatch(text) else text


def two_readings(text: str, *, in_currency: bool = False) -> str:
    """Return an error message for a number in the shape of a thousands separator; blank for any other text.

    An amount ``in_currency`` may have fewer decimals than the second reading.
    """
    if not _SHAPE.fullmatch(text):
        return ""
    whole, decimal = _readings(text)
    other = f"{decimal:f} with the decimals of its currency" if in_currency else number_text(decimal)
    return f"“{text}” could be {whole:,} or {decimal:,f}. Write {whole} or {other}."


def amount_problem(amount: Decimal | None, currency: str | None) -> str:
    """Return the error for an amount with two readings, or with too many decimals for its currency; or a blank."""
    if amount is None or not currency:
        return ""
    text, places = f"{amount:f}", decimals(currency)
    if amount == round(amount, places):
        return two_readings(text) if places != GROUP else ""
    problem = f"{amount.normalize():f} has too many decimals: {currency} has {places or 'none'}."
    if not _SHAPE.fullmatch(text):
        return f"{problem} Round it to {round(amount, places):f}."
    whole, decimal = _readings(text)
    return f"{problem} It could be {whole:,} or {decimal:,f}. Write {whole}, or round it."


def _readings(text: str) -> tuple[Decimal, Decimal]:
    """Return a text in the shape of a thousands separator without separators, and with the last one before decimals."""
    whole, decimals_ = re.sub("[.,]", "", text[:-GROUP]), text[-GROUP:]
    return Decimal(whole + decimals_), Decimal(f"{whole}.{decimals_}").normalize()
