"""The query strings of the lab. Those of a list's selection are the list's own."""

from typing import Any

from django import forms
from django.http import QueryDict

from lab.measured import MeasuredList, measured_lists
from portal.forms.fields import HotelField
from portal.forms.numbers import WholeField
from portal.forms.parameters import ManyField
from portal.lists.forms import ListForm, SortField

MOST_REQUESTS = 4
"""The most requests of 1 MB that one way may send."""


class SeveralTexts(forms.TextInput):
    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        return [part.strip() for text in data.getlist(name) for part in text.split(",")]

    def format_value(self, value: Any) -> str:
        return ", ".join(value or ())


def selection_form(measured: MeasuredList, asked: QueryDict) -> ListForm:
    """The form of a list with three more fields: the hotel, how many requests each way may send, whether to run now.

    Fields that links or tabs set on the page of the list are visible here.
    """
    form = measured.form(asked)
    hotel = forms.TextInput(attrs={"list": "hotels", "autocomplete": "off"})
    form.fields |= {
        "hotel": HotelField(required=False, widget=hotel),
        "requests": WholeField(min_value=1, max_value=MOST_REQUESTS, required=False, label="MB a way, at most"),
        "run": forms.ChoiceField(choices=[("1", "Run")], required=False),
    }
    for name in measured.drawn:
        field = form.fields[name]
        if isinstance(field, SortField):
            field.widget = forms.Select(choices=field.offered)
        elif isinstance(field, forms.ChoiceField):
            field.widget = forms.Select(choices=[("", "-"), *field.choices])  # type: ignore[misc]
        elif isinstance(field, ManyField):
            field.widget = SeveralTexts()  # type: ignore[assignment]
    return form


def check_run(form: ListForm, measured: MeasuredList) -> None:
    """Raise :class:`~portal.forms.parameters.BadParameters` for filters that the lab does not compare, or no hotel."""
    for name in measured.refused:
        if form.cleaned_data[name]:
            raise form.refuse(name, "The lab does not compare this filter.")
    if form.cleaned_data["run"] and not form.cleaned_data["hotel"]:
        raise form.refuse("hotel", "Choose a hotel.")


class ListChoiceForm(forms.Form):
    """The list to measure. The other parameters are those of its form."""

    list = forms.ChoiceField(choices=lambda: [(name, name) for name in measured_lists()], required=False)
