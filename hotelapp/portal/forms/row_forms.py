"""The base of forms that check the rows of a file."""

from collections.abc import Mapping
from typing import Any

from django import forms


class RowForm(forms.Form):
    """One form checks all rows of a file, one after another.

    A new form copies each of its fields, which takes more time than to check a row.
    """

    def check(self, data: Mapping[str, Any]) -> bool:
        """Check the next row; returns whether it is valid. ``cleaned_data`` and ``errors`` are those of this row."""
        self.is_bound, self.data = True, data
        self.full_clean()
        return self.is_valid()
