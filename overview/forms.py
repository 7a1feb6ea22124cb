from hotels.forms import HotelsForm
from portal.forms.fields import SearchField


class OverviewForm(HotelsForm):
    """The hotels to compare."""

    q = SearchField(label="Find a hotel")
