"""Forms of a room: on pages, and as a line of a file."""

from collections.abc import Callable
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
from portal.money import money
from rooms.entities import Room, StatusChange, currency_problem
from rooms.forms.fields import RateField, SizeField, words_of
from rooms.forms.statuses import check_repair, status_change
from rooms.statuses import Housekeeping, Priority, Service

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
