"""The cost lab: a list of rooms read with keys, with a filter, in memory and by a Scan, side by side."""

from http import HTTPStatus
from operator import attrgetter
from typing import Any

from django.http import HttpRequest, HttpResponse

from dynamodb_lists.planning.request_cost import READ_DOLLARS
from hotels import queries as hotels
from portal import cost_panel
from portal.access import StaffPage
from portal.forms.parameters import BadParameters, checked
from rooms.apps import OPEN_LAB, VIEW_ROOMS
from rooms.forms.lab import DRAWN, LabForm
from rooms.queries.lab import GIGABYTE, MEGABYTE, PAGE_UNITS, SCAN_UNITS, MeasuredWay, ways

OFFERED = 100
"""How many hotels the field of the hotel offers. Any other one can be typed."""


class LabPage(StaffPage):
    """A list of a hotel, read in four ways; without ``run``, only what a run would cost at most."""

    title = "Cost lab"
    permission = OPEN_LAB
    template_name = "rooms/lab.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """The form and, if it asks for a run, the figures. A bad value stays beside its problem, with status 400."""
        form, status, run = LabForm(request.GET), HTTPStatus.OK, dict[str, Any](found=0)
        try:
            with form.refusing():
                checked(form)
                form.check_run()
                if form.cleaned_data["run"]:
                    run = self._run(form)
        except BadParameters as refused:
            form.show(request.GET, refused.problems)
            status, run["problems"] = HTTPStatus.BAD_REQUEST, refused.problems
        return self.render_to_response(self.get_context_data(form=form, **run), status=status)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        form = kwargs["form"]
        requests = form.cleaned_data.get("requests") or 1
        most = 3 * requests * PAGE_UNITS
        seen = hotels.seen_hotels(self.scope.hotel_ids).values() if self.may(VIEW_ROOMS) else ()
        context = {
            "requests": requests,
            "fields": [form[name] for name in DRAWN],
            "hotels": (offered := hotels.hotel_names(self.scope.hotel_ids, OFFERED)),
            "first": self.scope.first(OFFERED, len(offered)),
            "example": max(seen, key=attrgetter("rooms"), default=None),
            "most": (most, most * READ_DOLLARS / 1_000_000),
            "page_units": PAGE_UNITS,
            "gigabyte": (GIGABYTE // MEGABYTE, SCAN_UNITS, SCAN_UNITS * READ_DOLLARS),
        }
        return super().get_context_data(**context, **kwargs)

    def _run(self, form: LabForm) -> dict[str, Any]:
        """The figures of a list."""
        self.require(VIEW_ROOMS)
        hotel_id, requests = form.cleaned_data["hotel"], form.cleaned_data["requests"] or 1
        hotel = hotels.known_hotels([hotel_id]).get(hotel_id) if self.scope.allows(hotel_id) else None
        if hotel is None:
            raise form.refuse("hotel", f"There is no hotel {hotel_id}.", hotel_id)
        measured = ways(hotel_id, form.query(hotel.currency), requests)
        found = [(way, cost_panel.summary(way.calls, way.rows or 0)) for way in measured]
        times, scan = found[1][0].whole_units / (found[0][0].units or 1), _speed(found[-1][0])
        return {"hotel_name": hotel.name, "ways": found, "found": len(found), "scan": scan, "times": times}


def _speed(scan: MeasuredWay) -> tuple[MeasuredWay, float, float, float] | None:
    """A Scan, how many MB it read, and how long it takes for one (ms) and for 1 GB (s); ``None`` if it read nothing."""
    size = scan.units / PAGE_UNITS
    if not size:
        return None
    each = scan.milliseconds / size
    return scan, size, each, each * GIGABYTE / MEGABYTE / 1000
