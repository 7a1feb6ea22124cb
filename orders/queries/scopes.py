"""The orders of some hotels only, in lists that hold those of every hotel."""

from collections.abc import Collection

from pynamodb.expressions.condition import Condition

from orders.models import OrderModel

HotelIds = Collection[str] | None
"""The hotels whose orders a list shows; ``None`` for every hotel."""


def of_hotels(hotel_ids: HotelIds) -> Condition | None:
    """The FilterExpression that keeps the orders of these hotels; ``None`` for every hotel.

    It keeps nothing if there are none. DynamoDB reads and charges the orders that it drops. It takes at most a hundred
    hotels.
    """
    return None if hotel_ids is None else OrderModel.attribute("hotel_id").is_in(*(sorted(hotel_ids) or [""]))


def scope_text(hotel_ids: HotelIds) -> str:
    """The hotels as a part of a list's ``selected`` text, so that a cursor is valid for the same hotels only."""
    return "" if hotel_ids is None else f" of {sorted(hotel_ids)}"
