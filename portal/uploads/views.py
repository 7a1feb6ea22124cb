"""Pages of uploads: choose a file, see what its rows would change, import them, and download refused rows."""

import time
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from functools import cached_property
from io import StringIO
from itertools import islice
from pathlib import PurePath
from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.text import Truncator

from dynamodb_lists import Change, Csv, FileRow, errors
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
from portal.uploads import steps
from portal.uploads.models import WRITING, RowOutcome, Upload
from portal.uploads.steps import MAX_CHARACTERS, Uploads, Verdict

MAX_BYTES, MAX_ROWS, MAX_LINES = 2_000_000, 20_000, 200_000
"""The limits of a file, blank lines included. A request has 2.5 MB: Django's ``DATA_UPLOAD_MAX_MEMORY_SIZE``."""

LIMITS = f"At most {MAX_BYTES // 10**6} MB and {MAX_ROWS:,} rows. For larger files, ask an administrator."
WINDOWS = "Check letters with accents: the file is not in UTF-8, so it was read like a CSV file of Excel."


class UploadForm(forms.Form):
    """A file to import. The cleaned file is its rows. ``note`` says how the file was read."""

    file_name = note = ""
    file = forms.FileField(
        label="File", max_length=200, help_text=LIMITS, error_messages={"empty": "The file is empty."}
    )

    def __init__(self, *args: Any, importer: Importer[Any], **options: Any) -> None:
        super().__init__(*args, **options)
        self._importer = importer
        self.fields["file"].widget.attrs |= {"accept": f"{importer.format.suffix},.txt", "data-most": MAX_BYTES}

    def clean_file(self) -> list[FileRow]:
        """Return the rows. A row whose identity an earlier one has is refused. Raises :class:`ValidationError`."""
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if (file.size or 0) > MAX_BYTES:
            raise ValidationError(f"The file is too large. {LIMITS}")
        self.file_name, text = str(file.name), self._text(file.read())
        if max(map(text.count, "\r\n")) > MAX_LINES:
            raise ValidationError(f"The file has more than {MAX_LINES:,} lines. Remove the blank ones.")
        format_ = self._importer.format
        try:
            rows, lines = list[FileRow](), dict[tuple[Any, ...], int]()
            for row in islice(format_.read(StringIO(text, newline=format_.newline), "The file"), MAX_ROWS + 1):
                identity = self._importer.identity_in(row.data)
                first = lines.setdefault(identity, row.line) if identity and not row.problem else row.line
                rows.append(self._importer.once(row, first))
        except errors.WrongValue as error:
            raise ValidationError(str(error)) from error
        if not rows:
            raise ValidationError(f"The file has no {self._importer.noun}s.")
        if len(rows) > MAX_ROWS:
            raise ValidationError(f"The file has too many rows. {LIMITS}")
        if long := next((row for row in rows if len(str(row.content)) > MAX_CHARACTERS), None):
            raise ValidationError(f"Line {long.line} has more than {MAX_CHARACTERS:,} characters.")
        return rows

    def _text(self, content: bytes) -> str:
        if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):  # "Unicode text" of Excel
            return content.decode("utf-16", errors="replace")
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError:
            self.note = WINDOWS
            return content.decode("cp1252", errors="replace")


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
        upload = steps.keep(Upload("", things, self.by, form.file_name, 0, 0, form.note), rows)
        self.work(upload)
        return reverse("uploads:upload", args=[things, upload.upload_id])


class StoredUpload(ImportMixin):
    """A page about an upload of the user. Without the upload, it leads to the form."""

    @cached_property
    def upload(self) -> Upload:
        return steps.stored(self.kwargs["upload_id"], self.kwargs["things"], self.by)

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
            rows = [*map(self._row, self.uploads.verdicts(steps.piece_of(upload, page - 1, self.importer)))]
        elif upload.done:
            late = islice(steps.rows_with(RowOutcome.MEANWHILE, upload, self.importer), steps.PIECE_ROWS)
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
        upload = steps.confirm(self.upload) if "confirm" in request.POST else self.upload
        self.work(upload)
        return redirect(request.path)


class RefusedRows(StoredUpload):
    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Return the file of refused rows. Excel needs a byte order mark to read CSV as UTF-8; imports ignore it."""
        format_ = self.importer.format
        rows = [*steps.rows_with(RowOutcome.REFUSED, self.upload, self.importer)]
        lines = [format_.heading(rows[0][0])] if rows else []
        lines += [format_.rejected(row, result.reason) for row, result in rows]
        content = "".join(["\ufeff" if isinstance(format_, Csv) else "", *lines])
        response = HttpResponse(content.encode(errors="replace"), "text/plain; charset=utf-8")
        name = f"{PurePath(self.upload.name).stem}.rejected{format_.suffix}"
        response["Content-Disposition"] = content_disposition_header(True, name)
        return response
