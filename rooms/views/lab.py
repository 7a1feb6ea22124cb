"""The cost lab: a list of rooms read with keys and with a filter, side by side."""

from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse

from hotels import queries as hotels
from portal import cost_panel
from portal.access import StaffPage
from portal.forms.parameters import BadParameters, checked
from rooms.apps import OPEN_LAB, VIEW_ROOMS
from rooms.forms import DRAWN, LabForm
from rooms.lists import ROOMS
from rooms.queries.lab import MOST_REQUESTS, REQUEST_UNITS, ways


class LabPage(StaffPage):
    """A list of a hotel, read in two ways; without ``run``, only what a run would cost at most."""

    title = "Cost lab"
    permission = OPEN_LAB
    template_name = "rooms/lab.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show the form and, after a run, the figures. A bad value stays beside its problem, with status 400."""
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
        most = MOST_REQUESTS * REQUEST_UNITS
        context = {
            "fields": [kwargs["form"][name] for name in DRAWN],
            "most": (MOST_REQUESTS, most, most * cost_panel.READ_DOLLARS / 1_000_000),
        }
        return super().get_context_data(**context, **kwargs)

    def _run(self, form: LabForm) -> dict[str, Any]:
        self.require(VIEW_ROOMS)
        hotel_id = form.cleaned_data["hotel"]
        hotel = hotels.known_hotels([hotel_id]).get(hotel_id) if self.scope.allows(hotel_id) else None
        if hotel is None:
            raise form.refuse("hotel", f"There is no hotel {hotel_id}.", hotel_id)
        query = form.narrowed(ROOMS.query(hotel_id=hotel_id), hotel.currency)
        keys, by_filter = found = [*ways(hotel_id, query, form.rates(hotel.currency))]
        times = by_filter.whole_units / (keys.whole_units or 1)
        return {"hotel_name": hotel.name, "ways": found, "found": len(found), "times": times}
