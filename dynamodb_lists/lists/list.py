"""Declared lists: :class:`List` says once what a list is."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import fields as dataclass_fields
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Generic, TypeVar, cast

from dynamodb_lists.connection.errors import UnknownField, WrongDeclaration
from dynamodb_lists.declared.asked import ListQuery, Owner
from dynamodb_lists.declared.declaration import MOST_PROJECTED, Declaration
from dynamodb_lists.declared.kept_orders import KeptOrder, usual_orders
from dynamodb_lists.declared.modelled import Modelled
from dynamodb_lists.declared.models import Models
from dynamodb_lists.declared.told import Key, Table, Told, names
from dynamodb_lists.lists.queries import Query
from dynamodb_lists.lists.reading import ListReader
from dynamodb_lists.lists.told import ToldReader
from dynamodb_lists.lists.told_writing import ToldWriter
from dynamodb_lists.lists.writing import ListWriter
from dynamodb_lists.schema.entities import Record, listed
from dynamodb_lists.schema.models import ItemModel, kinds
from dynamodb_lists.schema.tables import create_table, register, table_name
from dynamodb_lists.writing.changes import ALL, Afterwards, Function, Seen

EntityT = TypeVar("EntityT")
Names = str | Sequence[str]


lists_by_name: "dict[str, List[Any]]" = {}
"""The lists of the program, by their names; one with further writes in place of the one without."""

TAUGHT = ("owner", "facets", "sorts", "orders", "sparse", "words")
"""What a list says that spells its own keys."""


class List(Generic[EntityT]):
    """A list of entities in a table of its own.

    ``entity`` is a frozen dataclass, a subclass of :class:`~dynamodb_lists.Record`. ``id`` names the field that is
    unique among the items of an ``owner``, which is a field or several, or none. ``facets`` are the fields whose values
    people choose from, and ``sorts`` those that lists are sorted by and of which they show ranges.

    ``orders`` are the indexes that are kept, each an :class:`~dynamodb_lists.KeptOrder` or the names of its fields; by
    default, one for each sort, and one for each facet and then each sort, but for those ``left_out``. ``sparse`` are
    lists of the items for which a rule holds. ``words`` are the fields by whose words items are found.

    A list lies in a :class:`~dynamodb_lists.Table` that exists already if ``key`` has the templates of the table's key,
    and ``keys`` those of its indexes; see :mod:`dynamodb_lists.declared.told`. It is only read, unless it ``writes``.

    Or ``table`` is the model of its items, which tells its keys; see :mod:`dynamodb_lists.declared.modelled`. The
    program writes such items itself. ``entry_bytes`` is about how many bytes an item has in an index, and ``shards``
    gives the number of shards that are read, where keys have a ``{shard}``.

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
        words: Names = (),
        name: str = "",
        kind: str = "",
        table: str | Table | type[ItemModel] = "",
        key: Names = (),
        keys: Mapping[str, Key | str] | None = None,
        marks: Mapping[str, Any] | None = None,
        writes: bool = False,
        revision: str = "",
        entry_bytes: float = 500,
        shards: Callable[[], int] | None = None,
    ) -> None:
        self.left_out: tuple[KeptOrder, ...] = ()
        """The usual orders for which indexes have no space. A list that names its orders leaves out none."""
        if isinstance(table, type):
            self._tell(Modelled.of_model(name, id, table, entry_bytes=entry_bytes, shards=shards))
            return
        if not (isinstance(entity, type) and issubclass(entity, Record)):
            raise WrongDeclaration(f"{entity!r} must be a frozen dataclass, and a subclass of dynamodb_lists.Record.")
        kind = kind or entity.__name__.lower()
        name = name or f"{kind}s"
        if isinstance(table, Table):
            taught = zip(TAUGHT, (owner, facets, sorts, orders, sparse, words), strict=True)
            if given := [option for option, value in taught if value]:
                raise WrongDeclaration(
                    f"{name} lie in a table that exists already: {given[0]}= is for lists that spell their own keys."
                )
            spelt = {each: Key(told) if isinstance(told, str) else told for each, told in (keys or {}).items()}
            more: Any = {"marks": marks or {}, "writes": writes, "revision": revision}
            self._tell(Told(name, kind, entity, id, of=table, key=names(key), keys=spelt, **more))
            return
        if key or keys:
            raise WrongDeclaration(f"{name} tell their keys: table= must be a Table, which names their attributes.")
        by_facet, by_sort = names(facets), names(sorts)
        of_rules = {key: _order(order) for key, order in (sparse or {}).items()}
        most = MOST_PROJECTED // max(len(listed(cast(Any, entity))) - len(names(owner)) - 1, 1) - len(of_rules)
        usual, left_out = usual_orders(by_facet, by_sort, most)
        kept = usual if orders is None else tuple(map(_order, orders))
        self.left_out = left_out if orders is None else ()
        self.declaration: Declaration = Declaration(
            name, kind, entity, id, names(owner), by_facet, kept, of_rules, names(words)
        )
        if left := {*by_sort} - {field for order in kept for field in order.fields}:
            raise WrongDeclaration(f"{self.declaration.title} have the sort {min(left)!r}, but no order that has it.")
        if kind in kinds():
            raise WrongDeclaration(f"There is already a list of the kind {kind!r}: give this one another kind.")
        try:
            models = Models(self.declaration, table_name(table or name), register)
        except TypeError as error:  # a type or a name that no model can have
            raise WrongDeclaration(f"{self.declaration.title}: {error}") from error
        self.reader: ListReader[EntityT] = ListReader(self.declaration, models)
        lists_by_name[name] = self

    def _tell(self, told: Told) -> None:
        self.declaration, self.reader = told, ToldReader(told)
        lists_by_name[told.name] = self

    @property
    def models(self) -> Models:
        """The models of its items. Raises :class:`WrongDeclaration` for a list over a table that exists already."""
        return self.reader.models

    def with_writes(self, *functions: Function) -> "List[EntityT]":
        """The same list, whose transactions also have the writes that these functions return, such as a history.

        A function takes all changes of a transaction, and who makes them: ``(changes, by) -> writes``. A second call
        adds to the functions of the first. Updates of one item are added up, so that they may count in it.
        """
        return self._written_by(self._writer.with_writes(*functions))

    def after_writes(self, *functions: Afterwards) -> "List[EntityT]":
        """The same list, which calls these functions with ``(changes, by)`` after each transaction.

        They are not called if it fails, nor if its answer is lost. So what they do may be missing.
        """
        return self._written_by(self._writer.after_writes(*functions))

    def by(self, actor: Any) -> "List[EntityT]":
        """The same list for changes that ``actor`` makes, whom the functions of :meth:`with_writes` get."""
        return self._written_by(self._writer.by(actor), registered=False)

    def _written_by(self, writer: ListWriter[EntityT], *, registered: bool = True) -> "List[EntityT]":
        other = copy(self)
        other._writer = writer
        if registered:
            lists_by_name[self.declaration.name] = other
        return other

    def create_table(self) -> bool:
        """Create the table with its indexes if it is missing, and wait until it is ready; whether it was missing."""
        return create_table(self.models.item.Meta.table_name)

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
        if isinstance(self.reader, ToldReader):
            return cast(EntityT, self.reader.entity(key, consistent=consistent))
        name = "id" if "id" in key else self.declaration.id_field
        if name not in key:
            raise UnknownField(f"{self.declaration.title} are got by their id: get({self.declaration.id_field}=...).")
        item_id = str(key.pop(name))
        return self.reader.item(self._owner(key), item_id, consistent=consistent)

    def get_many(self, keys: Iterable[Mapping[str, Any]]) -> list[EntityT]:
        """The items that exist among these keys, each the values of its fields; read a hundred at a time."""
        return cast(ToldReader[EntityT], self.reader).entities(keys)

    def create(self, entity: EntityT) -> EntityT:
        """Add an entity, and return it as it is stored. To add the same again has no effect.

        Raises :class:`~dynamodb_lists.connection.errors.Conflict` if its id is in use.
        """
        return self._writer.create(entity)

    def update(
        self,
        seen: EntityT,
        values: Mapping[str, Any] = MappingProxyType({}),
        /,
        *,
        on: Seen = ALL,
        done: Callable[[EntityT], bool] | None = None,
        **changes: Any,
    ) -> EntityT:
        """Change an entity that was seen, and return it as it is stored. To make the same change again has no effect.

        ``on`` says what must be as it was seen: by default everything, so that nobody has written it since; some
        fields, such as ``("status",)``: if others changed other fields meanwhile, the change is made of what is stored;
        or nothing, with ``()``: then the last writer wins. ``done`` says of the stored entity whether it has been
        changed already, if its values alone cannot tell, because they have the time. ``values`` is for fields that are
        called ``on`` or ``done``. The id may change, but not the owner.

        If lists do not show all fields, the stored entity is read first, for a row of a list lacks some.
        Raises :class:`~dynamodb_lists.connection.errors.ChangedMeanwhile` if it is not as seen any more,
        :class:`~dynamodb_lists.connection.errors.Conflict` if its new id is in use, and
        :class:`~dynamodb_lists.connection.errors.UnknownField` for a field that it does not have, or that is its owner.
        """
        changes = {**values, **changes}
        if isinstance(self.reader, ToldReader):
            return cast(EntityT, ToldWriter(self.reader).update(seen, changes))
        self._require_known(changes, {*self.declaration.owner})
        return self._writer.update(seen, lambda stored: replace(cast(Any, stored), **changes), on=on, done=done)

    def redact(self, entities: Iterable[EntityT], **values: Any) -> int:
        """Overwrite fields of those of these entities that exist; returns how many. It is safe to repeat.

        It is for personal data that must go: it asks for no revision, and :meth:`with_writes` adds nothing to it.
        Raises :class:`~dynamodb_lists.connection.errors.UnknownField` for a field that is in a key, a count or a word.
        """
        declared = self.declaration
        used = {*declared.owner, declared.id_field, *declared.facets, *declared.word_fields}
        self._require_known(values, used.union(*(order.fields for order in declared.orders.values())))
        return self._writer.redact(entities, **values)

    def _require_known(self, changes: Mapping[str, Any], fixed: Collection[str]) -> None:
        known = {field.name for field in dataclass_fields(self.declaration.entity)} - {*fixed, "revision"}
        if unknown := changes.keys() - known:
            raise UnknownField(f"{self.declaration.title} have no field {min(unknown)!r} that can be changed.")

    def delete(self, seen: EntityT) -> None:
        """Delete an entity that was seen. Raises :class:`~dynamodb_lists.connection.errors.ChangedMeanwhile`."""
        self._writer.delete(seen)

    def save(self, entities: Iterable[EntityT]) -> int:
        """Add or change many entities, as a file names them; returns how many were new or different.

        To save the same again has no effect, so it can be repeated after an error. Each id may occur once.
        """
        return self._writer.save_all(entities)

    def repack(self, owner: Owner) -> None:
        """Pack the counts of an owner anew, after they were repaired without the transaction of an item."""
        self._writer.repack(owner)

    @cached_property
    def _writer(self) -> ListWriter[EntityT]:
        return ListWriter(self.reader)

    def _owner(self, given: Mapping[str, Any]) -> Owner:
        """The owner's fields as parts of keys."""
        names = self.declaration.owner
        if given.keys() != {*names}:
            words = f"by {' and '.join(names)}" if names else "without an owner"
            raise UnknownField(f"{self.declaration.title} are found {words}, not by {', '.join(given) or 'nothing'}.")
        return tuple(str(given[name]) for name in names)


def _order(given: KeptOrder | Names) -> KeptOrder:
    return given if isinstance(given, KeptOrder) else KeptOrder(*names(given))
