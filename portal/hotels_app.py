"""What the portal asks of the app that has the hotels, so that it needs to know no hotel."""

from collections.abc import Collection, Mapping
from functools import cache
from typing import Protocol

from dynamodb_lists.django.declaring import declaring


class HotelQueries(Protocol):
    """The reads of hotels that the portal needs. ``hotel_ids`` is ``None`` for every hotel of the group."""

    def zone_of(self, hotel_id: str, hotel_ids: Collection[str] | None = None, /) -> str:
        """The time zone of a hotel; with a blank id, that of all these hotels, if they share one; else blank."""

    def hotel_name(self, hotel_id: str, *, read: bool) -> str:
        """The name of a hotel; without ``read`` or a hotel, perhaps its id."""

    def hotel_names(self, hotel_ids: Collection[str] | None, most: int, /) -> dict[str, str]:
        """The names of the first of these hotels by id; without those that do not exist."""


class HasHotels:
    """The ``AppConfig`` that has the hotels.

    ``changed_url`` names the page that says whether a hotel has changed. ``bar_template`` is the bar above the pages of
    a hotel.
    """

    changed_url: str
    bar_template: str

    @property
    def hotels(self) -> HotelQueries:
        raise NotImplementedError

    def duties_of(self, person: str, names: Mapping[str, str]) -> str:
        """What somebody has to do today at these hotels, whose names it takes, in words; blank if nothing."""
        raise NotImplementedError


@cache
def hotels_app() -> HasHotels:
    """The app that has the hotels."""
    (app,) = declaring(HasHotels)
    return app


def hotels() -> HotelQueries:
    """The reads of hotels."""
    return hotels_app().hotels
