"""Forms of lists of orders, and of an order's next step."""

from typing import Any

from django import forms

from hotelapp.portal.lists.forms import DatedForm, DaysForm, ListForm
from hotelapp.portal.lists.sorting import SortColumn, SortField
from orders.entities import OrderQuery
from orders.forms.fields import STATUSES, UsernameField
from orders.statuses import STEPS, UNFINISHED, Status


class BigOrdersForm(ListForm):
    """A hotel's big orders."""

    sort = SortField([SortColumn("total", "Total", "smallest first", "largest first")], "-total")


class StatusAndDaysForm(DaysForm):
    """Orders of a guest or a hotel: a status and whole UTC days. ``from`` and ``to`` are in, ``before`` is not."""

    status = forms.ChoiceField(required=False, choices=STATUSES, widget=forms.HiddenInput)
    day_names = ("from", "to", "before")

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        first, before = data.get("from"), data.get("before")
        if first and before and first >= before:
            self.add_error("before", f"No day is on or after {first} and before {before}.")
        return data

    def query(self) -> OrderQuery:
        """What the reader asks for. Call it after :meth:`checked`."""
        data, (first, end) = self.cleaned_data, self.days
        status = Status(data["status"]) if data["status"] else None
        return OrderQuery(status, first, min(filter(None, (end, data["before"])), default=None), self.order.descending)


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
