"""The steps of an upload: its rows are checked, and then imported, a piece at a time.

Rows go through what the command of the same import does. The check keeps the version of each stored thing that it saw.
The import writes only what the check showed as new or changed, and only if it is still as seen. Each transaction also
writes down which rows are in, so a step can be repeated, and taken in two windows at the same time, and is told as it
was. Uploads create no hotels.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import chain, islice, zip_longest
from typing import Any, NamedTuple
from zlib import compress, decompress

import simplejson
from ulid import ULID

from dynamodb_lists import Change, FileRow, Put, Update, Write, Writer, commit, errors, get_item
from portal.imports import FindChanges
from portal.imports.importer import Importer
from portal.people import HotelScope
from portal.uploads.models import WRITING, Result, RowOutcome, Upload, UploadModel, UploadPiece, UploadPieceModel

KEPT = timedelta(days=1)
"""How long an upload is kept."""

PIECE_ROWS = 100
"""The rows of a piece, which one request reads from DynamoDB and one BatchGetItem compares with what is stored."""

MAX_CHARACTERS = 60_000
"""The most characters of a row, and of a piece without its last row, so that an item stays below 400 KB."""

MAX_REASON = 500  # characters
UPLOADS = Writer[Upload]().of(UploadModel, None)


def keep(upload: Upload, rows: Sequence[FileRow]) -> Upload:
    """Store a new upload with its rows, and return it. It can be read once all rows are stored."""
    upload, expires = replace(upload, upload_id=str(ULID())), datetime.now(UTC) + KEPT
    pieces = list(_pieces(rows))
    for number, piece in enumerate(pieces):
        packed = _packed([[row.line, row.problem, row.content] for row in piece])
        key = UploadPieceModel.partition_of(upload_id=upload.upload_id, number=number)
        Put(UploadPieceModel(key, expires_at=expires, rows=packed)).send()
    header = simplejson.dumps(rows[0].header)
    upload = replace(upload, rows=len(rows), pieces=len(pieces), header=header)
    Put(UploadModel.item(upload, expires_at=expires)).send()
    return upload


def stored(upload_id: str, things: str, by: str) -> Upload:
    """Return the upload of these things by this user. Raises: :class:`NotFound`, also after its day."""
    values = get_item(UploadModel, UploadModel.partition_of(upload_id=upload_id), consistent=True)
    upload: Upload = UploadModel.built(values)
    if (upload.things, upload.by) != (things, by) or values["expires_at"] <= datetime.now(UTC):
        raise errors.NotFound(f"{by} has no upload {upload_id}.")
    return upload


def piece_of(upload: Upload, number: int, importer: Importer[Any]) -> UploadPiece:
    """Return the rows of a piece of an upload. Raises: :class:`NotFound`, also after its day."""
    key = UploadPieceModel.partition_of(upload_id=upload.upload_id, number=number)
    values = get_item(UploadPieceModel, key, consistent=True)
    if values["expires_at"] <= datetime.now(UTC):
        raise errors.NotFound(f"The rows of the upload {upload.upload_id} were kept until {values['expires_at']}.")
    header = simplejson.loads(upload.header)
    results = _unpacked(values["results"]) if "results" in values else []
    return UploadPiece(
        [importer.format.row(line, problem, content, header) for line, problem, content in _unpacked(values["rows"])],
        [Result(RowOutcome(outcome), *others) for outcome, *others in results],
    )


def rows_with(outcome: RowOutcome, upload: Upload, importer: Importer[Any]) -> Iterator[tuple[FileRow, Result]]:
    """Return the rows with this outcome, each with its result. It reads pieces only as long as there may be more."""
    pieces = (piece_of(upload, number, importer) for number in range(upload.checked))
    pairs = chain.from_iterable(zip(each.rows, each.results, strict=True) for each in pieces)
    return islice((pair for pair in pairs if pair[1].outcome is outcome), getattr(upload, outcome))


def confirm(upload: Upload) -> Upload:
    """Confirm the import of a checked upload, and return the upload after it."""
    if upload.checking or upload.confirmed:
        return upload
    with suppress(errors.Conflict):  # another window was quicker
        commit([progress(upload, upload.restarted())])
    return stored(upload.upload_id, upload.things, upload.by)


def progress(upload: Upload, after: Upload) -> Write:
    """Return the write of an upload's progress, on the condition that the upload is as it was read."""
    (write,) = UPLOADS.item_writes(Change(upload, after))
    return write


def move_on(upload: Upload, after: Upload, results: Sequence[Result]) -> None:
    """Store the results of a piece and the upload ``after`` it. Raises :class:`Conflict` if they are stored already."""
    packed = _packed([[outcome, reason[:MAX_REASON], seen] for outcome, reason, seen in results])
    rows = UploadPieceModel.keyed(upload_id=upload.upload_id, number=upload.taken)
    actions = [UploadPieceModel.attribute("results").set(packed)]
    commit([progress(upload, after), Update(rows, UploadPieceModel.session_key.exists(), actions)])


def _pieces(rows: Sequence[FileRow]) -> Iterator[list[FileRow]]:
    found: list[FileRow] = []
    size = 0
    for row in rows:
        if found and (len(found) == PIECE_ROWS or size > MAX_CHARACTERS):
            yield found
            found, size = [], 0
        found.append(row)
        size += len(str(row.content))
    yield found


def _packed(value: Any) -> bytes:
    return compress(simplejson.dumps(value, use_decimal=True).encode())


def _unpacked(packed: bytes) -> Any:
    return simplejson.loads(decompress(packed), use_decimal=True)


class Verdict(NamedTuple):
    row: FileRow
    change: Change[Any] | None
    result: Result


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
        now = stored(self.upload.upload_id, self.upload.things, self.upload.by)
        if (now.imported, now.importing) != (self.upload.imported, True):
            return []  # another window has imported this piece, and the end of this step is refused
        self.upload = now
        seen = {number: result.seen for number, result in enumerate(self._piece.results) if number not in now.rows_in}
        return [change for change in changes if seen.get(self._number(change)) == version(change.before)]

    def also(self, changes: Sequence[Change[Any]], by: Any) -> list[Write]:
        """Return the write that shares the transaction of these changes: the progress."""
        return [progress(self.upload, self._after(changes))]

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
        piece = piece_of(upload, upload.taken, self.importer)
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
            move_on(upload, after, results)
        except errors.Conflict:
            return stored(upload.upload_id, upload.things, upload.by)
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
