"""The form that every list page shares: page size, cursor, export and sort. Subclasses add their filters."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter, sub
from typing import Any, ClassVar, NamedTuple

from django import forms
from django.forms.renderers import Jinja2
from django.http import QueryDict
from django.utils.http import urlencode

from dynamodb_lists import errors
from portal.forms.numbers import WholeChoiceField
from portal.forms.parameters import BadParameters, Problem, problem, understood, without
from portal.lists import DEFAULT_PAGE_SIZE, PAGE_SIZES

CSV, WORKBOOK, PRINT = "csv", "xlsx", "print"
ON_PAGE, AS_TEXT, AS_JSON = "1", "text", "json"
EXPLANATIONS = [(ON_PAGE, "Explain this page"), (AS_TEXT, "Explain as text"), (AS_JSON, "Explain as JSON")]
FORMATS = [(WORKBOOK, "Export Excel"), (CSV, "Export CSV")]

ASCENDING, DESCENDING = "ascending", "descending"


class PageSizeField(WholeChoiceField):
    def __init__(self, default: int = DEFAULT_PAGE_SIZE) -> None:
        self.default = default
        super().__init__(
            PAGE_SIZES,
            required=False,
            empty_value=default,
            label="Rows a page",
            error_messages={"invalid_choice": f"Must be one of {', '.join(map(str, PAGE_SIZES))}."},
            widget=forms.HiddenInput(),
        )


class LinkedField(forms.TypedChoiceField):
    """A choice that links of the page make, such as a tab, or a filter whose choices are all drawn."""

    def __init__(self, choices: Mapping[str, str], default: str = "") -> None:
        self.default = default
        super().__init__(choices=[*choices.items()], empty_value=default, required=False, widget=forms.HiddenInput())


@dataclass(frozen=True)
class SortColumn:
    """A column that a list can be sorted by, and the words for its two directions."""

    name: str
    label: str
    ascending: str = ASCENDING
    descending: str = DESCENDING


class SortField(forms.ChoiceField):
    """The sort of a list: one of these columns, with ``-`` before it for the descending direction.

    ``default_sort`` is the list's sort without this parameter; blank if no column gives the default order.
    """

    def __init__(self, columns: Sequence[SortColumn], default_sort: str = "") -> None:
        self.columns, self.default_sort = columns, default_sort
        options: list[tuple[str, str]] = []
        for column in columns:
            before = f"{column.label}, " if len(columns) > 1 else ""
            options.append((column.name, before + column.ascending))
            options.append((f"-{column.name}", before + column.descending))
        if len(columns) == 1 and default_sort.startswith("-"):
            options.reverse()
        super().__init__(choices=options, required=False, label="Sort by", widget=forms.HiddenInput())
        # The menu has the default as a blank value, so that addresses stay short.
        offered = [("" if value == default_sort else value, words) for value, words in options]
        self.offered = offered if default_sort else [("", "Default order"), *offered]


@dataclass(frozen=True)
class SortOrder:
    """The sort that a reader chose, or the default: a column, a second column or none, and one direction for both.

    A blank ``column`` is the list's default order.
    """

    column: str = ""
    then: str = ""
    descending: bool = False


@dataclass(frozen=True)
class Header:
    column: str
    href: str
    aria_sort: str = ""
    mark: str = ""
    words: str = "sort by it"


class ListForm(forms.Form):
    """The query string of a list.

    A list that can be sorted declares ``sort``, a :class:`SortField`, and if it can be
    sorted by two columns, ``then``. Every other visible field that a subclass adds is a filter, which folds away on a
    narrow screen, unless it is a search, named in ``always_shown``. What a search finds is not sorted; it is
    filtered if ``filtered`` names the search.

    The properties need the cleaned data: call :func:`~portal.forms.parameters.checked` first.
    """

    default_renderer = Jinja2()  # one for all forms, because it keeps its templates
    always_shown: ClassVar[tuple[str, ...]] = ()
    filtered: ClassVar[tuple[str, ...]] = ()
    transient: ClassVar[frozenset[str]] = frozenset({"cursor", "format", "choices", "explain"})
    set_elsewhere: ClassVar[frozenset[str]] = frozenset()
    """The filters that are set elsewhere on the page."""

    page_size = PageSizeField()
    cursor = forms.CharField(required=False, label="Page")  # whoever reads it refuses one that is too long
    format = forms.ChoiceField(choices=[*FORMATS, (PRINT, "Print all")], required=False)
    explain = forms.ChoiceField(choices=EXPLANATIONS, required=False)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{"auto_id": "%s", **options})
        shared = {*ListForm.base_fields, "sort", "then"}
        self.order_fields(sorted(self.fields, key=shared.__contains__))  # the shared ones are the last
        self.hidden = set[str]()
        for name, field in self.fields.items():
            if type(field.widget) is forms.HiddenInput:
                self.hidden.add(name)
        # The parameters that links set and no filter draws. The filters send them as they are.
        self.undrawn = (self.hidden | self.set_elsewhere) - self.transient

    def clean(self) -> dict[str, Any]:
        """Ignore a second sort that has no effect, because the page's own controls can send it.

        It has none without a first sort, if both are equal, or if the first cannot be combined with another.
        """
        data = super().clean() or self.cleaned_data
        sort = (data.get("sort") or "").removeprefix("-")
        if "then" in data and (sort not in self._seconds or data["then"] == sort):
            data["then"] = ""
        return data

    def full_clean(self) -> None:
        """Clean the data, and note what pages ask of them. A field that has an error has no value there."""
        super().full_clean()
        data, field = self.cleaned_data if self.is_bound else {}, self.fields.get("sort")
        self.position: tuple[int, str] = (data.get("page_size", 0), data.get("cursor", ""))
        self.exporting = bool(data.get("format"))  # the reader asks for all rows, as a file or on paper
        self.printing = data.get("format") == PRINT  # the reader asks for all rows on one page, to print it
        self.searched = next((name for name in self.always_shown if data.get(name)), "")  # the field with a search
        sort = data.get("sort") or (field.default_sort if isinstance(field, SortField) else "")
        self.order = SortOrder(sort.removeprefix("-"), data.get("then", ""), sort.startswith("-"))

    def refuse(self, field: str, text: str, value: str = "") -> BadParameters:
        """Add the error for a value that the form accepts but the data do not have."""
        return BadParameters([problem(self, field, [text])], without(self.params, field, value))

    @contextmanager
    def refusing(self) -> Iterator[None]:
        """Raise :class:`BadParameters` if the data shows that a value is wrong."""
        try:
            yield
        except errors.BadCursor as error:
            raise self.refuse("cursor", str(error)) from error
        except errors.UnknownValue as error:
            raise self.refuse(error.facet, str(error), error.value) from error

    def show(self, typed: QueryDict, problems: Iterable[Problem]) -> None:
        """Show the typed values, with the problems beside the fields. The cleaned data stay as they are.

        If a value is not among the choices of its menu, the menu shows its default, with which the list is read.
        """
        self.data = typed.copy()
        for found in problems:
            if found.field in self.fields:
                new = self.error_class(renderer=self.renderer, field_id=self[found.field].auto_id)
                self.errors.setdefault(found.field, new).extend(found.texts)
            if isinstance(self.fields.get(found.field), forms.ChoiceField):
                self.data.pop(found.field, None)

    @cached_property
    def params(self) -> QueryDict:
        """The query string as :func:`~portal.forms.parameters.understood`. Copy it to change it."""
        return understood(self)

    @cached_property
    def _encoded(self) -> dict[str, str]:
        """Each of the parameters with its values, as a part of an address."""
        found = {}
        for name, values in self.params.lists():
            found[name] = urlencode({name: values}, doseq=True)
        return found

    def link(self, **changes: Any) -> str:
        """Return the list's address with some parameters changed or, by ``None``, removed. It leaves out the cursor."""
        encoded = dict(self._encoded)
        for name, value in changes.items():
            encoded[name] = "" if value in (None, "") else urlencode({name: value}, doseq=True)  # noqa: PLR6201
        return "?" + "&".join(filter(None, encoded.values()))

    def carried(self, name: str) -> str:
        """Return a parameter as a part of another list's query string; blank if the parameter is not set."""
        return f"?{self._encoded[name]}" if name in self._encoded else ""

    def link_without(self, name: str, value: str) -> str:
        """Return the list's address without one value of a parameter that may have several."""
        others = self.params.getlist(name)
        others.remove(str(value))
        return self.link(**{name: others})

    @cached_property
    def address(self) -> str:
        """The query string in its canonical spelling, with its cursor, for the browser's address bar."""
        return self.link(cursor=self.cleaned_data.get("cursor")).removeprefix("?")

    @cached_property
    def filters(self) -> set[str]:
        """The names of the filters that fold away on a narrow screen. A hidden field is set elsewhere, as by tabs."""
        return self.fields.keys() - self.hidden - {*ListForm.base_fields, *self.always_shown}

    @property
    def filterable(self) -> bool:
        return bool(self.filters) and self.searched in {"", *self.filtered}

    @property
    def filters_set(self) -> int:
        """The number of filters that are set. A filter with several values counts once."""
        return len(self.filters.intersection(self.params))

    @property
    def filters_wrong(self) -> bool:
        """Whether one of the filters has a problem, and must not be folded away."""
        return not self.filters.isdisjoint(self.errors)

    @property
    def sortable(self) -> bool:
        return "sort" in self.fields and not self.searched

    @property
    def seconds(self) -> list[tuple[str, str]]:
        """The second columns that the menu of sorts offers: values and words."""
        seconds = dict(self._seconds)
        return [("", "-"), *seconds.items()] if seconds.pop(self.order.column, None) else []

    @cached_property
    def headers(self) -> dict[str, Header]:
        """The headers of the sortable columns, by column.

        A click on the sorted column reverses the list; one on another sorts by that. If both can be combined, the old
        column becomes the second one.
        """
        field = self.fields.get("sort")
        columns = field.columns if self.sortable and isinstance(field, SortField) else ()
        order, headers = self.order, {}
        direction, arrow = (DESCENDING, "▼") if order.descending else (ASCENDING, "▲")
        for name in map(attrgetter("name"), columns):
            combined = self._seconds.keys() >= {order.column, name}
            href = self.link(sort=name, then=order.column if combined else None)
            headers[name] = Header(name, href)
            if name == order.column:
                href = self.link(sort=name if order.descending else f"-{name}", then=order.then)
                headers[name] = Header(name, href, direction, arrow, f"sorted {direction}, reverse")
            elif name == order.then:
                words = f"sorted second, {direction}, sort by it first"
                headers[name] = Header(name, href, "", f"{arrow} 2", words)
        return headers

    @cached_property
    def _seconds(self) -> dict[str, str]:
        """The columns that can be combined in a sort by two columns, with their labels."""
        field = self.fields.get("then")
        return dict(field.choices) if isinstance(field, forms.ChoiceField) else {}  # type: ignore[arg-type]


MOST_DRAWN = 10
"""A filter with more choices draws those with the most rows, and the others on demand."""
MOST_BARS = 60


@dataclass(frozen=True)
class Choice:
    """A value of a facet: in the query string, in words, and with the number of rows that it selects.

    ``share`` is this number as a percentage of the facet's rows.
    """

    value: str
    label: str
    count: int
    share: int
    selected: bool


class Scale(NamedTuple):
    """The least and the greatest of values that are numbers, the least step between two, and the highest count."""

    low: int
    high: int
    step: int
    most: int


@dataclass(frozen=True)
class Filter:
    """A facet and its choices.

    ``counted`` says whether the counts are those of the list. ``whole`` asks to draw every choice, not only
    :data:`MOST_DRAWN`. The ``note`` says that there are other values. A filter that is not ``offered`` is not drawn.
    """

    facet: str
    label: str
    choices: tuple[Choice, ...]
    chosen: tuple[Choice, ...]
    counted: bool = True
    whole: bool = False
    offered: bool = True
    note: str = ""

    @property
    def shown(self) -> Sequence[Choice]:
        """The choices to draw: those with the most rows, and the selected ones."""
        if self.whole or len(self.choices) <= MOST_DRAWN:
            return self.choices
        first = {*sorted(self.choices, key=attrgetter("count"), reverse=True)[:MOST_DRAWN]}
        return [choice for choice in self.choices if choice.selected or choice in first]

    @property
    def scale(self) -> Scale | None:
        """The scale of a histogram of the counts. ``None`` if there are none, or too many values to draw."""
        if not self.counted or not 1 < len(self.choices) <= MOST_BARS:
            return None
        values = sorted(map(int, map(attrgetter("value"), self.choices)))
        most = max(map(attrgetter("count"), self.choices)) or 1
        return Scale(values[0], values[-1], min(map(sub, values[1:], values)), most)


def filter_of(
    facet: str,
    label: str,
    counts: Mapping[str, int],
    *,
    values: Iterable[str] | None = None,
    selected: Collection[str] = (),
    words: Callable[[str], str] = str,
    **drawn: Any,
) -> Filter:
    """Return a filter whose choices are ``values``, by default those that are counted. ``words`` labels them."""
    total, choices = sum(counts.values()), list[Choice]()
    for value in counts if values is None else values:
        count = counts.get(value, 0)
        share = (200 * count + total) // (2 * total) if total else 0  # rounded half up, as stars are
        choices.append(Choice(value, words(value), count, share, value in selected))
    return Filter(facet, label, tuple(choices), tuple(filter(attrgetter("selected"), choices)), **drawn)
