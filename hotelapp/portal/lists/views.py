"""The base of every list page."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.encoding import escape_uri_path

from hotelapp.dynamodb.connection.errors import BadCursor, UnknownValue
from hotelapp.dynamodb.reading.lists import Listing
from hotelapp.dynamodb.reading.pages import Page, read_page
from hotelapp.dynamodb.schema import entities
from hotelapp.portal.access import EXPORT_DATA
from hotelapp.portal.htmx import LIST_TARGET
from hotelapp.portal.lists.exports import csv_response
from hotelapp.portal.lists.forms import ListForm
from hotelapp.portal.views import StaffPage

T = TypeVar("T")
FormT = TypeVar("FormT", bound=ListForm)


class ListPage(StaffPage, Generic[FormT]):
    """A list: query string -> form -> a full page, only its list (for htmx), or all rows as CSV.

    A subclass sets ``form_class``, ``template_name`` (of the page), ``list_template_name`` (of the list), ``noun`` and
    the ``entity`` of the rows, and implements :meth:`listing`. It may extend :meth:`load` and :meth:`export`.
    """

    form_class: type[FormT]
    list_template_name = ""
    entity: ClassVar[type]
    noun: ClassVar[str]

    def listing(self, form: FormT) -> Listing[Any]:
        """The list that the query string asks for."""
        raise NotImplementedError

    def load(self, form: FormT) -> dict[str, Any]:
        """The context with the page of rows."""
        return {"page": self.page(self.listing(form), form)}

    def page(self, listing: Listing[T], form: FormT) -> Page[T]:
        """The page of a list that the query string asks for."""
        return read_page(listing, form.cleaned_data["page_size"], form.cleaned_data["cursor"])

    def export(self, form: FormT) -> Iterable[Any]:
        """All entities of the selection."""
        return self.listing(form).stream()

    def columns(self) -> Sequence[str]:
        """The columns of the export."""
        return entities.columns(self.entity)

    def cells(self, entity: Any) -> Sequence[str]:
        """An entity's row in the export."""
        return entities.cells(entity)

    def csv_name(self) -> str:
        """File name of the export, without ``.csv``."""
        return self.noun

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:  # type: ignore[override]
        """The page, the list or the export that the query string asks for.

        Raises :class:`~hotelapp.portal.forms.parameters.BadParameters`, and ``PermissionDenied`` for an export without
        the permission.
        """
        form = self.form_class(request.GET)
        try:
            if form.checked()["format"]:
                self.require(EXPORT_DATA)
                return csv_response(self.csv_name(), self.columns(), map(self.cells, self.export(form)))
            return self._respond({**self.load(form), **self._shared_context(form)})
        except BadCursor as error:
            raise form.refuse("cursor", str(error)) from error
        except UnknownValue as error:
            raise form.refuse(error.facet, str(error), error.value) from error

    def _shared_context(self, form: FormT) -> dict[str, Any]:
        fields = {field.name: field for field in entities.fields(self.entity)}
        return {"form": form, "params": form.params, "fields": fields, "headers": form.headers, "noun": self.noun}

    def _respond(self, context: Mapping[str, Any]) -> HttpResponse:
        htmx = getattr(self.request, "htmx", None)
        partial = htmx and htmx.target == LIST_TARGET and not htmx.history_restore_request
        response: HttpResponse
        if partial:
            ledger = self.request.ledger  # type: ignore[attr-defined]
            response = self.response_class(self.request, self.list_template_name, {**context, "ledger": ledger})
            path = escape_uri_path(self.request.path)
            response["HX-Push-Url"] = f"{path}?{context['form'].address}".removesuffix("?")
        else:
            response = self.render_to_response(self.get_context_data(**context))
        patch_vary_headers(response, ["HX-Request", "HX-Target", "HX-History-Restore-Request"])
        return response
