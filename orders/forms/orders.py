"""Forms of lists of orders, and of an order's next step."""

from datetime import date
from typing import Any

from django import forms

from hotelapp.portal.forms.fields import DayField
from hotelapp.portal.lists.forms import ListForm
from hotelapp.portal.lists.sorting import SortColumn, SortField
from orders.entities import OrderQuery
from orders.forms.fields import STATUSES, UsernameField
from orders.statuses import STEPS, UNFINISHED, Status


class DatedForm(ListForm):
    """A list of orders by time."""

    sort = SortField([SortColumn("date", "Date", "oldest first", "newest first")], "-date")


class BigOrdersForm(ListForm):
    """A hotel's big orders."""

    sort = SortField([SortColumn("total", "Total", "smallest first", "largest first")], "-total")


class StatusAndDaysForm(DatedForm):
    """Orders of a guest or a hotel: a status and whole UTC days. ``from`` and ``to`` are in, ``before`` is not."""

    status = forms.ChoiceField(required=False, choices=STATUSES, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name in ("from", "to", "before"):  # "from" is a keyword of Python, so it cannot be an attribute
            self.fields[name] = DayField(label=name)

    def clean(self) -> dict[str, Any]:
        """Refuse a range that has no days, with an error on the field to change."""
        data = super().clean()
        first, to, before = (data.get(name) for name in ("from", "to", "before"))
        if first and to and first > to:
            self.add_error("from", f"The first day ({first}) is after the last one ({to}).")
        if first and before and first >= before:
            self.add_error("before", f"No day is on or after {first} and before {before}.")
        return data

    def query(self) -> OrderQuery:
        """What the reader asks for. Call it after :meth:`checked`."""
        data = self.cleaned_data
        ends = [day for day in (data["to"] and data["to"] + date.resolution, data["before"]) if day]
        status = Status(data["status"]) if data["status"] else None
        return OrderQuery(status, data["from"], min(ends, default=None), self.order.descending)


class UnfinishedForm(DatedForm):
    """Unfinished orders: all of them, or those in one status."""

    status = forms.ChoiceField(
        required=False, choices=[(status.value, status.value) for status in UNFINISHED], widget=forms.HiddenInput
    )

    @property
    def status_asked(self) -> Status | None:
        """The status that the reader asks for; ``None`` for all. Call it after :meth:`checked`."""
        return Status(self.cleaned_data["status"]) if self.cleaned_data["status"] else None


class StepForm(forms.Form):
    """A step of an order's life, the status that the user saw, and whose order it is."""

    guest = UsernameField(required=False)
    seen = forms.ChoiceField(choices=STATUSES)
    step = forms.ChoiceField(choices=STATUSES)

    def clean(self) -> dict[str, Any]:
        """Refuse steps that no order can take."""
        data = super().clean() or self.cleaned_data
        if "seen" in data and "step" in data and Status(data["step"]) not in STEPS[Status(data["seen"])]:
            self.add_error("step", f"An order that is {data['seen']} cannot become {data['step']}.")
        return data


class WrittenForm(forms.Form):
    """Whose order it is, in the address that follows a write: the page reads the table, not the index.

    The index may not show the order yet.
    """

    guest = UsernameField(required=False)
