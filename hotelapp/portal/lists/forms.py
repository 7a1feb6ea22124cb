"""The form that every list page shares: page size, cursor, export and sort. Subclasses add their filters."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, cast

from django import forms
from django.http import QueryDict

from hotelapp.dynamodb.connection.errors import BadCursor, UnknownValue
from hotelapp.dynamodb.reading.cursors import MAX_LENGTH
from hotelapp.portal.forms.parameters import BadParameters, Problem, checked, problem, understood, without
from hotelapp.portal.lists.sorting import Header, SortColumn, SortOrder, header

PAGE_SIZES = (10, 20, 25, 50, 100)
DEFAULT_PAGE_SIZE = 25
CSV, CSV_FOR_EXCEL = "csv", "csv-excel"
FORMATS = [(CSV, "Export CSV"), (CSV_FOR_EXCEL, "CSV for Excel")]
OFF = {"autocomplete": "off"}  # after Back, a browser must not restore values that are not in the address


class PageSizeField(forms.TypedChoiceField):
    """One of the page sizes on offer."""

    default = DEFAULT_PAGE_SIZE

    def __init__(self) -> None:
        super().__init__(
            choices=[(size, str(size)) for size in PAGE_SIZES],
            coerce=int,
            required=False,
            empty_value=str(DEFAULT_PAGE_SIZE),
            label="Rows a page",
            error_messages={"invalid_choice": f"Must be one of {', '.join(map(str, PAGE_SIZES))}."},
            widget=forms.Select(attrs=OFF),
        )

    def clean(self, value: Any) -> int:
        return int(super().clean(value))

    def bound_data(self, data: Any, initial: Any) -> Any:
        return data or DEFAULT_PAGE_SIZE


class ListForm(forms.Form):
    """The query string of a list.

    A list that can be sorted sets ``sort_columns``, and ``default_sort`` as in the query string (blank if no column
    gives the default order). With ``second_sort``, it can be sorted by two columns. Every visible field that a
    subclass adds is a filter, which folds away on a narrow screen, unless it is a search, named in ``always_shown``.
    """

    sort_columns: ClassVar[Sequence[SortColumn]] = ()
    default_sort: ClassVar[str] = ""
    second_sort: ClassVar[bool] = False
    always_shown: ClassVar[frozenset[str]] = frozenset()
    transient: ClassVar[frozenset[str]] = frozenset({"cursor", "format"})

    page_size = PageSizeField()
    cursor = forms.CharField(
        required=False, max_length=MAX_LENGTH, label="Page", error_messages={"max_length": "The cursor is too long."}
    )
    format = forms.ChoiceField(choices=FORMATS, required=False)
    sort = forms.ChoiceField(required=False, label="Sort by", widget=forms.Select(attrs=OFF))
    then = forms.ChoiceField(required=False, label="then by", widget=forms.Select(attrs=OFF))

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{"auto_id": "%s", **options})
        self.order_fields([name for name in self.fields if name not in ListForm.base_fields])
        if not self.sort_columns:
            del self.fields["sort"]
        else:
            self._offer("sort", self._sort_options())
        if not self.second_sort:
            del self.fields["then"]
        else:
            self._offer("then", [(column.name, column.label) for column in self.sort_columns if column.second])

    def checked(self) -> dict[str, Any]:
        """The cleaned data. Raises :class:`BadParameters`."""
        return checked(self)

    def clean(self) -> dict[str, Any]:
        """Ignore a second sort that says nothing, because the page's own controls can send it.

        It says nothing without a first one, if it is equal to it, or if the first one cannot be combined.
        """
        data = super().clean() or self.cleaned_data
        sort = (data.get("sort") or "").removeprefix("-")
        if "then" in data and (sort not in self._seconds or data["then"] == sort):
            data["then"] = ""
        return data

    def refuse(self, field: str, text: str, value: str = "") -> BadParameters:
        """The error for a value that only reading the data showed to be wrong."""
        return BadParameters([problem(self, field, [text])], without(self.params, field, value))

    @contextmanager
    def refusing(self) -> Iterator[None]:
        """Raise :class:`BadParameters` if the data shows that a value is wrong."""
        try:
            yield
        except BadCursor as error:
            raise self.refuse("cursor", str(error)) from error
        except UnknownValue as error:
            raise self.refuse(error.facet, str(error), error.value) from error

    def show(self, typed: QueryDict, problems: Iterable[Problem]) -> None:
        """Show what the reader typed, with its problems beside the fields. The cleaned data stays as it is.

        A menu cannot show a value that it does not offer. It shows its default, which is what the list is read with.
        """
        self.data = typed.copy()
        for found in problems:
            if found.field in self.fields:
                new = self.error_class(renderer=self.renderer, field_id=self[found.field].auto_id)
                self.errors.setdefault(found.field, new).extend(found.texts)
            if isinstance(self.fields.get(found.field), forms.ChoiceField):
                self.data.pop(found.field, None)

    @property
    def params(self) -> QueryDict:
        """The query string as :func:`~hotelapp.portal.forms.parameters.understood`."""
        return understood(self)

    @property
    def address(self) -> str:
        """The query string in its canonical spelling, with its cursor, for the browser's address bar."""
        params = self.params
        if cursor := self.cleaned_data["cursor"]:
            params["cursor"] = cursor
        return params.urlencode()

    @property
    def filters(self) -> list[str]:
        """The names of the filters that fold away on a narrow screen. A hidden field is set elsewhere, as by tabs."""
        hidden = {name for name, field in self.fields.items() if type(field.widget) is forms.HiddenInput}
        return [name for name in self.fields if name not in {*ListForm.base_fields, *self.always_shown, *hidden}]

    @property
    def filterable(self) -> bool:
        """Whether the reader may filter the list that this query string asks for."""
        return bool(self.filters)

    @property
    def filters_set(self) -> int:
        """How many of the filters are set. A filter with several values counts once."""
        params = self.params
        return sum(name in params for name in self.filters)

    @property
    def filters_wrong(self) -> bool:
        """Whether one of the filters has a problem, and must not be folded away."""
        return any(name in self.errors for name in self.filters)

    @property
    def order(self) -> SortOrder:
        """The sort that the reader chose, or the default. Call it after :meth:`checked`."""
        sort: str = self.cleaned_data.get("sort") or self.default_sort
        return SortOrder(sort.removeprefix("-"), self.cleaned_data.get("then", ""), sort.startswith("-"))

    @property
    def sortable(self) -> bool:
        """Whether the reader may sort the list that this query string asks for."""
        return bool(self.sort_columns)

    @property
    def headers(self) -> dict[str, Header]:
        """The headers of the sortable columns, by column."""
        columns = self.sort_columns if self.sortable else ()
        order, params = self.order, self.params
        second = self.second_sort and order.column in self._seconds
        return {
            column.name: header(column.name, order, params, second=second and column.name in self._seconds)
            for column in columns
        }

    @property
    def _seconds(self) -> list[str]:
        """The columns that can be combined with another one."""
        return [column.name for column in self.sort_columns if column.second]

    def _sort_options(self) -> list[tuple[str, str]]:
        """The value and the words of each sort. If there is only one column, the words are just the directions."""
        if len(self.sort_columns) == 1:
            options = self.sort_columns[0].options()
            return options[::-1] if self.default_sort.startswith("-") else options
        columns = self.sort_columns
        named = [(value, f"{column.label}, {words}") for column in columns for value, words in column.options()]
        return named if self.default_sort else [("", "Default order"), *named]

    def _offer(self, name: str, options: list[tuple[str, str]]) -> None:
        """Accept these options. The default option is sent as a blank value, so that addresses stay short."""
        field = cast(forms.ChoiceField, self.fields[name])
        field.choices = [(value, words) for value, words in options if value]
        offered = [("" if value == self.default_sort else value, words) for value, words in options]
        field.widget.choices = offered if name == "sort" else [("", "-"), *offered]
