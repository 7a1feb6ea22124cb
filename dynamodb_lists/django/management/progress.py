"""The progress of a command: a bar on a terminal, and in a log a line now and then."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

try:
    from tqdm import tqdm
except ImportError:  # the package without its extra [django]: lines do as well
    tqdm = None  # type: ignore[assignment, misc]

SECONDS = 30
"""A log gets a line after so many seconds, with the batch that is then ready."""


@contextmanager
def shown(out: Any, nouns: str, total: int | None = None, title: str = "") -> Iterator[Callable[[int], Any]]:
    """Gives a function that takes how many more are done. ``out`` is the command's stream of errors."""
    if tqdm is None or not out.isatty():
        yield _lines(out, nouns, total, title)
        return
    with tqdm(total=total, unit=f" {nouns}", desc=title or None) as bar:
        yield bar.update


def _lines(out: Any, nouns: str, total: int | None, title: str) -> Callable[[int], None]:
    done, begun = 0, monotonic()
    said = begun

    def update(more: int) -> None:
        nonlocal done, said
        done += more
        if monotonic() - said >= SECONDS:
            said = monotonic()
            of = f" of {total}" if total else ""
            out.write(f"{f'{title}: ' if title else ''}{done}{of} {nouns}, {said - begun:.0f} s")

    return update
