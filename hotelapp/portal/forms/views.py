"""The bases of every page with a form: Django's ``FormView``, which also shows the errors of commands.

A page about a stored entity carries the revision that its user saw. If somebody else changed the entity meanwhile,
nothing is written, and the page shows both versions.
"""

from collections.abc import Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.functional import cached_property
from django.utils.text import Truncator
from django.views.generic import FormView

from hotelapp.dynamodb.connection.errors import ChangedMeanwhile, Conflict, NotFound, UnknownValue
from hotelapp.dynamodb.schema import entities
from hotelapp.dynamodb.schema.entities import Field
from hotelapp.portal.forms.parameters import rewrite
from hotelapp.portal.forms.values import in_words
from hotelapp.portal.messages import saved_before
from hotelapp.portal.views import StaffMixin

EntryT = TypeVar("EntryT", bound=forms.Form)
SAVED_ALREADY = "This is what is saved."
SHOWN_LENGTH = 80
"""The most characters of a value where two versions are compared."""


class FormPage(StaffMixin, FormView, Generic[EntryT]):  # type: ignore[type-arg]
    """A form: POST -> form -> command -> redirect to the result. If the command refuses, the form shows the reason.

    A subclass sets ``form_class`` and ``template_name``, and implements :meth:`save`.
    """

    def save(self, form: EntryT) -> str:
        """Run the form's command; returns the address to redirect to."""
        raise NotImplementedError

    def save_once(self, form: EntryT) -> str:
        """Save a form that may be sent twice; returns the address to redirect to."""
        return self.save(form)

    def refuse(self, form: EntryT, error: Conflict) -> None:
        """Put the reason why the command refused the form into the form."""
        form.add_error(None, str(error))

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            return redirect(self.save_once(form))
        except UnknownValue as error:
            form.add_error(error.facet, f"There is no {form[error.facet].label.lower()} “{error.value}” here.")
        except Conflict as error:
            self.refuse(form, error)
        return self.form_invalid(form)


class StoredPage(FormPage[EntryT]):
    """A form about a stored entity. The form has the revision that the user saw."""

    changed_text: str
    """What to do if somebody else has changed the entity."""

    def load(self) -> Any:
        """The entity as stored, read consistently. Raises :class:`NotFound`."""
        raise NotImplementedError

    @cached_property
    def stored(self) -> Any:
        """The entity as it was stored when this page read it."""
        return self.load()

    def get_initial(self) -> dict[str, Any]:
        return entities.stored_values(self.stored)

    def save_once(self, form: EntryT) -> str:
        """Save the form. If the same form is sent twice at the same time, one finds that the other has done everything.

        The second look writes nothing, because what is stored is not what the user saw.
        """
        try:
            return self.save(form)
        except ChangedMeanwhile:
            self.stored = self.load()
            if self.stored.revision == form.cleaned_data["revision"]:
                raise
            return self.save(form)

    def require_seen(self, form: EntryT) -> None:
        """Raise :class:`ChangedMeanwhile` if the stored entity is not the one that the user saw."""
        if self.stored.revision != form.cleaned_data["revision"]:
            raise ChangedMeanwhile(self.changed_text)

    def refuse(self, form: EntryT, error: Conflict) -> None:
        """Show the reason. After reading it, the user may send the form again."""
        if not isinstance(error, ChangedMeanwhile):
            super().refuse(form, error)
            return
        self.stored = self.load()  # instead of the cached one
        rewrite(form, "revision", str(self.stored.revision))
        form.add_error(None, f"Somebody else changed this meanwhile. {self.changed_text}")


class FieldDifference(NamedTuple):
    """A field in which the stored entity differs from the form."""

    label: str
    stored: str
    entered: str


class EditPage(StoredPage[EntryT]):
    """A form that changes a stored entity. Saving it without a change writes nothing."""

    changed_text = "Compare both versions. Save again to replace the stored values with yours."
    differences: Sequence[FieldDifference] = ()

    def edited(self, form: EntryT) -> Any:
        """The stored entity with the form's values."""
        raise NotImplementedError

    def change(self, before: Any, after: Any) -> None:
        """Run the command. Raises :class:`ChangedMeanwhile` if the entity is not ``before`` any more."""
        raise NotImplementedError

    def address(self, entity: Any) -> str:
        """The address of the entity's page."""
        raise NotImplementedError

    def save(self, form: EntryT) -> str:
        edited = self.edited(form)
        if not entities.same(self.stored, edited):
            self.require_seen(form)
            self.change(self.stored, edited)
            messages.success(self.request, "The change was saved.")
        else:  # as after a change whose answer was lost, when the form is sent again
            saved_before(self.request, SAVED_ALREADY)
        return self.address(edited)

    def refuse(self, form: EntryT, error: Conflict) -> None:
        super().refuse(form, error)
        if isinstance(error, ChangedMeanwhile):
            edited = self.edited(form)
            self.differences = [
                FieldDifference(field.label, _shown(field, self.stored), _shown(field, edited))
                for field in entities.differences(self.stored, edited)
            ]

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        back = self.address(self.stored)
        return super().get_context_data(**{"back": back, "differences": self.differences, **kwargs})

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Save the form. If the entity is gone, show what the user had entered."""
        try:
            return super().post(request, *args, **kwargs)
        except NotFound:
            return self.gone()

    def gone(self) -> HttpResponse:
        """The page, a 404, for a form whose entity does not exist any more."""
        context = super().get_context_data(form=self.get_form_class()(self.request.POST), title="Not saved")
        self.template_name = "portal/not_saved.html"
        response = self.render_to_response(context)
        response.status_code = 404
        return response


class DeletePage(StoredPage[EntryT]):
    """Asks whether to delete an entity, and deletes it."""

    changed_text = "Do you still want to delete it?"

    def delete(self, entity: Any) -> None:
        """Run the command. Raises :class:`ChangedMeanwhile` if the stored entity differs."""
        raise NotImplementedError

    def list_address(self) -> str:
        """The address of the list that the entity was in."""
        raise NotImplementedError

    def save(self, form: EntryT) -> str:
        self.require_seen(form)
        self.delete(self.stored)
        return self.list_address()


def _shown(field: Field, entity: Any) -> str:
    words = in_words(field, getattr(entity, field.name), getattr(entity, "currency", ""))
    return Truncator(words or "blank").chars(SHOWN_LENGTH)
