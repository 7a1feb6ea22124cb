"""The base of other apps' imports: each row names a hotel."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from hotelapp.dynamodb.writing.changes import OPEN_GATE, Gate
from hotelapp.history.entities import IMPORT, Actor
from hotelapp.portal.imports.importer import Importer, Planned, Saved
from hotels import commands, queries
from hotels.entities import Hotel

T = TypeVar("T")

MAX_REMEMBERED = 100_000
"""The most hotels that an import remembers to have stored, so that it does not store them again for each batch."""


class HotelRowsImport(Importer[T]):
    """An import of entities that belong to hotels. Hotels that do not exist yet are created, named by their id."""

    save_entities: Callable[[Sequence[T], Actor, Gate], Saved]
    """Writes a batch; returns how many were written, and the reasons for refusing others, by id."""
    plan_entities: Callable[[Sequence[T], Actor], Planned]
    """What it would write."""

    def __init__(self, actor: Actor = IMPORT) -> None:
        super().__init__(actor)
        self._add_missing_hotel = lru_cache(MAX_REMEMBERED)(commands.add_missing_hotel)

    def missing_hotels(self, hotel_ids: set[str]) -> set[str]:
        return hotel_ids - queries.known_hotels(hotel_ids).keys()

    def plan(self, batch: Sequence[T]) -> Planned:
        return self.plan_entities(batch, self.actor)

    def save(self, batch: Sequence[Any], gate: Gate = OPEN_GATE) -> Saved:
        written, refused = self.save_entities(batch, self.actor, gate)
        for hotel_id in {entity.hotel_id for entity in batch if self.identity(entity) not in refused}:
            self._add_missing_hotel(Hotel(hotel_id, hotel_id))
        return written, refused
