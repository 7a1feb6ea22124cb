from typing import Any

from django import forms

from hotels.forms import OfHotelsForm
from orders.forms.fields import StatusField, UsernameField
from orders.statuses import STEPS, UNFINISHED, no_step
from portal.forms.fields import NumberField
from portal.forms.numbers import WholeField
from portal.forms.parameters import ManyField
from portal.lists.days import DaysForm
from portal.lists.forms import SortColumn, SortField

ORDER_SEEN = r"\A[A-Za-z0-9_-]{{1,64}}/[^/#\x00-\x20]{{1,64}}/{}\Z"
"""An order, its guest, and what was seen of it. None of them can have a slash."""


class BigOrdersForm(OfHotelsForm):
    sort = SortField([SortColumn("total", "Total", "smallest first", "largest first")], "-total")


class StatusAndDaysForm(DaysForm):
    status = StatusField(required=False, widget=forms.HiddenInput)


class OrdersForm(StatusAndDaysForm, OfHotelsForm):
    """Orders of some hotels by status and day; of one hotel, also those for one of its rooms."""

    room = NumberField(required=False, label="Room", widget=forms.TextInput({"size": 6}))


class UnfinishedForm(OrdersForm):
    sort = SortField([SortColumn("date", "Date", "oldest first", "newest first")], "date")
    status = StatusField(UNFINISHED, required=False, widget=forms.HiddenInput)


class WantedForm(UnfinishedForm):
    """A hotel's unfinished orders by the time for which they are wanted."""

    offered = ("yesterday", "today", "tomorrow")
    sort = SortField([SortColumn("date", "Wanted at", "next first", "last first")], "date")


class TickedForm(forms.Form):
    """Orders that are ticked, each as ``7K3M9QTX/alex/PLACED``, and their step; or steps to undo, by their numbers."""

    NEXT, CANCEL = "next", "cancel"
    order = ManyField(forms.RegexField(ORDER_SEEN.format(f"({'|'.join(UNFINISHED)})"), label="Order"))
    undo = ManyField(forms.RegexField(ORDER_SEEN.format("[0-9]{1,9}"), label="Order"))
    to = forms.ChoiceField(choices=[(NEXT, "moved on a step"), (CANCEL, "cancelled")], required=False)


class StepForm(forms.Form):
    """A step of an order's life, the status and the revision that the user saw, and whose order it is."""

    guest = UsernameField(required=False)
    revision = WholeField(required=False)
    seen = StatusField()
    step = StatusField()

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if "seen" in data and "step" in data and data["step"] not in STEPS[data["seen"]]:
            self.add_error("step", no_step(data["seen"], data["step"]))
        return data
