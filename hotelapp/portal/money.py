"""Exact amounts of money, written in their currency."""

from decimal import Decimal
from functools import cache, lru_cache

from babel.numbers import format_currency, get_currency_precision, list_currencies

LOCALE = "en_GB"
PATTERN = "¤¤\N{NO-BREAK SPACE}#,##0.00"
NO_MONEY = frozenset(["XAG", "XAU", "XBA", "XBB", "XBC", "XBD", "XDR", "XPD", "XPT", "XSU", "XTS", "XUA", "XXX"])


@lru_cache(maxsize=4096)
def money(amount: Decimal, currency: str) -> str:
    """An amount as text, with the code of its currency: "CHF 252.50", "VND 1,550,000"."""
    if currency not in currencies():
        return f"{currency}\N{NO-BREAK SPACE}{amount}"
    return format_currency(amount, currency, PATTERN, locale=LOCALE)


@cache
def currencies() -> frozenset[str]:
    """Every ISO 4217 code in the Unicode CLDR data that is money: not gold, not a test, not "no currency"."""
    return frozenset(list_currencies()) - NO_MONEY


def decimals(currency: str) -> int:
    """The number of decimals of an amount in the currency: 2 for EUR, 0 for VND."""
    return get_currency_precision(currency)
