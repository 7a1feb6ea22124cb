"""The start pages: that of the group, and that of a hotel."""

from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from itertools import groupby
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from dynamodb_lists.reading.fetching import in_parallel
from dynamodb_lists.reading.lists import Listing
from dynamodb_lists.reading.pages import Page, read_page
from hotels import queries as hotels
from hotels.apps import HOME, HOME_PERMISSION
from hotels.entities import Hotel, HotelStatistics
from hotels.forms import HotelsForm
from hotels.views import HotelMixin, HotelsPage
from orders.apps import VIEW_ORDERS
from overview.forms import OverviewForm
from overview.views.figures import Lists, key_figures, lines, plots
from portal.access import ANY_STAFF, StaffMixin, StaffPage
from portal.frame import open_links
from portal.history import queries as history
from portal.history.entities import HistoryEntry
from portal.history.views import HistoryPage, entry_for
from portal.lists.days import DaysForm
from portal.times import today_in
from reviews.apps import VIEW_REVIEWS
from rooms import queries as rooms
from rooms.apps import VIEW_ROOMS
from rooms.entities import Room

LONGEST, NEWEST, MOST_OVERDUE = 6, 8, 20
"""How many of the dirty rooms and of the changes a page shows, and among how many repairs it counts overdue ones."""

MOST_FIGURES = 50
"""The most hotels whose figures are added up for who is bound to them: a Query reads those of each hotel."""


def shown(page: StaffMixin, statistics: HotelStatistics, lists: Lists) -> dict[str, Any]:
    """What a page shows of statistics: the key figures that the user may see, and the plots."""
    figures = [figure for figure in key_figures(statistics, lists) if page.may(figure.permission)]
    return {"key_figures": figures, "plots": plots(statistics, lists)}


def overdue_of(repairs: Page[Room], today: date) -> str:
    """How many of the repairs are overdue, which come first; blank if none is. "20+" if all of them are."""
    overdue = sum(room.is_overdue(today) for room in repairs.rows)
    return f"{overdue or ''}" + "+" * bool(overdue == len(repairs.rows) and repairs.next)


class HotelOverview(HotelMixin, StaffPage):
    title = "{page.hotel.name}"
    fresh = True
    permission = HOME_PERMISSION
    template_name = "overview/hotel.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Everything is read at the same time. The hotel's zone says which day it is."""
        hotel_id = self.kwargs["hotel_id"]
        dirty, repairs = rooms.rooms_to_clean(hotel_id), rooms.repairs(hotel_id)
        waiting = {"dirty": (dirty, LONGEST), "jobs": (repairs, MOST_OVERDUE)} if self.may(VIEW_ROOMS) else {}
        reads: list[Callable[[], Any]] = [
            partial(hotels.hotel, hotel_id),
            partial(hotels.stored_statistics, hotel_id),
            partial(read_page, history.changes_in(hotel_id), NEWEST),
            *(partial(read_page, *each) for each in waiting.values()),
        ]
        self.hotel, stored, changes, *pages = in_parallel(reads)
        today, shown_pages = today_in(self.zone), dict(zip(waiting, pages, strict=True))
        statistics = HotelStatistics.of(stored, today)
        self.shows_times = True
        entries = [entry_for(self, entry) for entry in changes.rows]
        return super().get_context_data(
            changes=[list(group) for _, group in groupby(entries, key=lambda entry: entry.bulk or entry)],
            waiting=shown_pages,
            overdue=overdue_of(shown_pages["jobs"], today) if shown_pages else "",
            days_of="the hotel",
            **shown(self, statistics, Lists(hotel_id)),
            **kwargs,
        )


class HotelHistoryPage(HotelMixin, HistoryPage):
    """C3: what members of staff changed in a hotel."""

    title = "Changes in {page.hotel.name}"
    permission = HOME_PERMISSION
    csv_name = "changes-in-{hotel_id}"

    def listing(self, form: DaysForm) -> Listing[HistoryEntry]:
        return history.changes_in(self.hotel.hotel_id, form.span(self.zone), descending=form.order.descending)

    def context(self, form: DaysForm, page: Page[HistoryEntry]) -> dict[str, Any]:
        return {**super().context(form, page), "hotel": self.hotel, "mixed": True}


class GroupOverview(HotelsPage):
    """The start page of the group: the figures of all hotels that the user sees, and a line for each of them."""

    title = "Overview"
    permission = ANY_STAFF
    form_class = OverviewForm
    template_name = "overview/group.html"
    list_template_name = "overview/_lines.html"

    def may_open(self) -> bool:
        return super().may_open() and any(map(self.may, (HOME_PERMISSION, VIEW_ROOMS, VIEW_ORDERS, VIEW_REVIEWS)))

    def handle_no_permission(self) -> HttpResponse:  # type: ignore[override]
        """Lead to the first page of the sidebar that the user may open. Without any, say who can grant a permission."""
        if not self.may(ANY_STAFF):
            return super().handle_no_permission()
        if links := open_links(self.request):
            return redirect(links[0][1])
        return render(self.request, "portal/no_pages.html", self.get_context_data(title="Welcome"))

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:  # type: ignore[override]
        """The page; for staff who are bound to one hotel, the way to the page of that hotel."""
        if len(self.scope.hotel_ids or ()) == 1 and self.may(HOME_PERMISSION):
            return redirect(HOME, *self.scope.hotel_ids or ())
        return super().get(request, *args, **kwargs)

    def listing(self, form: HotelsForm) -> Listing[Hotel]:
        return super().listing(form) if self.may(HOME_PERMISSION) else hotels.hotels(())

    def context(self, form: HotelsForm, page: Page[Hotel]) -> dict[str, Any]:
        zones = {hotel.time_zone or "UTC" for hotel in page.rows}
        zone = zones.pop() if len(zones) == 1 else "UTC"
        today = today_in(zone)
        reads: list[Callable[[], Any]] = [
            partial(self._statistics, today, [hotel.hotel_id for hotel in page.rows]),
            partial(hotels.hotel_lines, page.rows, today),
        ]
        statistics, of_hotels = in_parallel(reads)
        compared = lines(page.rows, of_hotels, self.may)
        said: dict[str, Any] = {"lines": compared, "days_of": f"each hotel. Today is that in {zone}"}
        if self._of_list:
            said["figures_of"] = "in the list below" if page.rows else f"whose ids are the first {MOST_FIGURES}"
            said["hotels_seen"] = len(self.scope.hotel_ids or ())
        return {**super().context(form, page), **said, **shown(self, statistics, Lists())}

    @property
    def _of_list(self) -> bool:
        """Whether the figures are those of the hotels in the list, because the user is bound to many."""
        return len(self.scope.hotel_ids or ()) > MOST_FIGURES

    def _statistics(self, today: date, listed: Sequence[str]) -> HotelStatistics:
        if self.scope.hotel_ids is None:
            return hotels.group_statistics(today)
        if self._of_list:
            return hotels.statistics(listed or sorted(self.scope.hotel_ids)[:MOST_FIGURES], today)
        return hotels.statistics(self.scope.hotel_ids, today)
