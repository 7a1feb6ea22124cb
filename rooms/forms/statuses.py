"""Forms of the status of rooms, and of the plan of a day: the query strings of its lists, and the plan of one room."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from django import forms

from portal.forms.entity_forms import TEXT_LENGTH
from portal.forms.fields import DayField, LineField, RevisionField, RevisionForm
from portal.history.keys import USERNAME_LENGTH
from portal.lists.days import PRESETS
from portal.lists.forms import LinkedField, ListForm, PageSizeField
from rooms.entities import Room, StatusChange
from rooms.forms.fields import words_of
from rooms.statuses import CLEAN, LEFT_ALONE, STATUSES, Housekeeping, Priority, Service, status_words

MAX_QUERY = 8190  # of an address, as the server takes it
REPAIR = frozenset({"reason", "until", "responsible"})
"""What is said of a repair."""


class StatusFields(forms.Form):
    """The fields of a change of a status. ``may_inspect`` says whether to offer to set rooms to inspected."""

    housekeeping = forms.ChoiceField(choices=[("", "Do not change"), *words_of(Housekeeping)], required=False)
    service = forms.ChoiceField(choices=[("", "Do not change"), *words_of(Service)], required=False)
    reason = LineField(required=False, max_length=TEXT_LENGTH, help_text="For example: no hot water.")
    until = DayField(label="Out of order until", help_text="The last day out of order, if known.")
    responsible = LineField(required=False, max_length=TEXT_LENGTH, help_text="Who repairs it.")

    def __init__(self, *args: Any, may_inspect: bool = False, **options: Any) -> None:
        """The field of housekeeping takes all states, so that a page can refuse those that are not offered."""
        super().__init__(*args, **options)
        self.may_inspect = may_inspect
        choices: list[tuple[str, str]] = self.fields["housekeeping"].choices  # type: ignore[attr-defined]
        offered = [each for each in choices if may_inspect or each[0] != Housekeeping.INSPECTED]
        self.fields["housekeeping"].widget.choices = offered


class StatusForm(StatusFields, RevisionForm):
    """A room's status, and the revision that the editor saw. What is blank stays as it is."""

    priority = forms.ChoiceField(
        choices=[("", "Do not change"), ("normal", "Clean as usual"), *words_of(LEFT_ALONE)],
        required=False,
        label="Today",
        help_text="What the guest of the room wants.",
    )
    rejected = LineField(
        required=False,
        max_length=TEXT_LENGTH,
        label="To clean again, because",
        help_text="What is not clean yet. The room becomes dirty, and the person who cleans it sees this.",
    )

    def __init__(self, *args: Any, today: date = date.min, **options: Any) -> None:
        super().__init__(*args, **options)
        self.today = today
        if not self.may_inspect:
            del self.fields["rejected"]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        check_repair(self, REPAIR & set(self.changed_data), self.today)
        both = {"housekeeping", "rejected"} <= {*self.changed_data}
        if both and data.get("rejected") and data.get("housekeeping") in CLEAN:
            self.add_error("rejected", "A room to clean again is dirty. Choose dirty, or leave this blank.")
        return data

    def changed(self, room: Room) -> Room:
        data = self.cleaned_data
        if data.get("rejected") and "rejected" in self.changed_data:
            data = {**data, "housekeeping": Housekeeping.DIRTY}
        change = replace(status_change(data, data["until"]), rejected=data.get("rejected"))
        return replace(change, day=self.today, priority=priority_of(data)).of(room)


class TapForm(forms.Form):
    """The form of a room in a list, whose buttons each set a status, or undo what the last one did.

    ``list`` is the list with its query string. A tap names the state of housekeeping that its row showed. After it,
    ``was`` is the status before it, and ``tap_revision`` is that of the room after it; ``undo`` sets the former again.
    """

    list = forms.CharField(max_length=MAX_QUERY)
    housekeeping = forms.ChoiceField(choices=words_of(Housekeeping), required=False)
    started = forms.BooleanField(required=False)
    priority = forms.ChoiceField(choices=words_of(Priority), required=False)
    service = forms.ChoiceField(choices=words_of([Service.IN_SERVICE]), required=False)
    tap_revision = RevisionField(required=False)
    was = forms.ChoiceField(choices=words_of(STATUSES), required=False)
    undo = forms.ChoiceField(choices=words_of(STATUSES), required=False)

    def clean(self) -> dict[str, Any]:
        """Refuse to undo a change without the revision that the row shows."""
        data = super().clean() or self.cleaned_data
        if data.get("undo") and data.get("tap_revision") is None:
            self.add_error("undo", "Choose which change to undo.")
        return data

    @property
    def seen(self) -> str | None:
        """The state of housekeeping that the row showed."""
        return self.data.get("initial-housekeeping") or None

    def change(self, today: date) -> StatusChange:
        data = self.cleaned_data
        change = replace(status_change({"reason": "", **data}, None), started=data["started"])
        return replace(change, day=today, priority=priority_of(data))


def priority_of(data: Mapping[str, Any]) -> Priority | None:
    return Priority(data["priority"]) if data["priority"] else None


def check_repair(form: forms.Form, names: Iterable[str], today: date | None = None) -> None:
    """Refuse a room that is out of order for no reason, or until a day before ``today``.

    What the fields of these names say of a repair is refused for a room that is not said to be out of order.
    """
    data = form.cleaned_data
    broken = data.get("service") == Service.OUT_OF_ORDER
    if broken and not data.get("reason"):
        form.add_error("reason", "Say why the room is out of order.")
    for name in filter(data.get, names):
        if not broken:
            form.add_error(name, "Leave this empty, or set the service status to “Out of order”.")
        elif name == "until" and today and data[name] < today:
            form.add_error(name, "This day has passed.")


def status_change(data: Mapping[str, Any], until: date | None) -> StatusChange:
    """Return the change of a status that cleaned data ask for. What is blank stays as it is."""
    return StatusChange(
        Housekeeping(data["housekeeping"]) if data["housekeeping"] else None,
        Service(data["service"]) if data["service"] else None,
        data["reason"] or None,
        until,
        data.get("responsible"),
    )


# --- The plan of a day ----------------------------------------------------------------------------------


UNASSIGNED, UNTOUCHED, TOMORROW = "unassigned", "untouched", "tomorrow"
PLAN_TABS = {
    "": "To inspect",
    UNASSIGNED: "Not assigned",
    "assigned": "Assigned",
    "rush": "Rush",
    **{each.value: status_words(each) for each in LEFT_ALONE},
    TOMORROW: "Tomorrow",
    UNTOUCHED: "Not used for 30 days",
}


class MyRoomsForm(ListForm):
    page_size = PageSizeField(100)  # more than one person cleans in a day


class PlanForm(ListForm):
    page_size = PageSizeField(50)
    status = LinkedField(PLAN_TABS)
    person = LineField(required=False, max_length=USERNAME_LENGTH, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if self.data.get("status", "") in {"", UNTOUCHED}:  # these read whole items, at twice the units
            self.fields["page_size"] = PageSizeField()


YESTERDAY = "yesterday"
CLEANED_TABS = {"": "Yesterday"} | {name: PRESETS[name].label for name in ("today", "last-7-days", "last-30-days")}


class CleanedForm(ListForm):
    page_size = PageSizeField(50)
    status = LinkedField(CLEANED_TABS)

    def dates(self, today: date) -> tuple[date, date]:
        """Return the first and the last day of the chosen tab."""
        first, last = PRESETS[self.cleaned_data["status"] or YESTERDAY].days(today)
        return first or today, last or today


class PlanRoomForm(RevisionForm):
    assignee = forms.ChoiceField(required=False, label="Assigned to")
    priority = forms.ChoiceField(choices=words_of(Priority))

    def __init__(
        self, *args: Any, people: Mapping[str, str] | None = None, day: date = date.min, **options: Any
    ) -> None:
        super().__init__(*args, **options)
        self.day = day
        self.fields["assignee"].choices = [("", "Nobody"), *(people or {}).items()]  # type: ignore[attr-defined]

    def changed(self, room: Room) -> Room:
        data = self.cleaned_data
        return StatusChange(day=self.day, assignee=data["assignee"], priority=Priority(data["priority"])).of(room)
