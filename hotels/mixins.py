"""What pages of one hotel share."""

from functools import cached_property

from django.views.generic import View

from hotels import queries
from hotels.entities import Hotel


class HotelMixin(View):
    """A page whose address names a hotel."""

    @cached_property
    def hotel(self) -> Hotel:
        """The hotel in the address. Raises :class:`~hotelapp.dynamodb.connection.errors.NotFound`."""
        return queries.hotel(self.kwargs["hotel_id"])
