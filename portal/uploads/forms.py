"""The form of an upload: a file with its limits."""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from io import StringIO
from itertools import islice
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile

from dynamodb_lists import FileRow, errors
from portal.imports.importer import Importer
from portal.uploads.store import MAX_CHARACTERS

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
