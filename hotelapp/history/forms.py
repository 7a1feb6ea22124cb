"""The query string of a history."""

from datetime import date
from typing import Any

from django import forms

from hotelapp.history.entities import HistoryQuery
from hotelapp.portal.forms.fields import DayField
from hotelapp.portal.lists.forms import ListForm
from hotelapp.portal.lists.sorting import SortColumn, SortField

USERNAME_LENGTH = 150  # of an account


class StaffMemberForm(forms.Form):
    """The member of staff whose changes are asked for; blank for oneself."""

    username = forms.CharField(required=False, max_length=USERNAME_LENGTH, label="Member of staff")


class HistoryForm(ListForm):
    """A history by time, of all days or of whole UTC days from ``from`` to ``to``, both included."""

    sort = SortField([SortColumn("date", "Date", "oldest first", "newest first")], "-date")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name in ("from", "to"):  # "from" is a keyword of Python, so it cannot be an attribute
            self.fields[name] = DayField(label=name)

    def clean(self) -> dict[str, Any]:
        """Refuse a range that has no days."""
        data = super().clean()
        first, last = data.get("from"), data.get("to")
        if first and last and first > last:
            self.add_error("from", f"The first day ({first}) is after the last one ({last}).")
        return data

    def query(self) -> HistoryQuery:
        """What the reader asks for. Call it after :meth:`checked`."""
        first, last = self.cleaned_data["from"], self.cleaned_data["to"]
        return HistoryQuery(first, last + date.resolution if last else None, self.order.descending)

    @property
    def narrowed(self) -> bool:
        """Whether the list has only some of the days."""
        return bool(self.cleaned_data["from"] or self.cleaned_data["to"])
