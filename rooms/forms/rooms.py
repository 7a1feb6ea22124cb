"""Forms of a room, of its status and of its plan: on pages, as a line of a file, and in the lists of a day."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import date
from functools import cache, partial
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError

from hotels.entities import Hotel
from hotels.forms import TimeZoneField
from hotels.staff_hotels import staff_of
from portal.forms.entity_forms import TEXT_LENGTH, EntityForm, RowForm
from portal.forms.fields import (
    NUMBER_HELP,
    CurrencyField,
    DayField,
    HotelField,
    LineField,
    NumberField,
    RevisionField,
    RevisionForm,
    TextField,
    not_reserved,
)
from portal.forms.numbers import amount_problem
from portal.history.keys import USERNAME_LENGTH
from portal.lists.days import PRESETS
from portal.lists.forms import LinkedField, ListForm, PageSizeField
from portal.money import money
from rooms.entities import Room, StatusChange, currency_problem
from rooms.forms import RateField, SizeField, words_of
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
        label="Clean again, because",
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
    UNTOUCHED: "Untouched for 30 days",
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
    """The days on which rooms were cleaned, as a tab; an address may name them as ``days``, as those of other lists."""

    transient = ListForm.transient | {"days"}
    page_size = PageSizeField(50)
    status = LinkedField(CLEANED_TABS)
    days = LinkedField({name: PRESETS[name].label for name in (YESTERDAY, *filter(None, CLEANED_TABS))})

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if days := data.get("days"):
            data["status"] = "" if days == YESTERDAY else days
        return data

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


RATE_IS_RIGHT = "rate_is_right"


class DeleteRoomForm(RevisionForm):
    """The question whether to delete a room, with the words that said what names it."""

    naming = forms.CharField(required=False, max_length=TEXT_LENGTH, widget=forms.HiddenInput)


class RoomForm(EntityForm):
    entity = Room
    number = NumberField(help_text=NUMBER_HELP, validators=[not_reserved("a room's number", "/hotels/-/rooms/")])
    view = TextField(required=False, max_length=TEXT_LENGTH)
    type = TextField(required=False, max_length=TEXT_LENGTH)
    size = SizeField(help_text="In m², without decimals.")
    rate = RateField()
    currency = CurrencyField()

    def clean(self) -> dict[str, Any]:
        """Refuse a rate that its currency cannot have."""
        data = super().clean() or self.cleaned_data
        if problem := amount_problem(data.get("rate"), data.get("currency")):
            self.add_error("rate", problem)
        return data


class NewRoomForm(RoomForm):
    """A room that a person adds. Menus suggest the views and types of the hotel's other rooms.

    Prices are in the hotel's currency. The form asks for a currency only if the hotel has none, or the room another
    one.
    """

    view = LineField(required=False, max_length=TEXT_LENGTH, widget=forms.TextInput(attrs={"list": "views"}))
    type = LineField(required=False, max_length=TEXT_LENGTH, widget=forms.TextInput(attrs={"list": "types"}))

    def __init__(self, *args: Any, hotel: Hotel | None = None, before: Room | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.hotel, self.room_before = hotel, before
        if hotel and hotel.currency and (before is None or before.currency == hotel.currency):
            self.fields["currency"].widget, self.initial["currency"] = forms.HiddenInput(), hotel.currency
            self.fields["rate"].label = f"Rate, {hotel.currency}"

    def clean_currency(self) -> str:
        """Refuse a currency that is not the hotel's. A room keeps the currency that it has."""
        currency: str = self.cleaned_data["currency"]
        if self.hotel and (problem := currency_problem(self.hotel, currency, self.room_before)):
            raise ValidationError(problem)
        return currency


class EditRoomForm(NewRoomForm):
    """A room to change, and the revision that the editor saw.

    A rate of more than ten times the one before, or less than a tenth of it, asks once more: most likely it is a slip.
    """

    revision = RevisionField()

    def clean(self) -> dict[str, Any]:
        data, before = super().clean(), self.room_before
        rate = data.get("rate")
        if before and before.rate and rate is not None and not before.rate / 10 <= rate <= before.rate * 10:
            self.fields[RATE_IS_RIGHT] = forms.BooleanField(label="The new rate is right", required=False)
            if RATE_IS_RIGHT not in self.data:
                was, becomes = money(before.rate, before.currency), money(rate, before.currency)
                text = f"The rate was {was} and becomes {becomes}. If that is right, select the box below."
                self.add_error("rate", text)
        return data


class RoomRowForm(RowForm, RoomForm):
    """A line of a room file: the room and its hotel. The columns of the status and the time zone may be missing."""

    hotel_id = HotelField()
    hotel_name = TextField(label="Hotel", max_length=TEXT_LENGTH)
    city = TextField(label="City", required=False, max_length=TEXT_LENGTH)
    time_zone = TimeZoneField(required=False)
    housekeeping = forms.ChoiceField(choices=words_of(Housekeeping), required=False)
    service = forms.ChoiceField(choices=words_of(Service), required=False)
    reason = LineField(required=False, max_length=TEXT_LENGTH)
    out_of_order_until = DayField()
    note = LineField(required=False, max_length=TEXT_LENGTH)
    assignee = LineField(required=False, max_length=USERNAME_LENGTH)
    priority = forms.ChoiceField(choices=words_of(Priority), required=False)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.staff_of = cache(partial(staff_of, permission="rooms.change_room_status", words=User.get_username))

    def hotel(self) -> Hotel:
        """Return the hotel, once the form is valid. The currency of its rooms is that of the hotel."""
        data = self.cleaned_data
        return Hotel(
            hotel_id=data["hotel_id"],
            name=data["hotel_name"],
            city=data["city"],
            currency=data["currency"],
            time_zone=data["time_zone"],
        )

    def clean(self) -> dict[str, Any]:
        """Refuse a room that is out of order for no reason, and one for somebody who may not clean it."""
        data = super().clean()
        check_repair(self, ("reason", "out_of_order_until"))
        assignee, hotel_id = data.get("assignee"), data.get("hotel_id")
        if assignee and hotel_id:
            people = {username: person for person, username in self.staff_of(hotel_id).items()}
            if assignee not in people:
                self.add_error("assignee", f"There is nobody with the username “{assignee}” who may clean these rooms.")
            data["assignee"] = people.get(assignee, "")
        return data

    def status(self, today: Callable[[], date]) -> StatusChange:
        """Return the change of the room's status in a valid row. ``today`` is the day of its plan."""
        data = self.cleaned_data
        day = today() if data["assignee"] or data["priority"] else None
        return replace(
            status_change(data, data["out_of_order_until"]),
            note=data["note"] or None,
            day=day,
            assignee=data["assignee"] or None,
            priority=Priority(data["priority"]) if data["priority"] else None,
        )
