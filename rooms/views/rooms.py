from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property, partial
from operator import attrgetter
from secrets import token_hex
from typing import Any, cast

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from dynamodb_lists import Listing, Page, errors, in_parallel
from dynamodb_lists.reading.items import exported
from dynamodb_lists.schema import entities
from hotels.app_config import RoomPart, hotel_pages
from hotels.entities import Hotel
from hotels.queries import hotel_name
from hotels.templatetags.hotels import pages_beside
from hotels.views import HotelMixin, OfHotelsPage
from portal.access import StaffPage
from portal.history.undoing import address_of
from portal.lists.forms import filter_of
from portal.lists.origins import Neighbours
from portal.lists.views import UNSPECIFIED, Cell, Column, FormT, ListPage
from portal.people import names_of
from portal.times import today_in
from rooms import keys, queries
from rooms.apps import CHANGE_STATUS, PLAN_ROOMS, VIEW_ROOMS
from rooms.entities import Room, RoomCounts, plain_part
from rooms.entities.rooms import PLAN_COLUMNS, STATUS_FIELDS, Steps
from rooms.forms import BEGIN, RoomsForm
from rooms.lists import ROOMS
from rooms.statuses import STATUSES, Housekeeping, status_words

MARK = token_hex(8)
"""Stands for a room's number. It is random, so that no note has it."""
status_of = attrgetter(*(name for name in STATUS_FIELDS if name not in {"attention_since", "cleaned_at"}))
"""What a room's status is drawn of. Times by which rooms are sorted have columns of their own."""
HOTEL_COLUMNS, STEP_COLUMNS = entities.columns(Hotel, computed=False), entities.columns(Steps)
TYPE_AND_VIEW = Column(
    "type", "Type and view", written=lambda room: f"{room.type or UNSPECIFIED}, {room.view or UNSPECIFIED}"
)


def names_in(rooms: Iterable[Room], hotel: Hotel) -> dict[str, str]:
    """Return the names of those who clean in a hotel; no names if nobody has any of these rooms today, or tomorrow."""
    plans, today = (room.plan for room in rooms), today_in(hotel.time_zone)
    planned = any(plan.assignee and plan.day >= today for plan in plans if plan)
    return queries.cleaners(hotel.hotel_id) if planned else {}


class RoomListPage(ListPage[FormT]):
    """The base of lists of rooms. Exports have the attributes that ``file_columns`` name beside those of a room.

    A list of one hotel may also have the hotel's own columns, and the columns of today's plan.
    """

    noun, permission, entity = "rooms", VIEW_ROOMS, Room
    key, row_head = "number", "number"
    prints_freely = True

    @property
    def row_page(self) -> tuple[str, ...]:  # type: ignore[override]
        """The name of a room's page, if the user may see it. Users who only clean may not."""
        return ("rooms:room", "hotel_id", "number") if self.may(VIEW_ROOMS) else ()

    def row_name(self, row: Room) -> str:
        """Return the number; in a list of several hotels, after the hotel's id."""
        return row.number if self.hotel_id else f"{row.hotel_id}-{row.number}"

    @staticmethod
    def once(draw: Cell) -> Cell:
        """Return a function that draws each status once, with a mark in place of the room's number."""
        drawn: dict[Any, str] = {}

        def written(room: Room) -> str:
            if not (room.number.isascii() and room.number.isalnum()):  # it is written in several ways
                return draw(room)
            status = status_of(room)
            if status not in drawn:
                drawn[status] = draw(replace(room, number=MARK))
            return drawn[status].replace(MARK, room.number)

        return written

    def tab_address(self, form: FormT, tab: str) -> str:
        """Return the address of a tab. Clean and inspected rooms have no time since when."""
        timeless = tab in {Housekeeping.CLEAN, Housekeeping.INSPECTED}
        return form.link(status=tab, sort=None, **dict.fromkeys(("days", "zone", "from", "to") if timeless else ()))

    @cached_property
    def usernames(self) -> dict[str, str]:
        """The usernames of the hotel's cleaners, for files."""
        return queries.cleaners(self.hotel.hotel_id, User.get_username)

    def exported(self, form: FormT, rows: Iterator[Room]) -> Iterator[Room]:
        return exported(rows, lambda room: (room.hotel_id, room.number), queries.rooms_as_stored)

    def cells(self, entity: Room) -> Sequence[Any]:
        cells = dict(zip(entities.columns(Room), entities.cells(entity), strict=True))
        if self.hotel:
            plan = entity.planned_on(today_in(self.hotel.time_zone))
            person = self.usernames.get(plan.assignee, "") if plan.assignee else ""
            cells |= zip(HOTEL_COLUMNS, entities.cells(self.hotel, computed=False), strict=True)
            cells |= zip(PLAN_COLUMNS, (person, plan.priority), strict=True)
        else:
            cells["hotel_name"] = hotel_name(entity.hotel_id, read=True)
        cells |= zip(STEP_COLUMNS, entities.cells(entity.steps), strict=True)
        return [cells[name] if name in cells else getattr(entity, name) for name in self.file_columns]


class RoomsPage(HotelMixin, RoomListPage[RoomsForm]):
    title = "Rooms of {page.hotel.name}"
    fresh = True
    form_class = RoomsForm
    list_template_name = "rooms/_rooms.html"
    columns = (
        *("number", "type", "view", Column("size", written=lambda room: f"{room.size} m²")),
        *(Column("rate", "Rate"), Column("housekeeping", "Status")),
    )
    ticks = ("room", CHANGE_STATUS)
    unmatched = ("No room matches.", "Remove a filter")
    nothing = ("This hotel has no rooms yet.", "Add rooms one by one, or import them from a file.")
    adds = ("Add a room", "rooms.add_room", "rooms:add_room")
    file_columns = (*HOTEL_COLUMNS, *entities.columns(Room), *PLAN_COLUMNS)

    @property
    def shown(self) -> Sequence[Column]:
        """Return the columns; without the rates for who cleans rooms and does not assign them."""
        cleans = self.may(CHANGE_STATUS) and not self.may(PLAN_ROOMS)
        return [column for column in super().shown if not (cleans and column.name == keys.RATE)]

    counts: RoomCounts
    """The counts of the hotel's rooms, once the list is known."""

    def listing(self, form: RoomsForm) -> Listing[Room]:
        query = ROOMS.query(hotel_id=self.kwargs["hotel_id"])
        refused = "counts" in vars(self)  # they have shown that a filter names an unknown value, and are not read again
        filtered = form.filters_set or form.cleaned_data["number"] or form.exporting
        if not refused:  # the hotel is read beside the list or the counts, unless it is cached
            read = query.counts if filtered else partial(form.narrowed(query, "").counted, *form.position)
            _, found = in_parallel(list[Any]([lambda: self.hotel, read]))
            counted, listing = (found, None) if filtered else found
            self.counts = RoomCounts(counted)
            if listing:
                return cast(Listing[Room], listing)
        query = form.narrowed(query, self.hotel.currency)
        queries.require_known(query, self.counts)
        return query.listing(*form.position, counts=self.counts.counted, whole=form.exporting)

    def context(self, form: RoomsForm, page: Page[Room]) -> dict[str, Any]:
        counts, hotel, data, filters = self.counts, self.hotel, form.cleaned_data, {}
        # The counts beside the choices are those under the selection in the other facets. Nothing counts rates and
        # statuses, so under these there are none.
        asked = form.narrowed(ROOMS.query(hotel_id=hotel.hotel_id), hotel.currency).asked
        for facet, numbers in counts.choices(asked.conditions).items():
            by_value, words = {}, {}
            for part, number in numbers.items():
                value = plain_part(facet, part)
                by_value[value], words[value] = number, counts.label(facet, part)
            label, selected = entities.field(Room, facet).label, {*map(str, data[facet])}
            drawn = dict[str, Any](counted=asked.counted(keys.FACETS), whole=facet == data["choices"])
            filters[facet] = filter_of(facet, label, by_value, selected=selected, words=words.__getitem__, **drawn)
        drawn = dict[str, Any](values=STATUSES, selected=form.statuses, words=status_words, counted=False)
        filters["status"] = filter_of("status", "Status", {}, **drawn)
        others = form.order.column == keys.RATE and any(room.currency != hotel.currency for room in page.rows)
        return {
            "filters": filters,
            "names_all": True,
            "other_currencies": others,
            "hotel_has_rooms": any(counts.counts.values()),
            "narrowed": bool(form.filters_set or data["number"]),
            "names": names_in(page.rows, hotel),
        }


class HousekeepingPage(HotelMixin, RoomListPage[FormT]):
    """The base of lists of a hotel's rooms with buttons for their status. ``csv_name`` is also the name of its URL."""

    columns = ("number", Column("service", "Status"), Column("plan", "Assigned to"), "attention_since", TYPE_AND_VIEW)
    ticks = ("room", PLAN_ROOMS, CHANGE_STATUS)
    file_columns = (*entities.columns(Room), *PLAN_COLUMNS, "responsible", "attention_since", *STEP_COLUMNS)
    fresh = True

    @cached_property
    def day(self) -> date:
        """The day whose assignments the rows show."""
        return today_in(self.hotel.time_zone)

    def context(self, form: FormT, page: Page[Room]) -> dict[str, Any]:
        names_of({room.steps.last[2] for room in page.rows if room.steps.last})
        here = f"rooms:{self.csv_name.replace('-', '_')}"
        others = pages_beside(here, self.request.user, self.hotel.hotel_id)
        return {"list_name": here.removeprefix("rooms:"), "kept": [BEGIN], "names_all": False, "others": others}


class RoomPage(HotelMixin, StaffPage):
    lists_link_here = True
    permission = "rooms.view_room"
    template_name = "rooms/room.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Return the page of a room; for a number that no room has, a page with what still names the number."""
        try:
            return super().get(request, *args, **kwargs)
        except errors.NotFound:
            hotel, number = self.hotel, keys.number(kwargs["number"])
            if getattr(request, "htmx", False):  # the browser loads the page itself, because htmx shows no 404
                raise
        parts = self.parts()
        shown = in_parallel([partial(part.read, hotel.hotel_id, number) for part in parts])
        context = {"view": self, "title": "Not found", "hotel": hotel, "room": {"number": number}}
        context["parts"] = list(zip(parts, shown, strict=True))
        return render(request, "rooms/gone.html", context, status=404)

    def parts(self) -> list[RoomPart]:
        """Return the parts that apps add to the page, if the user may see them."""
        return [part for app in hotel_pages() for part in app.room_parts if self.may(part.permission)]

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        hotel, number = self.hotel, keys.number(kwargs["number"])
        parts = self.parts()
        reads = [partial(read, hotel.hotel_id, number) for read in (queries.room, *(part.read for part in parts))]
        room, *shown = in_parallel(reads)
        page = self.origin and self.origin.page
        of_several = isinstance(page, OfHotelsPage) and page.entity is Room and not page.hotel_id
        return super().get_context_data(
            **kwargs,
            room=room,
            title=f"Room {room.number}",
            row=f"{hotel.hotel_id}-{number}" if of_several else number,
            beside=self.origin.neighbours(room, address_of) if self.origin else Neighbours(),
            names=names_in([room], hotel),
            parts=list(zip(parts, shown, strict=True)),
            places=lambda: ROOMS.model.item(room).places(),
        )
