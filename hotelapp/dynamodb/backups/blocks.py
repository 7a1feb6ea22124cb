"""The format of a backup: JSON lines in blocks. It knows no database and writes no file.

A block is a gzip member, so ``zcat`` shows the whole file. The first line of a block, its head, says what the block is,
how many lines follow, and their SHA-256. The blocks are:

- ``begin``: when the backup began, and the keys of its tables;
- ``items``: items of one segment of a table, and where the segment continues;
- ``again``: items that were read again, because they changed meanwhile: puts and deletes, in place of what the blocks
  before say;
- ``end``: the numbers of all items, and the SHA-256 of everything before it.

Items are in DynamoDB's JSON, ``{"rate": {"N": "120.50"}}``, which keeps numbers, sets, bytes, nulls and blank texts as
they are. Bytes are base64, as DynamoDB sends them.
"""

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Any, BinaryIO

from hotelapp.dynamodb.connection.errors import DynamoDBError
from hotelapp.dynamodb.schema.models import RawItem

FORMAT, FORMAT_VERSION = "hotel-portal-backup", 1
MAX_BLOCK = 2**26
"""The most bytes of a block, not compressed. A block holds a page of a Scan, of at most 1 MB as DynamoDB counts."""

_CHUNK = 2**18
_GZIP = 31  # zlib's number for gzip with the largest window
_UNREADABLE = (ValueError, LookupError, TypeError, AttributeError)


class BadBackup(DynamoDBError):
    """A file is no backup, or not a whole one. The message says what is wrong, and where."""


class BlockKind(StrEnum):
    """What a block holds."""

    BEGIN = "begin"
    ITEMS = "items"
    AGAIN = "again"
    END = "end"


@dataclass(frozen=True, slots=True)
class Block:
    """A block: its kind, what its head says besides, and its lines."""

    kind: BlockKind
    facts: Mapping[str, Any]
    lines: Sequence[bytes] = ()

    def text(self, number: int) -> bytes:
        """The block's lines with its head, as the ``number``-th block of a file."""
        body = b"".join(line + b"\n" for line in self.lines)
        head = {"block": number, "kind": self.kind, "lines": len(self.lines), "sha256": sha256(body).hexdigest()}
        return _json({**head, **self.facts}) + b"\n" + body


@dataclass(frozen=True, slots=True)
class StoredBlock:
    """A block of a file, its text, and the byte after it."""

    block: Block
    text: bytes
    end: int


@dataclass(frozen=True, slots=True)
class Again:
    """A line of a block ``again``: an item to put, or the key of one to delete, in a table."""

    table: str
    put: RawItem | None = None
    delete: RawItem | None = None


def compressed(text: bytes) -> bytes:
    """A block's text as a gzip member. The same text always gives the same bytes."""
    press = zlib.compressobj(6, zlib.DEFLATED, _GZIP)
    return press.compress(text) + press.flush()


def read_blocks(file: BinaryIO) -> Iterator[StoredBlock]:
    """The blocks of a file from its beginning, one in memory at a time.

    Raises :class:`BadBackup` at the first one that is cut short, altered or out of order.
    """
    for number, (text, end) in enumerate(_members(file)):
        try:
            block = _block(text, number)
        except _UNREADABLE as error:
            raise BadBackup(f"block {number}, before byte {end}, is not as it was written: {error}") from error
        yield StoredBlock(block, text, end)


def item_line(item: RawItem) -> bytes:
    """An item as a line, without the line break."""
    return _json(item)


def item_of(line: bytes) -> RawItem:
    """The item in a line. Raises :class:`BadBackup`."""
    try:
        return typed_item(json.loads(line))
    except _UNREADABLE as error:
        raise BadBackup(f"a line holds no item: {error}") from error


def again_line(change: Again) -> bytes:
    """A change as a line."""
    return _json({"table": change.table, **({"put": change.put} if change.put else {"delete": change.delete})})


def again_of(line: bytes) -> Again:
    """The change in a line. Raises :class:`BadBackup`."""
    try:
        values = json.loads(line)
        put, delete = (typed_item(values[name]) if name in values else None for name in ("put", "delete"))
        return Again(values["table"], put, delete)
    except _UNREADABLE as error:
        raise BadBackup(f"a line holds no change: {error}") from error


def typed_item(values: Mapping[str, Any]) -> RawItem:
    """An item from JSON, with bytes where DynamoDB's client has bytes."""
    return {name: _typed(value) for name, value in values.items()}


def _typed(value: Mapping[str, Any]) -> Mapping[str, Any]:
    ((kind, plain),) = value.items()
    match kind:
        case "B":
            return {kind: b64decode(plain, validate=True)}
        case "BS":
            return {kind: [b64decode(element, validate=True) for element in plain]}
        case "L":
            return {kind: [_typed(element) for element in plain]}
        case "M":
            return {kind: typed_item(plain)}
    return value


def _json(values: object) -> bytes:
    text = json.dumps(values, default=_base64, ensure_ascii=False, separators=(",", ":"))
    return text.encode()


def _base64(value: bytes) -> str:
    return b64encode(value).decode()


def _block(text: bytes, number: int) -> Block:
    """The block of a text. Raises :class:`ValueError` and its kin."""
    head, _, body = text.partition(b"\n")
    facts = json.loads(head)
    stated = [facts.pop(name) for name in ("block", "kind", "lines", "sha256")]
    lines = body.split(b"\n")[:-1]
    if stated != [number, stated[1], len(lines), sha256(body).hexdigest()]:
        raise ValueError("its checksum, its number or the number of its lines does not match")
    return Block(BlockKind(stated[1]), facts, lines)


def _members(file: BinaryIO) -> Iterator[tuple[bytes, int]]:
    """The texts of the gzip members of a file, and the byte after each."""
    left = b""
    while left := left or file.read(_CHUNK):
        start = file.tell() - len(left)
        inflate, text = zlib.decompressobj(_GZIP), bytearray()
        while not inflate.eof:
            if not (left := left or file.read(_CHUNK)):
                raise BadBackup(f"it is cut short: the block that begins at byte {start} has no end")
            try:
                text += inflate.decompress(left, MAX_BLOCK + 1 - len(text))
            except zlib.error as error:
                raise BadBackup(f"what begins at byte {start} is no compressed block ({error})") from error
            if len(text) > MAX_BLOCK:
                raise BadBackup(f"the block that begins at byte {start} is larger than any block of a backup")
            left = inflate.unused_data if inflate.eof else inflate.unconsumed_tail
        yield bytes(text), file.tell() - len(left)
