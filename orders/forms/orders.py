"""Forms of lists of orders, and of an order's next step."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django import forms
from django.core.exceptions import ValidationError

from hotels.forms import ByHotelForm
from orders import keys
from orders.entities import OrderQuery
from orders.forms.fields import StatusField, UsernameField
from orders.statuses import STEPS, UNFINISHED, Status, no_step
from portal.forms.fields import HotelField, NumberField
from portal.forms.parameters import ManyField
from portal.lists.days import DaysForm
from portal.lists.forms import LinkedField, ListForm
from portal.lists.page_sizes import PAGE_SIZES
from portal.lists.sorting import SortColumn, SortField


class BigOrdersForm(ListForm):
    sort = SortField([SortColumn("total", "Total", "smallest first", "largest first")], "-total")


class GroupBigForm(ByHotelForm, BigOrdersForm):
    """Big orders of several hotels, hotel by hotel."""


class StatusAndDaysForm(DaysForm):
    status = StatusField(required=False, widget=forms.HiddenInput)

    def query(self, time_zone: str = "") -> OrderQuery:
        """The form's query, with the days of a time zone. Call it after :meth:`checked`."""
        return OrderQuery(self.cleaned_data["status"], *self.span(time_zone), self.order.descending)


class OfRoomForm(ListForm):
    """Orders of a hotel, or those for one of its rooms."""

    room = NumberField(required=False, label="Room", widget=forms.TextInput({"size": 6}))


class HotelOrdersForm(OfRoomForm, StatusAndDaysForm):
    pass


class UnfinishedForm(DaysForm):
    sort = SortField([SortColumn("date", "Date", "oldest first", "newest first")], "date")
    status = StatusField(UNFINISHED, required=False, widget=forms.HiddenInput)


class HotelUnfinishedForm(OfRoomForm, UnfinishedForm):
    pass


class SeveralHotelsForm(DaysForm):
    """Orders of some hotels; without any, of all that the user sees."""

    hotel = ManyField(HotelField())
    choices = LinkedField({"hotel": "hotel"})


class GroupUnfinishedForm(UnfinishedForm, SeveralHotelsForm):
    """Unfinished orders of some hotels."""


class GroupOrdersForm(StatusAndDaysForm, SeveralHotelsForm):
    """Orders of some hotels by status and day."""


class SeenOrder(NamedTuple):
    """An order that somebody ticked. ``seen`` is the status that he saw or, for an undo, the number of the step."""

    order_id: str
    username: str
    seen: str


class SeenOrderField(forms.CharField):
    """An order as a tick names it: ``7K3M9QTX/alex/PLACED``. None of the parts can have a slash."""

    def clean(self, value: Any) -> SeenOrder:
        parts = super().clean(value).split("/")
        if len(parts) != len(SeenOrder._fields) or not (keys.is_order_id(parts[0]) and keys.is_username(parts[1])):
            raise ValidationError("That names no order.")
        return SeenOrder(*parts)


class TickedForm(forms.Form):
    """What to do with the orders that are ticked: move each on, cancel it, or undo the step that was taken."""

    NEXT, CANCEL, UNDO = "next", "cancel", "undo"
    order = ManyField(SeenOrderField())
    to = forms.ChoiceField(choices=[(NEXT, "moved on"), (CANCEL, "cancelled"), (UNDO, "put back")])

    def clean_order(self) -> Sequence[SeenOrder]:
        """The orders, as many as a page has. What was seen is a status or, for an undo, a number."""
        ticked: Sequence[SeenOrder] = self.cleaned_data["order"][: max(PAGE_SIZES)]
        undoing = self.data.get("to") == self.UNDO
        if not all(each.seen.isdecimal() if undoing else each.seen in {*Status} for each in ticked):
            raise ValidationError("That is nothing that was seen of an order.")
        return ticked


class WrittenForm(forms.Form):
    """Whose order it is, in the address after a write: the page reads the table, because the index may be behind."""

    guest = UsernameField(required=False)


class StepForm(WrittenForm):
    """A step of an order's life, the status that the user saw, and whose order it is."""

    seen = StatusField()
    step = StatusField()

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if "seen" in data and "step" in data and data["step"] not in STEPS[data["seen"]]:
            self.add_error("step", no_step(data["seen"], data["step"]))
        return data
