"""The start pages: that of the group, and that of a hotel."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from functools import cached_property, partial
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect

from hotelapp.dynamodb.reading.fetching import in_parallel
from hotelapp.dynamodb.reading.lists import Listing
from hotelapp.dynamodb.reading.pages import Page, read_page
from hotelapp.portal.access import ANY_STAFF, StaffMixin, StaffPage
from hotelapp.portal.home import HomePage
from hotelapp.portal.lists.views import ListPage
from hotels import queries as hotels
from hotels.entities import Hotel, HotelStatistics
from hotels.views import HotelMixin
from orders.apps import VIEW_ORDERS
from overview.forms import LinesForm
from overview.views.figures import Lists, key_figures, lines, plots
from reviews.apps import VIEW_REVIEWS
from rooms import queries as rooms
from rooms.apps import VIEW_ROOMS

VIEW_HOTELS = "hotels.view_hotel"
LONGEST_WAITING = 5
"""How many of the rooms that need attention are shown."""


class OverviewMixin(StaffMixin):
    """A page with figures and plots."""

    @cached_property
    def today(self) -> date:
        """The present day, in UTC."""
        return datetime.now(UTC).date()

    def figures(self, statistics: HotelStatistics, lists: Lists) -> dict[str, Any]:
        """What the page shows of statistics: figures that the user may see, and the plots."""
        seen = [figure for figure in key_figures(statistics, lists) if self.may(figure.permission)]
        return {"key_figures": seen, "plots": plots(statistics, lists), "lists": lists}


class HotelOverview(HotelMixin, OverviewMixin, StaffPage):
    """The start page of a hotel."""

    permission = VIEW_HOTELS
    template_name = "overview/hotel.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Everything is read at the same time."""
        hotel_id = self.kwargs["hotel_id"]
        reads: list[Callable[[], Any]] = [
            partial(hotels.hotel, hotel_id),
            partial(hotels.statistics, hotel_id, self.today),
        ]
        if self.may(VIEW_ROOMS):
            reads.append(partial(self._longest_waiting, hotel_id))
        hotel, statistics, *waiting = in_parallel(reads)
        context = {"hotel": hotel, "title": hotel.name, "waiting": waiting[0] if waiting else None}
        return super().get_context_data(**context, **self.figures(statistics, Lists(hotel_id)), **kwargs)

    def _longest_waiting(self, hotel_id: str) -> Page[Any]:
        return read_page(rooms.rooms_needing_attention(hotel_id, descending=False), LONGEST_WAITING)


class GroupOverview(OverviewMixin, ListPage[LinesForm]):
    """The start page of the group: its figures, or those of the user's hotels, and a line for each hotel."""

    title = "Overview"
    permission = ANY_STAFF
    form_class = LinesForm
    template_name = "overview/group.html"
    list_template_name = "overview/_lines.html"
    entity = Hotel
    noun = "hotels"

    def may_open(self) -> bool:
        """Whether the user may see any of it."""
        return super().may_open() and any(map(self.may, (VIEW_HOTELS, VIEW_ROOMS, VIEW_ORDERS, VIEW_REVIEWS)))

    def handle_no_permission(self) -> HttpResponse:  # type: ignore[override]
        """Lead to the first page that the user may open."""
        return HomePage.as_view()(self.request)  # type: ignore[no-any-return]

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:  # type: ignore[override]
        """The page. Whoever is bound to one hotel is sent to the page of that hotel."""
        if len(self.scope.hotel_ids or ()) == 1 and self.may(VIEW_HOTELS):
            return redirect("overview:hotel", *self.scope.hotel_ids or ())
        return super().get(request, *args, **kwargs)

    def listing(self, form: LinesForm) -> Listing[Hotel]:
        return hotels.hotels(self.scope.hotel_ids if self.may(VIEW_HOTELS) else ())

    def context(self, form: LinesForm, page: Page[Hotel]) -> dict[str, Any]:
        day = form.cleaned_data["day"] or self.today - timedelta(days=1)
        of_lines = partial(hotels.hotel_lines, page.rows, day + timedelta(days=1))
        reads: list[Callable[[], Any]] = [self._statistics, of_lines]
        statistics, by_hotel = in_parallel(reads)
        headers, compared = lines(page.rows, by_hotel, self.may)
        return {"day": day, "headers_of_lines": headers, "lines": compared, **self.figures(statistics, Lists())}

    def _statistics(self) -> HotelStatistics:
        if self.scope.hotel_ids is None:
            return hotels.group_statistics(self.today)
        return hotels.statistics_of(self.scope.hotel_ids, self.today)
