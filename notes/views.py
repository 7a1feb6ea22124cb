"""Pages of a hotel's notes: the list, its jobs, and the pages that add, show, change and delete a note."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from dynamodb_lists import Listing, Page, Query, errors
from dynamodb_lists.schema import entities
from hotels.app_config import RoomPart
from hotels.staff_hotels import staff_of
from hotels.templatetags.hotels import pages_beside
from hotels.views import HotelMixin
from notes import commands, queries
from notes.apps import ADD_NOTES, CHANGE_NOTES, VIEW_NOTES
from notes.entities import Kind, Note, State, about_words, thing_about, words_of
from notes.forms import (
    ALL,
    KINDS,
    STATUS_TABS,
    DoneForm,
    EditNoteForm,
    JobsForm,
    NewNoteForm,
    NotesForm,
    about_field,
    note_id_field,
)
from notes.lists import NOTES
from portal.form_pages import AddPage, DeletePage, EditPage
from portal.forms.parameters import checked
from portal.history.entities import Actor
from portal.history.subjects import Thing, thing_at
from portal.history.undoing import newest_change, undo
from portal.history.views import change_each, say_added
from portal.lists import FOUND_UNITS, PAGE_SIZES
from portal.lists.forms import filter_of
from portal.lists.views import Column, ListPage
from portal.people import name_of, names_of, person_id
from portal.times import now, today_in

OF_ROOM = RoomPart("notes/_of_room.html", VIEW_NOTES, lambda *room: queries.open_about(room[0], f"room:{room[1]}"))


def noun_of(note: Note) -> str:
    return "found item" if note.kind == Kind.LOST else note.kind


class NotesMixin(HotelMixin):
    def linked(self, note: Note) -> Thing | None:
        """Return what a note is about, if the user may see it."""
        found = thing_about(note.hotel_id, note.about)
        return found if found and self.may(found.subject.permission) else None


class NotesPage(NotesMixin, ListPage[NotesForm]):
    """A hotel's notes. Selected ones, or one by its button, are marked done, or open again."""

    title, noun, permission, entity = "Notes of {page.hotel.name}", "notes", VIEW_NOTES, Note
    form_class: type[NotesForm] = NotesForm
    list_template_name = "notes/_notes.html"
    key, row_head = "note_id", "text"
    columns: ClassVar[Sequence[str | Column]] = (
        *("text", "kind", "about", "person", "until", "written_at"),
        Column("step", "Mark", heard=True),
    )
    filters: ClassVar[Sequence[str]] = ("kind", "person")
    adds = ("Add a note", ADD_NOTES, "notes:add")
    nothing = ("No note is open here.", "Write down what the next shift has to know, and what guests have lost.")
    tabs, ticks = STATUS_TABS, ("note", CHANGE_NOTES)
    unmatched = ("No note matches.", "Choose another kind or person")
    found_by = "Notes are found by the beginnings of the first eight words of their text and place."

    added: Mapping[str, str] = {}
    """What the address of the form for a new note says, beside what the list is about."""

    @property
    def add_address(self) -> str:
        about = {"about": found} if (found := self.request.GET.get("about")) else {}
        query = urlencode({**self.added, **about})
        return super().add_address and super().add_address + f"?{query}" * bool(query)

    @property
    def shown(self) -> Sequence[Column]:
        return super().shown if self.may(CHANGE_NOTES) else super().shown[:-1]

    def query(self, form: NotesForm) -> Query[Note]:
        query = NOTES.query(hotel_id=self.hotel.hotel_id).where(**form.conditions)
        if form.searched:
            return query.search(form.cleaned_data["q"])
        return query.order_by(form.order.column, descending=form.order.descending)

    def listing(self, form: NotesForm) -> Listing[Note]:
        self.counted = self.query(form).counts()
        listing = self.query(form).listing(*form.position, counts=self.counted, whole=form.exporting)
        return listing.at_most(FOUND_UNITS) if form.searched else listing

    def context(self, form: NotesForm, page: Page[Note]) -> dict[str, Any]:
        data, choices = form.cleaned_data, self.query(form).choices(self.counted)
        counts = not (data["about"] or form.searched)  # nothing counts what notes are about
        people = filter(None, {*choices["person"], *data["person"]})
        drawn: dict[str, Any] = {"counted": counts, "whole": data["choices"] == "person"}
        of_kinds = {"values": Kind, "selected": data.get("kind", ()), "words": words_of}
        of_people = {"values": sorted(people, key=name_of), "selected": data["person"], "words": name_of}
        names_of({note.written_by for note in page.rows})
        numbers = choices["status"]
        return {
            "filters": {
                "kind": filter_of("kind", "Kind", choices["kind"], **of_kinds, **drawn),
                "person": filter_of("person", "For", choices["person"], **of_people, **drawn),
            },
            "counts": {**numbers, "": numbers.get(State.OPEN, 0), ALL: sum(numbers.values())} if counts else None,
            "others": self.others(),
            "narrowed": bool(form.filters_set or data["about"]),
        }

    def others(self) -> dict[str, str]:
        """The links beside the tabs: the user's jobs, and the other pages below the same tab of the hotel."""
        here = getattr(self.request.resolver_match, "view_name", "")
        mine = f"{reverse('notes:jobs', kwargs=self.kwargs)}?person={person_id(self.request.user)}"
        return {mine: "My jobs", **pages_beside(here, self.request.user, self.hotel.hotel_id)}

    def cells(self, entity: Note) -> Sequence[Any]:
        return entities.cells(replace(entity, person=name_of(entity.person) if entity.person else ""))

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        self.require(CHANGE_NOTES)
        data = checked(DoneForm(request.POST))
        to, _, one = data["one"].partition("/")
        status, ids = State(to or data["mark"] or State.DONE), [one] if one else data["note"][: max(PAGE_SIZES)]
        hotel_id, words = self.hotel.hotel_id, "put back" if data["undo"] else f"marked {status}"
        places = ({"hotel_id": hotel_id, "note_id": each} for each in ids)
        stored, marks = {note.note_id: note for note in NOTES.get_many(places)}, list[tuple[str, Callable[[], Any]]]()
        for each in ids:
            name = stored[each].name if each in stored else each
            marks.append((name, partial(self._marked, stored.get(each), status)))
        for note_id, _, serial in (each.rpartition("/") for each in data["undo"][: max(PAGE_SIZES)]):
            thing = thing_at("note", f"{hotel_id}/{note_id}")
            marks.append((note_id, partial(undo, thing, int(serial), self.by, self.may)))
        noun = noun_of(stored[one]) if one in stored else "note"
        undoable = lambda note: "" if data["undo"] else f"{note.note_id}/{newest_change(note).serial}"  # noqa: E731
        change_each(self, noun, words, marks, undoable)
        return redirect(request.get_full_path())

    def _marked(self, note: Note | None, status: State) -> Note:
        """Return the note with a status. Raises :class:`Conflict` if somebody has set it, or has deleted the note."""
        if note is None:
            raise errors.NotFound("There is no such note.")
        if note.status == status:
            raise errors.Conflict(f"Somebody else was quicker: it is {status}.")
        return NOTES.by(Actor(self.by)).update(note, on=(), status=status)


class JobsPage(NotesPage):
    title, noun = "Jobs of {page.hotel.name}", "jobs"
    form_class = JobsForm
    columns = tuple(column for column in NotesPage.columns if column != "kind")
    filters = ("person",)
    adds = ("Report a defect", ADD_NOTES, "notes:add")
    nothing = ("No job is open.", "Report a defect of a room that can still be let, or of anything else in the hotel.")
    added = {"kind": Kind.JOB}


class AddNotePage(NotesMixin, AddPage[NewNoteForm]):
    permission = ADD_NOTES
    form_class = NewNoteForm
    id_name, list_url = "note_id", "notes:notes"
    asks = {"note_id": note_id_field, "about": about_field, "kind": partial(forms.ChoiceField, choices=KINDS)}

    def get_initial(self) -> dict[str, Any]:
        return {"kind": Kind.NOTE, **super().get_initial()}

    def get_form_kwargs(self) -> dict[str, Any]:
        people = staff_of(self.hotel.hotel_id, VIEW_NOTES)
        given = {"hotel_id": self.hotel.hotel_id, "people": people, "today": today_in(self.zone)}
        return {**super().get_form_kwargs(), **given}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        title = {Kind.JOB: "Report a defect", Kind.LOST: "Record a found item"}.get(self.asked["kind"], "Add a note")
        about = about_words(self.hotel.hotel_id, self.asked["about"]) or self.hotel.name
        return super().get_context_data(title=f"{title}: {about}", **kwargs)

    def save(self, form: NewNoteForm) -> str:
        given = {"hotel_id": self.hotel.hotel_id, "note_id": form.cleaned_data["note_id"], "about": form.of}
        note = commands.add_note(form.new(**given, written_at=now(), written_by=self.by), self.by)
        say_added(self, f"The {noun_of(note)}", note)
        return thing.address if (thing := self.linked(note)) else self.list_address()

    def taken(self, form: NewNoteForm, error: errors.AlreadyExists) -> str:
        super().taken(form, error)
        return "This form has already added a note. To add this one, too, save again."


class NotePage(NotesMixin, EditPage[EditNoteForm]):
    """A note, and its form for who may change it."""

    lists_link_here = True
    permission = VIEW_NOTES
    form_class = EditNoteForm
    template_name, list_url = "notes/note.html", "notes:notes"
    context_object_name = "note"

    def get_form_kwargs(self) -> dict[str, Any]:
        person = self.stored.person
        people = {person: name_of(person)} if person else {}
        return {**super().get_form_kwargs(), "people": people | staff_of(self.hotel.hotel_id, VIEW_NOTES)}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        about = about_words(self.stored.hotel_id, self.stored.about)
        title = ": ".join(filter(None, (words_of(self.stored.kind), about)))
        more = {"title": title, "about": about, "thing": self.linked(self.stored), "back": self.list_address()}
        return super().get_context_data(**{**more, **kwargs})

    def edited(self, form: EditNoteForm) -> Note:
        """Return the changed note. A lost thing becomes done with what the form says of it."""
        note: Note = super().edited(form)
        return replace(note, status=State.DONE) if "done" in self.request.POST else note

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        self.require(CHANGE_NOTES)
        return super().post(request, *args, **kwargs)


class DeleteNotePage(NotesMixin, DeletePage):
    title = "Delete a note of {page.hotel.name}"
    thing = "The note"
    permission = "notes.delete_note"
    template_name, list_url = "notes/delete_note.html", "notes:notes"
    context_object_name = "note"
