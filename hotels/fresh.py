"""Fresh pages: while somebody sees a page of a hotel, it shows what others change there; docs/pages.md.

A page says ``fresh = True``. Its frame has the address of :class:`ChangedSince`, which ``static/portal/fresh.js`` asks.
If something has changed, the script reads the page anew and replaces its rows.
"""

from hashlib import sha256
from http import HTTPStatus
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, JsonResponse

from hotels.views import HotelMixin
from portal.access import ANY_STAFF, StaffMixin, StaffPage
from portal.forms.parameters import checked
from portal.frame import address
from portal.history.queries import changes_in


def look_address(page: StaffMixin) -> str:
    """The address that says whether the page's hotel, or the only one of the user, has changed; blank if none is."""
    about = [page.hotel_id] if page.hotel_id else [*(page.scope.hotel_ids or ())]
    return address("hotels:changed", *about) if len(about) == 1 else ""


class SinceForm(forms.Form):
    """What a page was told when it asked last what has changed; blank at first."""

    since = forms.CharField(required=False, max_length=16)


class ChangedSince(HotelMixin, StaffPage):
    """Says whether somebody has changed something in a hotel since a page has asked last, but not what."""

    permission = ANY_STAFF

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Status 204, or what to ask with next, and the newest change in milliseconds. It prolongs no session."""
        since = checked(SinceForm(request.GET))["since"]
        request.session.unattended = True  # type: ignore[attr-defined]
        newest = changes_in(self.hotel_id).first(2)
        name = "" if newest else self.hotel.hotel_id  # an unknown hotel has no entries either
        now = sha256(repr((name, newest)).encode(errors="surrogatepass")).hexdigest()[:16]
        if now == since:
            return HttpResponse(status=HTTPStatus.NO_CONTENT)
        at = max((entry.at.timestamp() for entry in newest), default=0)
        return JsonResponse({"since": now, "newest": int(at * 1000)})
