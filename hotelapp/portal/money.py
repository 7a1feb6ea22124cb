"""Amounts in their currency, exact."""

from decimal import Decimal
from functools import cache, lru_cache

from babel.numbers import format_currency, get_currency_precision, list_currencies

LOCALE = "en_GB"


@lru_cache(maxsize=4096)
def money(amount: Decimal, currency: str) -> str:
    """``1550000`` VND as "₫1,550,000"; a currency that nobody knows is written behind the number."""
    if currency not in currencies():
        return f"{amount} {currency}"
    return format_currency(amount, currency, locale=LOCALE)


@cache
def currencies() -> frozenset[str]:
    """Every ISO 4217 code that the Unicode data knows."""
    return frozenset(list_currencies())


def decimals(currency: str) -> int:
    """How many decimals an amount in the currency has: 2 for EUR, 0 for VND."""
    return get_currency_precision(currency)
