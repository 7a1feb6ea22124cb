"""The query string of the cost lab: that of a list of rooms, of any hotel."""

from typing import Any

from django import forms

from portal.forms.fields import HotelField
from rooms.forms.room_queries import RoomsForm

DRAWN = ("hotel", "view", "type", "size_min", "size_max", "rate_min", "rate_max", "sort")
"""The fields of the page's form."""


class LabForm(RoomsForm):
    """The selection, the hotel, and whether to run now. Views and types are those of the address."""

    hotel = HotelField(required=False, widget=forms.TextInput(attrs={"list": "hotels", "autocomplete": "off"}))
    run = forms.ChoiceField(choices=[("1", "Run")], required=False)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        sort: Any = self.fields["sort"]
        sort.widget = forms.Select(choices=sort.offered)

    def check_run(self) -> None:
        """Raise :class:`BadParameters` for filters that the lab does not compare, and for a run without a hotel."""
        for name in ("number", "status"):
            if self.cleaned_data[name]:
                raise self.refuse(name, "The lab does not compare this filter.")
        if self.cleaned_data["run"] and not self.cleaned_data["hotel"]:
            raise self.refuse("hotel", "Choose a hotel.")
