"""The counts of a hotel as one compressed text. Both directions are pure functions."""

import json
import zlib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from dynamodb_lists.planning.selection import FacetCounts
from rooms import keys
from rooms.entities.rooms import RoomCounts
from rooms.keys import RoomFacets

UNLABELLED = (None,) * len(keys.LABELLED)


class RoomCount(NamedTuple):
    """A count: its combination, its number of rooms, and its label for each of :data:`keys.LABELLED`, if it has one."""

    facets: RoomFacets
    rooms: int
    labels: tuple[str | None, ...]


def counts_of(counts: Iterable[RoomCount]) -> RoomCounts:
    """The counts for the pages. If two counts label one key part differently, the last one decides."""
    numbers, labels = {}, {}
    for facets, rooms, words in counts:
        numbers[facets] = rooms
        for facet, label in zip(keys.LABELLED, words, strict=True):
            if label is not None:
                labels[facet, getattr(facets, facet)] = label
    return RoomCounts(FacetCounts(keys.FACETS, numbers), labels)


def packed(counts: Iterable[RoomCount]) -> bytes:
    """The counts as compressed JSON: ``{view: {size: {type: rooms}}}``. A nest repeats no key part that lines share.

    A count with labels has a list of the number and the labels instead of the number.
    """
    nest: dict[str, dict[str, dict[str, Any]]] = {}
    for facets, rooms, labels in counts:
        sizes = nest.setdefault(facets.view, {})
        sizes.setdefault(facets.size, {})[facets.type] = rooms if labels == UNLABELLED else [rooms, *labels]
    return zlib.compress(json.dumps(nest, ensure_ascii=False, separators=(",", ":")).encode())


def unpacked(data: bytes) -> list[RoomCount]:
    """The counts in a text of :func:`packed`. Raises :class:`ValueError` for anything else."""
    try:
        return list(_unpacked(json.loads(zlib.decompress(data))))
    except (zlib.error, AttributeError, TypeError, ValueError) as error:
        raise ValueError("These are no packed counts.") from error


def _unpacked(nest: Any) -> Iterator[RoomCount]:
    for view, sizes in nest.items():
        for size, types in sizes.items():
            for type_, count in types.items():
                rooms, *labels = count if isinstance(count, list) else (count, *UNLABELLED)
                yield RoomCount(RoomFacets(view, size, type_), int(rooms), tuple(labels))
