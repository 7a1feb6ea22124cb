"""Forms of the plan of a day: the query strings of its lists, and the plan of one room."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django import forms

from portal.forms.fields import LineField, RevisionForm
from portal.lists.forms import LinkedField, ListForm, PageSizeField
from rooms.entities import Room, StatusChange
from rooms.forms.fields import MOST_USERNAME, words_of
from rooms.statuses import Priority

NOBODY: Mapping[str, str] = {}
PLAN_TABS = {
    "": "To inspect",
    "unassigned": "Dirty, with nobody",
    "assigned": "Assigned",
    "rush": "Rush",
    "do-not-disturb": "Do not disturb",
}


class MyRoomsForm(ListForm):
    page_size = PageSizeField(100)  # more than one person cleans in a day


class PlanForm(ListForm):
    """A tab of the supervisor's page, of everybody or of one person."""

    page_size = PageSizeField(50)
    status = LinkedField(PLAN_TABS)
    person = LineField(required=False, max_length=MOST_USERNAME, widget=forms.HiddenInput)


class PlanRoomForm(RevisionForm):
    """The plan of one room for a day."""

    assignee = forms.ChoiceField(required=False, label="Who has it")
    priority = forms.ChoiceField(choices=words_of(Priority))

    def __init__(self, *args: Any, people: Mapping[str, str] = NOBODY, day: date = date.min, **options: Any) -> None:
        super().__init__(*args, **options)
        self.day = day
        self.fields["assignee"].choices = [("", "Nobody"), *people.items()]  # type: ignore[attr-defined]

    def changed(self, room: Room) -> Room:
        """The room with this plan, once the form is valid."""
        data = self.cleaned_data
        return StatusChange(day=self.day, assignee=data["assignee"], priority=Priority(data["priority"])).of(room)
