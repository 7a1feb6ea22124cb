"""Demo data: each app names its :class:`Seeder` in its ``AppConfig``.

``manage.py seed_demo`` writes the data of the apps in the order of ``INSTALLED_APPS``. So this package imports no app.
"""

from abc import ABC, abstractmethod
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from django.conf import settings

T = TypeVar("T")
DEFAULT_SEED = 1
NEWEST = datetime(2026, 10, 31, 18, 0, tzinfo=UTC)
"""The time of the newest demo data, where no other time is given."""


@dataclass(frozen=True)
class Collection(Generic[T]):
    """Demo entities of one kind, their number, and the function that writes a batch of them.

    ``save`` returns how many entities of the batch were new or different.
    """

    noun: str
    total: int
    entities: Iterable[T]
    save: Callable[[Sequence[T]], int]


class Seeder(ABC):
    """An app's part of the demo data."""

    options: ClassVar[Sequence[tuple[str, int, str]]] = ()
    """This app's options of ``seed_demo``, which are numbers: for each its name, its default, and what it counts."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add this app's options to ``seed_demo``."""
        for name, default, noun in self.options:
            words = f"Number of {noun} (default: {default})"
            parser.add_argument(f"--{name}", type=size, default=default, metavar="N", help=words)

    def has_data(self) -> bool:
        """Whether this app has data. If so, ``seed_demo --if-empty`` writes nothing."""
        return False

    @abstractmethod
    def collections(self, options: Mapping[str, Any]) -> Iterator[Collection[Any]]:
        """The data to write for these options of the command. The same options always give the same data."""


def unfinished() -> Path:
    """The file that exists while ``seed_demo --if-empty`` writes, and after it was interrupted. It has the time of the
    newest data, so that the next command completes the same data.
    """
    return settings.VAR_DIR / "seeding"


def moment(text: str) -> datetime:
    """The value of an option that is a time in UTC: ``2026-11-23T18:00``. Raises :class:`ValueError`."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def size(text: str) -> int:
    """The value of an option that is a number of entities. Raises :class:`argparse.ArgumentTypeError`."""
    if not text.isdecimal():
        raise ArgumentTypeError(f"{text!r} is not a number")
    return int(text)
