"""Follow a list from page to page, or a job from step to step: to the end, but never for ever."""

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from operator import attrgetter
from typing import Any, Protocol, TypeVar

P = TypeVar("P")
MOST = 100
"""More pages or steps than any test has. Whatever takes more is a fault, such as a page that leads back to itself."""

NEXT: Callable[[Any], str | None] = attrgetter("next")
PREVIOUS: Callable[[Any], str | None] = attrgetter("previous")


class _Linked(Protocol):
    def link(self, rel: str) -> str | None: ...


L = TypeVar("L", bound=_Linked)


def follow(page: P, link: Callable[[P], str | None], read: Callable[[str], P], most: int = MOST) -> Iterator[P]:
    """Yield the page, and every one that its links lead to. No link may lead to where one has led before."""
    seen = set[str]()
    yield page
    while there := link(page):
        assert there not in seen, f"page {len(seen) + 1} has the link of an earlier one: {there}"
        seen.add(there)
        assert len(seen) < most, f"the list does not end after {most} pages"
        page = read(there)
        yield page


def rows_of(pages: Iterable[Any]) -> list[Any]:
    """Return the rows of pages, one after the other."""
    return [row for page in pages for row in page.rows]


def every_page(read: Callable[[str], Any], wanted: Collection[Any], *, counted: bool = True) -> list[Any]:
    """Return the pages of a list that nobody changes and that has the ``wanted`` rows, in any order.

    Each row is on one page on the way to the end, and on one on the way back. Each link leads to other rows, and a page
    without one has all rows on its side. From the last page on back, the first page may have rows of the second one
    again where the counts are wrong, so that nothing is ``counted`` rightly. A page that says that it ``stopped`` knows
    only where to read on, and so has the page beside it no rows, perhaps.
    """
    read, most = cache(read), 2 * len(wanted) + MOST
    pages = [*follow(read(""), NEXT, read, most)]
    rows = rows_of(pages)
    assert (len(rows), {*rows}) == (len(wanted), {*wanted})
    back = [*follow(pages[-1], PREVIOUS, read, most)][::-1]
    assert rows_of(back) == rows
    from_last = [*follow(read(pages[0].last) if pages[0].last else pages[0], PREVIOUS, read, most)][::-1]
    assert rows_of(from_last) == rows or (not counted and [*dict.fromkeys(rows_of(from_last))] == rows)
    for page in [*pages, *back, *from_last]:
        if counted and page.rows and getattr(page, "total", None) is not None and page.rank is not None:
            assert rows[page.rank] == page.rows[0]
        if not getattr(page, "stopped", False) and (page.rows or not rows):
            assert bool(page.last) == bool(page.next) == (page.rows[-1:] != tuple(rows[-1:]))
            assert bool(page.previous) == (page.rows[:1] != tuple(rows[:1]))
            for other in map(read, filter(None, (page.next, page.previous, page.last))):
                assert {*other.rows} - {*page.rows} or getattr(other, "stopped", False)
    return pages


def linked(page: L, read: Callable[[str], L], rel: str = "next") -> list[L]:
    """Return the page, and every one after it, by the links on them."""
    return list(follow(page, lambda shown: shown.link(rel), read))


def until(done: Callable[[], object]) -> None:
    """Call it, step by step, until it returns something true."""
    assert any(done() for _ in range(MOST)), f"not done after {MOST} steps"
