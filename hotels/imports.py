"""The base of other apps' imports: each row names a hotel."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, ClassVar, TypeVar

from hotelapp.portal.imports.command import ImportCommand, Saved
from hotels import commands
from hotels.entities import Hotel

T = TypeVar("T")

MAX_REMEMBERED = 100_000
"""The most hotels that an import remembers to have stored, so that it does not store them again for each batch."""


class HotelRowsCommand(ImportCommand[T]):
    """An import of entities that belong to hotels. Hotels that do not exist yet are created, named by their id."""

    id_field: ClassVar[str]
    """The field that holds an entity's id."""
    lane_field: ClassVar[str] = "hotel_id"
    """The field with the owner of an entity's counts."""
    save_entities: Callable[[Sequence[T]], Saved]
    """Writes a batch; returns how many were written, and the reasons for refusing others, by id."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._add_missing_hotel = lru_cache(MAX_REMEMBERED)(commands.add_missing_hotel)

    def identity(self, entity: Any) -> str:
        return str(getattr(entity, self.id_field))

    def lane(self, entity: Any) -> str:
        return str(getattr(entity, self.lane_field))

    def save(self, batch: Sequence[Any]) -> Saved:
        written, refused = self.save_entities(batch)
        for hotel_id in {entity.hotel_id for entity in batch if self.identity(entity) not in refused}:
            self._add_missing_hotel(Hotel(hotel_id, hotel_id))
        return written, refused
