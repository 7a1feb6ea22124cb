"""A table's schema as plain values, taken from the PynamoDB model that declares it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pynamodb.attributes import TTLAttribute
from pynamodb.models import Model

HASH, RANGE = "HASH", "RANGE"
ALL, INCLUDE, KEYS_ONLY = "ALL", "INCLUDE", "KEYS_ONLY"


@dataclass(frozen=True, slots=True)
class IndexSchema:
    """An LSI or a GSI. ``included`` are the attributes that it projects beside keys; ``None`` is the whole item."""

    name: str
    keys: tuple[str, ...]
    included: tuple[str, ...] | None
    local: bool

    @property
    def projection(self) -> dict[str, object]:
        """The projection as DynamoDB's API and CloudFormation write it."""
        if self.included is None:
            return {"ProjectionType": ALL}
        if not self.included:
            return {"ProjectionType": KEYS_ONLY}
        return {"ProjectionType": INCLUDE, "NonKeyAttributes": list(self.included)}


@dataclass(frozen=True, slots=True)
class TableSchema:
    """A table. ``name`` has no prefix; ``keys`` are the partition key and, if there is one, the sort key."""

    name: str
    keys: tuple[str, ...]
    types: Mapping[str, str]
    indexes: tuple[IndexSchema, ...]
    ttl: str | None

    @property
    def local_indexes(self) -> list[IndexSchema]:
        """The LSIs, which share the partitions of the table."""
        return [index for index in self.indexes if index.local]

    @property
    def global_indexes(self) -> list[IndexSchema]:
        """The GSIs, which have partitions of their own."""
        return [index for index in self.indexes if not index.local]


def key_schema(keys: Sequence[str]) -> list[dict[str, str]]:
    """A key schema as DynamoDB's API and CloudFormation write it."""
    kinds = (HASH, RANGE)[: len(keys)]
    return [{"AttributeName": name, "KeyType": kind} for name, kind in zip(keys, kinds, strict=True)]


def table_schema(name: str, model: type[Model]) -> TableSchema:
    """The schema that a model declares."""
    declared = model._get_schema()
    indexes = [_index_schema(index, local=True) for index in declared["local_secondary_indexes"]]
    indexes += [_index_schema(index, local=False) for index in declared["global_secondary_indexes"]]
    expiries = [attr.attr_name for attr in model.get_attributes().values() if isinstance(attr, TTLAttribute)]
    return TableSchema(
        name=name,
        keys=_key_names(declared["key_schema"]),
        types={entry["AttributeName"]: entry["AttributeType"] for entry in declared["attribute_definitions"]},
        indexes=tuple(sorted(indexes, key=lambda index: (not index.local, index.name))),
        ttl=expiries[0] if expiries else None,
    )


def _index_schema(declared: Mapping[str, object], *, local: bool) -> IndexSchema:
    projection = declared["projection"]
    assert isinstance(projection, Mapping)
    # KEYS_ONLY includes nothing beside keys.
    included = None if projection["ProjectionType"] == ALL else tuple(projection.get("NonKeyAttributes", ()))
    return IndexSchema(str(declared["index_name"]), _key_names(declared["key_schema"]), included, local)


def _key_names(declared: object) -> tuple[str, ...]:
    assert isinstance(declared, list)
    by_kind = {key["KeyType"]: key["AttributeName"] for key in declared}
    return tuple(by_kind[kind] for kind in (HASH, RANGE) if kind in by_kind)
