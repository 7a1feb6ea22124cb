"""Reads of the items of declared lists by their keys, as entities."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Self, TypeVar

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import UNREADABLE, KeyPartError, NotFound, UnknownField, Unreadable, WrongValue
from dynamodb_lists.declared.asked import Owner
from dynamodb_lists.declared.declaration import Declaration
from dynamodb_lists.declared.models import Models
from dynamodb_lists.declared.told import Misfit
from dynamodb_lists.lists.shaped import ShapedReader
from dynamodb_lists.planning.sources import Source
from dynamodb_lists.reading.sources import SourceTable
from dynamodb_lists.schema.models import RawItem

T = TypeVar("T")
Misfits = dict[str, Misfit]
"""What a read met beside its rows, by the texts of keys."""


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
        """The items that exist among these pairs of owner and id."""
        names = *self.declaration.owner, self.declaration.id_field
        keys = (dict(zip(names, (*owner, item_id), strict=True)) for owner, item_id in wanted)
        found = self.at(map(self.declaration.place, keys), consistent=consistent, misfits=misfits)
        return {self.declaration.identity(each): each for each in found}

    def entity(self, values: Mapping[str, Any], *, consistent: bool = False) -> T:
        """One item by the values in its key. If it is missing, it is read again, consistently, as after a write.

        Raises :class:`~dynamodb_lists.connection.errors.NotFound`, and
        :class:`~dynamodb_lists.connection.errors.UnknownField` if a value is missing, or is none of the key.
        """
        declared = self.declaration
        names = dict.fromkeys(name for key in declared.own_keys for name in key.template.names)
        if not names.keys() <= values.keys() <= names.keys() | {*declared.owner}:
            raise UnknownField(f"{declared.title} are got by {' and '.join(f'{name}=' for name in names)}.")
        try:
            place = declared.place(values)
        except KeyPartError as error:
            raise NotFound(f"There is no such {declared.kind}: {error}") from error
        try:
            return self.stored(place, consistent=consistent)[1]
        except NotFound:
            if consistent:
                raise
            return self.stored(place)[1]

    def stored(self, place: dict[str, Any], *, consistent: bool = True) -> tuple[RawItem, T]:
        """The item with a key, and its entity. Raises :class:`~dynamodb_lists.connection.errors.NotFound`."""
        item = self.raw(place, consistent=consistent)
        if not self.declaration.owns(item):
            raise NotFound(f"There is no such {self.declaration.kind}.")
        entity = self.built(item)
        if isinstance(entity, Misfit):
            raise WrongValue(f"The stored {self.declaration.kind} fits no template: {entity.reason}.")
        return item, entity

    def raw(self, place: dict[str, Any], *, consistent: bool = True) -> RawItem:
        """An item as it is stored. Raises :class:`~dynamodb_lists.connection.errors.NotFound`."""
        with ledger.purpose("list", unless_given=True):
            found = self.table.item(place, consistent=consistent)
        if found is None:
            raise NotFound(f"There is no such {self.declaration.kind}.")
        return found

    def at(
        self, places: Iterable[dict[str, Any]], *, consistent: bool = True, misfits: Misfits | None = None
    ) -> list[T]:
        """The entities that exist among the items with these keys, read a hundred at a time."""
        named = {repr(place): place for place in places}
        with ledger.purpose("list", unless_given=True):
            found = replace(self.table, consistent=consistent).whole([*named.values()])
        built = [self.entity_of(item, misfits) for item in found if item and self.declaration.owns(item)]
        return [entity for entity in built if entity is not None]

    def entity_of(self, item: RawItem, misfits: Misfits | None, source: Source | None = None) -> T | None:
        """The entity of an item of a source, or of the table; ``None`` if it cannot be read: then it is a misfit.

        Without misfits, raises :class:`~dynamodb_lists.connection.errors.Unreadable`.
        """
        try:
            found: T | Misfit = self.built(item, source)
        except Unreadable as error:
            if misfits is None:
                raise
            found = Misfit(item, str(error).rstrip("."))
        if not isinstance(found, Misfit):
            return found
        if misfits is not None:
            misfits[self.named(item)] = found
        return None

    def named(self, item: RawItem) -> str:
        """The text of the key that tells an item from others in its list."""
        return item["sk"]["S"]  # type: ignore[no-any-return]

    def built(self, item: RawItem, source: Source | None = None) -> Any:
        """The entity of an item. Raises :class:`~dynamodb_lists.connection.errors.Unreadable`."""
        model = self.models.item
        try:
            return model.built(model.decoded(item))
        except Unreadable:
            raise
        except UNREADABLE as error:
            raise Unreadable(f"A {model.kind} of a list is not as declared: {error}") from error
