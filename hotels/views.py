from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from http import HTTPStatus
from typing import Any, ClassVar
from urllib.parse import urlsplit

from django.forms import CharField
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict

from dynamodb_lists import Listing, Page, WordQuery, errors
from hotels import commands, queries
from hotels.app_config import HOME, HOME_PERMISSION, tab_of
from hotels.entities import Hotel
from hotels.forms import EditHotelForm, HotelsForm, NewHotelForm
from portal.access import ANY_STAFF, StaffMixin, StaffPage
from portal.form_pages import EditPage, FormPage
from portal.forms.parameters import read
from portal.history.queries import changes_in
from portal.history.undoing import address_of
from portal.history.views import say_added
from portal.htmx import shown_address
from portal.lists.forms import Filter, ListForm, filter_of
from portal.lists.views import Column, FormT, ListPage
from portal.people import HotelScope

SWITCHER_HOTELS = 100


def may_add_hotels(page: StaffMixin) -> bool:
    """Return whether the user may add hotels. Users who are bound to some hotels would not see the new one."""
    return page.may(AddHotelPage.permission) and not page.scope.bound


class HotelMixin(StaffMixin):
    @cached_property
    def hotel(self) -> Hotel:
        """The hotel in the address. Raises :class:`~dynamodb_lists.connection.errors.NotFound`."""
        return queries.hotel(self.kwargs["hotel_id"])


class HotelsPage(ListPage[HotelsForm]):
    title, noun, permission = "Hotels", "hotels", "hotels.view_hotel"
    form_class, entity = HotelsForm, Hotel
    list_template_name = "hotels/_of_hotels.html"
    hotel_by_hotel = False
    columns = (Column("hotel_id", code=True), "name", "city", "rooms")
    key, row_head, row_page = "hotel_id", "name", (HOME, "hotel_id")
    adds = ("Add a hotel", "hotels.add_hotel", "hotels:add_hotel")
    nothing = ("No hotels yet.", "Add a hotel, or import its rooms from a file.")
    found_by = "Hotels are found by the beginning of any word of their name and city, and by their id."

    @property
    def add_address(self) -> str:
        return super().add_address if may_add_hotels(self) else ""

    def listing(self, form: HotelsForm) -> Listing[Hotel]:
        if query := WordQuery.of(form.cleaned_data["q"]):
            return queries.hotels_found(query, self.scope, whole=True)
        return queries.hotels(self.scope)


class OfHotelsMixin(StaffMixin):
    """A page of the hotel in its address or, if that names none, of several, which its form chooses."""

    @cached_property
    def hotel(self) -> Any:
        return queries.hotel(self.hotel_id) if self.hotel_id else None

    @property
    def of(self) -> str:
        """What a title ends with: the hotel, if the page is about one."""
        return f" of {self.hotel.name}" if self.hotel else ""

    def offered(self, form: ListForm) -> dict[str, Hotel]:
        """Return the hotels that the filter offers, by id: the first that the user sees, and those that are chosen."""
        seen = queries.seen_hotels(self.scope)
        others = [each for each in form.cleaned_data.get("hotel", ()) if each not in seen and self.scope.allows(each)]
        return seen | queries.known_hotels(others)

    def chosen(self, form: ListForm) -> dict[str, Hotel]:
        """Return the hotels of the filter, by id. Raises :class:`~dynamodb_lists.connection.errors.UnknownValue`."""
        if self.hotel_id:
            return {self.hotel_id: self.hotel}
        wanted = form.cleaned_data.get("hotel", ())
        offered = self.offered(form) if wanted else {}
        for hotel_id in wanted:
            if hotel_id not in offered:
                raise errors.UnknownValue("hotel", hotel_id)
        return {hotel_id: offered[hotel_id] for hotel_id in wanted}

    def narrowed(self, form: ListForm) -> HotelScope:
        """Return the chosen hotels, or all that the user sees."""
        chosen = self.chosen(form)
        return HotelScope(frozenset(chosen)) if chosen else self.scope

    def zones(self, form: ListForm) -> dict[str, str]:
        """Return the time zones of the chosen hotels, or else of the first that the user sees, by id."""
        named = self.chosen(form) or queries.seen_hotels(self.scope)
        return {hotel_id: hotel.time_zone for hotel_id, hotel in named.items()}

    def knows_all(self, form: ListForm) -> bool:
        """Return whether :meth:`zones` has every hotel of the list, and not the first hundred alone."""
        ids, most = self.narrowed(form).hotel_ids, queries.MOST_SEEN
        return len(self.zones(form)) < most if ids is None else len(ids) <= most

    def hotels_filter(self, form: ListForm, counts: Mapping[str, int] | None = None) -> Filter:
        """Return the filter of hotels, with these counts of the list's rows."""
        offered = self.offered(form)
        first = self.scope.first(queries.MOST_SEEN, len(offered))
        return filter_of(
            "hotel",
            "Hotel",
            counts or {},
            values=sorted(offered, key=lambda hotel_id: offered[hotel_id].name),
            selected=form.cleaned_data["hotel"],
            words=lambda hotel_id: offered[hotel_id].name,
            counted=counts is not None,
            note=first and f"{first}. Find the others in the list of all hotels.",
            whole=form.cleaned_data["choices"] == "hotel",
            offered=len(offered) > 1,
        )


class OfHotelsPage(OfHotelsMixin, ListPage[FormT]):
    """A list of several hotels, or of the one in its address. Its rows have a ``hotel_id``.

    ``of_one`` names the fields of the form that only the list of one hotel has.
    """

    fresh = True
    list_template_name = "hotels/_of_hotels.html"
    of_one: ClassVar[Sequence[str]] = ()
    hotel_by_hotel: ClassVar[bool] = True
    """Whether the list of several hotels has one after the other, so that a page may have hotels without a row."""

    def form(self, data: QueryDict) -> FormT:
        """Return the form with the choice of hotels or, if the address names one hotel, with its own fields."""
        form = super().form(data)
        for name in ("hotel", "choices") if self.hotel_id else self.of_one:
            form.fields.pop(name, None)
        return form

    def zone_at(self, form: FormT) -> Callable[[str], str]:
        """Return the time zone of each hotel that a filter offers; that of the page for others."""
        zones = self.zones(form)
        return lambda hotel_id: zones.get(hotel_id, self.zone)

    def context(self, form: FormT, page: Page[Any]) -> dict[str, Any]:
        known = self.chosen(form) if self.hotel_id else self.offered(form)
        known |= queries.known_hotels({row.hotel_id for row in page.rows} - known.keys())  # one request at most
        names = {hotel_id: hotel.name for hotel_id, hotel in known.items()}
        hotels = self.hotels_filter(form) if "hotel" in form.fields else None
        return {"filters": {"hotel": hotels} if hotels else {}, "hotel_names": names}


class HotelSwitcher(StaffPage):
    """The links of the open hotel switcher, to the same tab of each hotel, and to a list with the same filters."""

    permission = "hotels.view_hotel"
    template_name = "hotels/_switcher.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        opened = read(self.request.GET, page=CharField(required=False, max_length=64))["page"]
        tab, query = tab_of(opened), QueryDict(urlsplit(shown_address(self.request)).query, mutable=True)
        query.pop("cursor", None)
        page, permission = (tab.url_name, tab.permission) if tab else (HOME, HOME_PERMISSION)
        hotels = queries.hotels(self.scope).first(SWITCHER_HOTELS)
        first = self.scope.first(SWITCHER_HOTELS, len(hotels))
        filters = f"?{query.urlencode()}" if query and page == opened else ""
        return {"hotels": hotels, "page": page, "filters": filters, "may_open": self.may(permission), "first": first}


class AddHotelPage(FormPage[NewHotelForm]):
    title = "Add a hotel"
    permission = "hotels.add_hotel"
    form_class = NewHotelForm
    list_url = "hotels:hotels"

    def may_open(self) -> bool:
        return may_add_hotels(self)

    def save(self, form: NewHotelForm) -> str:
        hotel = commands.create_hotel(form.new(hotel_id=form.cleaned_data["hotel_id"]), self.by)
        say_added(self, hotel.name, hotel)
        return address_of(hotel)


class EditHotelPage(EditPage[EditHotelForm]):
    title = "Edit {page.stored.name}"
    permission = "hotels.change_hotel"
    form_class = EditHotelForm
    context_object_name = "hotel"


class ChangedSince(HotelMixin, StaffPage):
    """Says whether somebody has changed something in a hotel since a page has asked last, but not what.

    A page says ``fresh = True``. Its frame has this address, which ``static/portal/fresh.js`` asks while somebody sees
    the page. If something has changed, the script reads the page anew and replaces its rows: docs/portal.md.
    """

    permission = ANY_STAFF

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Status 204, or what to ask with next, and the newest change in milliseconds. It prolongs no session."""
        told = CharField(required=False, max_length=64)  # when the page asked last; blank at first
        since = read(request.GET, since=told)["since"]
        request.session.unattended = True  # type: ignore[attr-defined]
        times = [int(entry.at.timestamp() * 1_000_000) for entry in changes_in(self.hotel_id).take(2)]
        now = "-".join(map(str, times)) or self.hotel.hotel_id  # an unknown hotel has no entries either
        if now == since:
            return HttpResponse(status=HTTPStatus.NO_CONTENT)
        return JsonResponse({"since": now, "newest": max(times, default=0) // 1000})
