"""The base of forms that check the rows of a file."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.choices import flatten_choices

MOST_NAMED = 10
"""The most choices that a message names. Of more, it names one as an example."""


class RowForm(forms.Form):
    """One form checks all rows of a file, one after another.

    A new form copies each of its fields, which takes more time than to check a row.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for field in self.fields.values():
            if isinstance(field, forms.ChoiceField):
                named = [str(value) for value, _ in flatten_choices(field.choices) if value]  # type: ignore[arg-type]
                if len(named) > MOST_NAMED:
                    named = [f"the values of this column, such as {named[-1]}"]
                text = f"Select a valid choice. “%(value)s” is none of {', '.join(named)}."
                field.error_messages["invalid_choice"] = text

    def check(self, data: Mapping[str, Any]) -> bool:
        """Check the next row; returns whether it is valid. ``cleaned_data`` and ``errors`` are those of this row."""
        self.is_bound, self.data = True, data
        self.full_clean()
        return self.is_valid()
