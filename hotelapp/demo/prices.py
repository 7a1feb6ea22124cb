"""Prices of demo data, which end as prices do: 129.00, 149.90, ¥12,800."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_HALF_UP, Decimal
from random import Random


@dataclass(frozen=True, slots=True)
class Pricing:
    """How prices look in a currency: a multiple of ``step``, and one of ``offsets`` added to it.

    ``scale`` is about what a euro is worth. ``rounded`` is the unit of small prices.
    """

    step: int
    offsets: tuple[str, ...]
    scale: int = 1
    rounded: Decimal = Decimal("0.01")


USUAL = Pricing(10, ("-1.00", "-1.00", "-5.00", "-0.10"))
"""129.00, 125.00 or 129.90."""

PRICING: Mapping[str, Pricing] = {
    "CHF": Pricing(10, ("-1.00", "-5.00", "-0.50", "-0.10")),
    "JPY": Pricing(1000, ("0", "-200"), 160, Decimal(100)),
    "VND": Pricing(50_000, ("0",), 30_000, Decimal(5000)),
}
"""The currencies in which prices end otherwise than usual."""


def rate_near(euros: int, currency: str, random: Random) -> Decimal:
    """A room's rate of about this many euros, in the currency, with one of its usual endings."""
    pricing = PRICING.get(currency, USUAL)
    steps = (Decimal(euros) * pricing.scale / pricing.step).to_integral_value(ROUND_CEILING)
    return steps * pricing.step + Decimal(random.choice(pricing.offsets))


def price_of(euros: Decimal, currency: str) -> Decimal:
    """The price on a menu of ``euros``, in the currency and with its usual decimals."""
    pricing = PRICING.get(currency, USUAL)
    return (euros * pricing.scale / pricing.rounded).to_integral_value(ROUND_HALF_UP) * pricing.rounded
