"""Pages of uploads: choose a file, see what its rows would change, import them, and download refused rows."""

import time
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from pathlib import PurePath
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.text import Truncator

from dynamodb_lists import Change, Csv, errors
from dynamodb_lists.django.declaring import declaring
from dynamodb_lists.schema import entities
from portal.access import ANY_STAFF, StaffMixin, StaffPage
from portal.app_config import PortalConfig
from portal.form_pages import FormPage
from portal.forms.numbers import WholeField
from portal.forms.parameters import read
from portal.forms.values import SHOWN_LENGTH, FieldDifference, in_words
from portal.history.commands import excerpts
from portal.history.entities import Actor, How
from portal.imports.importer import Importer
from portal.uploads import store
from portal.uploads.entities import WRITING, RowOutcome, Upload, Verdict
from portal.uploads.forms import UploadForm
from portal.uploads.steps import Uploads

WORK_SECONDS = 2.0
"""How long one request works. The page sends the next one by itself."""

GONE = "This file is gone: files are kept for a day. Upload it again. Rows that were imported stay the same."


class PreviewRow(NamedTuple):
    thing: str
    verdict: Verdict
    values: list[FieldDifference]


class ImportMixin(StaffMixin):
    """The import of the things in the address, by a user who may add such things."""

    kwargs: dict[str, Any]
    permission = ANY_STAFF

    @cached_property
    def importer(self) -> Importer[Any]:
        for app in declaring(PortalConfig):
            if app.importer and f"{app.importer.noun}s" == self.kwargs["things"]:
                return app.importer(Actor(self.by, How.IMPORT))
        raise errors.NotFound(f"No app imports {self.kwargs['things']}.")

    def may_open(self) -> bool:
        return super().may_open() and self.may(self.importer.permission)

    @cached_property
    def uploads(self) -> Uploads:
        return Uploads(self.importer, self.scope, self.may)

    def work(self, upload: Upload) -> None:
        ends = time.monotonic() + WORK_SECONDS
        try:
            while upload.checking or upload.importing:
                upload = self.uploads.take_step(upload)
                if time.monotonic() > ends:
                    break
        finally:
            self.importer.finish()


class ImportPage(ImportMixin, FormPage[UploadForm]):
    title = "Import {page.kwargs[things]}"
    form_class = UploadForm
    template_name = "uploads/import.html"

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "importer": self.importer}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        things, importer = self.kwargs["things"], self.importer
        context = {"importer": importer, "scope": self.scope, "things": things}
        needed = getattr(importer.format, "columns", importer.form_class.base_fields)
        context["optional"] = [name for name in importer.form_class.base_fields if name not in needed]
        context["example"] = f"imports/{things}{importer.format.suffix}"
        return super().get_context_data(**kwargs, **context)

    def save(self, form: UploadForm) -> str:
        things, rows = self.kwargs["things"], form.cleaned_data["file"]
        upload = store.keep(Upload("", things, self.by, form.file_name, 0, 0, form.note), rows)
        self.work(upload)
        return reverse("uploads:upload", args=[things, upload.upload_id])


class StoredUpload(ImportMixin):
    """A page about an upload of the user. Without the upload, it leads to the form."""

    @cached_property
    def upload(self) -> Upload:
        return store.stored(self.kwargs["upload_id"], self.kwargs["things"], self.by)

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return super().dispatch(request, *args, **kwargs)
        except errors.NotFound:
            if "importer" not in vars(self):
                raise
            messages.warning(request, GONE)
            return redirect("uploads:import", kwargs["things"])


class UploadPage(StoredUpload, StaffPage):
    """The progress of an upload: check, preview, import, or result. Each POST works for some seconds."""

    title = "Import {page.kwargs[things]}"
    template_name = "uploads/upload.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        upload = self.upload
        waits = not (upload.checking or upload.importing or upload.done)
        number = WholeField(required=False, min_value=1, max_value=upload.pieces)
        page = read(self.request.GET, page=number)["page"] or 1
        rows: list[PreviewRow] = []
        if waits:
            rows = [*map(self._row, self.uploads.verdicts(store.piece(upload, page - 1, self.importer)))]
        elif upload.done:
            late = islice(store.rows_with(RowOutcome.MEANWHILE, upload, self.importer), store.PIECE_ROWS)
            rows = [self._row(Verdict(row, None, result)) for row, result in late]
        return super().get_context_data(
            upload=upload,
            noun=self.importer.noun,
            rows=rows,
            late=any(row.verdict.result.outcome is RowOutcome.MEANWHILE for row in rows),
            waits=waits,
            page_number=page,
            **kwargs,
        )

    def _row(self, verdict: Verdict) -> PreviewRow:
        thing = " · ".join(map(str, self.importer.identity_in(verdict.row.data)))
        shown = verdict.change if verdict.result.outcome in WRITING else None
        return PreviewRow(thing, verdict, list(self._values(shown)) if shown else [])

    def _values(self, shown: Change[Any]) -> Iterator[FieldDifference]:
        """Yield what a row changes, in words, also where the history will not repeat it; of a new thing, its values."""
        currency, own = getattr(shown.entity, "currency", ""), self.importer.form_class.base_fields
        for field in entities.fields(shown.entity.__class__):
            pair = (getattr(each, field.name, None) for each in (shown.before, shown.after))
            old, new = excerpts(*(in_words(field, value, currency) for value in pair))
            if old != new and (field.recorded or field.name in own) and field.name not in self.importer.id_fields:
                shortened = (Truncator(each).chars(SHOWN_LENGTH) for each in (old, new))
                yield FieldDifference(field.label, *shortened)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Confirm the import, if the button below the preview was pressed, and work for some seconds."""
        upload = store.confirm(self.upload) if "confirm" in request.POST else self.upload
        self.work(upload)
        return redirect(request.path)


class RefusedRows(StoredUpload):
    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Return the file of refused rows. Excel needs a byte order mark to read CSV as UTF-8; imports ignore it."""
        format_ = self.importer.format
        rows = [*store.rows_with(RowOutcome.REFUSED, self.upload, self.importer)]
        lines = [format_.heading(rows[0][0])] if rows else []
        lines += [format_.rejected(row, result.reason) for row, result in rows]
        content = "".join(["\ufeff" if isinstance(format_, Csv) else "", *lines])
        response = HttpResponse(content.encode(errors="replace"), "text/plain; charset=utf-8")
        name = f"{PurePath(self.upload.name).stem}.rejected{format_.suffix}"
        response["Content-Disposition"] = content_disposition_header(True, name)
        return response
