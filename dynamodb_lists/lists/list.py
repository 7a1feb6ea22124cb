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
from dynamodb_lists.declared.declaration import MOST_PROJECTED, Declaration
from dynamodb_lists.declared.kept_orders import KeptOrder
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
    """A list of entities in a table of its own, in a :class:`~dynamodb_lists.Table` that exists, or of a model's items.

    README.md says what each argument is, and what each of the three takes. Beside these, a list of a model takes

    - ``words``, the model of the items of its words;
    - ``counts``, a model of how many items an owner has of each combination: its key has the owner, and then the
      facets, and its only attribute is the number;
    - ``shards``, which gives the number of shards that are read, where keys have a ``{shard}``;
    - ``writer``, for entities that are more than one item, or that need more than that to be written.

    ``entry_bytes`` is about how many bytes an item has in an index. ``connection`` is where the table is: by default,
    what is configured when the list is declared, and of a list over a model, what :func:`~dynamodb_lists.table_name`
    was given.

    Raises :class:`~dynamodb_lists.connection.errors.WrongDeclaration` if DynamoDB cannot keep such a list.
    """

    def __init__(  # noqa: PLR0913
        self,
        entity: type[EntityT],
        *,
        id: str = "",  # noqa: A002
        owner: Names = (),
        facets: Names = (),
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
            if given := [option for option, value in {**own, "expires": expires}.items() if value]:
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
        more["projected_beside"] = sum(len(each.Meta.projection.non_key_attributes or ()) for each in beside)
        self._teach(Declaration(name, kind, entity, id, *said, **more), names(sorts), found, others)

    def _teach(self, declared: Declaration, sorts: Sequence[str], table: str, others: Mapping[str, Any]) -> None:
        """Be the list of this declaration, which spells its own keys."""
        if left := {*sorts} - {field for order in declared.kept for field in order.fields}:
            raise WrongDeclaration(f"{declared.title} have the sort {min(left)!r}, but no order that has it.")
        if scoped(declared.kind, table) in ItemModel.all_models:
            raise WrongDeclaration(
                f"There is already a list of the kind {declared.kind!r}: give this one another kind, or "
                "another connection that has a name."
            )
        try:
            models = Models(declared, table, register, others)
        except TypeError as error:  # a type or a name that no model can have
            raise WrongDeclaration(f"{declared.title}: {error}") from error
        self.declaration: Declaration = declared
        self.reader: ListReader[EntityT] = ListReader(declared, models)
        self._register(table)

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
        """The name that no other list of the program has: that of its connection comes first, if it has one."""
        return scoped(self.declaration.name)

    @property
    def model(self) -> type[ItemModel]:
        """The model of its items."""
        return self._writer.model

    def item(self, entity: EntityT) -> ItemModel:
        """The item of an entity, as it is written, with the keys of the indexes in which it is."""
        return next(item for item in self._writer.items(entity) if isinstance(item, self.model))

    @property
    def ids(self) -> Sequence[str]:
        """The fields that identify an entity."""
        return self._writer.ids

    @property
    def models(self) -> Models:
        """The models of its items, counts and words. Raises :class:`WrongDeclaration` if its keys are told."""
        return self.reader.models

    def with_writes(self, *functions: Function) -> "List[EntityT]":
        """The same list, whose transactions also have the writes that these functions return, such as a history.

        A function takes all changes of a transaction, and who makes them: ``(changes, by) -> writes``. A second call
        adds to the functions of the first. Updates of one item are added up, so that they may count in it.
        """
        return self._written_by(self._writer.with_writes(*functions))

    def after_writes(self, *functions: Afterwards) -> "List[EntityT]":
        """The same list, which calls these functions with ``(changes, by)`` once changes are made.

        If the answer of a transaction is lost, they are called when its change is asked for again, and found as made.
        Nobody may ask again, or the program may end in between. So what they do may be missing, or be done twice.
        """
        return self._written_by(self._writer.after_writes(*functions))

    def by(self, actor: Any) -> "List[EntityT]":
        """The same list for changes that ``actor`` makes, whom the functions of :meth:`with_writes` get."""
        return self._written_by(self._writer.by(actor), registered=False)

    def _written_by(self, writer: Writer[EntityT], *, registered: bool = True) -> "List[EntityT]":
        other = copy(self)
        other._writer = writer
        if registered and lists_by_name.get(self.name) is self:
            lists_by_name[self.name] = other
        return other

    def create_table(self) -> bool:
        """Create the table with its indexes if it is missing, and wait until it is ready; whether it was missing."""
        return create_table(self.models.item.Meta.table_name, expires=self.declaration.expires)

    def query(self, **owner: Any) -> Query[EntityT]:
        """A query of the items of an owner; of a list whose keys are told, of those with these values.

        Raises :class:`~dynamodb_lists.connection.errors.UnknownField`.
        """
        if isinstance(self.declaration, Told):
            return Query(self.reader, ListQuery(())).where(**owner)
        return Query(self.reader, ListQuery(self._owner(owner)))

    def get(self, *, consistent: bool = False, **key: Any) -> EntityT:
        """One item by its owner and its id, which ``id`` or the name of its field gives.

        Raises :class:`~dynamodb_lists.connection.errors.NotFound`, and
        :class:`~dynamodb_lists.connection.errors.UnknownField` for another key.
        """
        values = {self.declaration.named(name): value for name, value in key.items()}
        return self.reader.entity(values, consistent=consistent)

    def get_many(self, keys: Iterable[Mapping[str, Any]], *, consistent: bool = True) -> list[EntityT]:
        """The items that exist among these keys, each the values of its fields; read a hundred at a time.

        Without ``consistent``, they may miss writes of the last moment, and cost half.
        """
        return self.reader.at(map(self.declaration.place, keys), consistent=consistent)

    def create(self, new: EntityT | Callable[[], EntityT], *, done: Callable[[EntityT], bool] | None = None) -> EntityT:
        """Add an entity, and return it as it is stored. To add the same again has no effect.

        The same is an equal entity, or one of which ``done`` says so. ``new`` may be a function that makes it of what
        is stored. It is called again if the condition of another item did not hold.
        Raises :class:`~dynamodb_lists.connection.errors.Conflict` if its id is in use, or if what it belongs to does
        not exist.
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
        """Change an entity that was seen, and return it as it is stored. To make the same change again has no effect.

        ``to`` is the entity as it is to be, a function that makes it of the stored one, or fields with their values, as
        are ``changes``.
        ``on`` says what must be as it was seen: by default everything, so that nobody has written it since; some
        fields, such as ``("status",)``, or ``{"status": "open"}`` if ``seen`` was read since: if others changed other
        fields meanwhile, the change is made of what is stored; or nothing, with ``()``: then the last writer wins.
        ``done`` says of the stored entity whether it has been changed already, if its values alone cannot tell, because
        they have the time. The id may change, but not the owner.

        If lists do not show all fields, the stored entity is read first, for a row of a list lacks some. In a table of
        others, which need not count changes, the default is that the fields which change are as they were seen.
        Raises :class:`~dynamodb_lists.connection.errors.ChangedMeanwhile` if it is not as seen any more,
        :class:`~dynamodb_lists.connection.errors.Conflict` if its new id is in use, and
        :class:`~dynamodb_lists.connection.errors.UnknownField` for a field that it does not have, or that is its owner.
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
        """Overwrite fields of those of these entities that exist; returns how many. It is safe to repeat.

        It is for personal data that must go: it asks for no revision, and :meth:`with_writes` adds nothing to it. A
        value may be a function, which gives it for an entity.
        Raises :class:`~dynamodb_lists.connection.errors.UnknownField` for a field that is in a key, a count or a word.
        """
        declared = self.declaration
        used = {*declared.owner, declared.id_field, *declared.facets, *declared.word_fields}
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
        """Delete an entity that was seen. Raises :class:`~dynamodb_lists.connection.errors.ChangedMeanwhile`."""
        self._writer.delete(seen)

    def checked(self, entity: EntityT) -> EntityT:
        """An entity with values as they are stored. It sends no request.

        Raises :class:`~dynamodb_lists.connection.errors.WrongValue`, which names the ``field``, for a value that its
        field does not take, or that is too long for the keys or for the item.
        """
        return self._writer.checked(entity)

    def change(self, before: EntityT | None, after: EntityT) -> list[Change[EntityT]]:
        """The change of an entity that is stored as ``before``, or new, for :meth:`save`; none if both are the same."""
        return self._writer.change(before, after)

    def save(self, entities: Iterable[EntityT] | FindChanges[EntityT]) -> int:
        """Add or change many entities, as a file names them; returns how many were new or different.

        To save the same again has no effect, so it can be repeated after an error. Each id may occur once.
        A function may give the changes, of :meth:`change`, instead of entities. It is called again if others have
        changed one of them meanwhile.
        """
        if callable(entities):
            return self._writer.save(entities)
        if not isinstance(self._writer, ListWriter):
            raise WrongDeclaration(f"{self.declaration.title} are saved by a function that gives changes.")
        return self._writer.save_all(entities)

    def commit(self, changes: Sequence[Change[EntityT]]) -> None:
        """Make changes, of :meth:`change`, in one transaction, even if there are none but other writes.

        Raises :class:`~dynamodb_lists.connection.errors.Conflict`.
        """
        self._writer.commit(changes)

    def without_packing(self) -> "List[EntityT]":
        """The same list for whoever makes several changes, and calls :meth:`pack` after the last one."""
        return self._written_by(cast(ListWriter[EntityT], self._writer).without_packing(), registered=False)

    def pack(self, **owner: Any) -> None:
        """Bring the packed copy of the counts of an owner up to date."""
        cast(ListWriter[EntityT], self._writer).pack(self._owner(owner))

    def repack(self, owner: Owner) -> None:
        """Pack the counts of an owner anew, after they were repaired without the transaction of an item."""
        cast(ListWriter[EntityT], self._writer).repack(owner)

    @cached_property
    def _writer(self) -> Writer[EntityT]:
        return ListWriter(self.reader, self._derive)

    def _owner(self, given: Mapping[str, Any]) -> Owner:
        """The owner's fields as parts of keys."""
        names = self.declaration.owner
        if given.keys() != {*names}:
            words = f"by {' and '.join(names)}" if names else "without an owner"
            raise UnknownField(f"{self.declaration.title} are found {words}, not by {', '.join(given) or 'nothing'}.")
        return tuple(map(str, map(given.__getitem__, names)))


def tables_of_others() -> list[Table]:
    """The tables of others in which lists of the program lie. Those of its models have items of other models, too."""
    declared = (each.declaration for each in lists_by_name.values() if not isinstance(each.declaration, Modelled))
    return [*dict.fromkeys(each.of for each in declared if isinstance(each, Told))]


def _order(given: KeptOrder | Names) -> KeptOrder:
    return given if isinstance(given, KeptOrder) else KeptOrder(*names(given))


def _usual_orders(  # noqa: PLR0913
    entity: Any, id_field: str, owner: Sequence[str], facets: tuple[str, ...], sorts: tuple[str, ...], *, sparse: int
) -> tuple[tuple[KeptOrder, ...], tuple[KeptOrder, ...]]:
    """The orders of a list that names none: each sort, each facet before the others, and each facet and then each sort.

    So a list by one facet in any sort is one range. An order is one more copy of each item, and costs a write unit for
    each kilobyte of it: who writes much and reads little keeps fewer. The last orders of a facet and a sort may be left
    out, because indexes have no space beside so many ``sparse`` ones: the second tuple has them.
    """
    if any(each.name == id_field and each.order for each in fields(entity)):
        sorts = (*dict.fromkeys((*sorts, id_field)),)  # the table has the ids in the order of their texts
    shown = max(len(listed(entity)) - len(owner) - 1, 1)
    rotations = [facets[start:] + facets[:start] for start in range(len(facets)) if len(facets) > 1 or not sorts]
    needed = [*((name,) for name in sorts), *rotations]
    found = tuple(KeptOrder(*by) for by in [*needed, *product(facets, sorts)])
    kept = max(MOST_PROJECTED // shown - sparse, len(needed))
    return found[:kept], found[kept:]
