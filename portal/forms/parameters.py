"""Query strings are parsed by forms. The cleaned data is the state of a page; an error names the field."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import filterfalse
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict


@dataclass(frozen=True)
class Problem:
    """The problems of a field's values. The field has this label on the page."""

    field: str
    label: str
    texts: Sequence[str]


class BadParameters(ValueError):
    """The query string has invalid values. ``remaining`` is the query string without them."""

    def __init__(self, problems: Sequence[Problem], remaining: QueryDict) -> None:
        super().__init__("; ".join(f"{problem.field}: {' '.join(problem.texts)}" for problem in problems))
        self.problems = problems
        self.remaining = remaining.urlencode()

    def ways_out(self, path: str) -> list[tuple[str, str]]:
        """Return links to the list at this path without the invalid values: their words and their addresses."""
        return [("Show the list without these values", f"{path}?{self.remaining}"), ("Reset the list", path)]


class ManyField(forms.Field):
    """A parameter that may occur several times. ``field`` cleans each value. The result is a tuple of unique values."""

    widget = forms.MultipleHiddenInput

    def __init__(self, field: forms.Field) -> None:
        super().__init__(required=False)
        self.field = field

    def to_python(self, value: Any) -> tuple[Any, ...]:
        """Return each value, cleaned by the inner field. Blank values are left out."""
        return tuple(dict.fromkeys(map(self.field.clean, filter(str.strip, value or ()))))


def checked(form: forms.Form) -> dict[str, Any]:
    """Return a form's cleaned data. Raises: :class:`BadParameters` for an invalid form."""
    if not form.is_valid():
        problems = [problem(form, field, [str(text) for text in texts]) for field, texts in form.errors.items()]
        raise BadParameters(problems, understood(form))
    return form.cleaned_data


def read(data: QueryDict, **fields: forms.Field) -> dict[str, Any]:
    """Return the parameters of a page that is no list, each cleaned by its field. Raises :class:`BadParameters`."""
    form: Any = type("Parameters", (forms.Form,), fields)
    return checked(form(data))


def problem(form: forms.Form, field: str, texts: Sequence[str]) -> Problem:
    """Return a problem of one field of a form, or of the form as a whole."""
    return Problem(field, str(form[field].label) if field in form.fields else "", texts)


def understood(form: forms.Form) -> QueryDict:
    """Return the valid values of a checked form in their canonical spelling, for a link that keeps them.

    A value is left out if it is blank, the field's default, or named in ``transient``.
    """
    params = QueryDict(mutable=True)
    for name, field in form.fields.items():
        values = form.cleaned_data.get(name)
        if not isinstance(field, ManyField):
            values = [values]
        elif values is None:  # some are not valid
            values = dict[Any, None]()
            for text in cast(QueryDict, form.data).getlist(name):
                with suppress(ValidationError):
                    values |= dict.fromkeys(field.to_python([text]))
        texts = [*map(str, filterfalse({None, ""}.__contains__, values))]
        default = getattr(field, "default", None)
        if texts and name not in getattr(form, "transient", ()) and texts != [str(default)]:
            params.setlist(name, texts)
    return params


def without(params: QueryDict, name: str, value: str) -> QueryDict:
    """Return the parameters without one value of a parameter that may have several."""
    remaining = params.copy()
    remaining.setlist(name, [other for other in remaining.getlist(name) if other != value])
    return remaining


def rewrite(form: forms.Form, name: str, value: str) -> None:
    """Change the value of a field in a bound form, so that the user can send the form again with this value."""
    data = cast(QueryDict, form.data).copy()
    data[form.add_prefix(name)] = value
    form.data = data
