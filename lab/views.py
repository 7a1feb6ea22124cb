from http import HTTPStatus
from math import log10
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.http import urlencode

from dynamodb_lists.planning.request_cost import READ_DOLLARS
from lab import entities, queries
from lab.apps import OPEN_LAB
from lab.entities import PAGE_UNITS, SCAN_UNITS, MeasuredWay, Workload
from lab.forms import BreakEvenForm, ListChoiceForm, check_run, lists, selection_form
from lab.measured import MeasuredList, measured_parts
from portal.access import StaffPage
from portal.forms.parameters import BadParameters, checked
from portal.hotels_app import hotels
from portal.lists.forms import ListForm
from portal.panel import cost_panel

OFFERED = 100
"""How many hotels the field of the hotel offers. Any other one can be typed."""

DESIGNS = ("Keys, indexes and counts", "Filter, in the order of the key", "Whole hotel, sorted in memory")


class LabPage(StaffPage):
    """A list of a hotel, read in four ways; without ``run``, only what a run would cost at most."""

    title = "Cost lab"
    permission = OPEN_LAB
    template_name = "lab/lab.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """The form and, if it asks for a run, the figures. A bad value stays beside its problem, with status 400."""
        asked = checked(ListChoiceForm(request.GET))["list"]
        allowed = [measured for measured in lists().values() if self.may(measured.permission)]
        chosen = lists()[asked] if asked else next(iter([*allowed, *lists().values()]))
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
        most = (3 * requests + 1) * PAGE_UNITS
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
        """The figures of a list, and of the good uses of a filter that the user may see."""
        self.require(chosen.permission)
        hotel_id, requests = form.cleaned_data["hotel"], form.cleaned_data["requests"] or 1
        name = hotels().hotel_names({hotel_id}, 1).get(hotel_id) if self.scope.allows(hotel_id) else None
        if name is None:
            raise form.refuse("hotel", f"There is no hotel {hotel_id}.", hotel_id)
        ways = [_shown(way) for way in queries.ways(chosen, hotel_id, chosen.query(form, hotel_id), requests)]
        uses = [
            use
            for part in measured_parts()
            for use in part.good_filters
            if not use.permission or self.may(use.permission)
        ]
        good = [(use, [_shown(queries.timed(read)) for read in use.reads(hotel_id)]) for use in uses]
        times, scan = ways[1][0].whole_units / (ways[0][0].units or 1), _speed(ways[-1][0])
        return {"hotel_name": name, "ways": ways, "found": len(ways), "scan": scan, "times": times, "good": good}


class BreakEvenPage(StaffPage):
    """From how many rooms, and from how many pages a write on, keys cost less. It reads no table."""

    title = "When keys pay"
    permission = OPEN_LAB
    template_name = "lab/break_even.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        form = BreakEvenForm(self.request.GET)
        asked = checked(form)
        work = Workload(asked["rooms"], float(asked["share"]) / 100, float(asked["pages"]))
        context = {
            "work": work,
            "designs": [*zip(DESIGNS, work.lines, strict=True)],
            "fields": [(field, asked[field.name], *_powers(field.field)) for field in form],
            "answers": [(DESIGNS[number], work.pages_from(number)) for number in (1, 2)],
            "sizes": [(_short(size), 14 + 0.84 * work.across(size)) for size in work.SIZES],
            "prices": [(_short(10**power), 10 + 1.96 * work.down(10**power)) for power in work.decades],
            "rows": [(size, work.dollars(size)) for size in work.SIZES],
            "here": work.across(work.rooms),
            "writes": (entities.KEYED_WRITE, entities.PLAIN_WRITE),
            "units": work.read_units(work.rooms),
        }
        return super().get_context_data(**context, **kwargs)


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


def _powers(field: Any) -> tuple[float, float]:
    return log10(field.min_value), log10(field.max_value)


def _short(number: float) -> str:
    for power, letter in ((9, "G"), (6, "M"), (3, "k")):
        if number >= 10**power:
            return f"{number / 10**power:.0f}{letter}"
    return f"{number:g}"
