from django import forms
from django.core.exceptions import ValidationError

from hotels.forms import ByHotelForm, HotelsForm
from portal.forms.fields import SearchField
from portal.lists.sorting import SortColumn, SortField

MOST_COMPARED = 6

COLUMNS = {
    "rooms": "Rooms",
    "dirty": "Dirty",
    "broken": "Out of order",
    "waiting": "Waiting",
    "late": "Overdue",
    "revenue": "Revenue",
    "change": "Revenue change",
    "unanswered": "Unanswered",
    "rating": "Rating",
    "month": "This month",
}
"""The columns of figures in the table of hotels, by name."""
NAME = "hotel"
SORTS = [
    SortColumn(NAME, "Hotel", "A to Z", "Z to A"),
    *(SortColumn(name, label, "lowest first", "highest first") for name, label in COLUMNS.items()),
]


class OverviewForm(HotelsForm):
    """The hotels to compare."""

    q = SearchField(label="Find a hotel")
    sort = SortField(SORTS)


class HandoverForm(forms.Form):
    """Whether the page shows whole lists, and is not one page on paper any more."""

    all = forms.BooleanField(required=False)


class CompareForm(ByHotelForm):
    """A few hotels whose figures stand side by side."""

    def clean_hotel(self) -> list[str]:
        hotel_ids: list[str] = self.cleaned_data["hotel"]
        if len(hotel_ids) > MOST_COMPARED:
            raise ValidationError(f"At most {MOST_COMPARED} hotels stand side by side.")
        return hotel_ids
