"""The query string of a history."""

from django import forms

from hotelapp.history.entities import HistoryQuery
from hotelapp.portal.lists.forms import DaysForm

USERNAME_LENGTH = 150  # of an account


class StaffMemberForm(forms.Form):
    """The member of staff whose changes are asked for; blank for oneself."""

    username = forms.CharField(required=False, max_length=USERNAME_LENGTH, label="Member of staff")


class HistoryForm(DaysForm):
    """The query string of a history."""

    def query(self) -> HistoryQuery:
        """What the reader asks for. Call it after :meth:`checked`."""
        return HistoryQuery(*self.days, self.order.descending)

    @property
    def narrowed(self) -> bool:
        """Whether the list has only some of the days."""
        return any(self.days)
