"""What a backup says of itself: when it began, which tables and segments it has, and how many items."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from django.utils import timezone

from hotelapp.dynamodb.backups.blocks import FORMAT, FORMAT_VERSION, BadBackup, Block, BlockKind, typed_item
from hotelapp.dynamodb.schema import tables
from hotelapp.dynamodb.schema.models import registered

Position = Mapping[str, Any] | None
"""The key after which a segment continues; ``None`` for its beginning."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """What the first block says.

    ``tables`` has the key attributes of each table, under the app's name for it, in the order in which they are read.
    ``ids`` tells the tables from others that have the same names. ``kinds`` has the version of each kind of item.
    """

    begun: datetime
    segments: int
    tables: Mapping[str, Sequence[str]]
    ids: str
    kinds: Mapping[str, int]

    def is_of_the_same(self, other: "Beginning") -> bool:
        """Whether both are of the same tables, and of releases that write the same versions."""
        return (self.tables, self.ids, self.kinds) == (other.tables, other.ids, other.kinds)

    @property
    def block(self) -> Block:
        """The first block."""
        facts = {name: getattr(self, name) for name in ("segments", "tables", "ids", "kinds")}
        version = {"format": FORMAT, "version": FORMAT_VERSION}
        return Block(BlockKind.BEGIN, {**version, "begun": self.begun.isoformat(), **facts})


def beginning(names: Sequence[str], segments: int) -> Beginning:
    """The beginning of a new backup of these tables, which are named in full.

    Raises :class:`~hotelapp.dynamodb.connection.errors.Unavailable`.
    """
    return Beginning(
        begun=timezone.now().astimezone(UTC),
        segments=segments,
        tables={tables.own_name(name): list(tables.key_names(name)) for name in names},
        ids=tables.ids(),
        kinds={model.kind: model.version for model in registered()},
    )


def beginning_of(block: Block) -> Beginning:
    """What a first block says. Raises :class:`BadBackup` if it is none, or one that this release cannot read."""
    facts = block.facts
    if block.kind != BlockKind.BEGIN or facts.get("format") != FORMAT:
        raise BadBackup("it is no backup: it does not begin like one")
    if facts["version"] != FORMAT_VERSION:
        raise BadBackup(f"it has version {facts['version']} of the format; this release reads version {FORMAT_VERSION}")
    others = {name: facts[name] for name in ("segments", "tables", "ids", "kinds")}
    return Beginning(begun=datetime.fromisoformat(facts["begun"]), **others)


@dataclass
class Contents:
    """What the blocks of a backup hold, added up block by block."""

    beginning: Beginning
    blocks: int = 0
    items: Counter[str] = field(default_factory=Counter)
    again: int = 0
    positions: dict[tuple[str, int], Position] = field(default_factory=dict)
    """Where each segment that was begun continues; ``None`` if it is complete."""
    ended: bool = False
    _digest: Any = field(default_factory=sha256)

    def add(self, block: Block, text: bytes) -> None:
        """Add the next block. Raises :class:`BadBackup` if it cannot be the next one."""
        if self.ended:
            raise BadBackup("it goes on after its end")
        if block.kind == BlockKind.END:
            self._require_end(block)
            return
        if (block.kind == BlockKind.BEGIN) != (self.blocks == 0):
            raise BadBackup(f"block {self.blocks} is a second beginning")
        if block.kind == BlockKind.ITEMS:
            table, after = block.facts["table"], block.facts["next"]
            if table not in self.beginning.tables or self.again:
                raise BadBackup(f"block {self.blocks} holds items of {table}, which cannot be there")
            self.items[table] += len(block.lines)
            self.positions[table, block.facts["segment"]] = typed_item(after) if after else None
        elif block.kind == BlockKind.AGAIN:
            self.again += len(block.lines)
        self.blocks += 1
        self._digest.update(text)

    @property
    def digest(self) -> str:
        """The SHA-256 of the texts of all blocks but the last."""
        return str(self._digest.hexdigest())

    @property
    def end(self) -> Block:
        """The last block."""
        facts = {"items": dict(self.items), "again": self.again, "contents_sha256": self.digest}
        return Block(BlockKind.END, {"ended": timezone.now().astimezone(UTC).isoformat(), **facts})

    def starts(self, table: str) -> dict[int, Position]:
        """Where the segments of a table continue, without those that are complete."""
        segments = range(self.beginning.segments)
        found = {segment: self.positions.get((table, segment)) for segment in segments}
        return {segment: after for segment, after in found.items() if after or (table, segment) not in self.positions}

    def _require_end(self, block: Block) -> None:
        if unfinished := [table for table in self.beginning.tables if self.starts(table)]:
            raise BadBackup(f"the table {unfinished[0]} is not whole in it")
        stated = self.end.facts
        if different := [name for name in ("items", "again", "contents_sha256") if block.facts[name] != stated[name]]:
            raise BadBackup(f"its last block does not fit to the others: {', '.join(different)}")
        self.ended = True
