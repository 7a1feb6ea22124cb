"""The rows of uploaded files, in items that every process sees, for a day."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import chain, islice
from typing import Any
from zlib import compress, decompress

import simplejson
from ulid import ULID

from dynamodb_lists import Change, FileRow, Put, Update, Write, Writer, commit, errors, get_item
from portal.imports.importer import Importer
from portal.uploads.models import Result, RowOutcome, Upload, UploadModel, UploadPiece, UploadPieceModel

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


def piece(upload: Upload, number: int, importer: Importer[Any]) -> UploadPiece:
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
    pieces = (piece(upload, number, importer) for number in range(upload.checked))
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
