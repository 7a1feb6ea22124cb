"""Pages of lists of orders: those of a guest, and those of a hotel or of several.

A list of one hotel and that of several are one page. Where its address names no hotel, its form may choose some.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, ClassVar, TypeVar

from django.urls import reverse

from dynamodb_lists.reading.listing import Listing
from dynamodb_lists.reading.pages import Page
from dynamodb_lists.schema import entities
from dynamodb_lists.schema.keys import Days
from hotels import queries as hotels
from hotels.entities import Hotel
from hotels.views import OfHotelsMixin
from orders import keys, queries
from orders.apps import VIEW_ORDERS
from orders.entities import Guest, ListedOrder, Order, OrderSum
from orders.forms.orders import BigOfHotelsForm, BigOrdersForm, HotelOrdersForm, OrdersOfHotelsForm, StatusAndDaysForm
from orders.statuses import Status
from portal.lists.days import DaysForm
from portal.lists.forms import ListForm
from portal.lists.views import ListPage

FormT = TypeVar("FormT", bound=ListForm)
ORDERS_PLACED = "Orders placed"
LISTS = {"orders:orders": "By day", "orders:unfinished": "Unfinished", "orders:big_of_hotels": "Big"}
HOTEL_LISTS = {"orders:hotel_orders": "By day", "orders:hotel_unfinished": "Unfinished", "orders:big": "Big"}
"""The lists of orders of several hotels, and of one: the names of their URLs, and their words beside the tabs."""
NAMES = {"hotel_id": ["hotel_name"]}
EXPORTED = list(chain.from_iterable([column, *NAMES.get(column, [])] for column in entities.columns(Order)))
"""The columns of exports of orders: those of an order, and the hotel's name after its id."""


@dataclass(frozen=True)
class Tab:
    """A tab. ``value`` is the status in the query string, blank for all; ``count`` is ``None`` if nothing counts."""

    value: str
    label: str
    count: int | None
    selected: bool


def status_tabs(
    selected: Status | None,
    statuses: Iterable[Status],
    counts: Mapping[Status, int] | None = None,
    everything: str = "All",
) -> list[Tab]:
    total = None if counts is None else sum(counts.values())
    tabs = [Tab("", everything, total, selected is None)]
    for status in statuses:
        tabs.append(Tab(status, status.words, None if counts is None else counts.get(status, 0), status == selected))
    return tabs


class OrderListPage(OfHotelsMixin, ListPage[FormT]):
    """The base of lists of orders. ``hidden`` names the column that would have the same value in each row."""

    fresh = True
    permission = VIEW_ORDERS
    list_template_name = "orders/_orders.html"
    entity = Order
    noun = "orders"
    columns = EXPORTED
    hidden = ""
    empty_template: ClassVar[str]

    @cached_property
    def seen(self) -> dict[str, Hotel]:
        """The hotels whose orders the list may have, by id. For the list of one hotel, none are read."""
        return {} if self.hotel_id else hotels.seen_hotels(self.scope.hotel_ids)

    @property
    def of(self) -> str:
        """What the title ends with."""
        return f" of {self.hotel.name}" if self.hotel else ""

    @property
    def others(self) -> Mapping[str, str]:
        """The other lists beside the tabs: the names of their URLs, and their words."""
        return HOTEL_LISTS if self.hotel_id else LISTS

    def spans(self, form: DaysForm) -> dict[str, Days]:
        """The days of the form at each hotel, which are those of the hotel."""
        return {hotel_id: form.span(hotel.time_zone) for hotel_id, hotel in (self.chosen(form) or self.seen).items()}

    def context(self, form: FormT, page: Page[Order]) -> dict[str, Any]:
        # The sum of a page that has all rows of the list costs nothing.
        whole = page.rows and not (page.previous or page.next or page.stopped)
        several, here = "hotel" in form.fields, getattr(self.request.resolver_match, "view_name", "")
        return {
            **{"query": None, "tabs": (), "days_of": "", "steps": ()},
            "hotels": self.hotels_filter(form) if several else None,
            "each_hotel": several and not self.zone,
            "sum": OrderSum.of(page.rows) if whole else None,
            "rows": queries.listed_orders(page.rows, self.seen),
            "hidden": "hotel_id" if self.hotel_id else self.hidden,
            "others": [
                (reverse(name, kwargs=self.kwargs), words) for name, words in self.others.items() if name != here
            ],
            "empty_template": "hotels/_no_hotels.html" if self.scope.empty else self.empty_template,
        }

    def exported(self, form: FormT, rows: Iterator[Order]) -> Iterable[ListedOrder]:
        return queries.streamed_orders(rows)

    def cells(self, entity: ListedOrder) -> Sequence[Any]:
        values = dict(zip(entities.columns(Order), entities.cells(entity.order), strict=True))
        values |= {"guest_name": entity.guest_name, "hotel_name": entity.hotel_name}
        return [values[column] for column in self.columns]


class DailyOrdersPage(OrderListPage[StatusAndDaysForm]):
    """The base of lists of orders by status and day. ``counts`` are the orders in each status, if they are known."""

    counts: Mapping[Status, int] | None = None

    def context(self, form: StatusAndDaysForm, page: Page[Order]) -> dict[str, Any]:
        query, dated = form.query(self.zone), bool(form.days_set)
        tabs = status_tabs(query.status, Status, None if dated else self.counts)
        narrowed = bool(form.filters_set or query.status)
        what = f"Orders that became “{query.status.words}”" if query.status else ORDERS_PLACED
        shown = {"query": query, "tabs": tabs, "narrowed": narrowed, "days_of": what}
        return {**super().context(form, page), **shown}


class GuestOrdersPage(DailyOrdersPage):
    form_class = StatusAndDaysForm
    title = "Orders of {page.guest.name}"
    template_name = "orders/guest_orders.html"
    hidden = "username"
    empty_template = "orders/_no_orders_of_guest.html"
    others: ClassVar[Mapping[str, str]] = {}

    @cached_property
    def guest(self) -> Guest:
        return queries.guest(keys.username(self.kwargs["username"]))

    @property
    def counts(self) -> Mapping[Status, int] | None:  # type: ignore[override]
        """Guests count their orders at all hotels. Staff who are bound to some hotels see no numbers."""
        return None if self.scope.bound else self.guest.orders

    def listing(self, form: StatusAndDaysForm) -> Listing[Order]:
        spans = {id_: form.span(hotel.time_zone) for id_, hotel in self.seen.items()} if form.days_set else {}
        return queries.guest_orders(self.guest, form.query(), self.scope.hotel_ids, spans)

    def context(self, form: StatusAndDaysForm, page: Page[Order]) -> dict[str, Any]:
        shown = {"guest": self.guest, "bound": self.scope.bound, "each_hotel": True}
        return {**super().context(form, page), **shown}


class OrdersPage(DailyOrdersPage):
    """Orders by status and day or, by the time of placing whatever their status, those for a room of a hotel."""

    title = "All orders"
    form_class: type[StatusAndDaysForm] = OrdersOfHotelsForm
    empty_template = "orders/_no_order_matches.html"

    def listing(self, form: StatusAndDaysForm) -> Listing[Order]:
        query, whole = form.query(self.zone), bool(form.exporting)
        if room := form.cleaned_data.get("room"):
            statuses, days = [query.status] if query.status else Status, form.span(self.zone)
            return queries.room_orders(self.hotel.hotel_id, room, statuses, days, descending=query.descending)
        if self.hotel:
            return queries.hotel_orders(self.hotel.hotel_id, query)
        return queries.orders_of_hotels(self.spans(form), query, self.hotel_ids(form), whole=whole)

    def context(self, form: StatusAndDaysForm, page: Page[Order]) -> dict[str, Any]:
        context = super().context(form, page)
        known = context["each_hotel"] and queries.all_known(self.spans(form), self.hotel_ids(form))
        of_room = {"query": None, "days_of": ORDERS_PLACED} if form.cleaned_data.get("room") else {}
        return {**context, "each_hotel": known, **of_room}


class HotelOrdersPage(OrdersPage):
    title = "Orders{page.of}"
    form_class = HotelOrdersForm
    empty_template = "orders/_no_orders_of_hotel.html"


class BigOrdersPage(OrderListPage[BigOrdersForm]):
    title = "Big orders{page.of}"
    template_name = "orders/big_orders.html"
    empty_template = "orders/_no_big_orders.html"
    csv_name = "big-orders"
    form_class: type[BigOrdersForm] = BigOfHotelsForm

    def listing(self, form: BigOrdersForm) -> Listing[Order]:
        """The big orders of a hotel, or of several, hotel by hotel."""
        if self.hotel:
            return queries.big_orders(self.hotel.hotel_id, descending=form.order.descending)
        return queries.big_of_hotels(self.hotel_ids(form), descending=form.order.descending)

    def context(self, form: BigOrdersForm, page: Page[Order]) -> dict[str, Any]:
        tabs = [Tab("", "Big", None, selected=True)]
        return {**super().context(form, page), "least": keys.BIG_TOTAL, "tabs": tabs}


class HotelBigOrdersPage(BigOrdersPage):
    form_class = BigOrdersForm
