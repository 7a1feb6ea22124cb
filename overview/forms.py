from hotels.forms import HotelsForm, OfHotelsForm
from portal.forms.fields import SearchField
from portal.lists.forms import SortColumn, SortField

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


class OverviewForm(HotelsForm, OfHotelsForm):
    """The hotels to compare: those that are chosen or found, or all that the user sees."""

    q = SearchField(label="Find a hotel")
    sort = SortField(SORTS)
