"""Pages of orders of several hotels: all by day, those that are unfinished, of one hotel, too, and big ones."""

from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar

from dynamodb_lists.reading.listing import Listing
from dynamodb_lists.reading.pages import Page
from dynamodb_lists.schema.keys import Days
from hotels.views import HotelMixin, OfHotelsMixin, OfHotelsPage
from orders import queries
from orders.entities import Order
from orders.forms.orders import (
    BigOfHotelsForm,
    HotelUnfinishedForm,
    OrdersOfHotelsForm,
    UnfinishedOfHotelsForm,
)
from orders.statuses import UNFINISHED
from orders.views.order_lists import ORDERS_PLACED, BigPage, DailyOrdersPage, OrderListPage, status_tabs
from orders.views.ticked import TickedMixin
from portal.lists.days import DaysForm

FormT = TypeVar("FormT", bound=DaysForm)


class DaysOfHotelsPage(OfHotelsMixin, OrderListPage[FormT]):
    """The base of lists of orders of several hotels. The days are those of each order's hotel."""

    def spans(self, form: DaysForm) -> dict[str, Days]:
        return {hotel_id: form.span(hotel.time_zone) for hotel_id, hotel in (self.chosen(form) or self.seen).items()}

    def of_hotels(self, form: DaysForm) -> dict[str, Any]:
        return {"hotels": self.hotels_filter(form), "each_hotel": not self.zone}


class OrdersOfHotelsPage(DaysOfHotelsPage[OrdersOfHotelsForm], DailyOrdersPage[OrdersOfHotelsForm]):
    title = "All orders"
    form_class = OrdersOfHotelsForm
    empty_template = "orders/_no_order_matches.html"
    csv_name = "orders"
    others: ClassVar[Mapping[str, str]] = {"orders:unfinished": "Unfinished", "orders:big_of_hotels": "Big"}

    def listing(self, form: OrdersOfHotelsForm) -> Listing[Order]:
        query, whole = form.query(self.zone), bool(form.exporting)
        return queries.orders_of_hotels(self.spans(form), query, self.hotel_ids(form), whole=whole)

    def context(self, form: OrdersOfHotelsForm, page: Page[Order]) -> dict[str, Any]:
        context = {**super().context(form, page), **self.of_hotels(form)}
        known = queries.all_known(self.spans(form), self.hotel_ids(form))
        return {**context, "each_hotel": context["each_hotel"] and known}


class UnfinishedPage(TickedMixin, OrderListPage[FormT]):
    empty_template = "orders/_no_unfinished_orders.html"

    def context(self, form: FormT, page: Page[Order]) -> dict[str, Any]:
        tabs = status_tabs(form.cleaned_data["status"], UNFINISHED, everything="All unfinished")
        return {**super().context(form, page), "tabs": tabs, "days_of": ORDERS_PLACED, "steps": self.ticked_steps}


class UnfinishedOfHotelsPage(DaysOfHotelsPage[UnfinishedOfHotelsForm], UnfinishedPage[UnfinishedOfHotelsForm]):
    title = "Unfinished orders"
    form_class = UnfinishedOfHotelsForm
    csv_name = "unfinished-orders"
    others: ClassVar[Mapping[str, str]] = {"orders:orders": "By day", "orders:big_of_hotels": "Big"}

    def listing(self, form: UnfinishedOfHotelsForm) -> Listing[Order]:
        status, descending = form.cleaned_data["status"], form.order.descending
        return queries.unfinished_orders(status, self.hotel_ids(form), self.spans(form), descending=descending)

    def context(self, form: UnfinishedOfHotelsForm, page: Page[Order]) -> dict[str, Any]:
        return {**super().context(form, page), **self.of_hotels(form)}


class HotelUnfinishedPage(HotelMixin, UnfinishedPage[HotelUnfinishedForm]):
    title = "Unfinished orders of {page.hotel.name}"
    form_class = HotelUnfinishedForm
    hidden = "hotel_id"
    csv_name = "unfinished-orders-{hotel_id}"
    others: ClassVar[Mapping[str, str]] = {"orders:hotel_orders": "By day", "orders:big": "Big"}

    def listing(self, form: HotelUnfinishedForm) -> Listing[Order]:
        status, descending = form.cleaned_data["status"], form.order.descending
        days, room = form.span(self.zone), form.cleaned_data["room"]
        if room:
            statuses = [status] if status else UNFINISHED
            return queries.room_orders(self.hotel.hotel_id, room, statuses, days, descending=descending)
        return queries.unfinished_orders(status, [self.hotel.hotel_id], days, descending=descending)


class BigOfHotelsPage(OfHotelsPage[BigOfHotelsForm], BigPage[BigOfHotelsForm]):
    """The big orders of several hotels, hotel by hotel."""

    title = "Big orders"
    form_class = BigOfHotelsForm
    others: ClassVar[Mapping[str, str]] = {"orders:orders": "By day", "orders:unfinished": "Unfinished"}
    csv_name = "big-orders"

    def listing(self, form: BigOfHotelsForm) -> Listing[Order]:
        return queries.big_of_hotels(self.hotel_ids(form), descending=form.order.descending)

    def context(self, form: BigOfHotelsForm, page: Page[Order]) -> dict[str, Any]:
        return {**BigPage.context(self, form, page), **super().context(form, page)}
