"""What a table has of a list: its shape. A declaration may be ahead of it. Pure functions.

The shape is an item of the table. :func:`~dynamodb_lists.maintenance.migration.migrate_list` brings it to the
declaration. Until then pages are read by what the table has; see :meth:`Shape.filled`.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from dynamodb_lists.declared.declaration import Declaration

Spelt = tuple[str, ...]


@dataclass(frozen=True)
class Shape:
    """What a table has of a list: the facets that are counted, the fields with words, and the indexes that are full.

    ``projected`` are the fields that indexes have beside keys, where they do not have whole items. Each time that
    items are counted by other facets, or have other words, is a new ``generation``, beside which the one before stays.
    ``filling`` is the generation that is being written, with its facets and words; 0 for none. ``tried`` is the last
    one that anybody has begun.
    """

    facets: Spelt = ()
    words: Spelt = ()
    orders: Mapping[str, str] = field(default_factory=dict)
    projected: Mapping[str, Spelt] = field(default_factory=dict)
    generation: int = 0
    tried: int = 0
    filling: int = 0
    filling_facets: Spelt = ()
    filling_words: Spelt = ()

    @classmethod
    def of(cls, declared: Declaration) -> "Shape":
        """Return the shape of a table that has all that is declared."""
        projected = {index: tuple(declared.shown_in[index]) for index in declared.projecting}
        return cls(declared.counted, declared.worded, declared.keyed, projected)

    @classmethod
    def of_text(cls, text: str) -> "Shape":
        said: dict[str, Any] = json.loads(text)
        lists = {name: tuple(value) for name, value in said.items() if isinstance(value, list)}
        values: dict[str, Any] = {**said, **lists}
        projected = {index: tuple(names) for index, names in values.pop("projected").items()}
        return cls(**values, projected=projected)

    @property
    def text(self) -> str:
        """The shape as JSON, as it is stored."""
        return json.dumps(asdict(self), sort_keys=True)

    def has_words(self, declared: Declaration) -> bool:
        return self.words == declared.worded

    def has_counts(self, declared: Declaration) -> bool:
        return self.facets == declared.counted and self.has_words(declared)

    def begun(self, declared: Declaration) -> "Shape":
        """Return the shape with a new generation, which is being written."""
        number, facets, words = self.tried + 1, declared.counted, declared.worded
        return replace(self, tried=number, filling=number, filling_facets=facets, filling_words=words)

    def fills(self, declared: Declaration) -> bool:
        """Return whether a migration is filling a generation of the list."""
        return bool(self.filling) and (self.filling_facets, self.filling_words) == (declared.counted, declared.worded)

    def filled(self, declared: Declaration) -> Declaration:
        """Return the part of a declaration that the table has, by which pages are read."""
        full = {index for index, text in declared.keyed.items() if self.orders.get(index) == text}
        # If an index lacks fields that lists show, because it is older, their values are read by key.
        shown = declared.having(projected={}).shown_in
        late = {index: has for index, has in self.projected.items() if index in full and {*shown[index]} - {*has}}
        return declared.part_in(self, full, late)

    def lacks(self, declared: Declaration) -> Iterator[str]:
        """Return the declared parts that the table lacks, as texts."""
        for index, text in declared.keyed.items():
            if self.orders.get(index) != text:
                yield f"the index {index}"
        if self.facets != declared.counted:
            yield f"counts by {' and '.join(declared.facets) or 'nothing'}"
        if not self.has_words(declared):
            yield f"words of {' and '.join(declared.word_fields) or ('items' if declared.worded else 'nothing')}"
