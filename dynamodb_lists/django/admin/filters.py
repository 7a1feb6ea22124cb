"""Filters of a changelist: by values of a facet, by a range of a sort, by a sparse list, and by owner."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date
from enum import Enum
from functools import partial
from typing import Any

from django.contrib.admin.filters import DateFieldListFilter, ListFilter
from django.contrib.admin.options import IncorrectLookupParameters
from django.http import HttpRequest
from django.utils.translation import gettext

from dynamodb_lists.declared.declaration import Declaration
from dynamodb_lists.declared.told import Told
from dynamodb_lists.django.admin.queries import typed
from dynamodb_lists.django.admin.rows import plain_value
from dynamodb_lists.lists.facets import filter_of
from dynamodb_lists.planning.sources import entered, needs, values_of
from dynamodb_lists.schema.conditions import Between
from dynamodb_lists.schema.entities import text

MOST_CHOICES = 100
"""The most values that a filter shows. Of more, those are shown that are chosen, or that most rows have."""


class RowFilter(ListFilter):
    """A filter by the field or the sparse list ``name``."""

    used_parameters: dict[str, Any]

    def __init__(self, name: str, request: HttpRequest, params: dict[str, Any], model: Any, model_admin: Any) -> None:
        self.name = self.parameter_name = name  # Unfold looks for the latter
        self.model = model
        self.title = self.titled()
        super().__init__(request, params, model, model_admin)
        for parameter in self.expected_parameters():
            if parameter in params:
                self.used_parameters[parameter] = params.pop(parameter)

    @property
    def declaration(self) -> Declaration:
        """What the list is."""
        declared: Declaration = self.model.listed.declaration
        return declared

    def titled(self) -> str:
        """The title of the filter."""
        return str(self.model._meta.get_field(self.name).verbose_name)

    def expected_parameters(self) -> list[str | None]:
        return [self.name]

    def has_output(self) -> bool:
        return True

    def chosen(self, parameter: str) -> str:
        """The last value of a parameter; blank if there is none."""
        return str(self.used_parameters.get(parameter, [""])[-1])

    def form(self, changelist: Any, labels: dict[str, str], *, adds: bool = False) -> dict[str, Any]:
        """A form of these parameters that keeps the rest of the query string; if it ``adds`` a value, all of it."""
        values = {} if adds else {name: self.chosen(name) for name in labels}
        kept = [pair for pair in changelist.params.items() if pair[0] not in values]
        inputs = [(name, label, values.get(name, "")) for name, label in labels.items()]
        return {"inputs": inputs, "kept": kept, "required": adds}


class FacetFilter(RowFilter):
    """The values of a facet with their counts. A click adds a value to those that are chosen, or removes it.

    If there are too many, it says how many, and has a field that adds a value.
    """

    template = "dynamodb_lists/facet_filter.html"
    typing: dict[str, Any] | None = None

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        values = self.used_parameters.get(self.name)
        field = self.declaration.field(self.name)
        return queryset.where(**{self.name: {typed(field, each) for each in values}}) if values else queryset

    def choices(self, changelist: Any) -> Iterator[Any]:
        part, field = partial(self.declaration.part, self.name), self.declaration.field(self.name)
        asked = {each: typed(field, each) for each in self.used_parameters.get(self.name, ())}
        chosen = {part(value): each for each, value in asked.items()}
        yield {
            "selected": not chosen,
            "query_string": changelist.get_query_string({self.name: None}),
            "display": gettext("All"),
        }
        known = values_of(field.type)  # where nothing counts them, all are shown
        every = dict.fromkeys((*known, *([None] if known and field.may_be_none else [])))
        counted = changelist.facets.get(self.name, every)
        numbers = {part(value): number for value, number in counted.items()}
        values = {part(value): value for value in (*asked.values(), *counted)}
        counts = {key: number or 0 for key, number in numbers.items()}
        labels = {key: self._label(value, changelist.model_admin) for key, value in sorted(values.items())}
        found = filter_of(self.name, "", counts, values=labels, selected=chosen, words=labels.__getitem__)
        if len(values) > MOST_CHOICES:
            form = self.form(changelist, {self.name: gettext("Is")}, adds=True)
            self.typing = {**form, "most": MOST_CHOICES, "count": len(values)}
        for each in replace(found, most=MOST_CHOICES).shown:
            left = [other for key, other in chosen.items() if key != each.value]
            wanted = left if each.selected else [*left, text(values[each.value])]
            is_counted = changelist.counted and numbers.get(each.value) is not None
            yield {
                "selected": each.selected,
                "query_string": changelist.get_query_string({self.name: wanted or None}),
                "display": f"{each.label} ({each.count})" if is_counted else each.label,
            }

    def _label(self, value: Any, model_admin: Any) -> str:
        if value in (None, ""):
            return str(model_admin.get_empty_value_display())
        if isinstance(value, bool):
            return gettext("Yes") if value else gettext("No")
        if isinstance(value, str | Enum):
            return str(dict(self.model._meta.get_field(self.name).flatchoices).get(plain_value(value), value))
        return text(value)


class RangeFilter(RowFilter):
    """A form with the first and the last value; of a text, with its beginning, or all of it if the keys are told."""

    template = "dynamodb_lists/range_filter.html"

    def expected_parameters(self) -> list[str | None]:
        is_text = issubclass(self.declaration.field(self.name).type, str)
        if is_text and isinstance(self.declaration, Told):
            return [self.name]
        return [f"{self.name}__{kind}" for kind in (("startswith",) if is_text else ("gte", "lte"))]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset.filter(**{name: values[-1] for name, values in self.used_parameters.items() if values[-1]})

    def choices(self, changelist: Any) -> Iterator[Any]:
        """One choice: the inputs, and what the form keeps of the query string."""
        labels = {"": gettext("Is"), "startswith": gettext("Begins with"), "gte": gettext("From"), "lte": gettext("To")}
        named = {str(name): labels[str(name).partition("__")[2]] for name in self.expected_parameters()}
        shown = {"selected": bool(self.used_parameters), "query_string": "", "display": ""}
        yield {**shown, "form": self.form(changelist, named)}


class DayFilter(DateFieldListFilter):
    """The stock choices of days, such as the past seven. Nothing counts their rows."""

    used_parameters: dict[str, Any]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset.filter(**{name: values[-1] for name, values in self.used_parameters.items()})

    def choices(self, changelist: Any) -> Iterator[Any]:
        for title, parameters in self.links:
            yield {
                "selected": self.date_params == parameters,
                "query_string": changelist.get_query_string(parameters, [self.field_generic]),
                "display": title,
            }


class SparseFilter(RowFilter):
    """A sparse list: the rows for which its rule holds, in its own order."""

    def titled(self) -> str:
        return self.name.replace("_", " ").replace("-", " ")

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if self.name not in self.used_parameters:
            return queryset
        if self.chosen(self.name) != "1":
            raise IncorrectLookupParameters
        return queryset.only(self.name)

    def choices(self, changelist: Any) -> Iterator[Any]:
        for selected, value, label in ((False, None, gettext("All")), (True, "1", str(self.title).capitalize())):
            yield {
                "selected": selected == bool(self.used_parameters),
                "query_string": changelist.get_query_string({self.name: value}),
                "display": label,
            }


class EntranceFilter(FacetFilter):
    """Whose rows these are, or what the key of a table begins with. A click on "All" goes to all of these values."""

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset if self.name in self.declaration.owner else super().queryset(request, queryset)

    def choices(self, changelist: Any) -> Iterator[Any]:
        yield {"selected": False, "query_string": "?", "display": gettext("All")}
        chosen = ", ".join(changelist.filter_params[self.name])
        yield {"selected": True, "query_string": changelist.get_query_string(), "display": chosen}


def ways_in(declared: Declaration) -> list[dict[str, tuple[Any, ...]]]:
    """The entrances of a list: groups of fields, by whose values a Query begins, each with its choices if it has some.

    A list with owners has one group. An index that has some items alone is entered by the values that say which.
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
    """The filters of a page: those of the fields that it is entered by, and then those of a class.

    If none is given, a list that is read without them has the single fields that others begin with as filters, too.
    """
    names, items = [*dict.fromkeys(name for group in ways_in(declared) for name in group)], [*items]
    if isinstance(declared, Told):
        single = [name for group in ways_in(declared) if len(group) == 1 for name, known in group.items() if not known]
        entering = declared.types.keys() & {*given}
        names = [each for each in names if each in entering and (each not in items or each in single)]
        items += [] if names else [each for each in single if each not in items]
    others = (spec_of(declared, item) for item in items if item not in names)
    return [*(partial(EntranceFilter, name) for name in names), *filter(None, others)]


def spec_of(declaration: Declaration, item: Any) -> Any:
    """The filter of an item of ``list_filter``: what makes it of a request; ``None`` if there is none of this name."""
    if not isinstance(item, str):
        return item
    bases: Any = None
    if item in declaration.facets or (isinstance(declaration, Told) and values_of(declaration.types.get(item))):
        bases = FacetFilter
    elif item in declaration.sparse:
        bases = SparseFilter
    elif item in declaration.ranged and declaration.field(item).type is not bool:
        if issubclass(declaration.field(item).type, date):
            return item, DayFilter
        bases = RangeFilter
    return bases and (lambda *args: bases(item, *args))
