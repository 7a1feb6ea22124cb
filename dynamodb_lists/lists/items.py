"""Readers of declared lists by what their tables have: a declaration may be ahead of its table.

A table has a shape; see :mod:`~dynamodb_lists.declared.shapes`. What is declared and not filled is refused by name.
"""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import replace
from time import monotonic
from typing import Any, Generic, Self, TypeVar

from dynamodb_lists.connection import errors, ledger
from dynamodb_lists.connection.configuration import scoped
from dynamodb_lists.declared.asked import ListQuery, Owner
from dynamodb_lists.declared.declaration import Declaration
from dynamodb_lists.declared.models import Models
from dynamodb_lists.declared.shapes import Shape
from dynamodb_lists.declared.told import Misfit
from dynamodb_lists.planning.sources import Source
from dynamodb_lists.reading.items import get_one
from dynamodb_lists.reading.sources import SourceTable
from dynamodb_lists.schema.models import RawItem
from dynamodb_lists.writing.changes import generation_of
from dynamodb_lists.writing.transactions import Put

logger = logging.getLogger(__name__)
T = TypeVar("T")
SHAPE_SECONDS = 10.0
"""After so long a process looks again what a table has that lacks something."""
Misfits = dict[str, Misfit]
"""What a read met beside its rows, by the texts of keys."""

readers: "dict[str, ShapedReader[Any]]" = {}
"""The readers of the lists of the program, by the names of these, which pickled queries have."""


def _reader_of(name: str) -> "ShapedReader[Any]":
    return readers[name]


class ShapedReader(Generic[T]):
    """Knows what the table has of a list, and has a reader for each part of it."""

    def __init__(self, declaration: Declaration, shape_model: Any) -> None:
        self.declaration, self.shape_model = declaration, shape_model
        self.shape: Shape | None = None if shape_model else Shape()
        """What the table has of the list; ``None`` until it is needed. A table of others has everything."""
        self.is_filling = False
        self._until = 0.0
        self._generations: tuple[Any, Any] = self, None

    @property
    def now(self) -> Self:
        """Return the reader of the indexes, counts and words that the table has.

        A process reads the shape once, and again every few seconds as long as the table lacks something. A table
        without a shape counts as complete.
        """
        if self.shape is None or (self._until and monotonic() > self._until):
            self.take_shape(self.stored_shape() or Shape.of(self.declaration))
        found: Self = self._generations[0]
        return found

    @property
    def filling(self) -> Self | None:
        """The reader of the counts and words that are being filled, as far as this process knows."""
        found: Self | None = self._generations[1]
        return found

    def stored_shape(self) -> Shape | None:
        """Return the shape that the table has; ``None`` if nobody has stored one."""
        with ledger.purpose("shape"):
            stored = get_one(self.shape_model, *self.shape_model.key_templates, consistent=True)
        return Shape.of_text(stored["shape"]["S"]) if stored else None

    def store_shape(self, shape: Shape) -> None:
        Put(self.shape_model(*self.shape_model.key_templates, shape=shape.text)).send()
        self.take_shape(shape)

    def take_shape(self, shape: Shape) -> None:
        """Read and write by what the table has."""
        lacks = [*shape.lacks(self.declaration)]
        self._until = monotonic() + SHAPE_SECONDS if lacks else 0
        if shape == self.shape:
            return
        now, filling = shape.filled(self.declaration), None
        if lacks:
            text = "The table of %s lacks %s: run migrate_lists."
            logger.warning(text, self.declaration.name, ", ".join(lacks))
        if shape.fills(self.declaration):
            filling = self._of(self.declaration.having(generation=shape.filling), shape)
            filling.is_filling = True
        reads = self if now == self.declaration else self._of(now, shape)
        self._generations, self.shape = (reads, filling), shape  # at once, for other threads write by both

    def _of(self, part: Declaration, shape: Shape) -> Self:
        """Return the reader of a part of the declared list, or of another generation of the list."""
        reader = self.having(part)
        reader.shape = shape
        return reader

    def having(self, part: Declaration) -> Self:
        raise NotImplementedError

    def meet(self, entity: Any) -> None:
        """Look again what the table has, if the item of an entity is in a generation that has been begun since."""
        if entity and self._until and self.shape and generation_of(entity.revision) > self.shape.tried:
            self.shape = None

    @property
    def lacks(self) -> list[str]:
        """What is declared and the table does not have yet, in words."""
        return [*self.shape.lacks(self.declaration)] if self.now and self.shape else []

    def filled(self, query: ListQuery) -> Self:
        """Return the reader of what the table has. Raises: ``NotFilledYet`` if the query needs more."""
        now = self.now
        if now.declaration is not self.declaration:
            sorts, shape, alone = now.declaration.sorts, self.shape, self.declaration.counted_alone
            missing = [name for name in (*query.sort, *query.conditions) if name not in {*sorts, *alone}]
            missing += [query.only] if query.only and query.only not in now.declaration.sparse else []
            missing += ["search"] if query.typed and shape and not shape.has_words(self.declaration) else []
            if missing:
                raise errors.NotFilledYet(self.declaration.title, missing[0])
        return now

    def __reduce__(self) -> Any:
        return _reader_of, (scoped(self.declaration.name),)


class ItemReader(ShapedReader[T]):
    """Reads items by their keys."""

    def __init__(self, declaration: Declaration, models: Models) -> None:
        super().__init__(declaration, models.shape)
        self.models = models
        self.table = SourceTable(models.item.Meta.table_name, declaration.sources[0].keys)

    def having(self, part: Declaration) -> Self:
        return type(self)(part, self.models.of(part))

    def items(
        self, wanted: Iterable[tuple[Owner, str]], *, consistent: bool = True, misfits: Misfits | None = None
    ) -> dict[tuple[Owner, str], T]:
        """Return the items that exist among these pairs of owner and id."""
        names = *self.declaration.owner, self.declaration.id_field
        keys = (dict(zip(names, (*owner, item_id), strict=True)) for owner, item_id in wanted)
        found = self.at(map(self.declaration.place, keys), consistent=consistent, misfits=misfits)
        return {self.declaration.identity(each): each for each in found}

    def asked_key(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the key of the item with these values. Raises: ``KeyPartError``, ``UnknownField`` for other names."""
        names = dict.fromkeys(name for key in self.declaration.own_keys for name in key.template.names)
        if not names.keys() <= values.keys() <= names.keys() | {*self.declaration.owner}:
            said = " and ".join(f"{name}=" for name in names)
            raise errors.UnknownField(f"{self.declaration.title} are got by {said}.")
        return self.declaration.place(values)

    def entity(self, values: Mapping[str, Any], *, consistent: bool = False) -> T:
        """Return an item by its key. If it is missing, it is read again, consistently, as after a write.

        Raises: ``NotFound``, and ``UnknownField`` if a value is missing, or is none of the key.
        """
        declared = self.declaration
        try:
            place = self.asked_key(values)
        except errors.KeyPartError as error:
            raise errors.NotFound(f"There is no such {declared.kind}: {error}") from error
        try:
            return self.stored(place, consistent=consistent)[1]
        except errors.NotFound:
            if consistent:
                raise
            return self.stored(place)[1]

    def stored(self, place: dict[str, Any], *, consistent: bool = True) -> tuple[RawItem, T]:
        """Return the item with a key, and its entity. Raises :class:`~dynamodb_lists.connection.errors.NotFound`."""
        item = self.raw(place, consistent=consistent)
        if not self.declaration.owns(item):
            raise errors.NotFound(f"There is no such {self.declaration.kind}.")
        entity = self.built(item)
        if isinstance(entity, Misfit):
            raise self._unreadable(entity)
        return item, entity

    def raw(self, place: dict[str, Any], *, consistent: bool = True) -> RawItem:
        """Return an item as it is stored. Raises :class:`~dynamodb_lists.connection.errors.NotFound`."""
        with ledger.purpose("list", unless_given=True):
            found = self.table.item(place, consistent=consistent)
        if found is None:
            raise errors.NotFound(f"There is no such {self.declaration.kind}.")
        return found

    def at(
        self, places: Iterable[dict[str, Any]], *, consistent: bool = True, misfits: Misfits | None = None
    ) -> list[T]:
        """Return the entities that exist among the items with these keys, read a hundred at a time."""
        named = {repr(place): place for place in places}
        with ledger.purpose("list", unless_given=True):
            found = replace(self.table, consistent=consistent).whole([*named.values()])
        built = [self.entity_of(item, misfits) for item in found if item and self.declaration.owns(item)]
        return [entity for entity in built if entity is not None]

    def entity_of(self, item: RawItem, misfits: Misfits | None, source: Source | None = None) -> T | None:
        """Return the entity of an item; if it cannot be read, add a misfit, or raise ``Unreadable``."""
        try:
            found: T | Misfit = self.built(item, source)
        except errors.Unreadable as error:
            if misfits is None:
                raise
            found = Misfit(item, str(error).rstrip("."))
        if not isinstance(found, Misfit):
            return found
        if misfits is None:
            raise self._unreadable(found)
        misfits[self.named(item)] = found
        return None

    def _unreadable(self, misfit: Misfit) -> errors.Unreadable:
        said = f"{self.named(misfit.item)}: {misfit.reason}"
        return errors.Unreadable(f"A stored {self.declaration.kind} is not as declared. {said}.")

    def named(self, item: RawItem) -> str:
        """Return the text of the key that tells an item from others in its list."""
        return item["sk"]["S"]  # type: ignore[no-any-return]

    def built(self, item: RawItem, source: Source | None = None) -> Any:
        """Return the entity of an item. Raises :class:`~dynamodb_lists.connection.errors.Unreadable`."""
        model = self.models.item
        try:
            return model.built(model.decoded(item))
        except errors.Unreadable:
            raise
        except errors.UNREADABLE as error:
            raise errors.Unreadable(f"A {model.kind} of a list is not as declared: {error}") from error
