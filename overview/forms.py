"""The query string of the group's start page."""

from hotelapp.portal.forms.fields import SearchField
from hotels.forms import HotelsForm


class OverviewForm(HotelsForm):
    """The hotels to compare."""

    q = SearchField(label="Find a hotel")
