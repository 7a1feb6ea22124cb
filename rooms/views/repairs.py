"""Rooms that are out of order, by the day until when: those of a hotel, and those of several hotels."""

from datetime import timedelta
from typing import Any, TypeVar

from dynamodb_lists.reading.listing import Listing
from dynamodb_lists.reading.pages import Page
from dynamodb_lists.schema import entities
from hotels.app_config import RoomPart
from hotels.views import HotelMixin, OfHotelsPage
from portal.times import today_in
from rooms import queries
from rooms.apps import VIEW_ROOMS
from rooms.entities import Room
from rooms.forms.room_queries import REPAIR_TABS, RepairsForm, RepairsOfHotelsForm
from rooms.views.rooms import RoomListPage

FormT = TypeVar("FormT", bound=RepairsForm)
OF_ROOM = RoomPart("rooms/_repairs_of_room.html", VIEW_ROOMS, queries.repairs_of_room)
DAY = timedelta(days=1)
OTHER = "rooms:attention_of_hotels", "Housekeeping"


class RepairListPage(RoomListPage[FormT]):
    list_template_name = "rooms/_repairs.html"
    noun = "repairs"
    columns = (*entities.columns(Room), "responsible")

    def context(self, form: FormT, page: Page[Room]) -> dict[str, Any]:
        return {**super().context(form, page), "tabs": REPAIR_TABS.items()}


class RepairsPage(HotelMixin, RepairListPage[RepairsForm]):
    """R10: the rooms of a hotel that are out of order; what is overdue comes first."""

    title = "Repairs of {page.hotel.name}"
    fresh = True
    form_class = RepairsForm
    csv_name = "repairs-{hotel_id}"

    def listing(self, form: RepairsForm) -> Listing[Room]:
        last = today_in(self.hotel.time_zone) - DAY if form.cleaned_data["status"] else None
        return queries.repairs(self.hotel.hotel_id, last)


class RepairsOfHotelsPage(RepairListPage[RepairsOfHotelsForm], OfHotelsPage[RepairsOfHotelsForm]):
    """R10 of several hotels, each with its own days."""

    title = "Repairs"
    form_class = RepairsOfHotelsForm
    columns = ("hotel_id", *RepairListPage.columns)

    def listing(self, form: RepairsOfHotelsForm) -> Listing[Room]:
        zone_at, overdue = self.zone_at(form), form.cleaned_data["status"]
        last = (lambda hotel_id: today_in(zone_at(hotel_id)) - DAY) if overdue else None
        return queries.repairs_of_hotels(self.hotel_ids(form), last)

    def context(self, form: RepairsOfHotelsForm, page: Page[Room]) -> dict[str, Any]:
        return {**super().context(form, page), "zone_at": self.zone_at(form), "other": OTHER}
