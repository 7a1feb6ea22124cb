"""Forms of a declared list: its query string, an item, and a row of a file."""

from collections.abc import Iterator
from typing import Any, ClassVar

from django import forms
from django.core.validators import RegexValidator

from dynamodb_lists.connection.errors import KeyPartError
from dynamodb_lists.declared.asked import ListQuery, Wanted
from dynamodb_lists.lists.conditions import rangeable as sorts
from dynamodb_lists.lists.lists import List
from dynamodb_lists.planning.selection import Selection
from dynamodb_lists.schema.keys import HIGHEST, SLUG_LENGTH, KeyRange, is_part, text_part
from portal.forms.entity_forms import EntityForm
from portal.forms.fields import SearchField
from portal.forms.parameters import ManyField, understood
from portal.lists.forms import LinkedField, ListForm
from portal.lists.sorting import SortColumn, SortField

ID_PATTERN = RegexValidator(r"^[A-Za-z0-9][A-Za-z0-9._-]*\Z", "Use only ASCII letters, digits, dots, hyphens and _.")

NOT_ADD = RegexValidator(r"^add\Z", "“add” cannot be an id. Choose another one.", inverse_match=True)


class IdField(forms.CharField):
    """The id of an item, as it is in its key and in the address of its page."""

    default_validators = [ID_PATTERN, NOT_ADD]

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=SLUG_LENGTH, **options)


class RecordForm(EntityForm):
    """A form of an item of a ``listed`` list. It refuses a value that fits into no key, such as a longer number."""

    listed: ClassVar[List[Any]]

    def clean(self) -> dict[str, Any]:
        """Compose the keys of the fields that are valid."""
        data = super().clean() or self.cleaned_data
        for name in data:
            try:
                self.listed.declaration.part(name, data[name])
            except KeyPartError as error:
                self.add_error(name, str(error))
        return data


class FacetedForm(ListForm):
    """The query string of a declared list: values of each facet, a sort, and the beginning of a searched field."""

    listed: ClassVar[List[Any]]

    def clean(self) -> dict[str, Any]:
        """Refuse filters and other sorts for a search, which is a range of one index."""
        data = super().clean()
        searched = [name for name in self.always_shown if data.get(name)]
        if not searched:
            return data
        field, *others = searched
        if others:
            self.add_error(others[0], f"Search by one field at a time: remove the {self.label(field)}.")
        if not understood(self).keys().isdisjoint(self.listed.declaration.facets):
            self.add_error(field, "A search cannot be combined with filters.")
        if data.get("sort") and data["sort"].removeprefix("-") != field:
            self.add_error("sort", f"What was found is in the order of the {self.label(field)}.")
        return data

    def label(self, name: str) -> str:
        """The label of a field in a sentence."""
        return str(self.fields[name].label).lower()

    @property
    def searches(self) -> Iterator[forms.BoundField]:
        """The fields of the search."""
        return (self[name] for name in self.always_shown)

    @property
    def query(self) -> ListQuery:
        """The form's query. Call it once the form is checked."""
        data, searched, declared = self.cleaned_data, self.searched, self.listed.declaration
        selection = Selection({name: frozenset(data[name]) for name in declared.facets if data[name]})
        ranges = {searched: _beginning(data[searched], searched == declared.id_field)} if searched else {}
        sort = searched or self.order.column or declared.id_field
        return ListQuery(
            (),
            Wanted(selection, ranges, (sort,), data["page_size"] + 1),
            self.order.descending,
            page_size=data["page_size"],
            cursor=data["cursor"],
        )


def _check_part(text: str) -> None:
    """Refuse what is no part of a key. The part of a blank value is no slug."""
    if not is_part(text):
        raise forms.ValidationError("Choose one of the values of the filter.")


def _beginning(text: str, is_id: bool) -> KeyRange:
    """The values that begin with a text: ids as they are, others as slugs."""
    start = text if is_id else text_part(text)
    return KeyRange(start, f"{start}{HIGHEST}")


def list_form(listed: List[Any]) -> type[FacetedForm]:
    """The form of the query string of a list. Texts among its sorts, and its id, can be searched."""
    declared = listed.declaration
    sorted_by = (declared.id_field, *(name for name in sorts(declared) if name != declared.id_field))
    labels = {name: declared.field(name).label for name in (*sorted_by, *declared.facets)}
    found: dict[str, Any] = {}
    for name in declared.facets:
        values = ManyField(forms.CharField(max_length=SLUG_LENGTH, validators=[_check_part]))
        values.label = labels[name]
        found[name] = values
    searched = tuple(name for name in sorted_by if declared.field(name).type is str)
    for name in searched:
        search = found[name] = SearchField(label=f"{labels[name]} begins with")
        search.widget.attrs["placeholder"] = labels[name]
    found["choices"] = LinkedField({name: name for name in declared.facets})
    found["sort"] = SortField([SortColumn(name, labels[name]) for name in sorted_by], declared.id_field)
    return type(
        f"{declared.kind.title()}ListForm", (FacetedForm,), {**found, "listed": listed, "always_shown": searched}
    )
