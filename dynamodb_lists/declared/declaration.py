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
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import fields as dataclass_fields
from datetime import datetime
from decimal import Decimal
from functools import cached_property, partial
from itertools import chain, takewhile, zip_longest
from typing import Any, Self

from dynamodb_lists.connection.errors import WrongDeclaration
from dynamodb_lists.declared.asked import ListQuery, within
from dynamodb_lists.declared.parts import BLANK, ORDERS
from dynamodb_lists.planning.sources import Question, Source, SourceKey, values_of
from dynamodb_lists.reading.fetching import item_bytes
from dynamodb_lists.schema import keys, values
from dynamodb_lists.schema.conditions import Between, Condition, Spans, holds
from dynamodb_lists.schema.entities import DOCUMENTS, Field, by_name, fields, listed, unlisted
from dynamodb_lists.schema.models import RawItem
from dynamodb_lists.schema.natural import natural
from dynamodb_lists.schema.templates import Coder, Template
from dynamodb_lists.schema.words import Words, words_of

ENTRY_BYTES = 250
PART = Coder(rises=True, ordered=True, fixed=True)
"""A value in a key, as a part that sorts as the value does. The separator sorts before all that it may have."""
ALONE = "alone "
"""What stands before a field that is counted alone, among the facets of the shape of a table."""
MOST_LOCAL, MOST_GLOBAL, MOST_PROJECTED = 5, 20, 100
"""The most LSIs and GSIs of a table, and the most attributes that its indexes project together."""


class KeptOrder:
    """An index of a list, sorted by ``fields`` and then by the id.

    ``when`` makes the index sparse: it holds only the items that meet it. ``on_gsi`` puts it on a GSI; by default the
    first five orders of a list are LSIs. ``index`` is the name of the index, by default ``by-genre-due``, and
    ``attribute`` the name of its sort key, by default ``genre_due_key``. ``words`` say what the index is for.
    ``shows`` are further fields that the index has, beside those that lists show.
    """

    def __init__(
        self,
        *fields: str,
        when: Callable[[Any], bool] | None = None,
        on_gsi: bool | None = None,
        index: str = "",
        attribute: str = "",
        words: str = "",
        shows: Collection[str] = (),
    ) -> None:
        self.fields, self.when, self.on_gsi = fields, when, on_gsi
        self.index, self.attribute, self.words, self.shows = index, attribute, words, tuple(shows)


BY_ID = KeptOrder()
"""The order of a table that has the ids alone."""


@dataclass(frozen=True)
class Declaration:
    """The declaration of a list. Raises: :class:`~dynamodb_lists.connection.errors.WrongDeclaration`.

    ``name`` is the plural of ``kind``. ``owner`` names the fields of the partition. ``id_field`` names the id, which is
    unique in the partition and sorts the table. ``home`` is the template of the partition of an owner's items, by
    default the name and the owner. The partitions of the counts and words begin with it.
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
    home: str = ""
    moves: tuple[str, ...] = ()
    """The fields whose changes are counted, so that a list that is sorted by one of them tells that rows have moved."""
    expires: str = ""
    """The field with the time after which DynamoDB deletes an item. It changes no count and no word then."""
    entry_bytes: float = ENTRY_BYTES
    """About how many bytes an item has in an index, if nothing is learned; in the table it has twice as many."""
    generation: int = 0
    """How often the table has been given other counts and words, which stand in partitions of their own."""
    projected: Mapping[str, Collection[str]] = field(default_factory=dict)
    """The fields that indexes of the table have, where these are not all that lists show."""
    projected_beside: int = 0
    """How many attributes other indexes of the table project."""
    counted_alone: tuple[str, ...] = ()
    """The fields whose values are counted each for itself, not in combinations."""

    def __post_init__(self) -> None:
        if fault := next(chain(self._faults_of_fields(), self._faults()), ""):
            raise WrongDeclaration(fault)

    def _faults_of_fields(self) -> Iterator[str]:
        """Yield why fields of the entity cannot have their orders and units, or be words, or be named twice."""
        known = by_name(self.entity)
        if not self.id_field:
            yield f"{self.title} have no id: id= names the field that is unique in an owner's items."
        for each in fields(self.entity):
            told, is_text = f"{self.entity.__name__}.{each.name}", issubclass(each.type, str)
            if each.order not in ORDERS or (each.order in {"natural", "slug"} and not is_text):
                orders = ", ".join(filter(None, ORDERS))
                yield f"{told} has the order {each.order!r}: it is one of {orders}, the first two of texts."
            if each.unit and (each.unit not in known or not issubclass(each.type, int | Decimal)):
                yield f"{told} has the unit {each.unit!r}: it is a number, and its unit is another field."
        for name in self.word_fields:
            if name in known and not issubclass(self.field(name).type, str):
                yield f"{self.title} are found by words of {name!r}, which is no text."
        if both := {*self.owner} & {*self.facets}:
            yield f"{self.title} name {min(both)!r} twice: as owner and as facet."

    def _faults(self) -> Iterator[str]:
        """Yield why DynamoDB cannot keep such a list."""
        own = self.id_field, self.expires or self.id_field
        named = [*self.owner, *own, *self.facets, *self.word_fields, *self.moves, *self.counted_alone]
        named += (name for order in [*self.kept, *self.sparse.values()] for name in order.fields)
        if unknown := [name for name in named if name not in by_name(self.entity)]:
            yield f"{self.title} name {unknown[0]!r}, which is no field of {self.entity.__name__}."
        filters = {*self.facets, *self.counted_alone, *self.word_fields}
        used = filters.union(name for order in self.kept for name in order.fields)
        if hidden := used & unlisted(self.entity):
            yield f"{self.title} are sorted, filtered or found by {min(hidden)!r}, so lists must show it."
        if wrong := [name for name in named if self.field(name).type in (*DOCUMENTS, Any)]:
            yield f"{self.title} name {wrong[0]!r}, whose values have parts: no key can hold them."
        if self.expires and (filters or self.field(self.expires).type is not datetime):
            yield (
                f"{self.title} expire: {self.expires!r} must be a datetime, and there can be no facets and no words, "
                "because DynamoDB deletes rows without their counts and words."
            )
        if self.field(self.id_field).hint is not str:
            yield f"The id of {self.name}, {self.id_field!r}, must be a str: keys hold it as text."
        if self.orders_ids and not any(order.fields[:1] == (self.id_field,) for order in self.kept):
            yield f"{self.title} are sorted by {self.id_field!r} as people count: keep this order."
        if wrong := [name for name in self.facets if self.field(name).unit or self.field(name).order == "natural"]:
            yield f"The facet {wrong[0]!r} of {self.name} cannot have a unit, or a natural order."
        if wrong := [name for name in self.counted_alone if not values_of(self.field(name).type)]:
            yield f"{self.title} count {wrong[0]!r} alone: it must be a truth value or an enum."
        if wrong := [name for name in self.owner if self.field(name).hint not in {str, int}]:
            yield f"The owner of {self.name}, {wrong[0]!r}, must be a str or an int."
        if wrong := [name for name in (self.name, *self.orders) if not NAME.fullmatch(name)]:
            yield f"{wrong[0]!r} cannot name a table or an index: it needs 3 to 255 of A-Z a-z 0-9 _ . -"
        on_lsis = len(self.local)
        for count, most, kind in ((on_lsis, MOST_LOCAL, "LSIs"), (len(self.orders) - on_lsis, MOST_GLOBAL, "GSIs")):
            if count > most:
                yield f"{self.title} have {count} orders on {kind}; a table has at most {most}."

    @property
    def title(self) -> str:
        """The name of the list at the beginning of a sentence."""
        return self.name.replace("_", " ").capitalize()

    @cached_property
    def orders(self) -> Mapping[str, KeptOrder]:
        """Each order by the name of its index. The table, with a blank name, is sorted by the id."""
        named = {order.index or f"by-{'-'.join(order.fields)}": order for order in self.kept}
        return {**named, **self.sparse}

    @cached_property
    def local(self) -> list[str]:
        chosen = [name for name, order in self.orders.items() if order.on_gsi is False]
        free = [name for name, order in self.orders.items() if order.on_gsi is None and order.when is None]
        return [*chosen, *free[: max(MOST_LOCAL - len(chosen), 0)]]

    @cached_property
    def projecting(self) -> list[str]:
        """The indexes that have what lists show alone. If this is too much for a table, others have whole items.

        These do not count: the last sparse ones or, if that is not enough, all.
        """
        found, left = [*self.orders], MOST_PROJECTED - self.projected_beside
        while found and sum(len(self.shown_in[index]) for index in found) > left:
            if found.pop() not in self.sparse:
                return []
        return found

    @cached_property
    def shown(self) -> tuple[str, ...]:
        """The attributes that lists show and that keys do not have."""
        return tuple(name for name in listed(self.entity) if name not in self.fixed)

    @cached_property
    def shown_in(self) -> Mapping[str, tuple[str, ...]]:
        """The attributes of the table and of each index: a sparse one also has those that sort it, or that it names."""
        found = {}
        for index in ("", *self.orders):
            own = (*self.sparse[index].fields, *self.sparse[index].shows) if index in self.sparse else ()
            names = dict.fromkeys([*self.shown, *(name for name in own if name not in self.fixed)])
            found[index] = tuple(name for name in names if name in self.projected.get(index, names))
        return found

    @cached_property
    def late(self) -> tuple[str, ...]:
        """The attributes that lists show and that an index lacks, because it was created before them."""
        has = [names for index, names in self.projected.items() if index in self.orders]
        return tuple(name for name in self.shown if any(name not in names for names in has))

    # --- What a table needs -------------------------------------------------------------------------------

    counts_anew = True
    """Whether items are counted by other facets, and have other words, as a new generation."""

    @property
    def keyed(self) -> Mapping[str, str]:
        """Each index, with the attributes of its keys and the formats of their values, as a text."""
        found = {}
        for index, order in self.orders.items():
            some = ["some"] if order.when else []
            found[index] = " ".join([self.key_attribute(index), *some, *self.typed(self.keyed_by(order))])
        return found

    @property
    def counted(self) -> tuple[str, ...]:
        """The facets by which items are counted, with the formats of their values, and what is counted alone."""
        return (*self.typed(self.facets), *(ALONE + each for each in self.typed(self.counted_alone)))

    @property
    def worded(self) -> tuple[str, ...]:
        """The fields whose words are indexed, with their types."""
        return self.typed(self.word_fields)

    def typed(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return fields with the formats of their values in keys."""
        described = map(self.field, names)
        formats = ((each.name, each.type.__name__, each.order, each.unit) for each in described)
        return tuple(":".join(filter(None, parts)) for parts in formats)

    def part_in(self, shape: Any, full: Collection[str], projected: Mapping[str, Collection[str]]) -> Self:
        """Return the declaration of what a table of this shape has: full indexes, and what some of them project."""
        named = {id(order): index for index, order in self.orders.items()}
        alone = [each.removeprefix(ALONE) for each in shape.facets if each.startswith(ALONE)]
        return self.having(
            facets=self._names([each for each in shape.facets if not each.startswith(ALONE)]),
            counted_alone=self._names(alone),
            kept=tuple(order for order in self.kept if named[id(order)] in full),
            sparse={index: order for index, order in self.sparse.items() if index in full},
            word_fields=self._names(shape.words),
            generation=shape.generation,
            projected=projected,
        )

    def _names(self, typed: Sequence[str]) -> tuple[str, ...]:
        """Return the fields of :meth:`typed`, as long as all of them are fields."""
        names = tuple(each.partition(":")[0] for each in typed)
        return names if {*names} <= by_name(self.entity).keys() else ()

    def having(self, **values: Any) -> Self:
        """Return the declaration with other values, unchecked, because they are parts of this declaration."""
        other = object.__new__(type(self))
        vars(other).update({each.name: getattr(self, each.name) for each in dataclass_fields(self)} | values)
        return other

    def leading(self, order: KeptOrder) -> tuple[str, ...]:
        return tuple(takewhile(self.facets.__contains__, order.fields))

    @cached_property
    def whole_orders(self) -> Mapping[str, KeptOrder]:
        """The orders that have all items, by index; the table, with a blank name, comes first."""
        return {"": BY_ID, **{name: order for name, order in self.orders.items() if order.when is None}}

    @property
    def orders_ids(self) -> bool:
        """Whether ids sort differently than their texts, and so than the table."""
        return bool(self.field(self.id_field).order)

    def keyed_by(self, order: KeptOrder) -> tuple[str, ...]:
        return order.fields if self.id_field in order.fields else (*order.fields, self.id_field)

    @cached_property
    def ranged(self) -> tuple[str, ...]:
        """The fields beside facets that sort a list and take ranges. The id is the last."""
        named = dict.fromkeys(name for order in self.orders.values() for name in order.fields)
        return tuple(dict.fromkeys([*(name for name in named if name not in self.facets), self.id_field]))

    @cached_property
    def sorts(self) -> tuple[str, ...]:
        return (*self.facets, *self.ranged)

    @property
    def filters(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys([*self.sorts, *self.counted_alone]))

    @cached_property
    def of_values(self) -> Mapping[tuple[str, str], str]:
        """By field and part, the attribute that counts the items with a value, of the fields that are counted alone."""
        found = {}
        for name in self.counted_alone:
            for value in (*values_of(self.field(name).type), None):
                part = self.coders[name].write(value)
                found[name, part] = keys.SEPARATOR.join([name, part])
        return found

    @cached_property
    def fixed(self) -> frozenset[str]:
        """The fields that stay as they are, because keys and addresses have them."""
        return frozenset([*self.owner, self.id_field])

    def field(self, name: str) -> Field:
        return by_name(self.entity)[name]

    def named(self, name: str) -> str:
        """Return the name of a field; "id" stands for the id, if no field has this name."""
        return self.id_field if name == "id" and name not in by_name(self.entity) else name

    def checked(self, name: str, value: Any) -> Any:
        """Return a value of a field as it is stored. Raises :class:`~dynamodb_lists.connection.errors.WrongValue`."""
        return values.checked(by_name(self.entity)[name], value)

    # --- Keys ---------------------------------------------------------------------------------------------

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        """The table and its indexes. In their keys, the values of fields are parts; see :meth:`part_of`."""
        partition = SourceKey("pk", Template(self.of_items.text, coders=dict.fromkeys(self.owner, PART)))
        own = Template(f"{{{self.id_field}}}", coders={} if self.orders_ids else {self.id_field: PART})
        found = [Source("", partition, SourceKey("sk", own))]
        for index, order in self.orders.items():
            coders = {}  # the text of a natural order, and the unit of a number, are parts of their own
            for name in self.keyed_by(order):
                coder = self.coders[name]
                coders[name] = PART._replace(parts=coder.parts + (name in self.units), several=coder.several)
            template = Template(keys.SEPARATOR.join(f"{{{name}}}" for name in coders), coders=coders)
            key = SourceKey(self.key_attribute(index), template)
            some = index in self.projecting or index in self.projected
            lacks = by_name(self.entity).keys() - self.fixed.union(self.shown_in[index]) if some else ()
            rule = () if order.when is None else ({within(index): frozenset([True])},)
            found.append(Source(index, partition, key, rule, frozenset(lacks), whole=not some))
        return tuple(found)

    @cached_property
    def own_keys(self) -> tuple[SourceKey, ...]:
        return self.sources[0].keys

    def place(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the key of the item with these values. Raises: ``KeyPartError``, or ``KeyError`` for a missing one."""
        return self.place_at([each.template.key(values.__getitem__) for each in self.own_keys])

    def place_at(self, texts: Sequence[str]) -> dict[str, Any]:
        """Return the key whose attributes have these texts. Raises: ``ValueError`` if there is no such key."""
        return {each.name: each.wire(text) for each, text in zip(self.own_keys, texts, strict=True)}

    def owns(self, item: RawItem) -> bool:
        """Return whether an item belongs to the list, by the texts of its key."""
        return all(key.template.fits(key_text(item.get(key.name, {}))) for key in self.own_keys)

    def question(self, query: ListQuery) -> Question:
        """Return what is asked of the table and its indexes, with parts of keys for values.

        Whatever a rule holds for is within a sparse list, if it names one: that is asked as well.
        """
        name, asked = self.id_field, dict[str, Condition](query.conditions)
        for owner, part in zip(self.owner, query.owner, strict=True):
            asked[owner] = frozenset([part])
        texts, span = query.exact.get(name), asked.get(name)
        if texts and isinstance(span, Between):  # the table has it as it is
            asked[name] = Spans((span,), tuple(Between(text, text) for text in texts))
        for rule in query.rules:
            asked |= {each: frozenset([True]) for each in (rule.name, within(rule.within)) if each}
        for each in query.conditions.values():
            if isinstance(each, Between) and each.low > each.high:
                asked[name] = frozenset()
        return Question(asked, query.sort, query.descending, query.only or None, (*query.shown, *self.late))

    def agrees(self, query: ListQuery, entity: Any, lacks: Collection[str] = ()) -> bool:
        """Return whether an entity of any owner matches the conditions. Fields that it lacks match."""
        for name, condition in query.conditions.items():
            if name in lacks:
                continue
            if not holds(condition, self.part_of(entity, name)):
                return False
            exact = query.exact.get(name)  # several values have this part
            if exact is not None and (getattr(entity, name) or None) not in {value or None for value in exact}:
                return False
        return not query.rules or all(rule.holds(entity) for rule in query.rules)

    def identity(self, entity: Any) -> tuple[tuple[str, ...], str]:
        """Return the owner and the id of an entity, as parts of keys."""
        return self.owner_of(entity), self.item_id(entity)

    @cached_property
    def of_items(self) -> Template:
        return Template(self.home or keys.SEPARATOR.join([self.name, *(f"{{{name}}}" for name in self.owner)]))

    @cached_property
    def of_counts(self) -> Template:
        return Template(f"{self.of_items.text}#counts{self.generation or ''}")

    @cached_property
    def of_words(self) -> Template:
        return Template(f"{self.of_items.text}#words{self.generation or ''}#{{initials}}")

    def partition(self, owner: Iterable[str]) -> str:
        """Return the partition of an owner's items. Raises: ``KeyPartError``."""
        return self.of_items.key(dict(zip(self.owner, owner, strict=True)).__getitem__)

    def owner_in(self, partition: str, of: Template | None = None) -> tuple[str, ...]:
        """Return the owner in a partition of items or, by the template ``of``, of counts or words."""
        told = (of or self.of_items).values(partition)
        return tuple(str(told[name]) for name in self.owner)

    def counts_partition(self, owner: Iterable[str]) -> str:
        return self.of_counts.key(dict(zip(self.owner, owner, strict=True)).__getitem__)

    def words_partition(self, owner: Iterable[str], initials: str) -> str:
        """Return the partition of an owner's word items with these initials."""
        return keys.compose(*keys.parse(self.partition(owner)), f"words{self.generation or ''}", initials)

    def words_of(self, entity: Any) -> Words:
        """Return the words of an entity. Its fields take turns, so that a long one leaves some words to the others."""
        found = (words_of(str(getattr(entity, name) or "")) for name in self.word_fields)
        return Words(words_of(" ".join(chain.from_iterable(zip_longest(*found, fillvalue="")))))

    def owner_values(self, owner: Iterable[str]) -> dict[str, Any]:
        """Return the values of an owner's fields, from parts of keys."""
        return {name: self.field(name).type(text) for name, text in zip(self.owner, owner, strict=True)}

    def owner_of(self, entity: Any) -> tuple[str, ...]:
        """Return the owner of an entity, as parts of keys."""
        return tuple(str(getattr(entity, name)) for name in self.owner)

    def item_id(self, entity: Any) -> str:
        """Return the id of an entity, as a key. Raises: ``KeyPartError``."""
        return self.own_keys[1].template.key(lambda name: str(getattr(entity, name)))

    @cached_property
    def units(self) -> dict[str, str]:
        """Return the field of the unit of each field of numbers with a unit."""
        return {each.name: each.unit for each in fields(self.entity) if each.unit}

    def part(self, name: str, value: Any, unit: Any = None) -> str:
        """Return a value of a field as one part of a key, or as several. A number with a unit begins with the unit."""
        return self.begin(name, unit) + self.coders[name].write(value)

    def begin(self, name: str, unit: Any) -> str:
        """Return the beginning of the parts of a number with this unit; a blank for other fields."""
        return keys.prefix(str(unit or BLANK)) if name in self.units else ""

    def part_of(self, entity: Any, name: str) -> str:
        """Return the value of an entity's field as a part of a key."""
        text = self.coders[name].write(getattr(entity, name))
        return self.begin(name, getattr(entity, self.units[name])) + text if name in self.units else text

    def parts(self, entity: Any, names: Iterable[str]) -> Iterator[str]:
        """Yield the values of an entity's fields as parts of keys."""
        for name in names:
            yield self.part_of(entity, name)

    def combination(self, entity: Any) -> tuple[str, ...]:
        """Return the values of an entity's facets as parts of keys; without facets, one name for all items."""
        return tuple(map(partial(self.part_of, entity), self.facets)) or ("all",)

    @cached_property
    def coders(self) -> Mapping[str, Coder]:
        """How the values of each field are written in keys. They are not read there: a slug does not tell its text."""
        found = {f"{unit}:unit": Coder(lambda unit: str(unit or BLANK), told=False) for unit in self.units.values()}
        for each in fields(self.entity):
            write = ORDERS[each.order] if self.orders_ids or each.name != self.id_field else str
            several = hasattr(each.type, "key_part")
            found[each.name] = Coder(write, told=False, parts=1 + (write is natural), several=several)
        return found

    def key_attribute(self, index: str) -> str:
        """Return the name of the sort key of an index: ``genre_due_key`` for ``by-genre-due``."""
        return self.orders[index].attribute or f"{index.removeprefix('by-').replace('-', '_')}_key"

    def usual_bytes(self, source: str) -> float:
        """Return about how many bytes an item has in a source, if nothing is learned."""
        return self.entry_bytes if source in self.projecting else 2 * self.entry_bytes

    def item_bytes(self, owner: Iterable[str], source: str) -> float:
        """Return about how many bytes an item of an owner has in a source, as answers have told."""
        usual = self.usual_bytes(source)
        return item_bytes(self.name, self.partition(owner), usual, whole=source not in self.projecting)


def key_text(typed: Mapping[str, Any]) -> str:
    """Return a value of a key as a text; bytes as hex."""
    found = next(iter(typed.values()), "")
    return found.hex() if isinstance(found, bytes) else str(found)


NAME = re.compile(r"[A-Za-z0-9_.-]{3,255}")
