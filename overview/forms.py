"""The query string of the group's start page."""

from datetime import date

from django.core.exceptions import ValidationError
from django.utils import timezone

from hotelapp.portal.forms.fields import DayField, SearchField
from hotels.entities import DAYS
from hotels.forms import HotelsForm


class OverviewForm(HotelsForm):
    """The hotels to compare, and the UTC day whose orders they are compared by."""

    q = SearchField(label="Find a hotel")
    day = DayField(label="Day")

    def clean_day(self) -> date | None:
        """The day. Raises :class:`ValidationError` for a day whose orders are not counted any more."""
        day: date | None = self.cleaned_data["day"]
        if day and not 0 <= (timezone.now().date() - day).days < DAYS:
            raise ValidationError(f"Choose one of the last {DAYS} days.")
        return day
