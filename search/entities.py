"""The plain values of the search: what was found, and how a page or the command palette shows it."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Finds:
    """What was found of one kind: the first hits, and whether there may be more."""

    kind: str
    hits: tuple[Any, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class Hit:
    """A thing that was found: its name, what tells it from others, and its address."""

    title: str
    description: str
    address: str


@dataclass(frozen=True, slots=True)
class Section:
    """What was found of one kind, under a heading. ``all_address`` is that of a list of all hits, or blank.

    ``icon`` is the name of a Material symbol.
    """

    kind: str
    label: str
    icon: str
    hits: tuple[Hit, ...]
    more: bool
    all_address: str
