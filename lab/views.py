from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.http import urlencode

from dynamodb_lists.planning.request_cost import READ_DOLLARS
from lab import entities, queries
from lab.apps import OPEN_LAB
from lab.entities import PAGE_UNITS, SCAN_UNITS, MeasuredWay
from lab.forms import ListChoiceForm, check_run, selection_form
from lab.measured import MeasuredList, measured_lists
from portal.access import StaffPage
from portal.forms.parameters import BadParameters, checked
from portal.hotels_app import hotels
from portal.lists.forms import ListForm
from portal.panel import cost_panel

OFFERED = 100
"""How many hotels the field of the hotel offers. Any other one can be typed."""


class LabPage(StaffPage):
    """A list of a hotel, read in four ways; without ``run``, only what a run would cost at most."""

    title = "Cost lab"
    permission = OPEN_LAB
    template_name = "lab/lab.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """The form and, if it asks for a run, the figures. A bad value stays beside its problem, with status 400."""
        asked = checked(ListChoiceForm(request.GET))["list"]
        lists = measured_lists()
        allowed = [measured for measured in lists.values() if self.may(measured.permission)]
        chosen = lists[asked] if asked else next(iter([*allowed, *lists.values()]))
        form, status, run = selection_form(chosen, request.GET), HTTPStatus.OK, dict[str, Any](found=0)
        if asked:
            self.require(chosen.permission)
        try:
            with form.refusing():
                checked(form)
                check_run(form, chosen)
                if form.cleaned_data["run"]:
                    run = self._run(form, chosen)
        except BadParameters as refused:
            form.show(request.GET, refused.problems)
            status, run["problems"] = HTTPStatus.BAD_REQUEST, refused.problems
        context = self.get_context_data(form=form, chosen=chosen, allowed=allowed, **run)
        return self.render_to_response(context, status=status)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        form, chosen = kwargs["form"], kwargs["chosen"]
        requests = form.cleaned_data.get("requests") or 1
        most = 3 * requests * PAGE_UNITS
        context = {
            "requests": requests,
            "fields": [form[name] for name in ("hotel", *chosen.drawn, "requests")],
            "hotels": (offered := hotels().hotel_names(self.scope.hotel_ids, OFFERED)),
            "first": self.scope.first(OFFERED, len(offered)),
            "example": self._example(chosen),
            "most": (most, most * READ_DOLLARS / 1_000_000),
            "page_units": PAGE_UNITS,
            "gigabyte": (entities.GIGABYTE // entities.MEGABYTE, SCAN_UNITS, SCAN_UNITS * READ_DOLLARS),
        }
        return super().get_context_data(**context, **kwargs)

    def _example(self, chosen: MeasuredList) -> dict[str, Any] | None:
        """The run that the page offers before one asks for another; ``None`` without a hotel or the permission."""
        hotel = hotels().largest_hotel(self.scope.hotel_ids)
        if hotel is None or not self.may(chosen.permission):
            return None
        asked = {"list": chosen.name, "hotel": hotel.hotel_id, **chosen.example, "run": "1"}
        return {"hotel": hotel.name, "address": f"?{urlencode(asked)}"}

    def _run(self, form: ListForm, chosen: MeasuredList) -> dict[str, Any]:
        """The figures of a list."""
        self.require(chosen.permission)
        hotel_id, requests = form.cleaned_data["hotel"], form.cleaned_data["requests"] or 1
        name = hotels().hotel_names({hotel_id}, 1).get(hotel_id) if self.scope.allows(hotel_id) else None
        if name is None:
            raise form.refuse("hotel", f"There is no hotel {hotel_id}.", hotel_id)
        ways = [_shown(way) for way in queries.ways(chosen, hotel_id, chosen.query(form, hotel_id), requests)]
        times, scan = ways[1][0].whole_units / (ways[0][0].units or 1), _speed(ways[-1][0])
        return {"hotel_name": name, "ways": ways, "found": len(ways), "scan": scan, "times": times}


def _shown(way: MeasuredWay) -> tuple[MeasuredWay, cost_panel.PageCost]:
    """A way with its requests in the words of the engineers' panel."""
    return way, cost_panel.summary(way.calls, way.rows or 0, {})


def _speed(scan: MeasuredWay) -> tuple[MeasuredWay, float, float, float] | None:
    """A Scan, how many MB it read, and how long it takes for one (ms) and for 1 GB (s); ``None`` if it read nothing."""
    size = scan.units / PAGE_UNITS
    if not size:
        return None
    each = scan.milliseconds / size
    return scan, size, each, each * entities.GIGABYTE / entities.MEGABYTE / 1000
