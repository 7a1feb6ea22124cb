"""Exact amounts of money, written in their currency."""

from decimal import Decimal
from functools import cache, lru_cache

from babel.numbers import format_currency, list_currencies

LOCALE = "en_GB"
PATTERN = "¤¤\N{NO-BREAK SPACE}#,##0"
NO_MONEY = frozenset(["XAG", "XAU", "XBA", "XBB", "XBC", "XBD", "XDR", "XPD", "XPT", "XSU", "XTS", "XUA", "XXX"])
_NOT_TWO = {
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
    3: "BHD IQD JOD KWD LYD OMR TND",
    4: "CLF UYW",
}
DECIMALS = {code: places for places, codes in _NOT_TWO.items() for code in codes.split()}
"""The currencies of ISO 4217 that do not have two decimals. CLDR has habits of display: no decimals for RSD and LBP."""


@lru_cache(maxsize=4096)
def money(amount: Decimal, currency: str) -> str:
    """Return an amount as text, with the code of its currency: "CHF 252.50", "VND 1,550,000". Zero has no sign."""
    amount = amount or abs(amount)  # the cache answers -0 as 0, because they are equal
    if currency not in currencies():
        return f"{currency}\N{NO-BREAK SPACE}{amount.normalize():f}"
    places = decimals(currency)
    pattern = f"{PATTERN}.{'0' * places}" if places else PATTERN
    return format_currency(amount, currency, pattern, locale=LOCALE, currency_digits=False)


def amount_text(amount: Decimal, currency: str) -> str:
    """Return an amount as a form shows it, with the decimals of its currency and all of its own: "24.50", "1550"."""
    own = -int(amount.normalize().as_tuple().exponent)
    return f"{amount or abs(amount):.{max(own, decimals(currency))}f}"


@cache
def currencies() -> frozenset[str]:
    """Return every ISO 4217 code in the Unicode CLDR data that is money: not gold, not a test, not "no currency"."""
    return frozenset(list_currencies()) - NO_MONEY


def decimals(currency: str) -> int:
    """Return the number of decimals of an amount in the currency, by ISO 4217: 2 for EUR, 0 for VND, 3 for KWD."""
    return DECIMALS.get(currency, 2)
