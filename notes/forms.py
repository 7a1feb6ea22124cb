"""Forms of notes: the query string of their list, the entries of a note, and the notes that somebody has done."""

from collections.abc import Mapping
from datetime import date
from functools import partial
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from notes.entities import ABOUT_KINDS, Kind, Note, State, words_of
from portal.forms.entity_forms import EntityForm
from portal.forms.fields import PART_LENGTH, DayField, LineField, LinesField, RevisionField, SearchField
from portal.forms.parameters import ManyField
from portal.forms.pickers import PickerField, PickerForm
from portal.lists.forms import LinkedField, ListForm, SortColumn, SortField

ABOUT, ABOUT_LENGTH = f"^({'|'.join(ABOUT_KINDS)}):[^#/]+$", PART_LENGTH + 10
TEXT_LENGTH, TEXT_LINES = 500, 10
KINDS, ALL = [(kind.value, words_of(kind)) for kind in Kind], "any"
STATUS_TABS = {"": "Open", State.DONE: "Done", ALL: "All"}


about_field = partial(forms.RegexField, ABOUT, required=False, max_length=ABOUT_LENGTH, widget=forms.HiddenInput)
"""A field that names a thing as ``room:118`` does. Room numbers may have blanks, marks and dots."""

note_id_field = partial(forms.SlugField, max_length=PART_LENGTH, widget=forms.HiddenInput)


class NotesForm(ListForm):
    """Notes by status, kind, person, and what they are about."""

    always_shown = filtered = ("q",)
    q = SearchField(label="Words in the note")
    status = LinkedField(STATUS_TABS)
    kind = ManyField(forms.ChoiceField(choices=KINDS))
    person = ManyField(LineField(max_length=PART_LENGTH))
    about = about_field()
    choices = LinkedField({"person": "person"})
    sort = SortField(
        [
            SortColumn("written_at", "Written", "oldest first", "newest first"),
            SortColumn("until", "Due by", "earliest first", "latest first"),
        ],
        "-written_at",
    )

    @property
    def conditions(self) -> dict[str, Any]:
        """What the form asks of the list of a hotel's notes."""
        data = self.cleaned_data
        status = {} if data["status"] == ALL else {"status": State(data["status"] or State.OPEN)}
        chosen = {name: frozenset(data[name]) for name in ("kind", "person") if data.get(name)}
        return {**status, **chosen, **({"about": data["about"]} if data["about"] else {})}


class JobsForm(NotesForm):
    """A hotel's jobs, the most urgent first."""

    kind = None  # type: ignore[assignment]
    sort = SortField(NotesForm.base_fields["sort"].columns, "until")  # type: ignore[attr-defined]

    @property
    def conditions(self) -> dict[str, Any]:
        return {**super().conditions, "kind": Kind.JOB}


class NoteForm(EntityForm):
    entity = Note
    kind = forms.ChoiceField(choices=KINDS)
    text = LinesField(max_length=TEXT_LENGTH, max_lines=TEXT_LINES)
    person = forms.ChoiceField(required=False, label="For")
    until = DayField()
    place = LineField(required=False, max_length=200, help_text="Of a found item: where it lies now.")
    handed_to = LineField(required=False, max_length=200, help_text="Of a found item.")

    def __init__(self, *args: Any, people: Mapping[str, str] | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        if "about" in self.fields and self["about"].value():  # a room is not chosen, too
            del self.fields["room"]
        if self.initial.get("kind") == Kind.JOB:
            del self.fields["place"], self.fields["handed_to"]
        self.fields["text"].widget.attrs["rows"] = 3
        self.fields["person"].choices = [("", "Nobody"), *(people or {}).items()]  # type: ignore[attr-defined]


class EditNoteForm(NoteForm):
    revision = RevisionField()


class NewNoteForm(PickerForm, NoteForm):
    """A note to add. It has its id, so that sending it twice adds one note; and what it is about, unless that is a
    room to choose.
    """

    room = PickerField("room", label="Room", required=False)
    about = about_field()
    note_id = note_id_field()

    def __init__(self, *args: Any, today: date, **options: Any) -> None:
        self.today = today
        super().__init__(*args, **options)

    def clean_until(self) -> date | None:
        until: date | None = self.cleaned_data["until"]
        if until and until < self.today:
            raise ValidationError("This day has passed.")
        return until

    field_order = ("room", "kind", "text", "person", "until", "place", "handed_to")

    @property
    def of(self) -> str:
        """What the note is about."""
        room = self.cleaned_data.get("room")
        return f"room:{room}" if room else str(self.cleaned_data["about"])


class DoneForm(forms.Form):
    """Notes that become done, or open again: those that are selected, or the ``one`` of a button, ``done/<id>``.

    Or changes of notes to ``undo``, by their numbers, ``<id>/<number>``.
    """

    mark = forms.ChoiceField(choices=[(each.value, each.value) for each in State], required=False)
    note = ManyField(forms.CharField(max_length=PART_LENGTH))
    one = forms.RegexField(f"^({'|'.join(State)})/", required=False, max_length=PART_LENGTH + 5)
    undo = ManyField(forms.RegexField(rf"\A[\w-]{{1,{PART_LENGTH}}}/[0-9]{{1,17}}\Z"))
