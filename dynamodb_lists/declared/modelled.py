"""Lists over the item models of a program. The models compose the keys, and say what their indexes hold.

Such a list is declared like one over a table that exists, but its model has the keys and builds the items::

    LOANS = List(Loan, table=LoanModel)

An index whose ``when`` is a function is read only by :meth:`Query.only`. For all other queries, ``when`` must be data.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

from pynamodb.constants import NUMBER

from dynamodb_lists.connection.errors import UNREADABLE, Unreadable
from dynamodb_lists.declared.asked import ListQuery
from dynamodb_lists.declared.models import shape_model
from dynamodb_lists.declared.told import Index, Key, Table, Told
from dynamodb_lists.planning.sources import Known, Question, Source
from dynamodb_lists.schema.entities import Field, fields, listed, stored_fields
from dynamodb_lists.schema.models import ItemModel, RawItem, WordModel
from dynamodb_lists.schema.templates import Template


@dataclass(frozen=True)
class Modelled(Told):
    """The declaration of a list whose keys a model tells."""

    model: type[ItemModel] = field(default=ItemModel)
    shards: Callable[[], int] | None = None
    """How many shards are read, where keys have a ``{shard}``."""
    worded_by: type[WordModel] | None = None
    """The model of the items of its words, if there are any."""
    counts_anew = False

    @classmethod
    def of_model(cls, name: str, id_field: str, model: type[ItemModel], **more: Any) -> Self:
        """Return the declaration of the items of a model; ``more`` are further fields of the declaration."""
        indexes = {index: Index(key[0], "".join(key[1:]), shows) for index, (key, shows) in model.indexes().items()}
        attributes = model.get_attributes().values()
        numbers = {each.attr_name for each in attributes if each.attr_type == NUMBER}
        keys = {each.attr_name: Key(each.template.text, each.data) for each in model.composed_keys().values()}
        table = Table(model.Meta.table_name, key=model.key_names(), indexes=indexes, numbers=numbers)
        counts: type[ItemModel] | None = more.get("counted_by")
        used = {attribute for index in indexes.values() for attribute in (index.partition, index.sort)}
        return cls(
            name,
            model.kind,
            model.entity,
            id_field,
            of=table,
            key=tuple(model.key_templates),
            keys={attribute: key for attribute, key in keys.items() if attribute in used},
            model=model,
            owner=Template(counts.key_templates[0]).names if counts else (),
            facets=Template(counts.key_templates[1]).names if counts else (),
            shape_model=shape_model(name, name, model.Meta.table_name, model.key_names()),
            **more,
        )

    @cached_property
    def own_fields(self) -> tuple[Field, ...]:
        return fields(self.entity)

    @cached_property
    def key_types(self) -> dict[str, Any]:
        """The type of each value in keys. Values that are no fields, such as shards, are texts."""
        texts = [*self.key, *(key.template for key in self.keys.values())]
        return {name: str for text in texts for name in re.findall(r"\{(\w+)", text)} | self.types

    @cached_property
    def known(self) -> dict[str, Known]:
        none = {each.name: frozenset({None} if each.may_be_none else ()) for each in self.own_fields}
        blank = {each.name: frozenset(self._absent(each)) for each in self.own_fields if each.sparse}
        shards = {"shard": self.shards}
        return {
            name: Known(kind, {**none, **blank}.get(name, frozenset()), name == self.id_field, shards.get(name))
            for name, kind in self.key_types.items()
        }

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        """The table and its indexes; some can only be read alone."""
        ruled = {each.attr_name for each in self.model.composed_keys().values() if callable(each.when)}
        return tuple(replace(each, alone=any(key.name in ruled for key in each.keys)) for each in super().sources)

    def attributes_in(self, source: Source, more: Iterable[str] = ()) -> list[str]:
        """Return the attributes to ask of an index: those that lists show, keys, and ``more``; all of the table."""
        if not source.name:
            return []
        shows, late = self.of.indexes[source.name].shows, self._late_in(source.name)
        shown = [self._attribute(name) for name in self.model.shown_in(source.name) if name not in late]
        others = (self._attribute(name) for name in more if name in self.types)
        shown += [name for name in others if shows is None or name in shows]
        return list(dict.fromkeys([*shown, *(key.name for key in source.keys[1:]), *self.of.key]))

    @cached_property
    def rows_show(self) -> frozenset[str]:
        return frozenset(listed(self.entity))

    def _lacks(self, index: Index) -> frozenset[str]:
        if index.shows is None:
            return frozenset()
        templates = [*self.templates, *(self.spelt[name].template for name in index.key if name in self.spelt)]
        return frozenset({*self.types} - {*index.shows, *(name for template in templates for name in template.told)})

    def question(self, query: ListQuery) -> Question:
        """Return the question of a query. A query that names an index takes its rows as the index has them."""
        asked = super().question(query)
        return replace(asked, shown=(*asked.shown, *self._late_in(query.only))) if query.only else asked

    def _attribute(self, name: str) -> str:
        return self.model.renames.get(name, name)

    # --- What a table needs -------------------------------------------------------------------------------

    @property
    def projecting(self) -> list[str]:
        return [source.name for source in self.sources[1:] if self.of.indexes[source.name].shows is not None]

    @cached_property
    def shown_in(self) -> Mapping[str, tuple[str, ...]]:
        found, names = {}, [each.name for each in stored_fields(self.entity)]
        for index, told in self.of.indexes.items():
            found[index] = tuple(name for name in names if told.shows is None or self._attribute(name) in told.shows)
        return found

    @property
    def keyed(self) -> Mapping[str, str]:
        composed, found = {each.attr_name: each.when for each in self.model.composed_keys().values()}, {}
        for source in self.sources[1:]:
            names = dict.fromkeys(name for key in source.keys for name in key.template.names)
            said = [",".join(key.name for key in source.keys), *(key.template.text for key in source.keys)]
            said += [f"{name}:{self.key_types[name].__name__}" for name in names]
            said += [rule for key in source.keys if (rule := _said(composed.get(key.name)))]
            found[source.name] = " ".join(said)
        return found

    @property
    def counted(self) -> tuple[str, ...]:
        """The keys of the counts, and the types of the counted fields."""
        model = self.counted_by
        return (*model.key_templates, *self.typed((*self.owner, *self.facets))) if model else ()

    @property
    def worded(self) -> tuple[str, ...]:
        """The keys of the word items, and the fields that they repeat."""
        model = self.worded_by
        return (*model.key_templates, *sorted(model.get_attributes())) if model else ()

    def part_in(self, shape: Any, full: Collection[str], projected: Mapping[str, Collection[str]]) -> Self:
        indexes = {name: index for name, index in self.of.indexes.items() if name in full}
        for name, has in projected.items():
            lacks = {self._attribute(each) for each in self.shown_in[name] if each not in has}
            shows = indexes[name].shows or map(self._attribute, self.shown_in[name])
            indexes[name] = replace(indexes[name], shows=[each for each in shows if each not in lacks])
        of = self.of if full == self.keyed.keys() and not projected else self.of.having(indexes)
        return self.having(of=of, **({} if shape.facets == self.counted else {"counted_by": None, "facets": ()}))

    def _late_in(self, index: str) -> list[str]:
        """Return the fields that lists show, and that an index lacks because it was created before them."""
        key, shows = self.of.indexes[index].key, self.of.indexes[index].shows
        wanted = [] if shows is None else self.model.shown_in(index)
        return [name for name in wanted if self._attribute(name) not in {*key, *(shows or ())}]

    # --- Items --------------------------------------------------------------------------------------------

    def place(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return {name: {"S": text} for name, text in zip(self.of.key, self.model.place_of(**values), strict=True)}

    def owns(self, item: RawItem) -> bool:
        return self.model.holds(item)

    def built(self, item: RawItem, source: Source | None = None) -> Any:
        try:
            keys = source.keys if source and source.name else ()  # the model knows what those of the table tell
            told = [key.template.values(key.text(item)) for key in keys]
            known = {name: value for each in told for name, value in each.items() if name in self.types}
            return self.model.built({**known, **self.model.decoded(item)})
        except UNREADABLE as error:
            raise Unreadable(f"A {self.kind} of a list is not as declared: {error}") from error

    def _attributes(self, entry: RawItem) -> Mapping[str, Any]:
        return {name: value for name, value in self.model.decoded(entry).items() if name in self.types}


def _said(when: Any) -> str:
    """Return the rule of a sparse key as a text that is the same in every process."""
    if when is None or callable(when):
        return "some" if when else ""

    def said(value: Any) -> Any:
        return sorted(map(str, value)) if isinstance(value, set | frozenset) else str(value)

    return json.dumps([{name: said(value) for name, value in each.items()} for each in when], sort_keys=True)
