"""A table as plain values, and in what a declared and a described one differ.

Pure functions; nothing here asks DynamoDB.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

ACTIVE = "ACTIVE"
ON_DEMAND = "PAY_PER_REQUEST"
NEW_TABLE = "This cannot be changed in place: docs/operations.md says how to fill a new table."


class Remedy(Enum):
    """What can be done about a difference."""

    UPDATE = auto()
    """``manage.py create_tables`` changes it in place."""
    NEW_TABLE = auto()
    """It cannot be changed in place. A new table must be filled."""
    MANUAL = auto()
    """An administrator must decide. The difference's text says what to do."""
    SURPLUS = auto()
    """More than is declared. It does no harm and is never deleted by itself."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing in which a table is not as its model declares it."""

    text: str
    remedy: Remedy


@dataclass(frozen=True, slots=True)
class IndexState:
    """An index: its key attributes, the partition key first, and what else it projects (``None``: whole items)."""

    name: str
    keys: tuple[str, ...]
    local: bool = False
    projected: tuple[str, ...] | None = None
    status: str = ACTIVE
    backfilling: bool = False

    @property
    def text(self) -> str:
        """The index in one line."""
        projected = "whole items" if self.projected is None else f"{len(self.projected)} attributes"
        progress = "" if self.status == ACTIVE else f", {self.progress}"
        return f"{self.name}: {'LSI' if self.local else 'GSI'} on {', '.join(self.keys)}; {projected}{progress}"

    @property
    def projection(self) -> dict[str, Any]:
        """The projection as DynamoDB's API and CloudFormation write it."""
        if self.projected is None:
            return {"ProjectionType": "ALL"}
        if not self.projected:
            return {"ProjectionType": "KEYS_ONLY"}
        return {"ProjectionType": "INCLUDE", "NonKeyAttributes": list(self.projected)}

    @property
    def progress(self) -> str:
        """How far the index is, in DynamoDB's words."""
        return self.status + (", backfilling" if self.backfilling else "")


@dataclass(frozen=True, slots=True)
class TableState:
    """A table, declared or described. ``None`` for a setting: the endpoint does not support it.

    ``protection`` is deletion protection, ``recovery`` is point-in-time recovery. ``bytes`` and ``items`` are those
    that DescribeTable gives; AWS brings them up to date about every six hours.
    """

    keys: tuple[str, ...]
    types: Mapping[str, str]
    indexes: Mapping[str, IndexState] = field(default_factory=dict)
    ttl: str = ""
    billing: str = ON_DEMAND
    protection: bool | None = None
    recovery: bool | None = None
    tags: Mapping[str, str] | None = None
    status: str = ACTIVE
    arn: str = ""
    items: int = 0
    bytes: int = 0

    @property
    def changing(self) -> list[IndexState]:
        """The indexes that are being added or deleted."""
        return [index for index in self.indexes.values() if index.status != ACTIVE]

    @property
    def local_indexes(self) -> list[IndexState]:
        """The LSIs, which share the partitions of the table."""
        return [index for index in self.indexes.values() if index.local]

    @property
    def global_indexes(self) -> list[IndexState]:
        """The GSIs, which have partitions of their own."""
        return [index for index in self.indexes.values() if not index.local]


def from_description(table: Mapping[str, Any]) -> TableState:
    """A table from the answer of DescribeTable. TTL, recovery and tags are other requests' answers."""
    indexes = [_index(index, local=True) for index in table.get("LocalSecondaryIndexes", [])]
    indexes += [_index(index) for index in table.get("GlobalSecondaryIndexes", [])]
    return TableState(
        keys=key_names(table["KeySchema"]),
        types=attribute_types(table["AttributeDefinitions"]),
        indexes={index.name: index for index in indexes},
        billing=table.get("BillingModeSummary", {}).get("BillingMode", "PROVISIONED"),
        protection=table.get("DeletionProtectionEnabled"),
        status=table["TableStatus"],
        arn=table.get("TableArn", ""),
        items=table.get("ItemCount", 0),
        bytes=table.get("TableSizeBytes", 0),
    )


def key_schema(keys: Sequence[str]) -> list[dict[str, str]]:
    """A KeySchema as DynamoDB's API and CloudFormation write it."""
    return [{"AttributeName": name, "KeyType": kind} for name, kind in zip(keys, ("HASH", "RANGE"), strict=False)]


def key_names(schema: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
    """The names in a KeySchema, the partition key first."""
    return tuple(part["AttributeName"] for part in sorted(schema, key=lambda part: part["KeyType"] != "HASH"))


def attribute_types(definitions: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """The DynamoDB types of attributes by their names."""
    return {definition["AttributeName"]: definition["AttributeType"] for definition in definitions}


def projected_attributes(projection: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The attributes that a Projection names besides the keys; ``None`` if it has whole items."""
    return None if projection["ProjectionType"] == "ALL" else tuple(projection.get("NonKeyAttributes", ()))


def missing_indexes(declared: TableState, described: TableState) -> Iterator[IndexState]:
    """The GSIs that can be added: they are declared and not there, and no attribute has another type in the table."""
    for name, index in declared.indexes.items():
        if name not in described.indexes and not index.local and not _types(declared, described, index.keys):
            yield index


def differences(declared: TableState, described: TableState) -> list[Difference]:
    """Everything in which a table is not as its model and the settings declare it."""
    return [
        *_key_differences(declared, described),
        *_index_differences(declared, described),
        *_surplus(declared, described),
        *_ttl_differences(declared, described),
        *_setting_differences(declared, described),
    ]


def missing_tags(declared: TableState, described: TableState) -> dict[str, str]:
    """The declared tags that the table does not have, or has with another value."""
    if described.tags is None:
        return {}
    return {name: value for name, value in (declared.tags or {}).items() if described.tags.get(name) != value}


def _key_differences(declared: TableState, described: TableState) -> Iterator[Difference]:
    if declared.keys != described.keys:
        text = f"the keys are {', '.join(described.keys)} instead of {', '.join(declared.keys)}. {NEW_TABLE}"
        yield Difference(text, Remedy.NEW_TABLE)
    for name in _types(declared, described, declared.types):
        there, wanted = described.types[name], declared.types[name]
        yield Difference(f"attribute {name} has the type {there} instead of {wanted}. {NEW_TABLE}", Remedy.NEW_TABLE)


def _types(declared: TableState, described: TableState, names: Sequence[str] | Mapping[str, str]) -> list[str]:
    """The attributes among ``names`` that have another type in the table than is declared."""
    return [name for name in names if described.types.get(name, declared.types[name]) != declared.types[name]]


def _index_differences(declared: TableState, described: TableState) -> Iterator[Difference]:
    addable = {index.name for index in missing_indexes(declared, described)}
    for name, wanted in declared.indexes.items():
        there = described.indexes.get(name)
        if there is None and name in addable:
            yield Difference(f"index {name} is missing. Run manage.py create_tables.", Remedy.UPDATE)
        elif there is None:
            yield Difference(
                f"{'local ' if wanted.local else ''}index {name} is missing. {NEW_TABLE}", Remedy.NEW_TABLE
            )
        elif (there.local, there.keys) != (wanted.local, wanted.keys):
            yield Difference(f"index {name} has other keys: {there.text}. {NEW_TABLE}", Remedy.NEW_TABLE)
        elif changes := _projection_changes(wanted.projected, there.projected):
            yield Difference(f"index {name} projects {changes}. {NEW_TABLE}", Remedy.NEW_TABLE)
        elif there.status != ACTIVE:
            yield Difference(f"index {name} is {there.progress}. Wait, or run manage.py create_tables.", Remedy.UPDATE)


def _projection_changes(wanted: Sequence[str] | None, there: Sequence[str] | None) -> str:
    """In what an index projects other attributes than it should, in words; blank if it does not."""
    if wanted is None:
        return "" if there is None else "some attributes instead of whole items"
    if there is None:
        return "whole items instead of some attributes"
    changes = (("not", {*wanted} - {*there}), ("also", {*there} - {*wanted}))
    return " and ".join(f"{word} {', '.join(sorted(names))}" for word, names in changes if names)


def _surplus(declared: TableState, described: TableState) -> Iterator[Difference]:
    for name in sorted(described.indexes.keys() - declared.indexes.keys()):
        text = f"index {name} is not declared. It costs writes and storage; delete it when no release needs it."
        yield Difference(text, Remedy.SURPLUS)
    if described.billing != declared.billing:
        yield Difference(f"the billing mode is {described.billing} instead of {declared.billing}.", Remedy.SURPLUS)


def _ttl_differences(declared: TableState, described: TableState) -> Iterator[Difference]:
    if described.ttl == declared.ttl:
        return
    if not described.ttl:
        text = f"TTL on {declared.ttl} is off. Run manage.py create_tables."
        yield Difference(text, Remedy.UPDATE)
    else:
        text = f"TTL is on {described.ttl} instead of {declared.ttl or 'no attribute'}. Switch it off on AWS"
        again = ", wait an hour, and run manage.py create_tables." if declared.ttl else "."
        yield Difference(text + again, Remedy.MANUAL)


def _setting_differences(declared: TableState, described: TableState) -> Iterator[Difference]:
    if declared.protection and described.protection is False:
        yield Difference("deletion protection is off. Run manage.py create_tables.", Remedy.UPDATE)
    if declared.recovery and described.recovery is False:
        yield Difference("point-in-time recovery is off. Run manage.py create_tables.", Remedy.UPDATE)
    if tags := missing_tags(declared, described):
        spelt = ", ".join(f"{name}={value}" for name, value in tags.items())
        yield Difference(f"tags are missing: {spelt}. Run manage.py create_tables.", Remedy.UPDATE)


def _index(index: Mapping[str, Any], local: bool = False) -> IndexState:
    return IndexState(
        name=index["IndexName"],
        keys=key_names(index["KeySchema"]),
        local=local,
        projected=projected_attributes(index["Projection"]),
        status=index.get("IndexStatus", ACTIVE),
        backfilling=index.get("Backfilling", False),
    )
