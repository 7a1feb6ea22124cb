"""Numbers as people write them: a certain one is understood, a doubtful one is refused with both readings."""

from collections.abc import Iterator
from contextlib import suppress
from decimal import Decimal
from typing import Any

import pytest
from django import forms
from django.core.exceptions import ValidationError
from django.urls import get_resolver
from hypothesis import given
from hypothesis import strategies as st

from portal.forms.fields import RevisionField
from portal.forms.numbers import AmountField, WholeChoiceField, WholeField, amount_problem
from portal.lists import PAGE_SIZES
from portal.money import DECIMALS, amount_text, currencies, decimals, money

UNDERSTOOD = {
    "59,90": "59.90",
    "59.9": "59.9",
    "1.200,00": "1200.00",
    "1,200.00": "1200.00",
    "1 200,50": "1200.50",
    "1\N{NARROW NO-BREAK SPACE}234\N{NARROW NO-BREAK SPACE}567": "1234567",
    "1\N{RIGHT SINGLE QUOTATION MARK}250": "1250",
    "\N{FULLWIDTH DIGIT ONE}\N{FULLWIDTH DIGIT TWO}": "12",
    "\N{MINUS SIGN}12,5": "-12.5",
    "١٬٢٥٠٫٥٠": "1250.50",
    "0,125": "0.125",
    "-0,00": "0.00",
}
READINGS = {
    "1.250": ("1250", "1.25"),
    "1,250": ("1250", "1.25"),
    "١.٢٥٠": ("1250", "1.25"),
    "-7,125": ("-7125", "-7.1250"),
    "1.000.000": ("1000000", "1000"),
}
READ_HERE = (WholeField, AmountField, WholeChoiceField)


def number_fields() -> dict[str, forms.Field]:
    """Every field of every form that takes a number: on pages, in query strings, in rows of files. Not revisions."""
    assert get_resolver().url_patterns, "all forms are imported"
    return {
        f"{form.__module__}.{form.__qualname__}.{name}": inner
        for form in {*below(forms.BaseForm)}
        if form.__module__.partition(".")[0] not in {"django", "unfold", "dynamodb_lists"}
        for name, field in form.base_fields.items()
        if isinstance(inner := getattr(field, "field", field), READ_HERE) and not isinstance(inner, RevisionField)
    }


def below(form: type) -> Iterator[Any]:
    each: type
    for each in form.__subclasses__():
        yield each
        yield from below(each)


def spellings(number: int) -> list[str]:
    """Return a number as people, spreadsheets and keyboards write it."""
    scripts = (str(number).translate({ord("0") + n: zero + n for n in range(10)}) for zero in (0x660, 0x966, 0xFF10))
    return [*scripts, f"{number}.0", f"{number},00", f" {number} ", f"{number}.", f"+{number}", f"0{number}"]


def no_numbers(number: int) -> list[str]:
    odd = [f"{number}²", f"{number}_0", f"{number}e0", f"{number}..0", f"0x{number}", "NaN", "½", f"{number} 0"]
    return [*odd, "1,2.3", "1.2.3", "12.34.567", "-", "1,,2", "€ 5"]


def test_every_number_field_reads_numbers_in_one_way() -> None:
    found = number_fields()
    assert len(found) > 60  # noqa: PLR2004
    assert {name.rpartition(".")[2] for name in found} >= {"rating", "size", "rate", "page_size", "quantity", "rate_by"}
    for name, field in found.items():
        number = 4 if name.rpartition(".")[2] not in {"page_size", "rooms"} else PAGE_SIZES[0]  # of which 4 is none
        whole = [f"{number}.5", "1.250"] if not isinstance(field, AmountField) else []
        assert {field.clean(text) for text in spellings(number)} == {field.clean(str(number))} == {number}, name
        for text in [*no_numbers(number), *whole]:
            with pytest.raises(ValidationError):
                pytest.fail(f"{name} takes {text}: {field.clean(text)}")


@pytest.mark.parametrize(("text", "number"), UNDERSTOOD.items())
def test_what_is_certain_is_understood(text: str, number: str) -> None:
    assert str(AmountField(in_currency=True).clean(text)) == number


@pytest.mark.parametrize(("text", "readings"), READINGS.items())
def test_the_shape_of_a_thousands_separator_is_refused_with_both_readings(text: str, readings: tuple[str, str]) -> None:
    for field in (AmountField(), WholeField()):
        with pytest.raises(ValidationError, match=rf"Write {readings[0]} or {readings[1]}\."):
            field.clean(text)
    for written in readings:
        assert AmountField().clean(written) == Decimal(written)


@pytest.mark.parametrize(
    ("text", "currency", "words"),
    [
        ("1.250", "EUR", "could be 1,250 or 1.25. Write 1250 or 1.25."),
        (
            "1.255",
            "EUR",
            "1.255 has too many decimals: EUR has 2. It could be 1,255 or 1.255. Write 1255, or round it.",
        ),
        ("500.000", "VND", "could be 500,000 or 500. Write 500000 or 500."),
        ("12.345", "KWD", ""),
        ("12.3456", "KWD", "12.3456 has too many decimals: KWD has 3. Round it to 12.346."),
    ],
)
def test_an_amount_is_one_of_its_currency(text: str, currency: str, words: str) -> None:
    problem = amount_problem(AmountField(in_currency=True).clean(text), currency)

    assert problem.removeprefix(f"“{text}” ") == words


def test_decimals_are_those_of_iso_4217() -> None:
    assert DECIMALS.keys() <= currencies()
    assert [decimals(code) for code in ("RSD", "ALL", "LBP", "MGA", "HUF", "IQD", "ISK", "UYW")] == [*[2] * 5, 3, 0, 4]
    assert money(Decimal("4500.5"), "RSD") == "RSD\N{NO-BREAK SPACE}4,500.50"
    assert money(Decimal(1000), "IQD") == "IQD\N{NO-BREAK SPACE}1,000.000"


def test_zero_has_no_sign_whatever_was_shown_before() -> None:
    money.cache_clear()
    shown = [money(Decimal(text), code) for text in ("-0.00", "0") for code in ("GBP", "ZZZ")]

    assert shown == ["GBP\N{NO-BREAK SPACE}0.00", "ZZZ\N{NO-BREAK SPACE}0"] * 2


def test_a_form_shows_the_decimals_of_the_currency_and_loses_none() -> None:
    amounts = {("24.5", "EUR"): "24.50", ("1550", "VND"): "1550", ("1.25", "KWD"): "1.250", ("0.125", "EUR"): "0.125"}
    assert {key: amount_text(Decimal(key[0]), key[1]) for key in amounts} == amounts
    assert (amount_text(Decimal("1E+3"), "EUR"), amount_text(Decimal("-0"), "EUR")) == ("1000.00", "0.00")


@given(st.decimals(-(10**12), 10**12, places=4), st.sampled_from([".", ","]))
def test_a_number_is_read_as_it_was_meant_or_refused(number: Decimal, mark: str) -> None:
    """Written plainly, and in groups of three."""
    other = {".": ",", ",": "."}[mark]
    for text in (f"{number:f}", f"{number:,f}", f"{number.normalize():f}", f"{number.normalize():,f}"):
        written = text.translate({ord("."): mark, ord(","): other})
        with suppress(ValidationError):
            read = AmountField().clean(written)
            assert (read, read.is_signed()) == (number, number < 0)
