"""Forms of bulk changes: which rooms, and what to change."""

from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import EMPTY_VALUES

from dynamodb_lists import natural
from portal.forms.entity_forms import TEXT_LENGTH
from portal.forms.fields import LineField, NumberField
from portal.forms.numbers import AmountField, WholeField, amount_problem
from portal.forms.parameters import ManyField
from rooms import keys
from rooms.entities import FACET_ACTIONS, PLANNING, BulkChange, Room, RoomAction, StatusChange
from rooms.entities.bulk import SEPARATOR
from rooms.entities.rooms import floor_of
from rooms.forms import RateField, RoomsForm, words_of
from rooms.forms.rooms import REPAIR, TOMORROW, StatusFields, check_repair, status_change
from rooms.statuses import Priority

STATUS_ENTRIES = ("housekeeping", "service", "reason", "until", "responsible")
ENTRIES = {RoomAction.STATUS: STATUS_ENTRIES, RoomAction.ASSIGN: ("people", "day"), RoomAction.UNASSIGN: ()}
"""The fields of an action. Any other action has the field of its name."""
TEXTS = FACET_ACTIONS | {RoomAction.ASSIGN}
AMOUNTS = {RoomAction.RATE_TO, RoomAction.RATE_BY}


class TickedRoomsForm(RoomsForm):
    """The rooms of a bulk change: those that are selected, alone or by floor, or all that the query string selects."""

    room = ManyField(NumberField())
    floor = ManyField(WholeField(min_value=0))
    all = forms.BooleanField(required=False)

    def wants(self, room: Room) -> bool:
        """Return whether a room that the query string selects is meant."""
        data = self.cleaned_data
        floors = set(map(str, data["floor"]))
        return room.number in data["room"] or floor_of(room.number) in floors or (data["all"] and not floors)


class BulkChangeForm(StatusFields):
    """The action and its values. The fields of the chosen action must be filled in.

    Its names have a prefix, because they stand in one query string with the filters by view and type.
    """

    prefix = "new"
    action = forms.ChoiceField(choices=[(str(action), action.words) for action in RoomAction], label="Change")
    rate_to = RateField(required=False, label="New rate")
    rate_by = AmountField(
        required=False,
        max_digits=keys.RATE_DIGITS,
        in_currency=True,
        label="Amount to add",
        help_text="10 adds 10 to each rate, -10 takes 10 off.",
    )
    rate_percent = AmountField(
        required=False,
        min_value=Decimal(-100),
        max_value=Decimal(1000),
        max_digits=6,
        label="Per cent",
        help_text="10 raises rates by 10%, -10 lowers them. New rates are rounded.",
    )
    view = LineField(required=False, max_length=TEXT_LENGTH, widget=forms.TextInput(attrs={"list": "views"}))
    type = LineField(required=False, max_length=TEXT_LENGTH, widget=forms.TextInput(attrs={"list": "types"}))
    people = forms.MultipleChoiceField(
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="If you select several people, the rooms are divided evenly, neighbouring rooms together.",
    )
    day = forms.ChoiceField(
        choices=[("", "Today"), (TOMORROW, "Tomorrow")],
        required=False,
        label="Day",
        help_text="A room has one day: assign it for tomorrow once it is clean. Its assignment of today then ends.",
    )
    priority = forms.ChoiceField(choices=words_of(Priority), required=False, initial=Priority.RUSH)
    page = WholeField(min_value=1, required=False)

    def __init__(
        self,
        *args: Any,
        actions: frozenset[RoomAction],
        currency: str,
        day: date,
        people: Mapping[str, str],
        **options: Any,
    ) -> None:
        self.currency, self.today, self.names = currency, day, people
        super().__init__(*args, **{"auto_id": "%s", **options})
        self.fields["people"].choices = [*people.items()]  # type: ignore[attr-defined]
        self.fields["action"].choices = [(str(action), action.words) for action in RoomAction if action in actions]  # type: ignore[attr-defined]

    @property
    def entries(self) -> list[tuple[str, list[forms.BoundField]]]:
        """Each action that the user may take, and its fields."""
        actions = [action for action, _ in self.fields["action"].choices]  # type: ignore[attr-defined]
        return [(action, [self[name] for name in _entries_of(action)]) for action in actions]

    def clean(self) -> dict[str, Any]:
        """Refuse an action without its value."""
        data = super().clean() or self.cleaned_data
        action = data.get("action", "")
        name = next(iter(_entries_of(action)), "")
        if action == RoomAction.STATUS:
            if not data.get("housekeeping") and not data.get("service"):
                raise ValidationError("Choose a cleaning status, a service status, or both.")
            check_repair(self, REPAIR, self.today)
        elif name in data and data[name] in EMPTY_VALUES:
            self.add_error(name, "Choose who." if name == "people" else "Enter the new value.")
        if problem := action in AMOUNTS and amount_problem(data.get(name), self.currency):
            self.add_error(name, problem)
        return data

    def change(self, change_id: str, rooms: Mapping[str, str], by: str, at: datetime) -> BulkChange:
        """Return the bulk change, once the form is valid, of rooms with their digests by number."""
        data = self.cleaned_data
        action = RoomAction(data["action"])
        value = data[next(iter(_entries_of(action)), "action")]
        people = value if action == RoomAction.ASSIGN else []
        if people:
            rooms = dict(sorted(rooms.items(), key=lambda room: natural(room[0])))
            value = ", ".join(map(self.names.__getitem__, people))
        status = status_change(data, data["until"]) if action == RoomAction.STATUS else StatusChange()
        if action in PLANNING:
            assignee = "" if action == RoomAction.UNASSIGN else None
            priority = Priority(value) if action == RoomAction.PRIORITY else None
            of_day = self.today + date.resolution * (action == RoomAction.ASSIGN and data["day"] == TOMORROW)
            status = StatusChange(day=of_day, assignee=assignee, priority=priority)
        return BulkChange(
            change_id=change_id,
            action=action,
            numbers=SEPARATOR.join(rooms),
            seen=" ".join(rooms.values()),
            by=by,
            asked_at=at,
            amount=value if isinstance(value, Decimal) else None,
            text=value if action in TEXTS else None,
            currency=self.currency,
            status=status,
            assignees=SEPARATOR.join(people),
            may_inspect=self.may_inspect,
        )


def _entries_of(action: str) -> tuple[str, ...]:
    return ENTRIES.get(RoomAction(action), (action.replace("-", "_"),)) if action else ()
