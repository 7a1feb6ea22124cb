"""Several threads that write the rows of an import at the same time."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, Self, TypeVar
from zlib import crc32

T = TypeVar("T")


@dataclass(frozen=True)
class Saved:
    """The result of a batch: how many rows were not stored like that before, and the reasons of rejected rows.

    ``refused`` has the reasons by the row's place in the batch.
    """

    written: int
    refused: Mapping[int, str] = field(default_factory=dict)


class StartedBatch(NamedTuple):
    """A batch that is being written: the places of its rows, and the result."""

    places: Sequence[int]
    saved: Future[Saved]


class Writers(Generic[T]):
    """``count`` threads that write batches of at most ``batch_size`` rows.

    ``lane`` gives a text for each row. Rows of the same text change the same counts: one thread writes them all, so
    that its transactions do not wait for those of another thread.
    """

    def __init__(
        self, save: Callable[[Sequence[T]], Saved], lane: Callable[[T], str], count: int, batch_size: int
    ) -> None:
        self._save, self._lane, self._batch_size = save, lane, batch_size
        self._threads = [ThreadPoolExecutor(1, thread_name_prefix="import") for _ in range(count)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Wait for the batches that are being written. Those that have not begun are dropped."""
        for thread in self._threads:
            thread.shutdown(wait=False, cancel_futures=True)
        for thread in self._threads:
            thread.shutdown()

    def start(self, rows: Sequence[T]) -> list[StartedBatch]:
        """Begin to write these rows, each thread after what it was given before."""
        lanes: dict[int, list[int]] = defaultdict(list)
        for place, row in enumerate(rows):
            lanes[crc32(self._lane(row).encode()) % len(self._threads)].append(place)
        return [
            StartedBatch(
                batch, self._threads[number].submit(copy_context().run, self._save, [rows[place] for place in batch])
            )
            for number, places in lanes.items()
            for batch in _cut(places, self._batch_size)
        ]


def result(batches: Sequence[StartedBatch]) -> Saved:
    """Wait until all batches are written. Raises what a writer has raised."""
    written, refused = 0, dict[int, str]()
    for batch in batches:
        saved = batch.saved.result()
        written += saved.written
        refused |= {batch.places[number]: reason for number, reason in saved.refused.items()}
    return Saved(written, refused)


def _cut(places: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    for start in range(0, len(places), size):
        yield places[start : start + size]
