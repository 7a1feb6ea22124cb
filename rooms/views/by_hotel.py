"""The rooms of several hotels that need attention, hotel by hotel."""

from typing import Any

from dynamodb_lists.reading.listing import Listing
from dynamodb_lists.reading.pages import Page
from dynamodb_lists.schema import entities
from hotels.views import ByHotelPage
from rooms import queries
from rooms.entities import Room
from rooms.forms.room_queries import GROUP_TABS, GroupAttentionForm, statuses_of
from rooms.views.rooms import INDEX_ORDERS, RoomListPage

OTHER = "rooms:group_repairs", "Repairs"


class GroupAttentionPage(RoomListPage[GroupAttentionForm], ByHotelPage[GroupAttentionForm]):
    title = "Housekeeping"
    form_class = GroupAttentionForm
    list_template_name = "rooms/_attention_by_hotel.html"
    columns = ("hotel_id", *entities.columns(Room), "responsible", "attention_since")
    csv_name = "attention"

    def listing(self, form: GroupAttentionForm) -> Listing[Room]:
        asked, descending = (self.hotel_ids(form), statuses_of(form.cleaned_data["status"])), form.order.descending
        if not form.days_set:
            return queries.attention_of_hotels(*asked, descending=descending)
        zone_at = self.zone_at(form)
        return queries.attention_of_hotels(*asked, lambda each: form.span(zone_at(each)), descending=descending)

    def context(self, form: GroupAttentionForm, page: Page[Room]) -> dict[str, Any]:
        shown = {"tabs": GROUP_TABS.items(), "index_orders": INDEX_ORDERS, "other": OTHER}
        return {**super().context(form, page), **shown, "narrowed": bool(form.filters_set)}
