"""The items of uploads in the table ``sessions``, whose TTL removes them."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, Any, NamedTuple

from pynamodb.attributes import BinaryAttribute, TTLAttribute, UnicodeAttribute

from dynamodb_lists import Field, FileRow, ItemModel, Record, table_name


class RowOutcome(StrEnum):
    ADDED = "added"
    CHANGED = "changed"
    SAME = "same"
    REFUSED = "refused"
    MEANWHILE = "meanwhile"
    """Not written, because what is stored is not what the check of the file saw."""


WRITING = (RowOutcome.ADDED, RowOutcome.CHANGED)


class Result(NamedTuple):
    """The result of a row, the reason of a refusal and the version that the check saw, or blank for each."""

    outcome: RowOutcome
    reason: str = ""
    seen: str = ""


@dataclass(frozen=True, slots=True)
class UploadPiece:
    rows: list[FileRow]
    results: list[Result]


@dataclass(frozen=True, slots=True)
class Upload(Record):
    """A file of ``things`` that ``by`` uploads. ``note`` says how the file was read.

    All ``pieces`` of its rows are checked first. Once somebody has ``confirmed`` that, they are imported. The numbers
    of outcomes are those of the rows that are checked, and then of those that are imported. ``written`` has the rows
    of the next piece that are in already. ``header`` is a JSON array of the columns of a CSV file.
    """

    upload_id: Annotated[str, Field("Upload", stored=False)]
    things: Annotated[str, Field("Things")]
    by: Annotated[str, Field("By")]
    name: Annotated[str, Field("File")]
    rows: Annotated[int, Field("Rows")]
    pieces: Annotated[int, Field("Pieces")]
    note: Annotated[str, Field("Note")] = ""
    header: Annotated[str, Field("Columns", sparse=True)] = ""
    checked: Annotated[int, Field("Checked pieces")] = 0
    confirmed: Annotated[bool, Field("Confirmed")] = False
    imported: Annotated[int, Field("Imported pieces")] = 0
    added: Annotated[int, Field("Added")] = 0
    changed: Annotated[int, Field("Changed")] = 0
    same: Annotated[int, Field("Same")] = 0
    refused: Annotated[int, Field("Refused")] = 0
    meanwhile: Annotated[int, Field("Changed meanwhile")] = 0
    written: Annotated[str, Field("Written rows", sparse=True)] = ""

    @property
    def checking(self) -> bool:
        return self.checked < self.pieces

    @property
    def importing(self) -> bool:
        """Whether somebody has confirmed the import, and rows are left to import."""
        return self.confirmed and not self.done

    @property
    def done(self) -> bool:
        return self.imported == self.pieces

    @property
    def taken(self) -> int:
        return self.checked if self.checking else self.imported

    @property
    def useful(self) -> int:
        return self.added + self.changed

    @property
    def rows_in(self) -> set[int]:
        """The rows of the next piece that are written already, counted from 0."""
        return {*map(int, self.written.split())}

    def becoming(self, **values: Any) -> "Upload":
        """Return the upload with these values, one revision later."""
        return replace(self, **values, revision=self.revision + 1)

    def restarted(self) -> "Upload":
        """Return the upload after its confirmation: its rows are counted again as they are imported."""
        none: dict[str, Any] = dict.fromkeys(RowOutcome, 0)
        return self.becoming(**none, confirmed=True)

    def after_step(self, results: Iterable[Result]) -> "Upload":
        counts = Counter(result.outcome for result in results)
        numbers: dict[str, Any] = {outcome: getattr(self, outcome) + number for outcome, number in counts.items()}
        step: dict[str, Any] = {"checked": self.checked + 1} if self.checking else {"imported": self.imported + 1}
        return self.becoming(**step, **numbers, written="")


class WaitingItem(ItemModel):
    class Meta:
        table_name = table_name("sessions")

    session_key = UnicodeAttribute(hash_key=True)
    expires_at = TTLAttribute()


class UploadModel(WaitingItem):
    kind = "upload"
    entity = Upload
    key_templates = ("upload#{upload_id}",)


class UploadPieceModel(WaitingItem):
    kind = "upload-piece"
    key_templates = ("upload-piece#{upload_id}#{number:4}",)
    rows = BinaryAttribute(legacy_encoding=False)
    results = BinaryAttribute(legacy_encoding=False, null=True)
