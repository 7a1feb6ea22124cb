"""Keys and models of a faceted list: items that are filtered by facets, and sorted by other fields.

The items share a partition, and so do the counts of their facets. ``books`` with two facets and two sorts::

    item    pk                  sk                  keys of its LSIs
    book    books               <id>                genre_language_key = fantasy#english#<id>
                                                    language_genre_key = english#fantasy#<id>
                                                    title_key = the-hobbit#<id>
                                                    year_key = 0000001937#<id>
    count   books#counts        fantasy#english

Each facet leads one order, so the items of any values of up to three facets are one range of some index for each value
of the last. A partition with LSIs holds at most 10 GB.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property
from typing import Any, ClassVar, Self

from pynamodb.attributes import UnicodeAttribute

from dynamodb_lists.schema import keys
from dynamodb_lists.schema.attributes import IntegerAttribute
from dynamodb_lists.schema.entities import listed, stored_fields, stored_values
from dynamodb_lists.schema.indexes import local_index
from dynamodb_lists.schema.keys import KeyRange
from dynamodb_lists.schema.models import PortalModel

DIGITS = 10
MOST_INDEXES = 5
"""The most LSIs that DynamoDB gives a table."""


def key_part(value: Any) -> str:
    """A value as a key part that sorts as the value does: a slug, a padded number, or a time.

    Raises :class:`~dynamodb_lists.connection.errors.KeyPartError` for a number that is negative or too large.
    """
    if isinstance(value, datetime):
        return keys.time_part(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return keys.number_key(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return keys.number_part(value, DIGITS)
    return keys.text_part(str(value))


@dataclass(frozen=True)
class FacetedKeys:
    """The keys of a faceted list. ``name`` is its partition; ``id_field`` and the others name fields of the entity."""

    name: str
    id_field: str
    facets: tuple[str, ...]
    sorts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.facets) + len(self.sorts) > MOST_INDEXES:
            raise TypeError(f"{self.name} needs an LSI for each facet and sort. A table has at most {MOST_INDEXES}.")

    @property
    def counts(self) -> str:
        """Partition of the counts."""
        return keys.compose(self.name, "counts")

    @cached_property
    def orders(self) -> Mapping[str, tuple[str, ...]]:
        """The fields that each index is sorted by; a blank name is the table itself, which is sorted by the id."""
        facets = {
            f"by-{'-'.join(order)}": order
            for order in (self.facets[start:] + self.facets[:start] for start in range(len(self.facets)))
        }
        return {"": (), **facets, **{f"by-{name}": (name,) for name in self.sorts}}

    @property
    def facet_orders(self) -> Mapping[str, tuple[str, ...]]:
        """The indexes that are sorted by facets."""
        return {name: order for name, order in self.orders.items() if {*order} == {*self.facets}}

    def index_of(self, field: str) -> str:
        """The index that is sorted by a field; blank, which is the table, for the id."""
        return "" if field == self.id_field else f"by-{field}"

    def item_id(self, entity: Any) -> str:
        """The id of an entity, as a key. Raises ``KeyPartError``."""
        return keys.compose(str(getattr(entity, self.id_field)))

    def combination(self, entity: Any) -> tuple[str, ...]:
        """The values of an entity's facets, as key parts."""
        return tuple(key_part(getattr(entity, name)) for name in self.facets)

    def sort_key(self, index: str, entity: Any) -> str:
        """The sort key of an entity in an index. The id is its end, because many entities may share the rest."""
        values = (key_part(getattr(entity, name)) for name in self.orders[index])
        return keys.compose(*values, self.item_id(entity))

    def everything(self) -> KeyRange:
        """The sort keys of all items, in any index. DynamoDB takes no empty text in a key."""
        return KeyRange(" ", keys.HIGHEST)

    def beginning(self, field: str, text: str) -> KeyRange:
        """The sort keys of the items whose ``field`` begins with a text: the id as it is, any other as a slug."""
        return keys.text_range(text if field == self.id_field else keys.text_part(text))


def key_attribute(index: str) -> str:
    """The attribute that is the sort key of an index: ``title_key`` of ``by-title``."""
    return f"{index.removeprefix('by-').replace('-', '_')}_key"


class FacetCountModel(PortalModel):
    """How many items there are of one combination of facets."""

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    number = IntegerAttribute(default=0)
    partition: ClassVar[str]

    @classmethod
    def owns(cls, partition: str, sort_key: str) -> bool:
        return partition == cls.partition


class FacetedModel(PortalModel):
    """The items of a faceted list. A subclass names ``kind``, ``entity``, ``keys`` and, in ``Meta``, the table.

    It gets an LSI for each order of its keys, and the model of its counts, whose kind ends with ``-count``.
    """

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    keys: ClassVar[FacetedKeys]
    counts: ClassVar[type[FacetCountModel]]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        named = {cls.keys.id_field, *cls.keys.facets, *cls.keys.sorts}
        if unknown := named - {field.name for field in stored_fields(cls.entity)}:
            raise TypeError(f"The keys of {cls.__name__} name {min(unknown)!r}, which is no field of its entity.")
        for index in filter(None, cls.keys.orders):
            name = key_attribute(index)
            attribute = UnicodeAttribute()
            attribute.__set_name__(cls, name)
            setattr(cls, name, attribute)
            setattr(cls, index.replace("-", "_"), local_index(index, "pk", name, projected=listed(cls.entity)))
        counts: dict[str, Any] = {"kind": f"{cls.kind}-count", "Meta": cls.Meta, "partition": cls.keys.counts}
        create: Any = type(FacetCountModel)
        cls.counts = create(f"{cls.__name__}Count", (FacetCountModel,), counts)

    @classmethod
    def owns(cls, partition: str, sort_key: str) -> bool:
        return partition == cls.keys.name

    @classmethod
    def item(cls, entity: Any) -> Self:
        """The item of an entity, with the keys of its indexes."""
        attributes = stored_values(entity)
        for index in filter(None, cls.keys.orders):
            attributes[key_attribute(index)] = cls.keys.sort_key(index, entity)
        return cls(cls.keys.name, cls.keys.item_id(entity), **attributes)

    @classmethod
    def count_item(cls, *combination: str) -> FacetCountModel:
        """The item of a combination's count, with nothing but its key."""
        return cls.counts(cls.keys.counts, keys.compose(*combination))
