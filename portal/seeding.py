"""What the apps' demo data have in common. Each app has its own in ``demo_data`` of its module ``seeding``."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Generic, TypeVar

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
