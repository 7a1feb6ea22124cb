"""The base of other apps' imports: each row names a hotel."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from threading import Lock
from typing import Any

from dynamodb_lists import List
from hotels import commands, queries
from hotels.entities import Hotel
from portal.history.entities import IMPORT, Actor
from portal.imports import Save
from portal.imports.importer import Importer, Planned, T

MAX_REMEMBERED = 100_000
"""The most hotels that an import remembers to have stored, so that it does not store them again for each batch."""


class HotelRowsImport(Importer[T]):
    """An import of entities that belong to hotels. Hotels that do not exist yet are created, named by their id."""

    save_entities: Callable[[Sequence[T], Actor, Save], tuple[int, Mapping[Any, str]]]
    """Writes a batch; returns how many were written, and the reasons for refusing others, by id."""
    plan_entities: Callable[[Sequence[T], Actor], Planned]
    """What it would write."""

    def __init__(self, actor: Actor = IMPORT) -> None:
        super().__init__(actor)
        self._spellings: dict[str, str] = {}
        self._lock = Lock()
        self._add_missing_hotel = lru_cache(MAX_REMEMBERED)(commands.add_missing_hotel)

    def missing_hotels(self, hotel_ids: set[str]) -> set[str]:
        return hotel_ids - queries.known_hotels(hotel_ids).keys()

    def refusals(self, batch: Sequence[Any]) -> dict[Any, str]:
        """Return why rows are refused, by identity: the id of a new hotel differs from another in capitals alone."""
        ids = dict.fromkeys(row.hotel_id for row in batch)  # in the order of the file
        missing = self.missing_hotels(set(ids))
        twins = dict[str, str]()
        for hotel_id in filter(missing.__contains__, ids):
            with self._lock:
                first = self._spellings.setdefault(hotel_id.casefold(), hotel_id)
            twins[hotel_id] = first if first != hotel_id else queries.twin_of(hotel_id)
        text = "hotel_id: there is already a hotel {}, which differs in capitals alone"
        return {self.identity(row): text.format(twin) for row in batch if (twin := twins.get(row.hotel_id))}

    def allowed(self, batch: Sequence[T]) -> tuple[list[T], dict[Any, str]]:
        refused = self.refusals(batch)
        return [row for row in batch if self.identity(row) not in refused], refused

    def plan(self, batch: Sequence[T]) -> Planned:
        allowed, refused = self.allowed(batch)
        changes, others = self.plan_entities(allowed, self.actor)
        return changes, {**refused, **others}

    def save(self, batch: Sequence[Any], save: Save = List.save) -> tuple[int, Mapping[Any, str]]:
        allowed, refused = self.allowed(batch)
        written, others = self.save_entities(allowed, self.actor, save)
        refused |= others
        for hotel_id in {entity.hotel_id for entity in batch if self.identity(entity) not in refused}:
            self._add_missing_hotel(Hotel(hotel_id, hotel_id))
        return written, refused
