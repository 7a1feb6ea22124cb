"""What the pages of a hotel share."""

from typing import Any

from django.utils.functional import cached_property

from hotels import queries
from hotels.entities import Hotel


class HotelMixin:
    """A page whose address names a hotel."""

    kwargs: dict[str, Any]

    @cached_property
    def hotel(self) -> Hotel:
        """The hotel in the address. Raises :class:`~hotelapp.dynamodb.connection.errors.NotFound`."""
        return queries.hotel(self.kwargs["hotel_id"])
