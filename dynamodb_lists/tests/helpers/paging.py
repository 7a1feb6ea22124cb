"""Follow a list from page to page, or a job from step to step: to the end, but never for ever."""

from collections.abc import Callable, Iterator
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
    """The page, and every one that its links lead to. No link may lead to where one has led before."""
    seen = set[str]()
    yield page
    while there := link(page):
        assert there not in seen, f"page {len(seen) + 1} has the link of an earlier one: {there}"
        seen.add(there)
        assert len(seen) < most, f"the list does not end after {most} pages"
        page = read(there)
        yield page


def linked(page: L, read: Callable[[str], L], rel: str = "next") -> list[L]:
    """The page, and every one after it, by the links on them."""
    return list(follow(page, lambda shown: shown.link(rel), read))


def until(done: Callable[[], object]) -> None:
    """Call it, step by step, until it returns something true."""
    assert any(done() for _ in range(MOST)), f"not done after {MOST} steps"
