"""Query strings are parsed by forms: a page's whole state is its cleaned data, and a bad value has a field to name."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar, cast

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict

from hotelapp.dynamodb.cursors import MAX_LENGTH
from hotelapp.portal.sorting import Header, headers

PAGE_SIZES = (10, 20, 25, 50, 100)
DEFAULT_PAGE_SIZE = 25
DEFAULT = ("page_size", [str(DEFAULT_PAGE_SIZE)])
UNKEPT = {"cursor", "format"}


class BadParameters(ValueError):
    """The query string holds values that cannot be used: ``problems`` by field, ``remaining`` without them."""

    def __init__(self, problems: Mapping[str, Sequence[str]], remaining: QueryDict) -> None:
        super().__init__("; ".join(f"{field}: {' '.join(texts)}" for field, texts in problems.items()))
        self.problems = problems
        self.remaining = remaining.urlencode()


class ManyField(forms.Field):
    """A parameter that may occur several times; each value goes through ``field``. Gives a tuple without doubles."""

    widget = forms.MultipleHiddenInput

    def __init__(self, field: forms.Field) -> None:
        super().__init__(required=False)
        self.field = field

    def to_python(self, value: Any) -> tuple[Any, ...]:
        """Each value cleaned by the inner field; blank ones are left out."""
        return tuple(dict.fromkeys(self.field.clean(one) for one in value or () if one.strip()))

    def usable(self, values: Iterable[str]) -> Iterator[Any]:
        """The values that can be used, each cleaned, whatever stands beside them."""
        for one in values:
            with suppress(ValidationError):
                yield from self.to_python([one])


class PageSizeField(forms.TypedChoiceField):
    """One of the page sizes on offer."""

    def __init__(self) -> None:
        super().__init__(
            choices=[(size, str(size)) for size in PAGE_SIZES],
            coerce=int,
            required=False,
            empty_value=str(DEFAULT_PAGE_SIZE),
            error_messages={"invalid_choice": f"Must be one of {', '.join(map(str, PAGE_SIZES))}."},
        )

    def clean(self, value: Any) -> int:
        """The size; the default for none."""
        return int(super().clean(value))


def checked(form: forms.Form) -> dict[str, Any]:
    """A form's cleaned data. Raises :class:`BadParameters` for what came with the address, or from a page of ours."""
    if not form.is_valid():
        problems = {field: [str(text) for text in texts] for field, texts in form.errors.items()}
        raise BadParameters(problems, understood(form))
    return form.cleaned_data


def understood(form: forms.Form) -> QueryDict:
    """What a form made of a query string, each value in its one spelling: what a link keeps.

    Blanks, defaults, cursor and format are left out, and so is what is not valid. Call it once the form was checked.
    """
    kept = QueryDict(mutable=True)
    for name in form.fields:
        texts = [str(value) for value in _values(form, name) if value not in {None, ""}]
        if texts and name not in UNKEPT and (name, texts) != DEFAULT:
            kept.setlist(name, texts)
    return kept


def _values(form: forms.Form, name: str) -> Iterable[Any]:
    """A field's cleaned values; of one that may have several those that can be used, if others cannot."""
    field = form.fields[name]
    if isinstance(field, ManyField):
        return dict.fromkeys(field.usable(cast(QueryDict, form.data).getlist(name)))
    return [form.cleaned_data.get(name)]


def rewrite(form: forms.Form, name: str, value: str) -> None:
    """Put another value into one field of a form that was sent, to be sent again with it."""
    data = cast(QueryDict, form.data).copy()
    data[form.add_prefix(name)] = value
    form.data = data


class ListForm(forms.Form):
    """What every list understands. Subclasses add their filters."""

    page_size = PageSizeField()
    cursor = forms.CharField(
        required=False, max_length=MAX_LENGTH, error_messages={"max_length": "The cursor is too long."}
    )
    format = forms.ChoiceField(choices=[("csv", "CSV")], required=False)

    def checked(self) -> dict[str, Any]:
        """The cleaned data. Raises :class:`BadParameters`."""
        return checked(self)

    def refuse(self, field: str, text: str, value: str = "") -> BadParameters:
        """The error for a field, or one value of it, that turned out to be wrong only when the data was read."""
        return BadParameters({field: [text]}, without(self.params, field, value))

    @property
    def params(self) -> QueryDict:
        """The query string as :func:`understood`, to be changed at will."""
        return understood(self)

    @property
    def address(self) -> str:
        """The query string in its one spelling, with its cursor, for the browser's address bar."""
        params = self.params
        if cursor := self.cleaned_data["cursor"]:
            params["cursor"] = cursor
        return params.urlencode()


class SortedForm(ListForm):
    """A list with one column to sort by, either way. Subclasses name it, and which way it runs at first.

    ``ways`` are the words for the column from small to large, and from large to small.
    """

    column: ClassVar[str]
    ways: ClassVar[tuple[str, str]] = ("oldest first", "newest first")
    descends: ClassVar[bool] = True
    sort = forms.ChoiceField(required=False)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        cast(forms.ChoiceField, self.fields["sort"]).choices = self._choices

    @property
    def descending(self) -> bool:
        """Which way the list is sorted. Call it after :meth:`checked`."""
        sort: str = self.cleaned_data["sort"]
        return sort.startswith("-") if sort else self.descends

    @property
    def header(self) -> Header:
        """The column's header, whose link turns the list round."""
        return headers([self.column], self.column, "", self.descending, self.params)[0]

    @property
    def sorts(self) -> list[tuple[str, str, bool]]:
        """Value and words of both ways, and which one it is now; the first is what a list without a sort has."""
        now = f"-{self.column}" if self.descending else self.column
        return [(value, words, value == now) for value, words in self._choices]

    @property
    def _choices(self) -> list[tuple[str, str]]:
        choices = [(self.column, self.ways[0]), (f"-{self.column}", self.ways[1])]
        return choices[::-1] if self.descends else choices


def without(params: QueryDict, name: str, value: str) -> QueryDict:
    """The parameters without one value of one that may have several. All are spelt as :func:`understood`."""
    kept = params.copy()
    kept.setlist(name, [one for one in kept.getlist(name) if one != value])
    return kept
