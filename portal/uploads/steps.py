"""The steps of an upload: its rows are checked, and then imported, a piece at a time.

Rows go through what the command of the same import does. The check keeps the version of each stored thing that it saw.
The import writes only what the check showed as new or changed, and only if it is still as seen. Each transaction also
writes down which rows are in, so a step can be repeated, and taken in two windows at the same time, and is told as it
was. Uploads create no hotels.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from dynamodb_lists import Change, Write, errors
from portal.imports import FindChanges
from portal.imports.importer import Importer
from portal.people import HotelScope
from portal.uploads import store
from portal.uploads.models import WRITING, Result, RowOutcome, Upload, UploadPiece, Verdict


class ConfirmedRows:
    """Saves rows that are as the check saw them, and notes which are written. ``numbers`` are the rows by identity."""

    def __init__(self, importer: Importer[Any], upload: Upload, piece: UploadPiece, numbers: Mapping[Any, int]) -> None:
        self.upload = upload
        self._importer, self._piece, self._numbers = importer, piece, numbers

    def save(self, writer: Any, find_changes: FindChanges) -> int:
        """Save the changes of confirmed rows. Each transaction notes which rows are written."""
        noting = writer.with_writes(self.also).after_writes(self.written)
        return int(noting.save(lambda: self.allowed(find_changes())))

    def allowed(self, changes: Iterable[Change[Any]]) -> list[Change[Any]]:
        """Yield the changes to write; called again for each attempt."""
        now = store.stored(self.upload.upload_id, self.upload.things, self.upload.by)
        if (now.imported, now.importing) != (self.upload.imported, True):
            return []  # another window has imported this piece, and the end of this step is refused
        self.upload = now
        seen = {number: result.seen for number, result in enumerate(self._piece.results) if number not in now.rows_in}
        return [change for change in changes if seen.get(self._number(change)) == version(change.before)]

    def also(self, changes: Sequence[Change[Any]], by: Any) -> list[Write]:
        """Return the write that shares the transaction of these changes: the progress."""
        return [store.progress(self.upload, self._after(changes))]

    def written(self, changes: Sequence[Change[Any]], by: Any) -> None:
        self.upload = self._after(changes)

    def _number(self, change: Change[Any]) -> int:
        return self._numbers[self._importer.identity(change.entity)]

    def _after(self, changes: Sequence[Change[Any]]) -> Upload:
        rows = sorted(self.upload.rows_in | {*map(self._number, changes)})
        return self.upload.becoming(written=" ".join(map(str, rows)))


@dataclass(frozen=True, slots=True)
class Uploads:
    """The uploads of a user: the import, the user's hotels, and the test of the user's permissions."""

    importer: Importer[Any]
    scope: HotelScope
    may: Callable[[str], bool]

    def take_step(self, upload: Upload) -> Upload:
        """Check or import the next piece, and return the upload; if another request was first, the upload as it is."""
        piece = store.piece(upload, upload.taken, self.importer)
        if upload.checking:
            piece = UploadPiece(piece.rows, [])  # results of an earlier check do not count
        verdicts = self.verdicts(piece)
        results = [each.result for each in verdicts]
        if not upload.checking:  # import the rows that are as the check showed them
            identity, good = self.importer.identity, [n for n, each in enumerate(results) if each.outcome in WRITING]
            confirmed = ConfirmedRows(self.importer, upload, piece, {identity(verdicts[n].row.entity): n for n in good})
            if good:
                self.importer.save([verdicts[n].row.entity for n in good], confirmed.save)
            upload = confirmed.upload
            if not upload.rows_in.issuperset(good):
                verdicts = self.verdicts(piece)  # somebody was quicker with some of them
            results = [
                shown if number in upload.rows_in else _not_written(verdict.result)
                for number, (verdict, shown) in enumerate(zip(verdicts, piece.results, strict=True))
            ]
        after = upload.after_step(results)
        try:
            store.move_on(upload, after, results)
        except errors.Conflict:
            return store.stored(upload.upload_id, upload.things, upload.by)
        return after

    def verdicts(self, piece: UploadPiece) -> list[Verdict]:
        """Return the result of each row now. A row whose entity the check saw otherwise was changed meanwhile."""
        rows = [self.importer.checked(row) for row in piece.rows]
        good = [row.entity for row in rows if not row.problem]
        refused = self._refused_hotels({entity.hotel_id for entity in good})
        changes, reasons = self.importer.plan([entity for entity in good if entity.hotel_id not in refused])
        by_id = {self.importer.identity(change.entity): change for change in changes}
        verdicts = []
        for row, shown in zip_longest(rows, piece.results):
            identity = "" if row.problem else self.importer.identity(row.entity)
            change = by_id.get(identity)
            reason = row.problem or refused.get(row.entity.hotel_id) or reasons.get(identity, "")
            needed = self.importer.needs(change) if change else {}
            if lacked := [words for permission, words in needed.items() if not self.may(permission)]:
                stored = "it is stored with other values, and " if change and change.before else ""
                reason = reason or f"{stored}you may not {' or '.join(lacked)}"
            verdicts.append(Verdict(row, change, result_of(change, reason, shown)))
        return verdicts

    def _refused_hotels(self, hotel_ids: set[str]) -> Mapping[str, str]:
        foreign = {hotel_id for hotel_id in hotel_ids if not self.scope.allows(hotel_id)}
        missing = self.importer.missing_hotels(hotel_ids - foreign)
        return {
            **{hotel_id: f"hotel_id: you are not bound to the hotel {hotel_id}" for hotel_id in foreign},
            **{hotel_id: f"hotel_id: there is no hotel {hotel_id}; add it first" for hotel_id in missing},
        }


def version(entity: Any | None) -> str:
    """Return the revision of a stored entity, which no later entity of its id gets; blank without an entity."""
    return "" if entity is None else str(entity.revision)


def result_of(change: Change[Any] | None, reason: str, shown: Result | None) -> Result:
    """Return the result of a row. The preview may have ``shown`` another result."""
    if shown and shown.outcome is RowOutcome.REFUSED:
        return shown
    if reason:
        return Result(RowOutcome.REFUSED, reason)
    if change is None:
        return Result(RowOutcome.SAME)
    result = Result(RowOutcome.ADDED if change.before is None else RowOutcome.CHANGED, "", version(change.before))
    return result if shown in {None, result} else _not_written(result)


def _not_written(result: Result) -> Result:
    return Result(RowOutcome.MEANWHILE, "others changed it meanwhile") if result.outcome in WRITING else result
