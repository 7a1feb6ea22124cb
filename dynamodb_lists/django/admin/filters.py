"""Filters of a changelist: values of a facet, a range of a sort, a sparse list, and the owner."""

from collections.abc import Iterable, Iterator
from datetime import date
from enum import Enum
from functools import partial
from typing import Any

from django.contrib.admin.filters import DateFieldListFilter, FieldListFilter, SimpleListFilter
from django.contrib.admin.options import IncorrectLookupParameters
from django.http import HttpRequest
from django.utils.translation import gettext

from dynamodb_lists.declared.declaration import Declaration
from dynamodb_lists.declared.told import Told
from dynamodb_lists.django.admin.queries import typed
from dynamodb_lists.django.admin.rows import plain_value
from dynamodb_lists.planning.sources import entered, needs, values_of
from dynamodb_lists.schema.conditions import Between
from dynamodb_lists.schema.entities import text

MOST_CHOICES = 100
"""The most values that a filter shows. Of more, those are shown that are chosen, or that most rows have."""


def _choice(selected: bool, query_string: str, display: Any) -> dict[str, Any]:
    return {"selected": selected, "query_string": query_string, "display": display}


class RowFilter(FieldListFilter):
    """A filter by a field of the rows."""

    used_parameters: dict[str, Any]
    field_path: str

    def __init__(self, field: Any, *args: Any, **kwargs: Any) -> None:
        self.parameter_name = field.name  # Unfold looks for it
        self.declaration: Declaration = field.model.listed.declaration
        super().__init__(field, *args, **kwargs)

    def expected_parameters(self) -> list[str | None]:
        return [self.field_path]

    def form(self, changelist: Any, labels: dict[str, str], *, adds: bool = False) -> dict[str, Any]:
        """Return a form of these parameters that keeps the others of the query string; with ``adds``, all of them."""
        values = {} if adds else {name: self.used_parameters.get(name, [""])[-1] for name in labels}
        kept = [pair for pair in changelist.params.items() if pair[0] not in values]
        inputs = [(name, label, values.get(name, "")) for name, label in labels.items()]
        return {"inputs": inputs, "kept": kept, "required": adds}


class FacetFilter(RowFilter):
    """The values of a facet with their counts. A click adds a value to the chosen ones, or removes it.

    If there are too many values, the filter says how many, and has a field to type one.
    """

    template = "dynamodb_lists/facet_filter.html"
    typing: dict[str, Any] | None = None

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        values = self.used_parameters.get(self.field_path)
        field = self.declaration.field(self.field_path)
        return queryset.where(**{self.field_path: {typed(field, each) for each in values}}) if values else queryset

    def choices(self, changelist: Any) -> Iterator[Any]:
        name, field = self.field_path, self.declaration.field(self.field_path)
        part = partial(self.declaration.part, name)
        asked = {each: typed(field, each) for each in self.used_parameters.get(name, ())}
        chosen = {part(value): each for each, value in asked.items()}
        yield _choice(not chosen, changelist.get_query_string({name: None}), gettext("All"))
        known = values_of(field.type)  # where nothing counts them, all are shown
        every = dict.fromkeys((*known, *([None] if known and field.may_be_none else [])))
        counted = changelist.facets.get(name, every)
        counts = {part(value): number for value, number in counted.items()}
        values = {part(value): value for value in (*asked.values(), *counted)}
        shown = sorted(values)
        if len(values) > MOST_CHOICES:
            form = self.form(changelist, {name: gettext("Is")}, adds=True)
            self.typing = {**form, "most": MOST_CHOICES, "count": len(values)}
            frequent = sorted(shown, key=lambda each: counts.get(each) or 0, reverse=True)[:MOST_CHOICES]
            shown = [each for each in shown if each in frequent or each in chosen]
        for each in shown:
            left = [other for key, other in chosen.items() if key != each]
            wanted = left if each in chosen else [*left, text(values[each])]
            label, number = self._label(values[each], changelist.model_admin), counts.get(each)
            display = f"{label} ({number})" if changelist.counted and number is not None else label
            yield _choice(each in chosen, changelist.get_query_string({name: wanted or None}), display)

    def _label(self, value: Any, model_admin: Any) -> str:
        if value in (None, ""):
            return str(model_admin.get_empty_value_display())
        if isinstance(value, bool):
            return gettext("Yes") if value else gettext("No")
        if isinstance(value, str | Enum):
            return str(dict(self.field.flatchoices).get(plain_value(value), value))
        return text(value)


class RangeFilter(RowFilter):
    """A form for the first and last value; for the beginning of a text, or for all of it in a table that exists."""

    template = "dynamodb_lists/range_filter.html"

    def expected_parameters(self) -> list[str | None]:
        if not issubclass(self.declaration.field(self.field_path).type, str):
            return [f"{self.field_path}__gte", f"{self.field_path}__lte"]
        return [self.field_path if isinstance(self.declaration, Told) else f"{self.field_path}__startswith"]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset.filter(**{name: values[-1] for name, values in self.used_parameters.items() if values[-1]})

    def choices(self, changelist: Any) -> Iterator[Any]:
        labels = {"": gettext("Is"), "startswith": gettext("Begins with"), "gte": gettext("From"), "lte": gettext("To")}
        named = {str(name): labels[str(name).partition("__")[2]] for name in self.expected_parameters()}
        yield {"form": self.form(changelist, named)}


class DayFilter(DateFieldListFilter):
    """Django's choices of days, such as the past seven days. Nothing counts their rows."""

    used_parameters: dict[str, Any]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset.filter(**{name: values[-1] for name, values in self.used_parameters.items()})

    def choices(self, changelist: Any) -> Iterator[Any]:
        for title, parameters in self.links:
            query = changelist.get_query_string(parameters, [self.field_generic])
            yield _choice(self.date_params == parameters, query, title)


class SparseFilter(SimpleListFilter):
    """A sparse list: the rows that meet its rule, in its own order."""

    def __init__(self, name: str, *args: Any) -> None:
        self.parameter_name, self.title = name, name.replace("_", " ").replace("-", " ")
        super().__init__(*args)

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("1", str(self.title).capitalize())]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if self.value() not in {None, "1"}:
            raise IncorrectLookupParameters
        return queryset.only(self.parameter_name) if self.value() else queryset


class EntranceFilter(FacetFilter):
    """A filter by the owner of the rows, or by fields at the beginning of a key. "All" leads to their choice."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        yield _choice(False, "?", gettext("All"))
        chosen = ", ".join(changelist.filter_params[self.field_path])
        yield _choice(True, changelist.get_query_string(), chosen)


def ways_in(declared: Declaration) -> list[dict[str, tuple[Any, ...]]]:
    """Return the entrances of a list: groups of fields whose values a Query needs, each with its choices, if any.

    A list with owners has one group. A sparse index is entered by the values of its rule.
    """
    if not isinstance(declared, Told):
        return [dict.fromkeys(declared.owner, ())]
    found = dict[tuple[str, ...], dict[str, tuple[Any, ...]]]()
    for source in declared.sources:
        group = {name: values_of(declared.types[name]) for name in entered(source)}
        for name, values in (pair for alternative in source.when for pair in alternative.items()):
            if isinstance(values, frozenset):
                group[name] = (*group.get(name, ()), *sorted(values - {None}, key=str))
            elif isinstance(values, Between):
                ends = {f"{name}__gte": values.low, f"{name}__lte": values.high}
                group |= {lookup: (end,) for lookup, end in ends.items() if end is not None}
        if (*group,) not in found:
            group |= {f"{name}__isnull": (False,) for name in sorted(needs(source, declared.known) - group.keys())}
        found.setdefault((*group,), group)
    return [group for group in found.values() if group]


def page_filters(declared: Declaration, given: Iterable[str], items: Iterable[Any]) -> list[Any]:
    """Return the filters of a page: the entered fields that begin a key, then the filters of the class.

    If no such field was entered, the single fields that begin other keys are filters, too.
    """
    names, items = [*dict.fromkeys(name for group in ways_in(declared) for name in group)], [*items]
    if isinstance(declared, Told):
        single = [name for group in ways_in(declared) if len(group) == 1 for name, known in group.items() if not known]
        entering = declared.types.keys() & {*given}
        names = [each for each in names if each in entering and (each not in items or each in single)]
        items += [] if names else [each for each in single if each not in items]
    others = (spec_of(declared, item) for item in items if item not in names)
    return [*((name, EntranceFilter) for name in names), *filter(None, others)]


def spec_of(declaration: Declaration, item: Any) -> Any:
    """Return an item of ``list_filter`` as Django takes it; ``None`` if it cannot filter."""
    if not isinstance(item, str):
        return item
    told = isinstance(declaration, Told) and values_of(declaration.types.get(item))
    if told or item in {*declaration.facets, *declaration.counted_alone}:
        return item, FacetFilter
    if item in declaration.sparse:
        return partial(SparseFilter, item)
    kind = declaration.field(item).type if item in declaration.ranged else bool
    if kind is bool:
        return None
    return item, DayFilter if issubclass(kind, date) else RangeFilter
