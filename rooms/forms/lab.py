from typing import Any

from django import forms

from portal.forms.fields import HotelField
from portal.forms.parameters import ManyField
from portal.lists.forms import SortField
from rooms.forms.room_queries import RoomsForm

DRAWN = ("hotel", "view", "type", "size_min", "size_max", "rate_min", "rate_max", "sort")


class SeveralTexts(forms.TextInput):
    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        return [part.strip() for text in data.getlist(name) for part in text.split(",")]

    def format_value(self, value: Any) -> str:
        return ", ".join(value or ())


class LabForm(RoomsForm):
    """The selection, the hotel, and whether to run now.

    Fields that links set on the page of the list are visible here.
    """

    hotel = HotelField(required=False, label="Id of the hotel")
    run = forms.ChoiceField(choices=[("1", "Run")], required=False)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name in DRAWN:
            field = self.fields[name]
            if isinstance(field, SortField):
                field.widget = forms.Select(choices=field.offered)
            elif isinstance(field, ManyField):
                field.widget = SeveralTexts()  # type: ignore[assignment]

    def check_run(self) -> None:
        """Raise :class:`BadParameters` for filters that the lab does not compare, and for a run without a hotel."""
        for name in ("number", "status"):
            if self.cleaned_data[name]:
                raise self.refuse(name, "The lab does not compare this filter.")
        if self.cleaned_data["run"] and not self.cleaned_data["hotel"]:
            raise self.refuse("hotel", "Enter the id of a hotel.")
