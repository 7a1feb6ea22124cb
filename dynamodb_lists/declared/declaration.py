"""What a list is: its entity, owner, id, facets and the orders that are kept. Everything else follows from this.

The items of one owner share a partition, and so do the counts of their facets. A list of loans, with an owner, an order
that is a facet and then a range, and a sparse list::

    item    pk            sk            keys of its indexes
    loan    loans#L1      <loan id>     genre_due_key  = fantasy#2026-11-30#<loan id>
                                        due_key        = 2026-11-30#<loan id>
                                        open_key       = 2026-11-30#<loan id>, as long as it is open
    count   loans#L1#counts   fantasy#paper
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property
from itertools import takewhile
from typing import Any

from dynamodb_lists.connection.errors import WrongDeclaration, WrongValue
from dynamodb_lists.declared.kept_orders import BY_ID, KeptOrder
from dynamodb_lists.declared.parts import part
from dynamodb_lists.reading.cursors import Position
from dynamodb_lists.reading.fetching import item_bytes
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.entities import Field, fields, listed
from dynamodb_lists.schema.keys import KeyRange
from dynamodb_lists.schema.words import Words, words_of

ENTRY_BYTES = 250
MOST_LOCAL, MOST_GLOBAL, MOST_PROJECTED = 5, 20, 100
"""The most LSIs and GSIs of a table, and the most attributes that its indexes project together."""


@dataclass(frozen=True)
class Declaration:
    """The declaration of a list. Raises :class:`~dynamodb_lists.connection.errors.WrongDeclaration`.

    ``name`` is the plural of ``kind``. ``owner`` names the fields of the partition, and ``id_field`` that of the id,
    which is unique in it. ``table`` is the order of the table itself, whose keys end with the id.

    A subclass may spell keys in another way, for a table that exists already: see :meth:`prefix` and what follows it.
    """

    name: str
    kind: str
    entity: Any
    id_field: str
    owner: tuple[str, ...] = ()
    facets: tuple[str, ...] = ()
    kept: tuple[KeptOrder, ...] = ()
    sparse: Mapping[str, KeptOrder] = field(default_factory=dict)
    word_fields: tuple[str, ...] = ()
    table: KeptOrder = BY_ID

    def __post_init__(self) -> None:
        known = {each.name for each in fields(self.entity)}
        named = [*self.owner, self.id_field, *self.facets, *self.word_fields]
        named += (name for order in [*self.kept, *self.sparse.values()] for name in order.fields)
        if unknown := [name for name in named if name not in known]:
            raise WrongDeclaration(f"{self.title} name {unknown[0]!r}, which is no field of {self.entity.__name__}.")
        hidden = {*self.facets, *self.word_fields, *(name for order in self.kept for name in order.fields)} - {
            *listed(self.entity),
            *(each.name for each in fields(self.entity) if not each.stored),
        }
        if hidden:
            raise WrongDeclaration(
                f"{self.title} are sorted, filtered or found by {min(hidden)!r}, so lists must show it."
            )
        if self.field(self.id_field).hint is not str:
            raise WrongDeclaration(f"The id of {self.name}, {self.id_field!r}, must be a str: keys hold it as text.")
        if wrong := [name for name in self.owner if self.field(name).hint not in {str, int}]:
            raise WrongDeclaration(f"The owner of {self.name}, {wrong[0]!r}, must be a str or an int.")
        if wrong := [name for name in (self.name, *self.orders) if not NAME.fullmatch(name)]:
            raise WrongDeclaration(
                f"{wrong[0]!r} cannot name a table or an index: it needs 3 to 255 of A-Z a-z 0-9 _ . -"
            )
        on_lsis = len(self.local)
        for count, most, kind in ((on_lsis, MOST_LOCAL, "LSIs"), (len(self.orders) - on_lsis, MOST_GLOBAL, "GSIs")):
            if count > most:
                raise WrongDeclaration(f"{self.title} have {count} orders on {kind}; a table has at most {most}.")

    @property
    def title(self) -> str:
        """The name at the beginning of a sentence."""
        return self.name.replace("_", " ").capitalize()

    @cached_property
    def orders(self) -> Mapping[str, KeptOrder]:
        """Each order by the name of its index. The table itself, whose name is blank, is sorted by the id."""
        named = {order.index or f"by-{'-'.join(order.fields)}": order for order in self.kept}
        return {**named, **self.sparse}

    @cached_property
    def local(self) -> list[str]:
        """The indexes that are LSIs."""
        chosen = [name for name, order in self.orders.items() if order.on_gsi is False]
        free = [name for name, order in self.orders.items() if order.on_gsi is None and order.when is None]
        return [*chosen, *free[: max(MOST_LOCAL - len(chosen), 0)]]

    @cached_property
    def projects_some(self) -> bool:
        """Whether indexes project what lists show alone. If these are too many attributes, they project whole items."""
        some = [index for index, order in self.orders.items() if not order.whole]
        return sum(len(self.shown_in(index)) for index in some) <= MOST_PROJECTED

    @cached_property
    def shown(self) -> tuple[str, ...]:
        """The attributes that lists show and that keys do not have."""
        return tuple(name for name in listed(self.entity) if name not in {*self.owner, self.id_field})

    def shown_in(self, index: str) -> tuple[str, ...]:
        """The attributes that an index has: a sparse one also those by which it is sorted."""
        own = self.sparse[index].fields if index in self.sparse else ()
        return tuple(dict.fromkeys([*self.shown, *(name for name in own if name not in {*self.owner, self.id_field})]))

    @property
    def lists_all(self) -> bool:
        """Whether lists show all fields."""
        return len(listed(self.entity)) == len(fields(self.entity))

    def leading(self, order: KeptOrder) -> tuple[str, ...]:
        """The facets that an order begins with."""
        return tuple(takewhile(self.facets.__contains__, order.fields))

    @cached_property
    def whole_orders(self) -> Mapping[str, KeptOrder]:
        """The orders that have all items, by index; first that of the table, whose name is blank."""
        return {"": self.table, **{name: order for name, order in self.orders.items() if order.when is None}}

    def sorted_by(self, order: KeptOrder) -> tuple[str, ...]:
        """The fields by which the items of an order are sorted."""
        return order.fields if self.id_field in order.fields else (*order.fields, self.id_field)

    @property
    def ranged(self) -> tuple[str, ...]:
        """The fields beside facets by which a list is sorted, and of which it has ranges. The id is the last."""
        named = dict.fromkeys(name for order in self.orders.values() for name in order.fields)
        return tuple(dict.fromkeys([*(name for name in named if name not in self.facets), self.id_field]))

    @property
    def sorts(self) -> tuple[str, ...]:
        """The fields by which a list can be sorted."""
        return (*self.facets, *self.ranged)

    @property
    def fixed(self) -> frozenset[str]:
        """The fields that stay as they are, because keys and addresses have them."""
        return frozenset([*self.owner, self.id_field])

    def field(self, name: str) -> Field:
        """A field of the entity."""
        return next(each for each in fields(self.entity) if each.name == name)

    def named(self, name: str) -> str:
        """The name of a field; "id" stands for the id, if no field has this name."""
        known = {each.name for each in fields(self.entity)}
        return self.id_field if name == "id" and name not in known else name

    def checked(self, name: str, value: Any) -> Any:
        """A value of a field as it is stored: a whole number may stand for a decimal, and times are to the second.

        Raises :class:`~dynamodb_lists.connection.errors.WrongValue` if it is of another type.
        """
        kind = self.field(name)
        if value is None and (kind.may_be_none or kind.type is str):
            return value
        wanted = (int, Decimal) if kind.type is Decimal else str if _is_text(kind.type) else kind.type
        right = isinstance(value, wanted) if isinstance(wanted, type | tuple) else True
        if (
            not right
            or (isinstance(value, bool) and kind.type is not bool)
            or (kind.type is date and isinstance(value, datetime))
        ):
            raise WrongValue(f"{self.title}: {name} must be of type {kind.type.__name__}, and {value!r} is not.")
        if isinstance(value, Decimal) and not value.is_finite():
            raise WrongValue(f"{self.title}: {name} must be a number, and {value} is none.")
        if isinstance(value, int | Decimal) and not self.takes(value):
            raise WrongValue(f"{self.title}: {name} has more than 20 digits before the point, or 18 after it.")
        if isinstance(value, str) and not value.isprintable():
            _check_text(f"{self.title}: {name}", value)
        if kind.type is Decimal:
            return Decimal(value)
        return value.replace(microsecond=0) if isinstance(value, datetime) else value

    takes = staticmethod(keys.takes_number)

    def as_stored(self, entity: Any) -> Any:
        """An entity with all values as they are stored.

        Raises :class:`~dynamodb_lists.connection.errors.WrongValue`.
        """
        values = {each.name: self.checked(each.name, getattr(entity, each.name)) for each in fields(self.entity)}
        for each in fields(self.entity):
            if values[each.name] is None and not each.may_be_none:
                raise WrongValue(f"{self.title}: {each.name} must be of type {each.type.__name__}, and None is not.")
        return replace(entity, **values)

    # --- Keys ---------------------------------------------------------------------------------------------

    def partition(self, owner: Iterable[str]) -> str:
        """The partition of an owner's items."""
        return keys.compose(self.name, *owner)

    def counts_partition(self, owner: Iterable[str]) -> str:
        """The partition of an owner's counts."""
        return keys.compose(self.name, *owner, "counts")

    def words_partition(self, owner: Iterable[str], initials: str) -> str:
        """The partition of the word items of an owner whose terms have these initials."""
        return keys.compose(self.name, *owner, "words", initials)

    def words_of(self, entity: Any) -> Words:
        """The words by which an entity is found, from its fields that have words."""
        return Words(words_of(" ".join(str(getattr(entity, name) or "") for name in self.word_fields)))

    def owner_values(self, owner: Iterable[str]) -> dict[str, Any]:
        """The fields of an owner, from parts of keys."""
        return {name: self.field(name).type(text) for name, text in zip(self.owner, owner, strict=True)}

    def owner_of(self, entity: Any) -> tuple[str, ...]:
        """The owner of an entity, as parts of keys."""
        return tuple(str(getattr(entity, name)) for name in self.owner)

    def item_id(self, entity: Any) -> str:
        """The id of an entity, as a key. Raises :class:`~dynamodb_lists.connection.errors.KeyPartError`."""
        return keys.compose(str(getattr(entity, self.id_field)))

    def part(self, name: str, value: Any) -> str:
        """A value of a field as a part of a key."""
        return str(value) if name == self.id_field else part(value)

    def parts(self, entity: Any, names: Iterable[str]) -> Iterator[str]:
        """The values of an entity's fields as parts of keys."""
        return (self.part(name, getattr(entity, name)) for name in names)

    def combination(self, entity: Any) -> tuple[str, ...]:
        """The values of an entity's facets; of a list without facets, a name for all items."""
        return tuple(self.parts(entity, self.facets)) or ("all",)

    def sort_key(self, entity: Any, order: KeptOrder, start: int = 0) -> str:
        """The sort key of an entity in an order, or its end from a field on. The id is its end."""
        return keys.compose(*self.parts(entity, order.fields[start:]), self.item_id(entity))

    def position(self, entity: Any, index: str, order: KeptOrder | None = None, start: int = 0) -> Position:
        """The position of an entity in an index, or the end of it from a field of its order on.

        ``order`` is another one, in which the index is sorted in memory.
        """
        order = order or {"": self.table, **self.orders}[index]
        return Position(self.sort_key(entity, order, start), (self.item_id(entity),) if index else ())

    # What a subclass may do in another way, whose tables exist already.

    def key_attribute(self, index: str) -> str:
        """The attribute that is the sort key of an index: ``genre_due_key`` of ``by-genre-due``."""
        return f"{index.removeprefix('by-').replace('-', '_')}_key"

    def prefix(self, index: str) -> tuple[str, ...]:
        """The parts of each sort key of an index before its fields."""
        return ()

    def all_keys(self, index: str) -> KeyRange:
        """The sort keys of all items in an index."""
        prefix = self.prefix(index)
        return keys.between(prefix, prefix)

    def spans(self, name: str, span: KeyRange) -> list[KeyRange]:
        """The ends of keys that hold all values of a field in a range, and may hold others."""
        return [KeyRange(span.low, f"{span.high}{keys.HIGHEST}")]

    def elsewhere(self, ranges: Mapping[str, KeyRange]) -> Iterator[tuple[str, KeyRange]]:
        """Other sources, and keys there, that hold all that is in ranges of fields: more than one order has."""
        yield from ()

    def read_at(self, owner: Iterable[str], source: str) -> tuple[str, str]:
        """The partition and the index where a source is read: an index, the table, or one of :meth:`elsewhere`."""
        return self.partition(owner), source

    def usual_bytes(self, source: str) -> float:
        """About how many bytes an item has in a source, if nothing is learned."""
        return ENTRY_BYTES if source else 2 * ENTRY_BYTES

    def item_bytes(self, owner: Iterable[str], source: str) -> float:
        """About how many bytes an item of an owner has in a source, as answers have told."""
        return item_bytes(*self.read_at(owner, source), self.usual_bytes(source))


def _check_text(what: str, text: str) -> None:
    """Refuse half a surrogate pair, which is no text in UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise WrongValue(f"{what} must be a text, and {text[:40]!r} has half a character.") from error


def _is_text(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, str)


NAME = re.compile(r"[A-Za-z0-9_.-]{3,255}")
EVERYTHING = keys.between((), ())
"""All sort keys."""
