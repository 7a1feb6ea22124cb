"""Lists of the rooms that need attention, of repairs, of assignments, and of what people cleaned."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Any, NamedTuple

from django.urls import reverse

from dynamodb_lists import Listing, Page, SortedRows
from dynamodb_lists.schema import entities
from dynamodb_lists.schema.keys import time_part
from hotels.app_config import RoomPart
from hotels.templatetags.hotels import pages_beside
from hotels.views import HotelMixin, OfHotelsPage
from portal.lists.forms import ListForm
from portal.lists.views import Column, ListPage
from portal.people import person_id
from portal.times import today_in
from rooms import keys, queries
from rooms.apps import CHANGE_STATUS, INSPECT_ROOMS, PLAN_ROOMS, VIEW_ROOMS
from rooms.entities import Room
from rooms.entities.cleanings import Work
from rooms.entities.rooms import by_floor
from rooms.forms import (
    DRAWN_TABS,
    REPAIR_TABS,
    TABS_OF_HOTELS,
    AttentionForm,
    AttentionOfHotelsForm,
    RepairsForm,
    statuses_of,
)
from rooms.forms.rooms import (
    CLEANED_TABS,
    PLAN_TABS,
    TOMORROW,
    UNASSIGNED,
    UNTOUCHED,
    CleanedForm,
    MyRoomsForm,
    PlanForm,
)
from rooms.lists import ROOMS
from rooms.statuses import LEFT_ALONE, Housekeeping, Priority, Service
from rooms.views.rooms import TYPE_AND_VIEW, HousekeepingPage, RoomListPage, names_in

OF_ROOM = RoomPart("rooms/_repairs_of_room.html", VIEW_ROOMS, queries.repairs_of_room)
BACK_IN_SERVICE = Column("back", "Back in service", heard=True)


class AttentionPage(HousekeepingPage[AttentionForm]):
    """A hotel's housekeeping list: its dirty rooms by floor and number, or those with another status."""

    title = "Housekeeping of {page.hotel.name}"
    form_class, tabs = AttentionForm, DRAWN_TABS
    csv_name, list_template_name = "attention", "rooms/_attention.html"
    filters, dated, days_of = ("days",), "attention_since", "Since"

    def empty(self, form: ListForm) -> tuple[str, str]:
        is_dirty = form.cleaned_data["status"] == Housekeeping.DIRTY
        return "No room is dirty." if is_dirty else "No room has this status.", ""

    def listing(self, form: AttentionForm) -> Listing[Room]:
        """R7: the rooms with the statuses of the tab, by number or by the time since when they have one."""
        days, order = form.span(self.hotel.time_zone), form.order
        query = form.narrowed(queries.since_days(ROOMS.query(hotel_id=self.hotel.hotel_id), days))
        if order.column == keys.NUMBER:
            by_status = queries.rooms_by_status(query, form.statuses, self.hotel)
            by_number = by_status.order_by(keys.NUMBER, descending=order.descending)
            return by_number.listing(*form.position, whole=form.exporting)
        waiting = queries.needing_attention(query, form.statuses).where(service=[*Service])  # in one order of time
        return waiting.order_by(keys.SINCE, descending=order.descending).listing(*form.position)

    def context(self, form: AttentionForm, page: Page[Room]) -> dict[str, Any]:
        numbered = form.order.column == keys.NUMBER
        return {
            **super().context(form, page),
            "narrowed": bool(form.cleaned_data["number"] or form.days_set),
            "groups": by_floor(page.rows, descending=form.order.descending) if numbered else [("", page.rows)],
            "names": names_in(page.rows, self.hotel),
            "kept": form.kept,
            "names_all": not form.days_set,
        }


class AttentionOfHotelsPage(RoomListPage[AttentionOfHotelsForm], OfHotelsPage[AttentionOfHotelsForm]):
    title = "Housekeeping"
    form_class, tabs = AttentionOfHotelsForm, TABS_OF_HOTELS
    list_template_name = "rooms/_attention_of_hotels.html"
    columns = ("hotel_id", "number", Column("service", "Status"), "attention_since", TYPE_AND_VIEW)
    filters, dated, days_of = ("hotel", "days"), "attention_since", "Since"
    file_columns = ("hotel_id", "hotel_name", *entities.columns(Room), "responsible", "attention_since")
    csv_name = "attention"

    def listing(self, form: AttentionOfHotelsForm) -> Listing[Room]:
        asked, descending = (self.narrowed(form), statuses_of(form.cleaned_data["status"])), form.order.descending
        if not form.days_set:
            return queries.attention_of_hotels(*asked, descending=descending)
        zone_at = self.zone_at(form)
        return queries.attention_of_hotels(*asked, lambda each: form.span(zone_at(each)), descending=descending)

    empty = AttentionPage.empty

    def context(self, form: AttentionOfHotelsForm, page: Page[Room]) -> dict[str, Any]:
        others = {reverse("rooms:repairs_of_hotels"): "Repairs"}
        return {**super().context(form, page), "others": others, "each_hotel": not self.zone}


class RepairsPage(RoomListPage[RepairsForm], OfHotelsPage[RepairsForm]):
    """R10: the rooms of a hotel that are out of order, or of several, each with its own days; what is overdue first."""

    title, noun = "Repairs{page.of}", "repairs"
    form_class, tabs = RepairsForm, REPAIR_TABS
    list_template_name = "rooms/_repairs.html"
    columns = ("hotel_id", "number", Column("until", "Until"), "reason", "responsible", TYPE_AND_VIEW, BACK_IN_SERVICE)
    noted, filters = True, ("hotel",)

    @property
    def file_columns(self) -> Sequence[str]:  # type: ignore[override]
        of_room = (*entities.columns(Room), "responsible", "attention_since")
        return of_room if self.hotel_id else ("hotel_id", "hotel_name", *of_room)

    @property
    def shown(self) -> Sequence[Column]:
        several, *of_room, back = super().shown
        if not self.hotel_id:
            return [several, *of_room]
        return [*of_room, back] if self.may(CHANGE_STATUS) else of_room

    def listing(self, form: RepairsForm) -> Listing[Room]:
        zone_at, overdue = self.zone_at(form), form.cleaned_data["status"]
        last = (lambda hotel_id: today_in(zone_at(hotel_id)) - timedelta(days=1)) if overdue else None
        if self.hotel_id:
            return queries.repairs(self.hotel_id, last and last(self.hotel_id))
        return queries.repairs_of_hotels(self.narrowed(form), last)

    def empty(self, form: RepairsForm) -> tuple[str, str]:
        return "No repair is overdue." if form.cleaned_data["status"] else "No room is out of order.", ""

    def context(self, form: RepairsForm, page: Page[Room]) -> dict[str, Any]:
        others = {reverse("rooms:attention_of_hotels"): "Housekeeping"}
        if self.hotel_id:
            others = pages_beside("rooms:repairs", self.request.user, self.hotel_id)
        return {**super().context(form, page), "others": others, "zone_at": self.zone_at(form)}


class Share(NamedTuple):
    """The number of rooms that a person has today, and how many of these are clean."""

    person: str
    done: int
    total: int


UNUSUAL = (Priority.RUSH, *LEFT_ALONE)


def shares_of(planned: Sequence[Room], since: datetime, people: Mapping[str, str]) -> list[Share]:
    """Return what each of ``people``, person ids by username, has done since a time, and has still to clean.

    Only rooms with a plan count; a room that somebody else had counts for the person who cleaned it. If nobody did, as
    when a supervisor sets a dirty room to inspected, it counts for the person who has it.
    """

    def by(room: Room) -> str:
        return people.get(room.steps.cleaned_by, "") if room.steps.cleaned_at or not room.plan else room.plan.assignee

    ends = ((room, room.steps.cleaned_at or room.steps.inspected_at) for room in planned)
    done = Counter(by(room) for room, at in ends if at and at >= since)
    to_do = Counter(room.plan.assignee for room in planned if room.plan and group_of(room) == TO_DO)
    shares = (Share(person, done[person], done[person] + to_do[person]) for person in people.values())
    return [share for share in shares if share.total]


GROUPS = TO_DO, ALONE, DONE, OUT_OF_ORDER = "To do", "Not to clean today", "Done", "Out of order"


def group_of(room: Room) -> str:
    """Return the group of a room with a plan for today."""
    if room.to_clean and room.plan and room.plan.left_alone:
        return ALONE
    return TO_DO if room.to_clean else OUT_OF_ORDER if room.out_of_order else DONE


class MyRoomsPage(HousekeepingPage[MyRoomsForm]):
    """R9: the rooms that the user has today: rooms to do (the most urgent first), done rooms, and the rest."""

    title = "My rooms at {page.hotel.name}"
    permission = CHANGE_STATUS
    form_class = MyRoomsForm
    csv_name, list_template_name = "my-rooms", "rooms/_my_rooms.html"

    @cached_property
    def rooms(self) -> list[Room]:
        today = today_in(self.hotel.time_zone)
        return [*queries.rooms_of_day(self.hotel.hotel_id, today, person_id(self.request.user)).stream()]

    def listing(self, form: MyRoomsForm) -> Listing[Room]:
        begin = lambda room: f"{GROUPS.index(group_of(room))}{room.plan.urgency if room.plan else 0}"  # noqa: E731
        return queries.rooms_in_order(f"{self.hotel.hotel_id} {self.request.user}", self.rooms, begin)

    def context(self, form: MyRoomsForm, page: Page[Room]) -> dict[str, Any]:
        floors = [(group, [room for room in page.rows if group_of(room) == group]) for group in GROUPS]
        mine = shares_of(self.rooms, queries.midnight_of(self.hotel), {self.by: person_id(self.request.user)})
        groups = [each for each in floors if each[1]]
        return {**super().context(form, page), "groups": groups, "mine": mine[0] if mine else None, "names": {}}


class PlanPage(HousekeepingPage[PlanForm]):
    """R9: how far everybody is today, the rooms to inspect, the dirty ones that nobody has, and the urgent ones."""

    title = "Assignments of {page.hotel.name}, {page.when}"
    permission = PLAN_ROOMS
    form_class = PlanForm
    csv_name, list_template_name = "plan", "rooms/_day.html"
    status = ""
    """The tab that the page shows."""

    @property
    def when(self) -> str:
        return TOMORROW if self.status == TOMORROW else "today"

    @cached_property
    def names(self) -> dict[str, str]:
        return queries.cleaners(self.hotel.hotel_id)

    @cached_property
    def rooms(self) -> queries.DayOfRooms:
        shows = {"shows_free": self.status == UNASSIGNED, "shows_cleaned": not self.status}
        return queries.plan_of_day(self.hotel, self.names, **shows)

    @cached_property
    def of_tabs(self) -> Mapping[str, list[Room]]:
        """The rooms of all tabs but the last one, whose rooms are read with it alone."""
        planned, free, to_inspect = self.rooms
        assigned = [room for room in planned if room.plan and room.plan.assignee in self.names]
        urgent = [[room for room in planned if room.plan and room.plan.priority == each] for each in UNUSUAL]
        return dict(zip(PLAN_TABS, (to_inspect.rooms, free.rooms, assigned, *urgent), strict=False))

    @property
    def begun(self) -> Mapping[str, queries.Begun]:
        """The lists that may have more rooms than were read, by tab."""
        return {UNASSIGNED: self.rooms.unassigned, "": self.rooms.to_inspect}

    @property
    def more(self) -> Mapping[str, Listing[Room]]:
        return {tab: begun.listing for tab, begun in self.begun.items() if begun.more}

    @property
    def tabs(self) -> Mapping[str, str]:  # type: ignore[override]
        """The tabs with their numbers; none for unusual priorities without rooms, and for what other pages lead to."""
        numbers = {tab: f" ({len(rooms)})" for tab, rooms in self.of_tabs.items()}
        numbers |= {tab: f" ({begun.number})" for tab, begun in self.begun.items()}
        unseen = {UNTOUCHED, *(tab for tab in UNUSUAL if not self.of_tabs[tab])} - {self.status}
        return {tab: f"{words}{numbers.get(tab, '')}" for tab, words in PLAN_TABS.items() if tab not in unseen}

    def listing(self, form: PlanForm) -> Listing[Room]:
        """Return the rooms of a tab by number. Those to inspect, and those of longer lists, are in order of time."""
        status, person = form.cleaned_data["status"], form.cleaned_data["person"]
        self.status = status
        if status == UNTOUCHED:
            return queries.untouched(self.hotel)
        if status == TOMORROW:
            self.day = today_in(self.hotel.time_zone) + date.resolution
            planned = queries.rooms_of_day(self.hotel.hotel_id, self.day, person).stream()
            begin = lambda room: room.plan.assignee  # noqa: E731
            return queries.rooms_in_order(f"{self.hotel.hotel_id} {self.day} {person}", planned, begin)
        if status == UNASSIGNED and person and status in self.more:
            return queries.unassigned(self.hotel.hotel_id, today_in(self.hotel.time_zone), self.names, person)
        if status in self.more:
            return self.more[status]
        found = [room for room in self.of_tabs[status] if not person or (room.plan and room.plan.assignee == person)]
        begin = (lambda _: "") if status else lambda room: time_part(room.steps.cleaned_at)
        return queries.rooms_in_order(f"{self.hotel.hotel_id} {status} {person}", found, begin)

    def context(self, form: PlanForm, page: Page[Room]) -> dict[str, Any]:
        ids = {username: person for person, username in self.usernames.items()}
        people = shares_of(self.rooms.planned, queries.midnight_of(self.hotel), ids)
        people.sort(key=lambda each: [*self.names].index(each.person))
        return {**super().context(form, page), "people": people, "names": self.names}


class CleanedPage(HotelMixin, ListPage[CleanedForm]):
    """R11: what each person cleaned on the days of a tab."""

    title = "Rooms cleaned at {page.hotel.name}"
    permission = INSPECT_ROOMS
    noun, entity, key, row_head = "people", Work, "username", "name"
    form_class = CleanedForm
    columns = ("name", "rooms", "minutes", Column("cleanings", "Rooms"))
    list_template_name = "rooms/_cleaned.html"
    csv_name = "cleaned"
    tabs = CLEANED_TABS
    nothing = (
        "Nobody marked a room as clean on these days.",
        "They are listed once somebody does.",
    )
    prints_freely = True

    def listing(self, form: CleanedForm) -> Listing[Work]:
        hotel, first_last = self.hotel, form.dates(today_in(self.hotel.time_zone))
        placed = (((work.name.casefold(),), work) for work in queries.cleaned_by(hotel.hotel_id, *first_last))
        said = f"{hotel.hotel_id} {first_last}"
        return SortedRows.of(placed, why=queries.FEW, name="people by name", selected=said, index="")

    def context(self, form: CleanedForm, page: Page[Work]) -> dict[str, Any]:
        others = pages_beside("rooms:cleaned", self.request.user, self.hotel.hotel_id)
        plan = reverse("rooms:plan", kwargs=self.kwargs)
        return {"others": {f"{plan}?status={UNTOUCHED}": PLAN_TABS[UNTOUCHED]} | others if plan in others else others}
