"""The base of every page with a form: Django's ``FormView``, which also shows the errors of commands."""

from typing import Any, Generic, TypeVar

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.generic import FormView

from hotelapp.dynamodb.connection.errors import Conflict, UnknownValue
from hotelapp.portal.views import StaffMixin

EntryT = TypeVar("EntryT", bound=forms.Form)


class FormPage(StaffMixin, FormView, Generic[EntryT]):  # type: ignore[type-arg]
    """A form: POST -> form -> command -> redirect to the result. If the command refuses, the form shows the reason.

    A subclass sets ``form_class`` and ``template_name``, and implements :meth:`save`.
    """

    def save(self, form: EntryT) -> str:
        """Run the form's command; returns the address to redirect to."""
        raise NotImplementedError

    def form_valid(self, form: Any) -> HttpResponse:
        """Save the form, or show it again with the reason why the command refused it."""
        try:
            return redirect(self.save(form))
        except UnknownValue as error:
            form.add_error(error.facet, f"There is no {form[error.facet].label.lower()} “{error.value}” here.")
        except Conflict as error:
            form.add_error(None, str(error))
        return self.form_invalid(form)
