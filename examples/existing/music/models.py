"""Songs, and the index that has the platinum ones alone."""

from dataclasses import dataclass

from dynamodb_lists import Key, List, Record, Table, at_least


@dataclass(frozen=True, kw_only=True)
class Song(Record):
    Title: str
    Artist: str
    Album: str
    RecordLabel: str
    Sales: int


TABLE = Table(
    "music",
    key=("PK", "SK"),
    indexes={"RecordLabel-SongPlatinumSalesCount-index": ("RecordLabel", "SongPlatinumSalesCount")},
    numbers=["SongPlatinumSalesCount"],
)
SONGS = List(
    Song,
    table=TABLE,
    id="Title",
    key=("ALBUM#{Artist}#{Album}", "SONG#{Title}"),
    keys={"SongPlatinumSalesCount": Key("{Sales}", when=[{"Sales": at_least(1_000_000)}])},
)
