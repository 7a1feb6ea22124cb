"""The sort of a list: its fields in the query string, and the reader's choice."""

from collections.abc import Sequence
from dataclasses import dataclass

from django import forms

ASCENDING, DESCENDING = "ascending", "descending"


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
    """The sort that a reader chose: a column, a second column or none, and one direction for both.

    A blank ``column`` is the list's default order.
    """

    column: str = ""
    then: str = ""
    descending: bool = False
