"""The query strings of the lab. Those of a list's selection are the list's own."""

from collections.abc import Callable
from typing import Any, ClassVar

from django import forms

from lab.entities import MOST_ROOMS
from orders.apps import VIEW_ORDERS
from orders.forms.fields import StatusField
from orders.forms.orders import StatusAndDaysForm
from portal.forms.fields import HotelField
from portal.forms.parameters import ManyField
from portal.lists.forms import ListForm
from portal.lists.sorting import SortField
from reviews.apps import VIEW_REVIEWS
from reviews.forms import ReviewsForm
from rooms.apps import VIEW_ROOMS
from rooms.forms.lists import RoomsForm

MOST_REQUESTS = 4
"""The most requests of 1 MB that one way may send."""


class SeveralTexts(forms.TextInput):
    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        return [part.strip() for text in data.getlist(name) for part in text.split(",")]

    def format_value(self, value: Any) -> str:
        return ", ".join(value or ())


class MeasureForm(ListForm):
    """What to measure: a hotel and a selection, how many requests each way may send, and whether to run it now."""

    permission: ClassVar[str]
    query: Callable[..., Any]
    query_needs: ClassVar = "time_zone"
    """The field of a hotel that the list's query depends on."""

    drawn: ClassVar[tuple[str, ...]]
    refused: ClassVar[tuple[str, ...]] = ()
    """Filters that the lab does not compare."""

    hotel = HotelField(required=False, widget=forms.TextInput(attrs={"list": "hotels", "autocomplete": "off"}))
    requests = forms.IntegerField(min_value=1, max_value=MOST_REQUESTS, required=False, label="MB a way, at most")
    run = forms.ChoiceField(choices=[("1", "Run")], required=False)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for field in self.fields.values():
            if isinstance(field, SortField):
                field.widget = forms.Select(choices=field.offered)
            elif isinstance(field, ManyField):
                field.widget = SeveralTexts()  # type: ignore[assignment]

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if data.get("run") and not data.get("hotel", True):
            self.add_error("hotel", "Choose a hotel.")
        for name in self.refused:
            if data.get(name):
                self.add_error(name, "The lab does not compare this filter.")
        return {**data, "requests": data.get("requests") or 1}


class MeasuredRooms(MeasureForm, RoomsForm):
    permission = VIEW_ROOMS
    query_needs = "currency"
    drawn = ("view", "type", "size_min", "size_max", "rate_min", "rate_max", "sort")
    refused = ("number", "status")


class MeasuredOrders(MeasureForm, StatusAndDaysForm):
    permission = VIEW_ORDERS
    drawn = ("status", "from", "to", "sort")
    status = StatusField(required=False)


class MeasuredReviews(MeasureForm, ReviewsForm):
    """A selection of reviews. Their days are a part of every key, so no filter can be compared."""

    permission = VIEW_REVIEWS
    drawn = ("language", "rating", "sort")
    refused = ("room", "unanswered", "from", "to", "days")


LISTS: dict[str, type[MeasureForm]] = {"rooms": MeasuredRooms, "orders": MeasuredOrders, "reviews": MeasuredReviews}


class ListChoiceForm(forms.Form):
    """The list to measure. The other parameters are those of its form."""

    list = forms.ChoiceField(choices=[(name, name) for name in LISTS], required=False)


class BreakEvenForm(forms.Form):
    """What the break-even depends on. Blank fields have their initial values."""

    rooms = forms.IntegerField(min_value=10, max_value=MOST_ROOMS, required=False, initial=1000)
    share = forms.FloatField(min_value=0.01, max_value=100, required=False, initial=5, label="Per cent selected")
    pages = forms.FloatField(min_value=0.01, max_value=1000, required=False, initial=3, label="Pages for each write")

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        return data | {name: self.fields[name].initial for name, value in data.items() if value is None}
