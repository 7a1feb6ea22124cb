"""Forms of the status of rooms."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from django import forms

from portal.forms.entity_forms import TEXT_LENGTH
from portal.forms.fields import DayField, LineField, RevisionField
from portal.times import today_in
from rooms.entities import StatusChange
from rooms.forms.fields import words_of
from rooms.statuses import STATUSES, Housekeeping, Service

MAX_QUERY = 8190  # of an address, as the server takes it
SERVICE = ("service", "reason", "until", "responsible")
"""The fields that change together."""
REPAIR = frozenset(SERVICE[1:])
"""What is said of a repair."""


class StatusFields(forms.Form):
    """The fields of a change of a status. ``may_inspect`` says whether to offer to set rooms to inspected."""

    housekeeping = forms.ChoiceField(choices=[("", "Keep as it is"), *words_of(Housekeeping)], required=False)
    service = forms.ChoiceField(choices=[("", "Keep as it is"), *words_of(Service)], required=False)
    reason = LineField(required=False, max_length=TEXT_LENGTH, help_text="Why it is out of order.")
    until = DayField(
        label="Out of order until",
        help_text="The last day on which it is expected to be out of order, if known.",
    )
    responsible = LineField(required=False, max_length=TEXT_LENGTH, help_text="Who is to repair it.")

    def __init__(self, *args: Any, may_inspect: bool = False, **options: Any) -> None:
        """The field of housekeeping takes all states, so that a page can refuse those that are not offered."""
        super().__init__(*args, **options)
        self.may_inspect = may_inspect
        choices: list[tuple[str, str]] = self.fields["housekeeping"].choices  # type: ignore[attr-defined]
        offered = [each for each in choices if may_inspect or each[0] != Housekeeping.INSPECTED]
        self.fields["housekeeping"].widget.choices = offered


class StatusForm(StatusFields):
    """A change of a room's status. What is blank, or as the user saw it, stays as it is.

    So whoever sets a room out of order does not undo what housekeeping has said of it meanwhile.
    """

    zone = ""
    """The time zone of the hotel, which a page sets."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name in ("housekeeping", *SERVICE):
            self.fields[name].show_hidden_initial = True

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        check_repair(self, REPAIR & set(self.changed_data), today_in(self.zone))
        return data

    @property
    def changes_service(self) -> bool:
        """Whether the user has changed one of the fields of :data:`SERVICE`."""
        return not set(SERVICE).isdisjoint(self.changed_data)

    def seen(self, name: str) -> str | None:
        """The value that the user saw in a field of :data:`SERVICE`; ``None`` if the form does not have it."""
        return self.data.get(f"initial-{name}")

    def change(self) -> StatusChange:
        """The change, once the form is valid. The fields of :data:`SERVICE` change together."""
        kept = [] if "housekeeping" in self.changed_data else ["housekeeping"]
        kept += [] if self.changes_service else ["service", "reason"]
        return status_change({**self.cleaned_data, **dict.fromkeys(kept, "")}, self.cleaned_data["until"])


class TapForm(StatusForm):
    """The form of a room in a list, whose buttons each set a status, or undo what the last one did.

    ``list`` is the list with its query string. A tap names the state of housekeeping that its row showed. After it,
    ``was`` is the status before it, and ``tap_revision`` is that of the room after it; ``undo`` sets the former again.
    """

    list = forms.CharField(max_length=MAX_QUERY, widget=forms.HiddenInput)
    tap_revision = RevisionField(required=False)
    was = forms.ChoiceField(choices=words_of(STATUSES), required=False, widget=forms.HiddenInput)
    undo = forms.ChoiceField(choices=words_of(STATUSES), required=False, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        """Refuse to undo a change without the revision that the row shows."""
        data = super().clean()
        if data.get("undo") and data.get("tap_revision") is None:
            self.add_error("undo", "Choose the change to undo.")
        return data

    @property
    def undone(self) -> int | None:
        """The revision of the room after the change that is to be undone; ``None`` for any other tap."""
        return self.cleaned_data["tap_revision"] if self.cleaned_data["undo"] else None


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
            form.add_error(name, "This is for a room that is out of order. Set the service, or leave this blank.")
        elif name == "until" and today and data[name] < today:
            form.add_error(name, "This day has passed.")


def status_change(data: Mapping[str, Any], until: date | None) -> StatusChange:
    """The change of a status that cleaned data ask for. What is blank stays as it is."""
    return StatusChange(
        Housekeeping(data["housekeeping"]) if data["housekeeping"] else None,
        Service(data["service"]) if data["service"] else None,
        data["reason"] or None,
        until,
        data.get("responsible"),
    )
