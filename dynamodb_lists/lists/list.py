"""Declared lists: :class:`List` says once what a list is."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import fields as dataclass_fields
from dataclasses import replace
from functools import cached_property, partial
from itertools import product
from types import MappingProxyType
from typing import Any, Generic, TypeVar, cast

from pynamodb.indexes import Index

from dynamodb_lists.connection import configuration
from dynamodb_lists.connection.configuration import Connection, bound, scoped
from dynamodb_lists.connection.errors import UnknownField, WrongDeclaration
from dynamodb_lists.declared.asked import ListQuery, Owner
from dynamodb_lists.declared.declaration import MOST_PROJECTED, Declaration, KeptOrder
from dynamodb_lists.declared.modelled import Modelled
from dynamodb_lists.declared.models import Models
from dynamodb_lists.declared.shapes import Shape
from dynamodb_lists.declared.told import Key, Table, Told, names
from dynamodb_lists.lists import told_writing
from dynamodb_lists.lists.items import readers
from dynamodb_lists.lists.queries import Query
from dynamodb_lists.lists.reading import ListReader
from dynamodb_lists.lists.told import ToldReader
from dynamodb_lists.lists.writing import ListWriter
from dynamodb_lists.schema.entities import Record, fields, listed
from dynamodb_lists.schema.models import ItemModel, WordModel
from dynamodb_lists.schema.tables import create_table, has_list, register, table_name
from dynamodb_lists.writing.changes import ALL, Afterwards, Change, Derive, Function, Seen, Writer

EntityT = TypeVar("EntityT")
Names = str | Sequence[str]
FindChanges = Callable[[], Iterable[Change[EntityT]]]


lists_by_name: "dict[str, List[Any]]" = {}
"""The lists of the program, by their names; one with further writes in place of the one without."""


class List(Generic[EntityT]):
    """A list of entities: in a table of its own, in a :class:`Table` that exists, or of the items of a model.

    ``entity`` is a frozen dataclass, a subclass of :class:`Record`. ``id`` names the field that is unique among the
    items of an owner. ``name`` and ``kind`` are the plural and the word for an item, ``connection`` is where the table
    is, and ``entry_bytes`` is about how many bytes an item has in an index. By default, they follow from the entity and
    the configuration.

    A list in a table of its own takes

    - ``owner``, the fields of the partition; ``facets``, the fields that people filter by, with counts; ``sorts``, the
      fields that people sort by; ``counted``, truth values and enums that people filter by and that no index has: the
      number of items with each value makes their pages cheaper, and a change of a value costs 2 units more;
    - ``orders``, the indexes to keep: by default each sort, each facet before the others, and each facet with each
      sort, as far as indexes have space;
    - ``sparse``, lists of the items that meet a rule; ``words``, the fields whose words are searched;
    - ``expires``, the field with the time after which DynamoDB deletes an item; ``moves``, the field whose changes
      ``outdated`` of a page tells; ``derive``, ``f(before, after, actor)``, which returns the entity to write;
    - ``table``, the name of its table. Lists share a table if one of them names all its indexes: ``home`` is the
      template of a list's partition, such as ``auction#{sale}#lots``, and ``others`` are attributes and indexes of the
      table that are no orders of the list.

    A list in a table that exists takes the :class:`Table` as ``table``; ``key`` and ``keys``, the templates of the keys
    of the table and of indexes; ``marks``, the attributes that tell its items from others; ``writes``, whether
    :meth:`update` may change fields; and ``revision``, the attribute that counts changes. Other methods that write or
    create raise ``WrongDeclaration``.

    A list of a model takes the :class:`ItemModel` as ``table``; ``words``, the model of its words; ``counts``, the
    model of its counts, whose key has the owner and then the facets; ``shards``, a function that returns the number of
    shards to read; and ``writer``, if an entity is more than one item.

    Each call that sends a request raises ``Unavailable`` if DynamoDB does not answer, and ``Refused`` if it refuses,
    for example because the table is missing.

    Raises: ``WrongDeclaration`` if DynamoDB cannot keep such a list.
    """

    def __init__(  # noqa: PLR0913
        self,
        entity: type[EntityT],
        *,
        id: str = "",  # noqa: A002
        owner: Names = (),
        facets: Names = (),
        counted: Names = (),
        sorts: Names = (),
        orders: Iterable[KeptOrder | Names] | None = None,
        sparse: Mapping[str, KeptOrder | Names] | None = None,
        words: Names | type[WordModel] = (),
        moves: Names = (),
        expires: str = "",
        home: str = "",
        others: Mapping[str, Any] = MappingProxyType({}),
        name: str = "",
        kind: str = "",
        table: str | Table | type[ItemModel] = "",
        key: Names = (),
        keys: Mapping[str, Key | str] | None = None,
        marks: Mapping[str, Any] | None = None,
        writes: bool = False,
        revision: str = "",
        entry_bytes: float | None = None,
        shards: Callable[[], int] | None = None,
        writer: Writer[EntityT] | None = None,
        counts: type[ItemModel] | None = None,
        derive: Derive[EntityT] | None = None,
        connection: Connection | None = None,
    ) -> None:
        if derive is not None and not callable(derive):
            raise WrongDeclaration(f"derive= is a function of what was, what is to be, and the author, not {derive!r}.")
        self._derive = derive
        self.left_out: tuple[KeptOrder, ...] = ()
        """The usual orders for which indexes have no space. A list that names its orders leaves out none."""
        more: dict[str, Any] = {"entry_bytes": entry_bytes} if entry_bytes else {}
        if isinstance(table, type):
            table.Meta.table_name = bound(table.Meta.table_name, connection)
            name = bound(name, table.Meta.table_name.connection)
            more |= {"shards": shards, "counted_by": counts, "worded_by": words if isinstance(words, type) else None}
            self._tell(Modelled.of_model(name, id, table, **more))
            self._writer = (writer or Writer()).of(table, words.of if isinstance(words, type) else None, derive)
            return
        if not (isinstance(entity, type) and issubclass(entity, Record)):
            raise WrongDeclaration(f"{entity!r} must be a frozen dataclass, and a subclass of dynamodb_lists.Record.")
        kind = kind or entity.__name__.lower()
        connection = connection or configuration.connection()
        name = bound(name or f"{kind}s", connection)
        if callable(words):
            raise WrongDeclaration(f"The words of {name} must be fields, for table= is no model.")
        if isinstance(table, Table):
            own = {"owner": owner, "facets": facets, "sorts": sorts, "orders": orders, "sparse": sparse, "words": words}
            more_own = {"counted": counted, "expires": expires}
            if given := [option for option, value in {**own, **more_own}.items() if value]:
                raise WrongDeclaration(
                    f"{name} lie in a table that exists already: {given[0]}= is for lists that spell their own keys."
                )
            spelt = {each: Key(told) if isinstance(told, str) else told for each, told in (keys or {}).items()}
            more |= {"marks": marks or {}, "writes": writes, "revision": revision}
            self._tell(Told(name, kind, entity, id, of=table.at(connection), key=names(key), keys=spelt, **more))
            return
        if key or keys:
            raise WrongDeclaration(f"{name} tell their keys: table= must be a Table, which names their attributes.")
        kept, of_rules = tuple(map(_order, orders or ())), {key: _order(order) for key, order in (sparse or {}).items()}
        if orders is None:
            by = names(owner), names(facets), names(sorts)
            kept, self.left_out = _usual_orders(entity, id, *by, sparse=len(of_rules))
        said = names(owner), names(facets), kept, of_rules, names(words), home, names(moves), expires
        found = table_name(table or name, connection)
        beside: list[Any] = [each for each in others.values() if isinstance(each, Index)]
        more["counted_alone"] = names(counted)
        more["projected_beside"] = sum(len(each.Meta.projection.non_key_attributes or ()) for each in beside)
        declared = Declaration(name, kind, entity, id, *said, **more)
        if left := {*names(sorts)} - {field for order in declared.kept for field in order.fields}:
            raise WrongDeclaration(f"{declared.title} have the sort {min(left)!r}, but no order that has it.")
        if scoped(declared.kind, found) in ItemModel.all_models:
            raise WrongDeclaration(
                f"There is already a list of the kind {declared.kind!r}: give this one another kind, or "
                "another connection that has a name."
            )
        try:
            models = Models(declared, found, register, others)
        except TypeError as error:  # a type or a name that no model can have
            raise WrongDeclaration(f"{declared.title}: {error}") from error
        self.declaration: Declaration = declared
        self.reader: ListReader[EntityT] = ListReader(declared, models)
        self._register(found)

    def _tell(self, told: Told) -> None:
        self.declaration, self.reader = told, ToldReader(told)
        self._register(told.of.name)

    def _register(self, table: str) -> None:
        reader = self.reader
        if reader.shape_model:
            has_list(table, self.declaration.keyed, partial(reader.store_shape, Shape.of(self.declaration)))
        lists_by_name[self.name], readers[self.name] = self, reader

    @property
    def name(self) -> str:
        """The name that no other list of the program has; it begins with the name of the connection, if any."""
        return scoped(self.declaration.name)

    @property
    def model(self) -> type[ItemModel]:
        """The model of the list's items."""
        return self._writer.model

    def item(self, entity: EntityT) -> ItemModel:
        """Return the item that a write of this entity stores, with its keys of indexes. Send nothing.

        Raises: ``WrongValue`` if a value cannot be stored.
        """
        return next(item for item in self._writer.items(entity) if isinstance(item, self.model))

    @property
    def ids(self) -> Sequence[str]:
        """The names of the fields that identify an entity: the owner's and the id."""
        return self._writer.ids

    @property
    def models(self) -> Models:
        """The models of the list's items, counts and words."""
        return self.reader.models

    def with_writes(self, *functions: Function) -> "List[EntityT]":
        """Return the same list, whose transactions also have the writes that these functions return, such as a history.

        Each function is called with ``(changes, by)``: all changes of a transaction, and the author. A second call adds
        functions. Several updates of one counter become one with their sum.
        """
        return self._written_by(self._writer.with_writes(*functions))

    def after_writes(self, *functions: Afterwards) -> "List[EntityT]":
        """Return the same list, which calls these functions with ``(changes, by)`` once changes are made.

        If the answer of a transaction is lost, the functions are called once the same change is sent again. So a
        function may be called twice, or, if nobody sends the change again, never.
        """
        return self._written_by(self._writer.after_writes(*functions))

    def by(self, actor: Any) -> "List[EntityT]":
        """Return the same list for changes by ``actor``, whom the functions of :meth:`with_writes` get as ``by``."""
        return self._written_by(self._writer.by(actor), registered=False)

    def _written_by(self, writer: Writer[EntityT], *, registered: bool = True) -> "List[EntityT]":
        other = copy(self)
        other._writer = writer
        if registered and lists_by_name.get(self.name) is self:
            lists_by_name[self.name] = other
        return other

    def create_table(self) -> bool:
        """Create the table with its indexes if it is missing, wait until it is ready, and return whether it was."""
        return create_table(self.models.item.Meta.table_name, expires=self.declaration.expires)

    def query(self, **owner: Any) -> Query[EntityT]:
        """Return a query of the items of an owner, whose fields are named: ``query(library="L1")``. Sends nothing.

        For a list in a table that exists, the arguments are conditions, as in ``where``.

        Raises: ``UnknownField`` for other fields than the owner's.
        """
        if isinstance(self.declaration, Told):
            return Query(self.reader, ListQuery(())).where(**owner)
        return Query(self.reader, ListQuery(self._owner(owner)))

    def get(self, *, consistent: bool = False, **key: Any) -> EntityT:
        """Return one item, by the fields of its owner and by its id: ``get(library="L1", id="F-1")``.

        Raises: ``NotFound`` if there is no such item, ``UnknownField`` for other fields, ``Unreadable`` if the item is
        not as declared.
        Costs: one request, half a read unit for each 4 KB, twice that if ``consistent``.
        """
        values = {self.declaration.named(name): value for name, value in key.items()}
        return self.reader.entity(values, consistent=consistent)

    def get_many(self, keys: Iterable[Mapping[str, Any]], *, consistent: bool = True) -> list[EntityT]:
        """Return the items that exist among these keys, each a mapping of the owner's fields and the id.

        Without ``consistent``, writes of the last moment may be missing.

        Raises: ``UnknownField`` if a key lacks a field or has others, ``Unreadable`` if an item is not as declared.
        Costs: one request for each 100 keys, one read unit for each 4 KB of an item; half without ``consistent``.
        """
        return self.reader.at(map(self.reader.asked_key, keys), consistent=consistent)

    def create(self, new: EntityT | Callable[[], EntityT], *, done: Callable[[EntityT], bool] | None = None) -> EntityT:
        """Add an entity, and return it as it is stored. Write nothing if an equal entity is stored already.

        ``new`` may be a function that returns the entity; it is called again if a condition of another item failed.
        ``done`` tells whether the stored entity counts as equal.

        Raises: ``AlreadyExists`` if another entity has the id, ``Conflict`` if a condition of another item fails,
        ``WrongValue`` if a field, a key or the size of 400 KB does not fit.
        Costs: one transaction: two write units for each KB of the item, one for each index, two for each count.
        """
        return self._writer.create(new, done=done)

    def update(
        self,
        seen: EntityT,
        to: Mapping[str, Any] | EntityT | Callable[[EntityT], EntityT] = MappingProxyType({}),
        /,
        *,
        on: Seen = ALL,
        done: Callable[[EntityT], bool] | None = None,
        **changes: Any,
    ) -> EntityT:
        """Change an entity that was read, and return it as it is stored. A change that is sent again is written once.

        ``to`` has the new values: a mapping of fields, the new entity, or a function that makes it of the stored one.
        ``changes`` are fields, too. The id may change, the owner may not.

        ``on`` says what must still be as it is in ``seen``: by default everything. ``on=("status",)`` requires some
        fields, ``on={"status": "open"}`` requires values if ``seen`` was read again; then other people's changes of
        other fields stay. With ``on=()`` the last writer wins. ``done`` tells of the stored entity whether the change
        was made before, if its values cannot tell, because they have the time.

        A row of a page may lack fields; then the stored entity is read first. In a table that exists, ``on`` is by
        default the fields that change.

        Raises: ``ChangedMeanwhile`` if the stored entity is not as ``on`` says or is deleted, ``AlreadyExists`` if the
        new id is in use, ``UnknownField`` for the owner and for other names, ``WrongValue`` if a value does not fit,
        ``WrongDeclaration`` for a list in a table that exists and does not say ``writes``, ``Unreadable`` if the stored
        item is not as declared.
        Costs: one transaction, as for :meth:`create`, and one read of an item of a page.
        """
        if not isinstance(to, Mapping):
            if type(self.declaration) is Told:
                raise WrongDeclaration(f"{self.declaration.title} lie in a table of others: update fields by values.")
            return self._writer.update(seen, to, on=on, done=done)
        changes = {**to, **changes}
        if type(self.declaration) is Told:
            self._require_known(changes, self.declaration.fixed)
            return cast(EntityT, told_writing.update(cast(Any, self.reader), seen, changes, on, done))
        self._require_known(changes, {*self.declaration.owner})
        return self._writer.update(seen, lambda stored: replace(cast(Any, stored), **changes), on=on, done=done)

    def redact(self, entities: Iterable[EntityT], **values: Any) -> int:
        """Overwrite fields of the entities that still exist, and return how many. Safe to repeat.

        It is for personal data that must go: it requires no revision, and functions of :meth:`with_writes` add nothing.
        A value may be a function of the entity.

        Raises: ``UnknownField`` for a field that is in a key, a count or a word.
        """
        declared = self.declaration
        used = {*declared.owner, declared.id_field, *declared.facets, *declared.counted_alone, *declared.word_fields}
        used = used.union(*(order.fields for order in declared.orders.values()))
        if isinstance(declared, Told):
            used = used.union(*(key.template.names for key in declared.spelt.values()))
        self._require_known(values, used)
        return self._writer.redact(entities, **values)

    def _require_known(self, changes: Mapping[str, Any], fixed: Collection[str]) -> None:
        known = {field.name for field in dataclass_fields(self.declaration.entity)} - {*fixed, "revision"}
        if unknown := changes.keys() - known:
            raise UnknownField(f"{self.declaration.title} have no field {min(unknown)!r} that can be changed.")

    def delete(self, seen: EntityT) -> None:
        """Delete an entity that was read, with its counts and words.

        Raises: ``ChangedMeanwhile`` if somebody has changed or deleted it.
        """
        self._writer.delete(seen)

    def checked(self, entity: EntityT) -> EntityT:
        """Return an entity with its values as they would be stored. Sends nothing.

        Raises: ``WrongValue``, which has the ``field``, if a value, a key or the size of 400 KB does not fit.
        """
        return self._writer.checked(entity)

    def change(self, before: EntityT | None, after: EntityT) -> list[Change[EntityT]]:
        """Return the changes, for :meth:`save`, that make ``after`` of the stored ``before``, or add ``after`` if that
        is ``None``; no change if both are equal. Sends nothing.
        """
        return self._writer.change(before, after)

    def save(self, entities: Iterable[EntityT] | FindChanges[EntityT]) -> int:
        """Add or change many entities, as a file has them, and return how many were new or different. Safe to repeat
        after an error.

        Instead of entities, ``entities`` may be a function that returns changes of :meth:`change`. It is called again
        if somebody has changed one of them meanwhile.

        Raises: ``WrongValue`` if a value does not fit or two entities have one id, ``Conflict`` if others change the
        same items again and again.
        Costs: a consistent read of each entity, and transactions of at most 100 writes.
        """
        if callable(entities):
            return self._writer.save(entities)
        if not isinstance(self._writer, ListWriter):
            raise WrongDeclaration(f"{self.declaration.title} are saved by a function that gives changes.")
        return self._writer.save_all(entities)

    def commit(self, changes: Sequence[Change[EntityT]]) -> None:
        """Make changes of :meth:`change` in one transaction, of at most 100 writes.

        Raises: ``Conflict`` if an item is not as it was read; then no change is made.
        """
        self._writer.commit(changes)

    def without_packing(self) -> "List[EntityT]":
        """Return the same list for several changes. The caller calls :meth:`pack` after the last change."""
        return self._written_by(cast(ListWriter[EntityT], self._writer).without_packing(), registered=False)

    def pack(self, **owner: Any) -> None:
        """Update the packed copy of an owner's counts. Costs: at most 2 read and 5 write units for 4 KB of counts."""
        cast(ListWriter[EntityT], self._writer).pack(self._owner(owner))

    def repack(self, owner: Owner) -> None:
        """Pack the counts of ``owner`` anew, after they were repaired without the transaction of an item."""
        cast(ListWriter[EntityT], self._writer).repack(owner)

    @cached_property
    def _writer(self) -> Writer[EntityT]:
        return ListWriter(self.reader, self._derive)

    def _owner(self, given: Mapping[str, Any]) -> Owner:
        names = self.declaration.owner
        if given.keys() != {*names}:
            words = f"by {' and '.join(names)}" if names else "without an owner"
            raise UnknownField(f"{self.declaration.title} are found {words}, not by {', '.join(given) or 'nothing'}.")
        return tuple(map(str, map(given.__getitem__, names)))


def tables_of_others() -> list[Table]:
    """Return the tables of other programs in which lists of this program lie, without tables of models."""
    declared = (each.declaration for each in lists_by_name.values() if not isinstance(each.declaration, Modelled))
    return [*dict.fromkeys(each.of for each in declared if isinstance(each, Told))]


def _order(given: KeptOrder | Names) -> KeptOrder:
    return given if isinstance(given, KeptOrder) else KeptOrder(*names(given))


def _usual_orders(  # noqa: PLR0913
    entity: Any, id_field: str, owner: Sequence[str], facets: tuple[str, ...], sorts: tuple[str, ...], *, sparse: int
) -> tuple[tuple[KeptOrder, ...], tuple[KeptOrder, ...]]:
    """Return the orders of a list that names none: sorts, each facet before the others, and each facet with each sort.

    So a list by one facet in any sort is one range. An order is one more copy of each item, and costs a write unit for
    each kilobyte of it; a list that is written much and read little should keep fewer. If indexes have no space beside
    the ``sparse`` ones, the last orders of a facet and a sort are left out: the second tuple has them.
    """
    if any(each.name == id_field and each.order for each in fields(entity)):
        sorts = (*dict.fromkeys((*sorts, id_field)),)  # the table has the ids in the order of their texts
    shown = max(len(listed(entity)) - len(owner) - 1, 1)
    rotations = [facets[start:] + facets[:start] for start in range(len(facets)) if len(facets) > 1 or not sorts]
    needed = [*((name,) for name in sorts), *rotations]
    found = tuple(KeptOrder(*by) for by in [*needed, *product(facets, sorts)])
    kept = max(MOST_PROJECTED // shown - sparse, len(needed))
    return found[:kept], found[kept:]
