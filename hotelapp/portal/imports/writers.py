"""Several threads that write the rows of an import at the same time."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, Self
from zlib import crc32

Saved = tuple[int, Mapping[Any, str]]
"""The result of a batch: how many rows were not stored like that before, and why others were refused, by identity."""


class Writers:
    """``count`` threads that write batches of at most ``batch_size`` rows.

    ``lane`` gives a text for each row. Rows of the same text change the same counts: one thread writes them all, so
    that its transactions do not wait for those of another thread.
    """

    def __init__(self, save: Callable[[Any], Saved], lane: Callable[[Any], str], count: int, batch_size: int) -> None:
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

    def start(self, rows: Sequence[Any]) -> list[Future[Saved]]:
        """Begin to write these rows, each thread after what it was given before."""
        lanes: dict[int, list[Any]] = defaultdict(list)
        for row in rows:
            lanes[crc32(self._lane(row).encode()) % len(self._threads)].append(row)
        return [
            self._threads[number].submit(copy_context().run, self._save, lane[start : start + self._batch_size])
            for number, lane in lanes.items()
            for start in range(0, len(lane), self._batch_size)
        ]
