"""The bases of every page with a form: Django's ``FormView``, which also shows the errors of commands.

A page about a stored entity carries the revision that its user saw. If somebody else changed the entity meanwhile,
nothing is written, and the page shows both versions.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, ClassVar, Generic, TypeVar

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.http import urlencode
from django.views.generic import FormView
from ulid import ULID

from dynamodb_lists import errors
from dynamodb_lists.django.declaring import declaring
from dynamodb_lists.lists.edits import Edit
from dynamodb_lists.schema import entities
from portal import drafts
from portal.access import StaffMixin
from portal.app_config import PortalConfig
from portal.forms.entity_forms import TEXT_LENGTH
from portal.forms.fields import LineField, RevisionForm, as_seen, seen_text
from portal.forms.parameters import read, rewrite
from portal.forms.pickers import Finder, PickerForm, fill
from portal.forms.values import FieldDifference, part_difference
from portal.history.commands import RECORDED
from portal.history.entities import Actor, What
from portal.history.undoing import address_of
from portal.history.views import say_done

EntryT = TypeVar("EntryT", bound=forms.Form)
LOGGED_OUT = "You were logged out, so nothing is saved yet. Check the form, and save it again."
SAVED_ALREADY = "This is what is saved."
AS_STORED = "unchanged by you"


def finder_of(request: HttpRequest) -> Finder:
    """Return the search for the user of a request, which the search app provides."""
    (finder,) = (app.finder for app in declaring(PortalConfig) if app.finder)
    return finder(request)


class FormPage(StaffMixin, FormView, Generic[EntryT]):  # type: ignore[type-arg]
    """A form: POST -> form -> command -> redirect to the result. If the command refuses, the form shows the reason.

    A subclass sets ``form_class`` and ``title``, and implements :meth:`save`.
    """

    template_name = "portal/edit.html"
    may_wait = True
    list_url: ClassVar[str] = ""
    """The list that the thing is in: the name of its URL, which takes the hotel's id if that of the page does."""

    def list_address(self) -> str:
        return reverse(self.list_url, args=[self.kwargs["hotel_id"]] if "hotel_id" in self.kwargs else [])

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the context. Cancel leads to the list, unless the page names another address."""
        back = {"back": self.list_address()} if self.list_url else {}
        return super().get_context_data(**{**back, **kwargs})

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return self.resumed() or super().get(request, *args, **kwargs)

    def resumed(self) -> HttpResponse | None:
        """Return the form that its user sent after the session's end, to check and send again; ``None`` without one."""
        sent = drafts.take(self.request)
        if sent is None:
            return None
        messages.warning(self.request, LOGGED_OUT)
        form = self.get_form_class()(**{**self.get_form_kwargs(), "data": sent})
        return self.render_to_response(self.get_context_data(form=form))

    def save(self, form: EntryT) -> str:
        """Run the form's command, and return the address to redirect to."""
        raise NotImplementedError

    def get_form_kwargs(self) -> dict[str, Any]:
        """Return the arguments of the form. Pickers get the search for the user."""
        picks = issubclass(self.get_form_class(), PickerForm)
        return {**super().get_form_kwargs(), **({"finder": finder_of(self.request)} if picks else {})}

    def taken(self, form: EntryT, error: errors.AlreadyExists) -> str:
        """Show in the form that the id is in use. A page that chose the id itself gives the form another one."""
        return str(error)

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            return redirect(self.save(form))
        except errors.AlreadyExists as error:
            form.add_error(None, self.taken(form, error))
        except errors.UnknownValue as error:
            form.add_error(error.facet, f"There is no {form[error.facet].label.lower()} “{error.value}” here.")
        except (errors.Conflict, errors.WrongValue) as error:
            form.add_error(None, str(error))
        return self.form_invalid(form)


class AddPage(FormPage[EntryT]):
    """A form that adds a thing. The thing's id is in the address, so that a form that is sent again adds no other.

    Back leads to the same address, too.
    """

    id_name: ClassVar[str]
    """The parameter, and the hidden field of the form, with the id."""
    asks: ClassVar[Mapping[str, Callable[..., forms.Field]]]
    """What the address may say of the thing: the id and other fields of the form, each with what makes the field."""
    new_id: Callable[[], str] = staticmethod(lambda: str(ULID()))

    @cached_property
    def asked(self) -> dict[str, Any]:
        """What the address says of the thing. Raises :class:`~portal.forms.parameters.BadParameters`."""
        return read(self.request.GET, **{name: field(required=False) for name, field in self.asks.items()})

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        given = {name: value for name, value in self.asked.items() if value}
        if self.id_name in given:
            return super().get(request, *args, **kwargs)
        self.get_form_kwargs()  # raises NotFound for a hotel that does not exist
        return redirect(f"{request.path}?{urlencode({**given, self.id_name: self.new_id()})}")

    def get_initial(self) -> dict[str, Any]:
        return {name: value for name, value in self.asked.items() if value}

    def taken(self, form: EntryT, error: errors.AlreadyExists) -> str:
        rewrite(form, self.id_name, self.new_id())
        return super().taken(form, error)


class StoredPage(FormPage[EntryT]):
    """A form about a stored entity. The form has the revision that the user saw."""

    context_object_name: ClassVar[str]
    """The kind of the entity, as its history names it, which is also its name in the template."""
    address: Callable[[Any], str] = staticmethod(address_of)
    changed_text: ClassVar[str]
    """The advice to the user if somebody else has changed the entity."""
    differences: Sequence[FieldDifference] = ()

    def load(self) -> Any:
        """Return the entity of the address, read consistently. Raises: ``NotFound``, also for hotels out of sight."""
        entity = RECORDED[self.context_object_name].load(*self.kwargs.values())
        self.require_hotel(entity.hotel_id)
        return entity

    @cached_property
    def stored(self) -> Any:
        """The entity as it was stored when this page read it."""
        return self.load()

    def write(self, form: EntryT) -> str:
        """Run the command if the form changes anything; return the next address. Raises: :class:`ChangedMeanwhile`."""
        raise NotImplementedError

    def compared(self, form: EntryT) -> Sequence[FieldDifference]:
        """Return the fields in which the form differs from the stored entity."""
        return ()

    def gone(self) -> HttpResponse:
        """Return the response to a form whose entity is deleted."""
        raise errors.NotFound("Somebody has deleted or renamed this.")

    def get_initial(self) -> dict[str, Any]:
        return entities.stored_values(self.stored)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = {self.context_object_name: self.stored, "back": self.carrying(self.address(self.stored))}
        return super().get_context_data(**{**context, "differences": self.differences, **kwargs})

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return super().post(request, *args, **kwargs)
        except errors.NotFound:
            return self.gone()

    def save(self, form: EntryT) -> str:
        """Write the values of the form. If somebody else has saved first, show the stored version."""
        try:
            return self.write(form)
        except errors.ChangedMeanwhile as error:
            self.stored = self.load()
            if self.stored.revision != form.cleaned_data["revision"]:
                with suppress(errors.ChangedMeanwhile):  # if the form was sent twice at once, the other did it all
                    return self.write(form)
            rewrite(form, "revision", str(self.get_initial()["revision"]))
            self.differences = self.compared(form)
            raise errors.Conflict(f"{error} {self.changed_text}") from error

    def require_seen(self, form: EntryT) -> None:
        """Raise :class:`ChangedMeanwhile` if the stored entity is not the one that the user saw."""
        if self.stored.revision != form.cleaned_data["revision"]:
            raise errors.ChangedMeanwhile


class EditPage(StoredPage[EntryT]):
    """A form that changes a stored entity. Saving it without a change writes nothing.

    ``form.changed(entity)`` is the entity with the form's values. The form has what its editor saw: only a part that
    differs from that is a change.
    """

    changed_text = "Compare both versions. To keep yours, save again: what you did not change stays as it is now."

    def command(self, before: Any, after: Any, by: str, /) -> Any:
        """Change the entity, and return it as it was written. Raises: :class:`ChangedMeanwhile`."""
        return RECORDED[self.context_object_name].of.by(Actor(by)).update(before, after)

    def get_initial(self) -> dict[str, Any]:
        parts = self.parts(self.stored)
        return {**super().get_initial(), **parts, "revision": seen_text(self.stored.revision, parts)}

    def parts(self, entity: Any) -> dict[str, Any]:
        """Return the parts that people change independently: the values of the fields, by name."""
        described, entered = entities.fields(entity.__class__), self.get_form_class().base_fields
        return {each.name: getattr(entity, each.name) for each in described if each.compared and each.name in entered}

    def joined(self, entity: Any, parts: Mapping[str, Any]) -> Any:
        return replace(entity, **parts)

    def edit(self, form: Any) -> Edit:
        """Return the parts that this editor has changed. A part that a version lacks is ``None`` there."""
        stored, entered = self.parts(self.stored), self.parts(form.changed(self.stored))
        seen = form.cleaned_data["revision"].parts
        names = {**entered, **stored}
        return Edit(stored, dict.fromkeys(names) | entered, seen and dict.fromkeys(names, "") | seen, as_seen)

    def edited(self, form: Any) -> Any:
        """Return the stored entity with this editor's changes. Changes of other people stay."""
        return self.joined(form.changed(self.stored), self.edit(form).merged)

    def write(self, form: Any) -> str:
        edited = self.edited(form)
        if entities.same(self.stored, edited):  # as after a change whose answer was lost, when the form is sent again
            messages.success(self.request, SAVED_ALREADY)
        else:
            self.require_seen(form)
            say_done(self, "The change was saved.", self.command(self.stored, edited, self.by))
        return self.carrying(self.address(edited))

    def compared(self, form: Any) -> Sequence[FieldDifference]:
        """Return the parts that differ. The form shows parts that only other people changed as they are stored."""
        edit, initial, found = self.edit(form), self.get_initial(), []
        for part, mine in edit.differing.items():
            difference = part_difference(self.stored, part, edit.stored.get(part), mine)
            if part not in edit.changes:
                difference = difference._replace(entered=AS_STORED)
                if part in form.fields:
                    fill(form, part, initial.get(part))
            found.append(difference)
        return found

    def gone(self) -> HttpResponse:
        """Return a page with the entered values, as a 404."""
        self.title, self.template_name = "Not saved", "portal/not_saved.html"
        form = self.get_form_class()(self.request.POST)
        return self.render_to_response(FormPage.get_context_data(self, form=form), status=404)


class RemarkForm(RevisionForm):
    """A short text for the person who works on a thing next. A blank text deletes the note."""

    note = LineField(
        required=False, max_length=TEXT_LENGTH, label="Remark", help_text="Leave empty to delete the remark."
    )

    def changed(self, stored: Any) -> Any:
        return replace(stored, note=self.cleaned_data["note"])


class RemarkPage(EditPage[RemarkForm]):
    """Sets the note of a thing. If somebody else has changed the thing, but not its note, that is no conflict."""

    form_class = RemarkForm

    def require_seen(self, form: RemarkForm) -> None:
        if form.cleaned_data["revision"].parts.get("note") != as_seen(self.stored.note):
            raise errors.ChangedMeanwhile


class DeletePage(StoredPage[RevisionForm]):
    form_class = RevisionForm
    changed_text = "Do you still want to delete it?"
    thing: ClassVar[str]
    """The name of the entity to delete, with values of the page in braces: ``Room {page.kwargs[number]}``."""

    def command(self, stored: Any, by: str, /) -> Any:
        """Delete the entity; return the entity that remains, if any. Raises: :class:`ChangedMeanwhile`."""
        return RECORDED[self.context_object_name].of.by(Actor(by)).delete(stored)

    def onward(self) -> str:
        """Return the address after the deletion: of the list from which the user came, if it is known."""
        return self.origin.address if self.origin else self.list_address()

    def write(self, form: RevisionForm) -> str:
        self.require_seen(form)
        left = self.command(self.stored, self.by)
        what = What.DELETED if left is None else What.CHANGED
        say_done(self, f"{self.thing.format(page=self)} was deleted.", left or self.stored, what)
        return self.onward()

    def gone(self) -> HttpResponse:
        """Redirect to the list: the form was sent before, or somebody else has deleted the entity."""
        address = self.onward()
        messages.success(self.request, f"{self.thing.format(page=self)} does not exist any more.")
        return redirect(address)
