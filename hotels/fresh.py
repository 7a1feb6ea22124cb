"""Fresh pages: while somebody sees a page of a hotel, it shows what others change there; docs/pages.md.

A page says ``fresh = True``. Its frame has the address of :class:`ChangedSince`, which ``static/portal/fresh.js`` asks.
If something has changed, the script reads the page anew and replaces its rows.
"""

from http import HTTPStatus
from typing import Any

from django.forms import CharField
from django.http import HttpRequest, HttpResponse, JsonResponse

from hotels.views import HotelMixin
from portal.access import ANY_STAFF, StaffMixin, StaffPage
from portal.forms.parameters import read
from portal.frame import address
from portal.history.queries import changes_in


def look_address(page: StaffMixin) -> str:
    """The address that says whether the page's hotel, or the only one of the user, has changed; blank if none is."""
    about = [page.hotel_id] if page.hotel_id else [*(page.scope.hotel_ids or ())]
    return address("hotels:changed", *about) if len(about) == 1 else ""


class ChangedSince(HotelMixin, StaffPage):
    """Says whether somebody has changed something in a hotel since a page has asked last, but not what."""

    permission = ANY_STAFF

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Status 204, or what to ask with next, and the newest change in milliseconds. It prolongs no session."""
        told = CharField(required=False, max_length=64)  # when the page asked last; blank at first
        since = read(request.GET, since=told)["since"]
        request.session.unattended = True  # type: ignore[attr-defined]
        times = [int(entry.at.timestamp() * 1_000_000) for entry in changes_in(self.hotel_id).first(2)]
        now = "-".join(map(str, times)) or self.hotel.hotel_id  # an unknown hotel has no entries either
        if now == since:
            return HttpResponse(status=HTTPStatus.NO_CONTENT)
        return JsonResponse({"since": now, "newest": max(times, default=0) // 1000})
