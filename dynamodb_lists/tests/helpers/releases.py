"""Releases of a program that declare the same list in other ways, in one process, and that write at the same time."""

import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from threading import Event
from typing import Any

from dynamodb_lists import Conflict, ItemModel, List, NotFound
from dynamodb_lists.lists.list import lists_by_name
from dynamodb_lists.schema import tables


def release(entity: type[Any], name: str, kind: str, **options: Any) -> List[Any]:
    """Return a list that another release declares otherwise, in the same table."""
    forget(name, kind)
    return List(entity, name=name, kind=kind, **options)


def forget(table: str, kind: str) -> None:
    """Forget the list of a table, and the models of its kind, so that another release may declare them."""
    for known in [each for each in ItemModel.all_models if each == kind or each.startswith(f"{kind}-")]:
        del ItemModel.all_models[known]
    for known_by_name in (tables._created, tables._registry):
        known_by_name.pop(tables.table_name(table), None)
    lists_by_name.pop(table, None)


def of_another_process(listed: List[Any]) -> List[Any]:
    """Return the list as a process sees it that starts now."""
    listed.reader.shape = None
    return listed


def ids(rows: Sequence[Any]) -> list[str]:
    return [row.number for row in rows]


class Killed(Exception):
    """The process that fills a table ends."""


def killed_after(pages: int) -> Callable[[int], None]:
    """Return what ends a process once so many pages of a table have been worked on."""
    left = iter(range(pages))

    def progress(_: int) -> None:
        if next(left, None) is None:
            raise Killed

    return progress


@contextmanager
def writing(
    listed: List[Any], some: Callable[[random.Random], Any], writers: int = 3, pause: float = 0.01
) -> Iterator[None]:
    """Run writers of a release until the block ends. Each adds, changes and deletes random rows."""
    ended = Event()

    def write(seed: int) -> int:
        draw, done = random.Random(f"{listed.declaration.entity} {seed}"), 0  # noqa: S311
        while not ended.is_set():
            wanted = some(draw)
            key = {name: getattr(wanted, name) for name in listed.ids}
            with suppress(Conflict, NotFound):
                match draw.randrange(4):
                    case 0:
                        listed.create(wanted)
                    case 1:
                        listed.delete(listed.get(**key, consistent=True))
                    case _:
                        seen = listed.get(**key, consistent=True)
                        listed.update(seen, replace(wanted, revision=seen.revision))
                done += 1
            ended.wait(pause)
        return done

    with ThreadPoolExecutor(writers) as pool:
        running = [pool.submit(write, seed) for seed in range(writers)]
        try:
            yield
        finally:
            ended.set()
    assert all(each.result() for each in running)
