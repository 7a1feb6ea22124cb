"""Column headers that toggle a list's sort; the sort before becomes the second one."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import QueryDict

ASCENDING, DESCENDING = "ascending", "descending"


@dataclass(frozen=True)
class Header:
    """A sortable column: its link, and how it is sorted now."""

    facet: str
    href: str
    aria_sort: str
    mark: str
    words: str
    numeric: bool


def headers(
    facets: Sequence[str],
    sort: str,
    then: str,
    descending: bool,
    params: QueryDict,
    numeric: Sequence[str] = (),
) -> list[Header]:
    """One header for each facet. The link of the sorted one turns it round, any other sorts by it first."""
    way = DESCENDING if descending else ASCENDING
    arrow = "▼" if descending else "▲"
    made = []
    for facet in facets:
        if facet == sort:
            words = f"sorted {way}, turn round"
            mark, aria = arrow, way
        else:
            words = f"sorted second, {way}, sort by it first" if facet == then else "sort by it"
            mark, aria = (f"2{arrow}" if facet == then else ""), ""
        href = _href(facet, sort, then, descending, params)
        made.append(Header(facet, href, aria, mark, words, facet in numeric))
    return made


def _href(facet: str, sort: str, then: str, descending: bool, params: QueryDict) -> str:
    changed = params.copy()
    turned = facet == sort and not descending
    changed["sort"] = f"-{facet}" if turned else facet
    second = then if facet == sort else sort
    if second:
        changed["then"] = second
    else:
        changed.pop("then", None)
    return f"?{changed.urlencode()}"
