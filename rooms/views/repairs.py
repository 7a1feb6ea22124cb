"""Rooms that are out of order, by the day until when: those of a hotel, and those of several hotels."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Any, TypeVar

from dynamodb_lists.reading.lists import Listing
from dynamodb_lists.reading.pages import Page
from dynamodb_lists.schema import entities
from hotels.apps import RoomPart
from hotels.views import ByHotelPage, HotelMixin
from portal.lists.views import ListPage
from portal.times import today_in
from rooms import queries
from rooms.apps import VIEW_ROOMS
from rooms.entities import Room
from rooms.forms.lists import REPAIR_TABS, GroupRepairsForm, RepairsForm
from rooms.views.rooms import INDEX_ORDERS

FormT = TypeVar("FormT", bound=RepairsForm)
OF_ROOM = RoomPart("rooms/_repairs_of_room.html", VIEW_ROOMS, queries.repairs_of_room)
YESTERDAY = timedelta(days=1)
OTHER = "rooms:group_attention", "Housekeeping"


class RepairListPage(ListPage[FormT]):
    permission = VIEW_ROOMS
    list_template_name = "rooms/_repairs.html"
    entity = Room
    noun = "repairs"
    columns = (*entities.columns(Room), "responsible")

    def context(self, form: FormT, page: Page[Room]) -> dict[str, Any]:
        context = super().context(form, page)
        return {**context, "hotel": self.hotel, "tabs": REPAIR_TABS.items(), "index_orders": INDEX_ORDERS}

    def exported(self, rows: Iterator[Room]) -> Iterator[Room]:
        return queries.exported_rooms(rows)

    def cells(self, entity: Room) -> Sequence[Any]:
        return *entities.cells(entity), entity.responsible


class RepairsPage(HotelMixin, RepairListPage[RepairsForm]):
    """R10: the rooms of a hotel that are out of order; what is overdue comes first."""

    title = "Repairs of {page.hotel.name}"
    fresh = True
    form_class = RepairsForm
    csv_name = "repairs-{hotel_id}"

    def listing(self, form: RepairsForm) -> Listing[Room]:
        overdue = form.cleaned_data["status"]
        return queries.repairs(self.hotel.hotel_id, today_in(self.hotel.time_zone) - YESTERDAY if overdue else None)


class GroupRepairsPage(RepairListPage[GroupRepairsForm], ByHotelPage[GroupRepairsForm]):
    """R10 of several hotels, each with its own days."""

    title = "Repairs"
    form_class = GroupRepairsForm
    columns = ("hotel_id", *RepairListPage.columns)

    def listing(self, form: GroupRepairsForm) -> Listing[Room]:
        zone_at = self.zone_at(form)

        def yesterday(hotel_id: str) -> date:
            return today_in(zone_at(hotel_id)) - YESTERDAY

        return queries.repairs_of_hotels(self.hotel_ids(form), yesterday if form.cleaned_data["status"] else None)

    def context(self, form: GroupRepairsForm, page: Page[Room]) -> dict[str, Any]:
        return {**super().context(form, page), "zone_at": self.zone_at(form), "other": OTHER}

    def cells(self, entity: Room) -> Sequence[Any]:
        return entity.hotel_id, *super().cells(entity)
