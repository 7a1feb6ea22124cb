"""The query string of the group's start page."""

from hotelapp.portal.forms.fields import DayField
from hotelapp.portal.lists.forms import ListForm


class LinesForm(ListForm):
    """The lines that compare hotels: the UTC day whose orders they show."""

    day = DayField(label="Day")
