"""What a table has of a list: its shape. A declaration may be ahead of it. Pure functions.

The shape is an item of the table. :func:`~dynamodb_lists.maintenance.filling.fill` brings it to the declaration. Until
then pages are read by what the table has; see :meth:`Shape.filled`.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from dynamodb_lists.declared.declaration import Declaration
from dynamodb_lists.declared.kept_orders import KeptOrder
from dynamodb_lists.schema.entities import fields

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
        """The shape of a table that has all that is declared."""
        some = [index for index, order in declared.orders.items() if declared.projects_some and not order.whole]
        return cls(
            _spelt(declared, declared.facets),
            _spelt(declared, declared.word_fields),
            {index: _order(declared, index, order) for index, order in declared.orders.items()},
            {index: declared.shown_in(index) for index in some},
        )

    @classmethod
    def of_text(cls, text: str) -> "Shape":
        """The shape that a text of :attr:`text` says."""
        said: dict[str, Any] = json.loads(text)
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in said.items()
        }
        projected = {index: tuple(names) for index, names in values.pop("projected").items()}
        return cls(**values, projected=projected)

    @property
    def text(self) -> str:
        """The shape as JSON, as it is stored."""
        return json.dumps(asdict(self), sort_keys=True)

    def has_words(self, declared: Declaration) -> bool:
        """Whether items have the words that are declared."""
        return self.words == _spelt(declared, declared.word_fields)

    def has_counts(self, declared: Declaration) -> bool:
        """Whether the items are counted by the facets, and have the words, that are declared."""
        return self.facets == _spelt(declared, declared.facets) and self.has_words(declared)

    def begun(self, declared: Declaration) -> "Shape":
        """The shape with a new generation that is being written, with what is declared."""
        wanted, number = Shape.of(declared), self.tried + 1
        return replace(self, tried=number, filling=number, filling_facets=wanted.facets, filling_words=wanted.words)

    def fills(self, declared: Declaration) -> bool:
        """Whether a generation with what is declared is being written."""
        wanted = _spelt(declared, declared.facets), _spelt(declared, declared.word_fields)
        return bool(self.filling) and (self.filling_facets, self.filling_words) == wanted

    def filled(self, declared: Declaration) -> Declaration:
        """The part of a declaration that the table has: what pages are read by."""
        full = {
            index
            for index, order in declared.orders.items()
            if self.orders.get(index) == _order(declared, index, order)
        }
        named = {id(order): index for index, order in declared.orders.items()}
        return declared.having(
            facets=self._names(self.facets, declared),
            kept=tuple(order for order in declared.kept if named[id(order)] in full),
            sparse={index: order for index, order in declared.sparse.items() if index in full},
            word_fields=self._names(self.words, declared),
            generation=self.generation,
            projected={index: self.projected[index] for index in self.late(declared) if index in full},
        )

    @staticmethod
    def _names(spelt: Spelt, declared: Declaration) -> tuple[str, ...]:
        """The fields of a shape, as long as all of them are fields."""
        names = tuple(each.partition(":")[0] for each in spelt)
        return names if {*names} <= {each.name for each in fields(declared.entity)} else ()

    def lacks(self, declared: Declaration) -> Iterator[str]:
        """What is declared and not in the table, in words."""
        for index, order in declared.orders.items():
            if self.orders.get(index) != _order(declared, index, order):
                yield f"the index {index}"
        if self.facets != _spelt(declared, declared.facets):
            yield f"counts by {' and '.join(declared.facets) or 'nothing'}"
        if self.words != _spelt(declared, declared.word_fields):
            yield f"words of {' and '.join(declared.word_fields) or 'nothing'}"

    def late(self, declared: Declaration) -> Mapping[str, list[str]]:
        """The fields that lists show and that an index lacks, by index: their values are read by key."""
        found = {index: [*declared.having(projected={}).shown_in(index)] for index in self.projected}
        return {
            index: late
            for index, shown in found.items()
            if (late := [name for name in shown if name not in self.projected[index]])
        }


def _spelt(declared: Declaration, names: Iterable[str]) -> Spelt:
    """Fields with what decides how their values are spelt in keys."""
    described = [declared.field(name) for name in names]
    return tuple(":".join(filter(None, [each.name, each.type.__name__, each.order, each.unit])) for each in described)


def _order(declared: Declaration, index: str, order: KeptOrder) -> str:
    """The attribute of the sort key of an index, and what decides how it is spelt."""
    some = ["some"] if order.when else []
    return " ".join([declared.key_attribute(index), *some, *_spelt(declared, declared.keyed_by(order))])
