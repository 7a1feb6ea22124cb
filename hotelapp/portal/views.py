"""What every page stands on: staff only, drawn in the admin's frame, lists that answer htmx and CSV as well."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, ClassVar, Generic, TypeVar

from django import forms
from django.contrib import admin
from django.contrib.auth.mixins import UserPassesTestMixin
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect
from django.utils.cache import patch_vary_headers
from django.utils.decorators import method_decorator
from django.utils.encoding import escape_uri_path
from django.utils.http import content_disposition_header
from django.views.decorators.cache import never_cache
from django.views.generic import TemplateView
from django_htmx.http import HttpResponseClientRedirect

from hotelapp.dynamodb.errors import BadCursor, Conflict, UnknownValue
from hotelapp.dynamodb.pages import Page, read_page
from hotelapp.dynamodb.reading import Listing
from hotelapp.portal.cells import guarded
from hotelapp.portal.forms import PAGE_SIZES, ListForm
from hotelapp.portal.htmx import LIST_TARGET, page_address

T = TypeVar("T")
FormT = TypeVar("FormT", bound=ListForm)
EntryT = TypeVar("EntryT", bound=forms.Form)


@method_decorator(never_cache, name="dispatch")
class StaffPage(UserPassesTestMixin, TemplateView):
    """A page inside the admin's frame. The anonymous are sent to log in, others without staff access get a 403."""

    title = ""
    permission: ClassVar[str] = ""

    def test_func(self) -> bool:
        """Whether the user may see the page: staff, and with the page's permission if it names one."""
        user = self.request.user
        return user.is_active and user.is_staff and (not self.permission or user.has_perm(self.permission))

    def handle_no_permission(self) -> HttpResponse:  # type: ignore[override]
        """To the login page and back; htmx, whose answer would land inside the list, is told to go there itself."""
        response: HttpResponse = super().handle_no_permission()
        if getattr(self.request, "htmx", False):
            return HttpResponseClientRedirect(redirect_to_login(page_address(self.request)).url)
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The page's own context and the frame's."""
        self.request.current_app = admin.site.name
        return super().get_context_data(**{**admin.site.each_context(self.request), "title": self.title, **kwargs})


class ListPage(StaffPage, Generic[FormT]):
    """A list: query string -> form -> one page of rows, in full, as the part that htmx swaps, or all rows as CSV.

    A subclass names ``form_class``, ``template_name`` (the page) and ``list_template_name`` (the part), and gives
    :meth:`listing` and :meth:`cells`; what is more than that goes into :meth:`load` and :meth:`export`.
    """

    form_class: type[FormT]
    list_template_name = ""
    csv_columns: ClassVar[Sequence[str]] = ()

    def listing(self, form: FormT) -> Listing[Any]:
        """The list that is asked for."""
        raise NotImplementedError

    def cells(self, row: Any) -> Sequence[Any]:
        """A row's cells in the export, as ``csv_columns`` names them."""
        raise NotImplementedError

    def load(self, form: FormT) -> dict[str, Any]:
        """The context with the page of rows, from the form's cleaned data."""
        return {"page": self.page(self.listing(form), form)}

    def page(self, listing: Listing[T], form: FormT) -> Page[T]:
        """The page of a list that is asked for."""
        return read_page(listing, form.cleaned_data["page_size"], form.cleaned_data["cursor"])

    def export(self, form: FormT) -> Iterable[Sequence[Any]]:
        """All rows of the selection, as CSV cells."""
        return map(self.cells, self.listing(form).stream())

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:  # type: ignore[override]
        """The list as asked for. Raises :class:`~hotelapp.portal.forms.BadParameters`."""
        form = self.form_class(request.GET)
        try:
            if form.checked()["format"]:
                return csv_response(self.csv_name(), self.csv_columns, self.export(form))
            return self._respond({**self.load(form), **self._about(form)})
        except BadCursor as error:
            raise form.refuse("cursor", str(error)) from error
        except UnknownValue as error:
            raise form.refuse(error.facet, str(error), error.value) from error

    def _about(self, form: FormT) -> dict[str, Any]:
        return {"form": form, "params": form.params, "page_sizes": PAGE_SIZES, "ledger": self.request.ledger}  # type: ignore[attr-defined]

    def csv_name(self) -> str:
        """File name of the export, without ``.csv``."""
        return "export"

    def _respond(self, context: Mapping[str, Any]) -> HttpResponse:
        htmx = getattr(self.request, "htmx", None)
        partial = htmx and htmx.target == LIST_TARGET and not htmx.history_restore_request
        response: HttpResponse
        if partial:
            response = self.response_class(self.request, self.list_template_name, dict(context))
            path = escape_uri_path(self.request.path)
            response["HX-Push-Url"] = f"{path}?{context['form'].address}".removesuffix("?")
        else:
            response = self.render_to_response(self.get_context_data(**context))
        patch_vary_headers(response, ["HX-Request", "HX-Target", "HX-History-Restore-Request"])
        return response


class FormPage(StaffPage, Generic[EntryT]):
    """A form: POST -> form -> command -> on to the result. What the command refuses stands in the form.

    A subclass names ``form_class`` and ``template_name``, and gives :meth:`save`.
    """

    form_class: type[EntryT]

    def save(self, form: EntryT) -> str:
        """Do what the form says; gives the address to go on to."""
        raise NotImplementedError

    def blank(self) -> EntryT:
        """The form before anything was written in it."""
        return self.form_class()

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """The blank form."""
        return self.show(self.blank())

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Save, or show what is wrong beside what was written."""
        form = self.form_class(request.POST)
        if form.is_valid():
            try:
                return redirect(self.save(form))
            except UnknownValue as error:
                form.add_error(error.facet, f"There is no {form[error.facet].label.lower()} “{error.value}” here.")
            except Conflict as error:
                form.add_error(None, str(error))
        return self.show(form)

    def show(self, form: EntryT) -> HttpResponse:
        """The page with a form."""
        return self.render_to_response(self.get_context_data(form=form))


class _Echo:
    """A file that hands back what is written to it, so that the csv module can stream."""

    def write(self, text: str) -> str:
        return text


def csv_response(name: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> StreamingHttpResponse:
    """A streamed CSV download. The first row is read beforehand, so that a database that is away is a 503."""
    rows = iter(rows)
    ready = chain(list(islice(rows, 1)), rows)
    response = StreamingHttpResponse(_csv_lines(columns, ready), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = content_disposition_header(True, f"{name}.csv")
    return response


def _csv_lines(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    writer = csv.writer(_Echo())
    yield writer.writerow(columns)
    for row in rows:
        yield writer.writerow([guarded(str(cell)) for cell in row])
