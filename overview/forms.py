from hotels.entities import OLD
from hotels.forms import HotelsForm, OfHotelsForm
from portal.forms.fields import SearchField
from portal.lists.forms import LinkedField, SortColumn, SortField

COLUMNS = {
    "rooms": ("Rooms", ""),
    "dirty": ("Dirty", "of rooms"),
    "broken": ("Out of order", "of rooms"),
    "waiting": ("Unfinished", "orders"),
    "old": ("Old", f"unfinished for {OLD[0].youngest} days or more"),
    "revenue": ("Revenue", "30 days, no cancelled orders"),
    "change": ("Revenue change", "to the 30 days before"),
    "unanswered": ("Without a reply", "reviews"),
    "rating": ("Rating", "of all time"),
    "month": ("Rating this month", "change to last month"),
}
"""The columns of figures in the table of hotels by name: the label, and what it counts."""
LAST_YEAR = "last-year"
AGAINST = {"": "the 30 days before", LAST_YEAR: "last year"}
"""What figures are compared with: the last 30 days with those before, or this month with the same days of last year."""
OF_LAST_YEAR = {
    "revenue": ("Revenue", "this month, no cancelled orders"),
    "change": ("Revenue change", "to these days last year"),
    "month": ("Rating this month", "change to the month last year"),
}
"""The columns that compare this month with last year."""
NAME = "hotel"
SORTS = [
    SortColumn(NAME, "Hotel", "A to Z", "Z to A"),
    *(SortColumn(name, label, "lowest first", "highest first") for name, (label, _) in COLUMNS.items()),
]


class OverviewForm(HotelsForm, OfHotelsForm):
    """The hotels to compare: those that are chosen or found, or all that the user sees."""

    q = SearchField(label="Find a hotel")
    sort = SortField(SORTS)
    against = LinkedField(AGAINST)
