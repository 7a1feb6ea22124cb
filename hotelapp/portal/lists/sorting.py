"""The sort of a list: the columns that can be sorted, the reader's choice, and the links that change it."""

from dataclasses import dataclass

from django.http import QueryDict

ASCENDING, DESCENDING = "ascending", "descending"


@dataclass(frozen=True)
class SortColumn:
    """A column that a list can be sorted by, and the words for its two directions.

    ``second`` says whether it can also be the second one of two columns.
    """

    name: str
    label: str
    ascending: str = ASCENDING
    descending: str = DESCENDING
    second: bool = True

    def options(self) -> list[tuple[str, str]]:
        """The value and the words of each direction."""
        return [(self.name, self.ascending), (f"-{self.name}", self.descending)]


@dataclass(frozen=True)
class SortOrder:
    """The sort that a reader chose: a column, a second column or none, and one direction for both.

    A blank ``column`` is the list's default order.
    """

    column: str = ""
    then: str = ""
    descending: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns to sort by, the first one first."""
        return tuple(filter(None, (self.column, self.then)))

    def toggled(self, column: str, *, second: bool) -> "SortOrder":
        """The sort after a click on a column's header.

        A click on the sorted column reverses the list. A click on another column sorts by that column; with
        ``second``, the old column becomes the second one.
        """
        if column == self.column:
            return SortOrder(column, self.then, not self.descending)
        return SortOrder(column, self.column if second else "")


@dataclass(frozen=True)
class Header:
    """The header of a sortable column: its link, and how the list is sorted by it now."""

    column: str
    href: str
    aria_sort: str = ""
    mark: str = ""
    words: str = "sort by it"


def header(column: str, order: SortOrder, params: QueryDict, *, second: bool) -> Header:
    """The header of a column under the sort that the reader chose.

    ``second`` says whether the old column may become the second one.
    """
    direction = DESCENDING if order.descending else ASCENDING
    arrow = "▼" if order.descending else "▲"
    href = _href(order.toggled(column, second=second), params)
    if column == order.column:
        return Header(column, href, direction, arrow, f"sorted {direction}, reverse")
    if column == order.then:
        return Header(column, href, "", f"{arrow} 2", f"sorted second, {direction}, sort by it first")
    return Header(column, href)


def _href(order: SortOrder, params: QueryDict) -> str:
    changed = params.copy()
    changed["sort"] = f"-{order.column}" if order.descending else order.column
    changed.pop("then", None)
    if order.then:
        changed["then"] = order.then
    return f"?{changed.urlencode()}"
