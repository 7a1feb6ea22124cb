"""The base of other apps' imports: each row names a hotel."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from hotelapp.portal.imports.command import ImportCommand, Saved
from hotels import commands
from hotels.entities import Hotel

T = TypeVar("T")

MAX_REMEMBERED = 100_000


class StoredHotels:
    """The ids of hotels that an import has stored, so that it does not store them again for each batch.

    At most a hundred thousand are remembered, however many hotels a file names.
    """

    def __init__(self) -> None:
        self._ids: set[str] = set()

    def __contains__(self, hotel_id: str) -> bool:
        return hotel_id in self._ids

    def add(self, hotel_ids: Iterable[str]) -> None:
        """Remember these hotels."""
        if len(self._ids) > MAX_REMEMBERED:
            self._ids.clear()
        self._ids.update(hotel_ids)


class HotelRowsCommand(ImportCommand[T]):
    """An import of entities that belong to hotels. Hotels that do not exist yet are created, named by their id."""

    id_field: str
    """The field that holds an entity's id."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._hotels = StoredHotels()

    def identity(self, entity: Any) -> str:
        return str(getattr(entity, self.id_field))

    def lane(self, entity: Any) -> str:
        return str(entity.hotel_id)

    def save_entities(self, batch: Sequence[T]) -> tuple[int, Mapping[str, str]]:
        """Write a batch; returns how many were written, and the reasons for refusing others, by id."""
        raise NotImplementedError

    def save(self, batch: Sequence[Any]) -> Saved:
        written, refused = self.save_entities(batch)
        stored = {entity.hotel_id for entity in batch if self.identity(entity) not in refused}
        missing = [hotel_id for hotel_id in stored if hotel_id not in self._hotels]
        for hotel_id in missing:
            commands.add_missing_hotel(Hotel(hotel_id, hotel_id))
        self._hotels.add(missing)
        return written, refused
