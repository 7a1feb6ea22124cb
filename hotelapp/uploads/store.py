"""Where the rows of uploaded files wait: in items that every process sees, for a day."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Any
from zlib import compress, decompress

import simplejson
from ulid import ULID

from hotelapp.dynamodb.connection.errors import Conflict, NotFound
from hotelapp.dynamodb.reading.items import get_item
from hotelapp.dynamodb.schema.entities import build, stored_values
from hotelapp.dynamodb.writing import single_items
from hotelapp.dynamodb.writing.transactions import Update, assigned, commit
from hotelapp.portal.imports.file_rows import FileRow
from hotelapp.portal.imports.importer import Importer
from hotelapp.uploads import keys
from hotelapp.uploads.entities import Result, RowOutcome, Upload, UploadPiece
from hotelapp.uploads.models import UploadModel, UploadPieceModel

KEPT = timedelta(days=1)
PIECE_ROWS = 100
"""The rows of a piece, which one request reads from DynamoDB and one BatchGetItem compares with what is stored."""

MAX_CHARACTERS = 60_000
"""The most characters of a row, and of a piece without its last row, so that an item stays below 400 KB."""

MAX_REASON = 500  # characters


def keep(upload: Upload, rows: Sequence[FileRow]) -> Upload:
    """Store a new upload with its rows; returns it. It can be read once all rows are stored."""
    upload, expires = replace(upload, upload_id=str(ULID())), datetime.now(UTC) + KEPT
    header = getattr(rows[0], "header", ())
    pieces = list(_pieces(rows))
    for number, piece in enumerate(pieces):
        packed = _packed([header, [[row.line, row.problem, row.content] for row in piece]])
        single_items.put(UploadPieceModel(keys.piece(upload.upload_id, number), expires_at=expires, rows=packed))
    upload = replace(upload, rows=len(rows), pieces=len(pieces))
    single_items.put(UploadModel(keys.upload(upload.upload_id), expires_at=expires, **stored_values(upload)))
    return upload


def stored(upload_id: str, things: str, by: str) -> Upload:
    """The upload of these things by this user. Raises :class:`NotFound`, also if its time is over."""
    values = get_item(UploadModel, keys.upload(upload_id), consistent=True)
    upload = build(Upload, values, upload_id=upload_id)
    if (upload.things, upload.by) != (things, by) or values["expires_at"] <= datetime.now(UTC):
        raise NotFound(f"{by} has no upload {upload_id}.")
    return upload


def piece(upload: Upload, number: int, importer: Importer[Any]) -> UploadPiece:
    """A piece of an upload. Raises :class:`NotFound`."""
    values = get_item(UploadPieceModel, keys.piece(upload.upload_id, number), consistent=True)
    header, rows = _unpacked(values["rows"])
    results = _unpacked(values["results"]) if "results" in values else []
    return UploadPiece(
        [importer.format.row(line, problem, content, header) for line, problem, content in rows],
        [(RowOutcome(outcome), reason) for outcome, reason in results],
    )


def refused_rows(upload: Upload, importer: Importer[Any]) -> Iterator[str]:
    """The file of refused rows, with their lines and reasons."""
    pieces = (piece(upload, number, importer) for number in range(upload.checked))
    pairs = chain.from_iterable(zip(each.rows, each.results, strict=True) for each in pieces)
    refused = [(row, reason) for row, (outcome, reason) in pairs if outcome is RowOutcome.REFUSED]
    yield from (row.heading for row, _ in refused[:1])
    yield from (row.rejected(reason) for row, reason in refused)


def confirm(upload: Upload) -> Upload:
    """Let the rows be imported once all are checked."""
    actions = [UploadModel.attribute("confirmed").set(True)]
    with suppress(Conflict):  # it is not checked yet, or gone
        single_items.update(_key(upload), actions, UploadModel.attribute("checked") == upload.pieces)
        return replace(upload, confirmed=True)
    return upload


def move_on(upload: Upload, after: Upload, results: Sequence[Result]) -> None:
    """Store the results of a piece, and that the upload is ``after`` it. Raises :class:`Conflict` if it moved on."""
    seen = (UploadModel.attribute("checked") == upload.checked) & (UploadModel.attribute("imported") == upload.imported)
    item = UploadModel(keys.upload(upload.upload_id), **stored_values(after))
    changed = [name for name, value in stored_values(after).items() if value != getattr(upload, name)]
    packed = _packed([[outcome, reason[:MAX_REASON]] for outcome, reason in results])
    rows = UploadPieceModel(keys.piece(upload.upload_id, upload.taken))
    actions = [UploadPieceModel.attribute("results").set(packed)]
    commit([Update(item, seen, assigned(item, changed)), Update(rows, UploadPieceModel.session_key.exists(), actions)])


def _key(upload: Upload) -> UploadModel:
    return UploadModel(keys.upload(upload.upload_id))


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
