"""Pages of lists of orders: of a guest, of a hotel, and of several hotels.

The list of one hotel and the list of several hotels are one page. If the address names no hotel, the form may choose
some. Unfinished orders that are ticked move on or are cancelled, each in its own write.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property, partial
from operator import attrgetter
from typing import Any, ClassVar, cast
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from dynamodb_lists import Listing, Page, errors
from dynamodb_lists.schema import entities
from hotels import queries as hotels
from hotels.entities import Hotel
from hotels.views import OfHotelsPage
from orders import commands, keys, queries
from orders.apps import VIEW_ORDERS
from orders.entities import Guest, Order, OrderSum
from orders.forms import BigOrdersForm, OrdersForm, StatusAndDaysForm, TickedForm, UnfinishedForm, WantedForm
from orders.lists import with_items
from orders.statuses import STEPS, UNFINISHED, Status, status_badge
from orders.views.orders import PLACE_ORDERS, may_take, step_permission
from portal.forms.parameters import checked
from portal.history.subjects import thing_at
from portal.history.undoing import newest_change, undo
from portal.history.views import change_each
from portal.lists import PAGE_SIZES
from portal.lists.forms import PRINT
from portal.lists.views import Column, FormT, columns_of

LISTS = {"orders:orders": "By day placed", "orders:unfinished": "Unfinished", "orders:big_of_hotels": "Big"}
HOTEL_LISTS = {
    **{"orders:hotel_orders": "By day placed", "orders:hotel_unfinished": "Unfinished"},
    **{"orders:wanted": "By time wanted", "orders:big": "Big"},
}
"""The lists of orders of several hotels, and of one: the names of their URLs, and their words beside the tabs."""
HOTEL_NAME = "hotel_name"
EXPORTED = [*entities.columns(Order)]
EXPORTED.insert(1 + EXPORTED.index("hotel_id"), HOTEL_NAME)
"""The columns of exports of orders: those of an order, and the hotel's name after its id."""


LATE = mark_safe(' <span class="late">late</span>')
WANTED_AT = Column("wanted_at", on_site=True, after=lambda order: LATE if order.is_late else SafeString())


class OrderListPage(OfHotelsPage[FormT]):
    """The base of lists of orders. ``hidden`` names the column that would have the same value in each row.

    ``steps`` are those that ticked orders may take.
    """

    noun, permission, entity = "orders", VIEW_ORDERS, Order
    prints_freely = True
    list_template_name = "orders/_orders.html"
    columns = (
        *(Column("order_id", code=True), "username", "hotel_id", "room_number"),
        Column("status", written=lambda order: status_badge(order.status)),
        *(WANTED_AT, Column("placed_at", on_site=True), Column("status_at", on_site=True, unlike="placed_at")),
        *("item_count", "total"),
        Column("note", written=attrgetter("note")),
    )
    key, row_head, row_page, noted = "order_id", "order_id", ("orders:order", "order_id"), True
    filters = ("days", "hotel", "room")
    of_one = ("room",)
    unmatched = ("No order matches.", "Choose other days or another status")
    file_columns = EXPORTED
    hidden, hotel_by_hotel, with_times, cancelled = "", False, False, False
    timed: ClassVar[bool] = False
    """Whether the list has only orders that are wanted for a time."""
    steps: Sequence[tuple[str, str]] = ()
    adds = ("Place an order", PLACE_ORDERS, "orders:place")

    @property
    def shown(self) -> Sequence[Column]:
        hidden = {"hotel_id"} if self.hotel_id else {"room_number", self.hidden}
        hidden |= {"status"} if self.cancelled else {"note"}
        hidden |= set() if self.with_times else {"wanted_at"}
        return [column for column in super().shown if column.name not in hidden]

    @property
    def others(self) -> Mapping[str, str]:
        """The other lists beside the tabs: the names of their URLs, and their words."""
        return HOTEL_LISTS if self.hotel_id else LISTS

    @property
    def add_address(self) -> str:
        """The address of the form for an order of the hotel or the guest; blank if the user may place none."""
        placing = f"{reverse('orders:place')}?{urlencode(self.kwargs)}"
        return placing if self.kwargs and self.may(PLACE_ORDERS) else ""

    def entered(self, form: FormT) -> Status | None:
        """Return the status by the time of entering which the orders are sorted; ``None`` for the time of placing."""
        return None

    def counts(self, form: FormT) -> Mapping[str, int] | None:
        """Return the number of orders of each tab; ``None`` if nothing counts them."""
        return None

    def context(self, form: FormT, page: Page[Order]) -> dict[str, Any]:
        self.with_times = any(order.wanted_at for order in page.rows)
        self.cancelled = self.entered(form) == Status.CANCELLED
        self.noted = not self.cancelled  # type: ignore[misc]  # its column says why
        # The sum of a page that has all rows of the list costs nothing.
        whole = page.rows and not (page.previous or page.next or page.stopped)
        here = getattr(self.request.resolver_match, "view_name", "")
        status, guests = self.entered(form), {(order.username, order.guest_name) for order in page.rows}
        times = Counter(name for _, name in guests)
        others = {reverse(name, kwargs=self.kwargs): words for name, words in self.others.items() if name != here}
        return {
            **super().context(form, page),
            "narrowed": bool(form.filters_set or status),
            "dated": queries.sort_of(status)[0],
            "days_of": f"Orders that became “{status.words}”" if status else "Orders placed",
            "each_hotel": "hotel" in form.fields and not self.zone,
            "sum": OrderSum.of(page.rows) if whole else None,
            "namesakes": {name for name, number in times.items() if number > 1},
            "counts": self.counts(form),
            "others": others,
        }

    @property
    def ticks(self) -> tuple[str, ...]:  # type: ignore[override]
        return ("order" if self.steps else "",)

    def tick(self, row: Order) -> str:
        return f"{row.order_id}/{row.username}/{row.status}"

    @cached_property
    def named(self) -> Callable[[str], Hotel]:
        """A function that returns the hotel of an id, and reads each hotel once. Files name the hotel in each row."""
        return cache(hotels.named_hotel)

    def cells(self, entity: Order) -> Sequence[Any]:
        values = dict(zip(entities.columns(Order), entities.cells(entity), strict=True))
        return [self.named(entity.hotel_id).name if name == HOTEL_NAME else values[name] for name in self.file_columns]

    def zone_of(self, row: Order) -> str:
        return self.named(row.hotel_id).time_zone or self.zone


class DailyOrdersPage(OrderListPage[StatusAndDaysForm]):
    form_class = StatusAndDaysForm
    tabs: ClassVar[Mapping[str, str]] = {"": "All", **{str(status): status.words for status in Status}}

    def entered(self, form: StatusAndDaysForm) -> Status | None:
        return cast(Status | None, form.cleaned_data["status"])


class GuestOrdersPage(DailyOrdersPage):
    title = "Orders of {page.guest.name}"
    template_name = "orders/guest_orders.html"
    hidden = "username"
    others: ClassVar[Mapping[str, str]] = {}

    @cached_property
    def guest(self) -> Guest:
        return queries.guest(keys.username(self.kwargs["username"]))

    def counts(self, form: StatusAndDaysForm) -> Mapping[str, int] | None:
        """Return the numbers of a guest's orders at all hotels. Staff who are bound to some hotels see no numbers."""
        if self.scope.bound or form.days_set:
            return None
        return {"": self.guest.total_orders, **{str(status): number for status, number in self.guest.orders.items()}}

    def listing(self, form: StatusAndDaysForm) -> Listing[Order]:
        status, counts = self.entered(form), self.counts(form)
        found = self.scope.of(queries.guest_orders(self.guest, status))
        listing = form.asked(found, *queries.sort_of(status), zones=self.zones(form)).listing()
        return replace(listing, total=None if counts is None else counts.get(status or "", 0))

    @property
    def add_address(self) -> str:
        return "" if self.guest.erased_at else super().add_address

    def empty(self, form: StatusAndDaysForm) -> tuple[str, str]:
        return f"{self.guest.name} has no orders {'at your hotels' if self.scope.bound else 'yet'}.", ""

    def context(self, form: StatusAndDaysForm, page: Page[Order]) -> dict[str, Any]:
        return {**super().context(form, page), "guest": self.guest, "each_hotel": True}


class OrdersPage(DailyOrdersPage):
    """Orders by status and day or, by the time of placing whatever their status, those for a room of a hotel."""

    title = "All orders"
    form_class: type[StatusAndDaysForm] = OrdersForm
    nothing = ("No order matches.", "")

    def entered(self, form: StatusAndDaysForm) -> Status | None:
        return None if form.cleaned_data.get("room") else super().entered(form)

    def listing(self, form: StatusAndDaysForm) -> Listing[Order]:
        status, room, known = form.cleaned_data["status"], form.cleaned_data.get("room"), self.knows_all(form)
        found = queries.orders_in(status)
        if room:
            found = queries.placed([status] if status else Status, room_number=room)
        zones, sort = self.zones(form) if known else self.zone, queries.sort_of(self.entered(form))
        found = form.asked(self.narrowed(form).of(found), *sort, zones=zones)
        if self.hotel_id:
            return found.listing()
        return queries.orders_of_hotels(found, self.zones(form), status, known=known, whole=form.exporting)

    def context(self, form: StatusAndDaysForm, page: Page[Order]) -> dict[str, Any]:
        context = super().context(form, page)
        return {**context, "each_hotel": context["each_hotel"] and self.knows_all(form)}


class HotelOrdersPage(OrdersPage):
    title = "Orders{page.of}"
    nothing = ("{page.hotel.name} has no orders yet.", "")


class BigOrdersPage(OrderListPage[BigOrdersForm]):
    title = "Big orders{page.of}"
    template_name = "orders/big_orders.html"
    csv_name, hotel_by_hotel = "big-orders", True
    form_class = BigOrdersForm
    nothing = ("There are no big orders.", f"Big orders have a total of {keys.BIG_TOTAL} or more, in any currency.")
    tabs: ClassVar[Mapping[str, str]] = {"": "Big"}
    extra_context = {"least": keys.BIG_TOTAL}

    def listing(self, form: BigOrdersForm) -> Listing[Order]:
        if self.hotel_id:
            return queries.big_orders(self.hotel.hotel_id, descending=form.order.descending)
        return queries.big_of_hotels(self.narrowed(form), descending=form.order.descending)


# --- Unfinished orders ----------------------------------------------------------------------------------


CANCEL, MOVE = step_permission(Status.CANCELLED), step_permission(Status.PROCESSING)


class UnfinishedPage(OrderListPage[UnfinishedForm]):
    """Unfinished orders. Selected orders take a step; the message says what was done, with Undo, and what was not."""

    title = "Unfinished orders{page.of}"
    form_class = UnfinishedForm
    nothing = (
        "Every order is finished.",
        "Orders are listed here from the moment they are placed until they are delivered or cancelled.",
    )
    csv_name = "unfinished-orders"
    tabs: ClassVar[Mapping[str, str]] = {"": "All unfinished", **{str(status): status.words for status in UNFINISHED}}

    find, sort = staticmethod(queries.placed), queries.sort_of(None)

    def listing(self, form: UnfinishedForm) -> Listing[Order]:
        status, room = form.cleaned_data["status"], form.cleaned_data.get("room")
        found = self.find([status] if status else UNFINISHED, **({"room_number": room} if room else {}))
        return form.asked(self.narrowed(form).of(found), *self.sort, zones=self.zones(form)).listing()

    def empty(self, form: UnfinishedForm) -> tuple[str, str]:
        all_of_them = format_html('<a href="{}">Show all unfinished orders</a>', self.request.path)
        return ("No order is in this status.", all_of_them) if form.cleaned_data["status"] else super().empty(form)

    @property
    def steps(self) -> Sequence[tuple[str, str]]:  # type: ignore[override]
        """The steps on offer: their values and the words of their buttons."""
        steps = [(TickedForm.NEXT, "Move on a step")] if self.may(MOVE) else []
        may_cancel = self.may(CANCEL) or self.may(PLACE_ORDERS)
        return [*steps, (TickedForm.CANCEL, "Cancel orders")] if may_cancel else steps

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        data, _ = checked(TickedForm(request.POST)), self.hotel  # raises NotFound for an unknown one
        if data["to"] != TickedForm.CANCEL and not data["undo"]:
            self.require(MOVE)
        ticked = [text.split("/") for text in (data["undo"] or data["order"])[: max(PAGE_SIZES)]]
        stored = queries.orders_as_stored((username, order_id) for order_id, username, _ in ticked)
        asked = data["to"], data["reason"]
        steps = [(each, partial(self._taken, stored.get(each), seen, *asked)) for each, _, seen in ticked]
        words = "put back" if data["undo"] else "cancelled" if data["to"] == TickedForm.CANCEL else "moved on a step"
        name = "{0.order_id}/{0.username}/{1.serial}".format  # of the newest step, to undo it
        change_each(self, "order", words, steps, lambda each: "" if data["undo"] else name(each, newest_change(each)))
        return redirect(request.get_full_path())

    def _taken(self, order: Order | None, seen: str, to: str, reason: str) -> Order:
        """Return the order after its step, or after the undo of one. Raises :class:`Conflict` or :class:`NotFound`."""
        if order is None or not self.scope.allows(order.hotel_id):
            raise errors.NotFound("There is no such order.")
        if seen.isdecimal():
            return cast(Order, undo(thing_at("order", order.order_id), int(seen), self.by, self.may).entity)
        status = Status(seen)
        step = Status.CANCELLED if to == TickedForm.CANCEL else STEPS[status][0]
        if not may_take(self, step, order, status):
            raise errors.Conflict("Your account may not cancel it.")
        return commands.take_step(order, step, self.by, status, reason)


def _items(order: Order) -> str:
    lines = ((item.quantity, item.name) for item in order.items)
    return format_html('<p class="lines">{}</p>', format_html_join(mark_safe("<br>"), "{} × {}", lines))


MOST_ITEMS = 2000
"""The most items of orders on paper; each is read, for half a unit."""

PAPER = (
    *(WANTED_AT, "room_number", Column("order_id", code=True), "username"),
    Column("items", "Items ordered", numeric=False, written=_items),
    Column("status", written=lambda order: status_badge(order.status)),
)
"""The columns of orders for the kitchen."""


class WantedPage(UnfinishedPage):
    """A hotel's unfinished orders that are wanted for a time. On paper, for the kitchen, they have their items."""

    title = "Orders by time wanted{page.of}"
    form_class = WantedForm
    csv_name = "orders-by-time-wanted"
    nothing = ("No unfinished order has a “Wanted at”.", "Enter “Wanted at” when you place or correct an order.")
    find, sort, timed = staticmethod(queries.wanted), ("wanted_at", "order_id"), True
    on_paper = False

    @property
    def shown(self) -> Sequence[Column]:
        return columns_of(Order, *PAPER) if self.on_paper else super().shown

    def context(self, form: UnfinishedForm, page: Page[Order]) -> dict[str, Any]:
        context = {**super().context(form, page), "dated": "wanted_at", "days_of": "Orders wanted"}
        self.on_paper = form.printing
        if not form.printing:
            return context
        if sum(order.item_count for order in page.rows) > MOST_ITEMS:
            raise form.refuse("format", f"Only {MOST_ITEMS:,} items can be printed. Choose days first.", PRINT)
        return {**context, "groups": [("", with_items(page.rows, consistent=False))]}
