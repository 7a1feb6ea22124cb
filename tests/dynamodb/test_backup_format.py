"""The format of backups: every item comes back as it was, and a file that is not as it was written is recognised."""

import gzip
import tracemalloc
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hotelapp.dynamodb.backups.blocks import (
    Again,
    BadBackup,
    Block,
    BlockKind,
    again_line,
    again_of,
    compressed,
    item_line,
    item_of,
    read_blocks,
)
from hotelapp.dynamodb.backups.contents import Beginning, Contents
from hotelapp.dynamodb.backups.files import BackupWriter, NotWritten, partial_of, read_backup
from tests.helpers.examples import examples

NUMBERS = st.decimals(allow_nan=False, allow_infinity=False, places=3).map(str)
TEXTS = st.text(max_size=8)  # without surrogates, which UTF-8 and so DynamoDB cannot hold
SCALARS = st.one_of(
    st.builds(lambda text: {"S": text}, TEXTS),
    st.builds(lambda number: {"N": number}, NUMBERS),
    st.builds(lambda data: {"B": data}, st.binary(max_size=8)),
    st.builds(lambda flag: {"BOOL": flag}, st.booleans()),
    st.just({"NULL": True}),
    st.builds(lambda texts: {"SS": texts}, st.lists(TEXTS, min_size=1, max_size=3)),
    st.builds(lambda numbers: {"NS": numbers}, st.lists(NUMBERS, min_size=1, max_size=3)),
    st.builds(lambda data: {"BS": data}, st.lists(st.binary(max_size=4), min_size=1, max_size=3)),
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.builds(lambda values: {"L": values}, st.lists(inner, max_size=3)),
        st.builds(lambda values: {"M": values}, st.dictionaries(TEXTS, inner, max_size=3)),
    ),
    max_leaves=6,
)
ITEMS = st.dictionaries(TEXTS, VALUES, min_size=1, max_size=4)
BEGINNING = Beginning(datetime(2026, 1, 2, tzinfo=UTC), 2, {"rooms": ["pk"]}, "rooms=1", {"room": 2})


def block_of(lines: list[bytes], segment: int = 0, after: Any = None) -> Block:
    return Block(BlockKind.ITEMS, {"table": "rooms", "segment": segment, "next": after}, lines)


def texts(file: bytes) -> list[bytes]:
    """The blocks of a file, not compressed."""
    return [stored.text for stored in read_blocks(BytesIO(file))]


def members(file: bytes) -> list[bytes]:
    """The blocks of a file, as they are in it."""
    ends = [0, *(stored.end for stored in read_blocks(BytesIO(file)))]
    return [file[start:end] for start, end in zip(ends, ends[1:], strict=False)]


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """A backup of six items in four blocks."""
    path = tmp_path / "backup"
    with BackupWriter(path, BEGINNING) as backup:
        lines = [item_line({"pk": {"S": str(number)}}) for number in range(6)]
        backup.append(block_of(lines[:2], 0, {"pk": {"S": "1"}}))
        backup.append(block_of(lines[2:4], 1))
        backup.append(block_of(lines[4:], 0))
        backup.append(Block(BlockKind.AGAIN, {}, [again_line(Again("rooms", delete={"pk": {"S": "1"}}))]))
        backup.finish()
    return path


@given(ITEMS)
def test_every_item_comes_back_as_it_was(item: dict[str, Any]) -> None:
    assert b"\n" not in item_line(item)
    assert item_of(item_line(item)) == item
    assert again_of(again_line(Again("rooms", put=item))) == Again("rooms", put=item)


@given(st.lists(st.lists(ITEMS, max_size=3), max_size=4))
@settings(max_examples=examples(20))
def test_blocks_come_back_and_end_where_the_next_one_begins(pages: list[list[dict[str, Any]]]) -> None:
    blocks = [block_of([item_line(item) for item in page], after=page[0] if page else None) for page in pages]
    file = b"".join(compressed(block.text(number)) for number, block in enumerate(blocks))
    found = list(read_blocks(BytesIO(file)))
    assert [[item_of(line) for line in stored.block.lines] for stored in found] == pages
    assert [stored.text for stored in found] == [block.text(number) for number, block in enumerate(blocks)]
    assert b"".join(stored.text for stored in found) == gzip.decompress(file)
    assert [stored.end for stored in found][-1:] == ([len(file)] if pages else [])


def test_a_backup_is_plain_gzip_that_a_shell_can_check(whole: Path) -> None:
    """``zcat FILE | head -n -1 | sha256sum`` gives the checksum that the command prints."""
    lines = gzip.decompress(whole.read_bytes()).splitlines(keepends=True)
    assert sha256(b"".join(lines[:-1])).hexdigest() == read_backup(whole).digest
    assert whole.stat().st_mode & 0o777 == 0o600
    assert not partial_of(whole).exists()


def test_an_interrupted_backup_that_others_may_read_is_closed_to_them(tmp_path: Path) -> None:
    unfinished = partial_of(tmp_path / "backup")
    unfinished.touch()
    unfinished.chmod(0o644)
    with BackupWriter(tmp_path / "backup", BEGINNING):
        assert unfinished.stat().st_mode & 0o777 == 0o600


def test_a_file_that_is_cut_short_is_recognised_wherever_it_is_cut(whole: Path) -> None:
    file = whole.read_bytes()
    ends = {stored.end for stored in read_blocks(BytesIO(file))} - {len(file)}
    for size in {*range(0, len(file), 7), *ends, len(file) - 1}:
        whole.write_bytes(file[:size])
        with pytest.raises(BadBackup, match="cut short"):
            read_backup(whole)


def test_a_file_with_a_changed_byte_is_recognised_wherever_it_is(whole: Path) -> None:
    file = whole.read_bytes()
    digest = read_backup(whole).digest
    for place in range(0, len(file), 5):
        whole.write_bytes(bytes([*file[:place], file[place] ^ 0x55, *file[place + 1 :]]))
        try:
            assert read_backup(whole).digest == digest, place  # gzip's own header says nothing about the contents
        except BadBackup:
            continue


def altered(file: bytes, change: Callable[[bytes], bytes]) -> bytes:
    """The file with each block changed, and compressed as a block."""
    return b"".join(compressed(change(text)) for text in texts(file))


ALTERED: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "not a backup": (lambda file: b"pk,sk\n1,2\n", "no compressed block"),
    "another gzip file": (lambda file: gzip.compress(b'{"pk": 1}\n'), "block 0, before byte .* not as it was written"),
    "no line": (lambda file: gzip.compress(b""), "block 0"),
    "empty": (lambda file: b"", "cut short"),
    "without a block": (lambda file: b"".join([*members(file)[:2], *members(file)[3:]]), "block 2"),
    "blocks exchanged": (lambda file: b"".join(members(file)[number] for number in (0, 2, 1, 3, 4)), "block 1"),
    "a block twice": (lambda file: b"".join([*members(file)[:2], *members(file)[1:]]), "block 2"),
    "without its beginning": (lambda file: b"".join(members(file)[1:]), "block 0"),
    "two files": (lambda file: file + file, "block 6"),
    "something behind it": (lambda file: file + b"x", "cut short|no compressed block"),
    "an item edited": (lambda file: altered(file, lambda text: text.replace(b'"S":"3"', b'"S":"9"')), "block 2"),
    "a position edited": (
        lambda file: altered(file, lambda text: text.replace(b'"next":{"pk":{"S":"1"}}', b'"next":{"pk":{"S":"0"}}')),
        "does not fit",
    ),
    "a later format": (
        lambda file: altered(file, lambda text: text.replace(b'"version":1', b'"version":2')),
        "version 2 of the format",
    ),
    "a block of a foreign kind": (
        lambda file: altered(file, lambda text: text.replace(b'"kind":"again"', b'"kind":"other"')),
        "block 4",
    ),
}


@pytest.mark.parametrize("name", ALTERED)
def test_an_altered_file_is_recognised_with_what_is_wrong(whole: Path, name: str) -> None:
    alter, message = ALTERED[name]
    whole.write_bytes(alter(whole.read_bytes()))
    with pytest.raises(BadBackup, match=message):
        read_backup(whole)


def test_a_table_that_is_not_whole_is_recognised(tmp_path: Path) -> None:
    """Even if the program that wrote it thought that it was."""
    contents = Contents(BEGINNING)
    blocks = [BEGINNING.block, block_of([], segment=0)]
    for number, block in enumerate(blocks):
        contents.add(block, block.text(number))
    path = tmp_path / "backup"
    path.write_bytes(b"".join(compressed(block.text(number)) for number, block in enumerate([*blocks, contents.end])))
    with pytest.raises(BadBackup, match="table rooms is not whole"):
        read_backup(path)


def test_a_file_is_written_by_one_backup_at_a_time(tmp_path: Path) -> None:
    with BackupWriter(tmp_path / "backup", BEGINNING), pytest.raises(NotWritten, match="Another backup writes"):
        BackupWriter(tmp_path / "backup", BEGINNING)
    with pytest.raises(NotWritten, match="missing/backup.partial cannot be written: No such file"):
        BackupWriter(tmp_path / "missing" / "backup", BEGINNING)


def test_reading_a_large_backup_holds_one_block_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "backup"
    page = [item_line({"pk": {"S": str(number)}, "text": {"S": "x" * 1000}}) for number in range(100)]
    with BackupWriter(path, BEGINNING) as backup:
        for number in range(100):
            backup.append(block_of(page, number % 2))
        backup.finish()
    tracemalloc.start()
    try:
        assert read_backup(path).items["rooms"] == 10_000  # 10 MB
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()
