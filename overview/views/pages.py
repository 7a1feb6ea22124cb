"""The start page of the group, the start page of a hotel, and the handover from shift to shift."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, timedelta
from functools import cached_property, partial, reduce
from itertools import chain, islice
from operator import add
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from dynamodb_lists import Listing, Page, at_least, in_parallel, read_page
from dynamodb_lists.schema import entities
from hotels import queries as hotels
from hotels.app_config import HOME, HOME_PERMISSION
from hotels.entities import DAYS, ROOMS, TREND_DAYS, Hotel, HotelStatistics, Stored, year_before
from hotels.views import HotelMixin, HotelsPage, OfHotelsMixin
from notes.apps import VIEW_NOTES
from notes.queries import open_notes
from orders import queries as orders
from orders.apps import VIEW_ORDERS
from orders.statuses import UNFINISHED
from overview.forms import AGAINST, COLUMNS, NAME, OF_LAST_YEAR, SORTS, OverviewForm
from overview.views.figures import CELLS, Cell, Lists, Sums, by_place, plots, sums_of
from portal.access import ANY_STAFF, StaffPage
from portal.forms.parameters import read
from portal.frame import open_links
from portal.history import keys
from portal.history import queries as history
from portal.history.entities import HistoryEntry
from portal.history.views import HistoryPage, grouped, seen_by
from portal.lists.days import DaysForm
from portal.lists.forms import SortField
from portal.people import HotelScope, person_id
from portal.times import now, today_in
from reviews.apps import VIEW_REVIEWS
from rooms import queries as rooms
from rooms.apps import CHANGE_STATUS, PLAN_ROOMS, VIEW_ROOMS
from rooms.entities import Room
from rooms.statuses import Priority
from rooms.views.rooms import names_in

LONGEST, NEWEST, MOST_OVERDUE = 6, 8, 20
"""How many of the dirty rooms and of the changes a page shows, and among how many repairs it counts overdue ones."""

FEW_HOTELS = 4
"""In so many hotels, the start page looks for the user's rooms of today: half a unit each."""
MOST_FIGURES = 50
"""The most hotels whose figures are added up for who is bound to them: a Query reads those of each hotel."""


class HotelOverview(HotelMixin, StaffPage):
    title = "{page.hotel.name}"
    fresh = True
    permission = HOME_PERMISSION
    template_name = "overview/hotel.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the context. Everything is read at the same time, once the hotel's zone tells the day."""
        hotel_id = self.kwargs["hotel_id"]
        dirty, repairs = rooms.rooms_to_clean(hotel_id).listing(), rooms.repairs(hotel_id)
        waiting = {"dirty": (dirty, LONGEST), "jobs": (repairs, MOST_OVERDUE)} if self.may(VIEW_ROOMS) else {}
        reads: list[Callable[[], Any]] = [
            partial(hotels.hotel, hotel_id),
            partial(hotels.stored_statistics, [hotel_id], now().date() - timedelta(days=1)),
            partial(history.changes_in(hotel_id).page, NEWEST),
            *(partial(read_page, *each) for each in waiting.values()),
        ]
        self.hotel, stored, changes, *pages = in_parallel(reads)
        today, shown_pages = today_in(self.zone), dict(zip(waiting, pages, strict=True))
        statistics, lists, overdue = HotelStatistics.of(stored[hotel_id], today), Lists(hotel_id), ""
        if shown_pages:  # overdue repairs come first: "20+" if all that are read are
            jobs: Page[Room] = shown_pages["jobs"]
            number = sum(room.is_overdue(today) for room in jobs.rows)
            overdue = f"{number or ''}" + "+" * bool(number == len(jobs.rows) and jobs.next)
        self.shows_times = True
        return super().get_context_data(
            changes=[group for group in grouped(seen_by(self, changes).rows) if group[0].thing],
            waiting=shown_pages,
            overdue=overdue,
            plots=plots(statistics, lists),
            **kwargs,
        )


class HotelHistoryPage(HotelMixin, HistoryPage):
    """C3: what members of staff changed in a hotel."""

    title = "Changes in {page.hotel.name}"
    permission = HOME_PERMISSION
    csv_name = "changes-in"

    def listing(self, form: DaysForm) -> Listing[HistoryEntry]:
        return form.asked(history.changes_in(self.hotel.hotel_id), "at", zones=self.zone).listing()

    def context(self, form: DaysForm, page: Page[HistoryEntry]) -> dict[str, Any]:
        return {**super().context(form, page), "mixed": True}


class GroupOverview(OfHotelsMixin, HotelsPage):
    """S3, the start page of the group: a line for each hotel that is chosen, or that the user sees, and their sums."""

    title = "Start page"
    permission = ANY_STAFF
    form_class = OverviewForm
    template_name = "overview/group.html"
    list_template_name = "overview/_lines.html"
    against = ""
    """What the figures are compared with."""

    def may_open(self) -> bool:
        return super().may_open() and any(map(self.may, (HOME_PERMISSION, VIEW_ROOMS, VIEW_ORDERS, VIEW_REVIEWS)))

    def handle_no_permission(self) -> HttpResponse:  # type: ignore[override]
        """Redirect to the first page of the sidebar that the user may open. If there is none, say who can grant a
        permission.
        """
        if not self.may(ANY_STAFF):
            return super().handle_no_permission()
        if links := open_links(self.request):
            return redirect(links[0][1])
        return render(self.request, "portal/no_pages.html", self.get_context_data(title="Welcome"))

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:  # type: ignore[override]
        """Return the page; lead staff of few hotels to their rooms of today, or to their one hotel.

        Who only cleans there begins with their rooms, also without any.
        """
        hotel_ids = [] if request.GET else sorted(self.scope.hotel_ids or ())
        if 0 < len(hotel_ids) <= FEW_HOTELS and self.may(CHANGE_STATUS):
            has_rooms = partial(rooms.has_rooms_today, assignee=person_id(request.user))
            found = in_parallel([partial(has_rooms, each) for each in hotel_ids])
            if any(found) or (len(found) == 1 and not self.may(PLAN_ROOMS)):
                return redirect("rooms:my_rooms", hotel_ids[found.index(any(found))])
        if len(hotel_ids) == 1 and self.may(HOME_PERMISSION):
            return redirect(HOME, *hotel_ids)
        return super().get(request, *args, **kwargs)

    def listing(self, form: OverviewForm) -> Listing[Hotel]:  # type: ignore[override]
        """Return the hotels by id or, if they are not too many, sorted by what the statistics of each say."""
        self.against = form.cleaned_data["against"]
        if not self.may(HOME_PERMISSION):
            return hotels.hotels(HotelScope(frozenset()))
        compared, chosen, day = self.chosen(form), form.cleaned_data["sort"], today_in("UTC")
        seen = compared or hotels.seen_hotels(self.scope)
        names = {NAME, *self._cells(sums_of((), day), Lists(), day)} if len(seen) < hotels.MOST_SEEN else ()
        form.fields["sort"], column = SortField([each for each in SORTS if each.name in names]), form.order.column
        if chosen and column not in names:
            few = f"Fewer than {hotels.MOST_SEEN} hotels can be sorted, by figures that you may see."
            raise form.refuse("sort", few, chosen)
        if form.searched or not (chosen or compared):
            return super().listing(form)
        if not chosen:
            return hotels.hotels(HotelScope(frozenset(compared)))
        self._read(() if column == NAME else seen)
        places = [
            (each, each.name.casefold() if column == NAME else self._line(each)[1][column].place)
            for each in seen.values()
        ]
        return by_place(places, chosen, descending=form.order.descending)

    @property
    def file_columns(self) -> Sequence[str]:  # type: ignore[override]
        """Those of a hotel, and the figures that the user may see."""
        figures = self._cells(sums_of((), now().date()), Lists(), now().date())
        labels = (COLUMNS[name][0] for name in figures if name != ROOMS)
        return *entities.columns(Hotel), *(label.lower().replace(" ", "_") for label in labels)

    def exported(self, form: OverviewForm, rows: Iterator[Hotel]) -> Iterator[Hotel]:  # type: ignore[override]
        """Yield the hotels, after reading the statistics of many of them at once."""
        while hotels := [*islice(rows, MOST_FIGURES)]:
            self._stored.clear()
            self._read(each.hotel_id for each in hotels)
            yield from hotels

    def cells(self, entity: Hotel) -> Sequence[Any]:
        line = self._line(entity)[1].items()
        return *entities.cells(entity), *(cell.value for name, cell in line if name != ROOMS)

    def context(self, form: OverviewForm, page: Page[Hotel]) -> dict[str, Any]:  # type: ignore[override]
        """Return the context. The group has its own statistics; those of some hotels are the sum of each hotel's."""
        zones = {hotel.time_zone or "UTC" for hotel in page.rows}
        zone = zones.pop() if len(zones) == 1 else "UTC"
        today, mine = today_in(zone), self.narrowed(form).hotel_ids
        listed, many = [hotel.hotel_id for hotel in page.rows], len(mine or ()) > MOST_FIGURES
        added = (listed or sorted(mine or ())[:MOST_FIGURES]) if many or mine is None else mine
        reads: list[Callable[[], Any]] = [partial(self._read, {*listed, *added})]
        if mine is None:
            reads.insert(0, partial(hotels.group_statistics, today))
        of_group, *_ = in_parallel(reads)
        whole = of_group or HotelStatistics.of(chain.from_iterable(self._stored[each] for each in added), today)
        said: dict[str, Any] = {"days_of": f"each hotel. Today is that in {zone}"}
        if many:
            said["figures_of"] = "in the table" if page.rows else f"whose ids are the first {MOST_FIGURES}"
            said["hotels_seen"] = len(mine or ())
        lists = Lists(chosen=tuple(self.chosen(form)))
        said |= self._table(page, today) | {"plots": plots(whole, lists), "hotels": self.hotels_filter(form)}
        said["whole"] = not (page.previous or page.next or form.searched or form.filters_set)
        return {**super().context(form, page), **said}

    def _table(self, page: Page[Hotel], today: date) -> dict[str, Any]:
        """Return the lines of the table, and their sum, which has links if the table has the ``whole`` of the hotels.

        Each line is of its hotel's day. The sum is of the page's day, as the figures and plots above it.
        """
        lines = [(hotel, *self._line(hotel)) for hotel in page.rows]
        stored = [*chain.from_iterable(self._stored[hotel.hotel_id] for hotel in page.rows)]
        sums = sums_of(stored, today, self.against)
        if self.against and lines:  # this month may be another one in each hotel
            sums = [reduce(add, parts) for parts in zip(*(of_hotel for _, of_hotel, _ in lines), strict=True)]
        total = self._cells(sums, Lists(), today)
        labels = COLUMNS | (OF_LAST_YEAR if self.against else {})
        return {"labels": labels, "lines": lines, "total": total, "against": AGAINST}

    def _line(self, hotel: Hotel) -> tuple[Sums, dict[str, Cell]]:
        """Return what is counted of a hotel on its own day, and the cells of its line."""
        day = today_in(hotel.time_zone or "UTC")
        sums = sums_of(self._stored[hotel.hotel_id], day, self.against)
        return sums, self._cells(sums, Lists(hotel.hotel_id), day)

    def _cells(self, sums: Sums, lists: Lists, today: date) -> dict[str, Cell]:
        """Return the cells of a line that the user may see, by the name of their column."""
        cells = (CELLS[of](sums, lists, today, self.against) for of in CELLS if self.may(of))
        return {name: cell for each in cells for name, cell in each.items()}

    @cached_property
    def _stored(self) -> dict[str, list[Stored]]:
        """The statistics that were read, by the id of their hotel."""
        return {}

    def _read(self, hotel_ids: Iterable[str]) -> None:
        """Read the statistics of hotels that were not read yet: from a day on that is old enough in every zone."""
        missing = [each for each in hotel_ids if each not in self._stored]
        yesterday, tomorrow = (now().date() + timedelta(days=each) for each in (-1, 1))
        if self.against:
            days = year_before(yesterday.replace(day=1)), year_before(tomorrow)
            self._stored.update(hotels.stored_statistics(missing, yesterday, DAYS + 1, days))
        else:
            self._stored.update(hotels.stored_statistics(missing, yesterday, TREND_DAYS))


SHIFT = timedelta(hours=12)
MOST = {"changes": 100, "open_notes": 25, "repairs": 20, "assigned": 250, "dirty": 100, "orders": 8}
"""How many of each list the page reads. It shows fewer, so that it is one page on paper."""
ROOM_LISTS, SHOWN = (
    ("assigned", "dirty", "repairs"),
    {"open_notes": 8, "notes": 10, "repairs": 8, "rush": 8, "changes": 8},
)


class HandoverPage(HotelMixin, StaffPage):
    """The page of the handover. All parts are read at the same time, and each part needs its permission."""

    title = "Handover of {page.hotel.name}"
    permission = HOME_PERMISSION
    template_name = "overview/handover.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        zone, at, pages = self.hotel.time_zone, now(), self._pages()
        entries = seen_by(self, pages["changes"]).rows
        groups = [group for group in grouped(entries) if group[0].thing]
        found = [room for name in ROOM_LISTS if name in pages for room in pages[name].rows]
        listed = {room.number: room for room in found}.values()
        rush = [room for room in listed if room.planned_on(today_in(zone)).priority == Priority.RUSH]
        planned = [room for room in listed if room.planned_on(today_in(zone)).left_alone]
        self.shows_times = True
        is_whole = read(self.request.GET, all=forms.BooleanField(required=False))["all"]  # and not one page on paper
        return super().get_context_data(
            **kwargs,
            pages=pages,
            notes=notes_of(entries, listed),
            changes=groups[: SHOWN["changes"]],
            changes_words=f"Changes: {len(groups)}{'+' * bool(pages['changes'].next)}",
            rush=rush,
            alone=Counter(room.planned_on(today_in(zone)).priority for room in planned),
            names=names_in(rush, self.hotel),
            times=(at - SHIFT, at),
            shown=dict.fromkeys(SHOWN) if is_whole else SHOWN,
        )

    def _pages(self) -> dict[str, Page[Any]]:
        """Return the pages of the lists that the user may see, by name."""
        hotel_id = self.hotel.hotel_id
        changes = history.changes_in(hotel_id).where(at=at_least(now() - SHIFT))
        lists: dict[str, Listing[Any]] = {"changes": changes.listing()}
        if self.may(VIEW_NOTES):
            lists["open_notes"] = open_notes(hotel_id)
        if self.may(VIEW_ROOMS):
            lists["repairs"] = rooms.repairs(hotel_id)
            lists["assigned"] = rooms.rooms_of_day(hotel_id, today_in(self.hotel.time_zone))
            lists["dirty"] = rooms.rooms_to_clean(hotel_id).listing()
        if self.may(VIEW_ORDERS):
            lists["orders"] = orders.placed(UNFINISHED, hotel_id=hotel_id).order_by("placed_at", "order_id").listing()
        read = in_parallel([partial(read_page, each, MOST[name]) for name, each in lists.items()])
        return dict(zip(lists, read, strict=True))


def notes_of(entries: Iterable[HistoryEntry], listed: Iterable[Room]) -> list[tuple[str, str, HistoryEntry | None]]:
    """Return the notes that entries set, the newest first, then those of listed rooms: thing, text, and entry."""
    changes = ((entry, change) for entry in entries for change in entry.changes if change.field == "note")
    newest: dict[str, tuple[str, HistoryEntry | None]] = {}
    for entry, change in changes:
        newest.setdefault(entry.thing, (change.after, entry))
    for room in listed:
        newest.setdefault(keys.thing("room", room.hotel_id, room.number), (room.note, None))
    return [(thing, text, entry) for thing, (text, entry) in newest.items() if text]
