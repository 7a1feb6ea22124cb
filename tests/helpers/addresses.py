"""Every address of the portal, from the URL configuration: what it is called, its page, and the values in it."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.views import View

from tests.helpers.pages import EXAMPLES, PAGES, Access

ELSEWHERE = ("admin:", "login:", "unused:")
"""The namespaces of other packages, and of pages before the end of a login. They have tests of their own."""


@dataclass(frozen=True)
class Address:
    """A pattern of the URL configuration."""

    name: str
    route: str
    kwargs: tuple[str, ...]
    view: Callable[..., Any]

    @property
    def url(self) -> str:
        """The address with the example of each value."""
        return self.with_values()

    def with_values(self, **others: str) -> str:
        """The address with these values, and with the example of each other one. If it has none, a ``KeyError``."""
        examples = EXAMPLES | others
        return reverse(self.name, kwargs={name: examples[name] for name in self.kwargs})

    @property
    def page(self) -> type[View]:
        """The class of the page. A view that is a plain function has none."""
        return self.view.view_class  # type: ignore[attr-defined, no-any-return]

    @property
    def access(self) -> Access:
        """Who may use it, according to the registry of pages. A page that is missing there is a ``LookupError``."""
        if self.route not in PAGES:
            raise LookupError(f"{self.name}: say in tests/helpers/pages.py who may use {self.route}")
        return PAGES[self.route]


def addresses() -> list[Address]:
    """Return every address of the portal."""
    return list(_walk(get_resolver().url_patterns, "", "/"))


def other_addresses(object_id: str) -> list[str]:
    """An address for each pattern of Unfold and Django below ``/admin/``, about the account or group with this id."""
    examples = {
        "object_id": object_id,
        "id": object_id,
        "app_label": "auth",
        "content_type_id": "1",
        "rest": "1/1/",
        "username": "erin",
        "uidb64": "MQ",
        "token": "set-password",
    }
    resolvers = [found for found in get_resolver().url_patterns if isinstance(found, URLResolver)]
    below = [found for found in resolvers if f"{found.namespace}:" in ELSEWHERE]
    return [
        reverse(f"{resolver.namespace}:{pattern.name}", kwargs={name: examples[name] for name in _values(pattern)})
        for resolver in below
        for pattern in _leaves(resolver)
        if pattern.name
    ]


def _leaves(resolver: URLResolver) -> Iterator[URLPattern]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            yield from _leaves(pattern)
        else:
            yield pattern


def _values(pattern: URLPattern) -> list[str]:
    """Return the names of the values in an address, also if it is given by a regular expression."""
    return list(pattern.pattern.converters or pattern.pattern.regex.groupindex)


def _walk(patterns: Iterable[URLPattern | URLResolver], namespace: str, route: str) -> Iterator[Address]:
    for pattern in patterns:
        here = route + re.sub(r"<\w+:", "<", str(pattern.pattern))
        if isinstance(pattern, URLResolver):
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            if inner not in ELSEWHERE:
                yield from _walk(pattern.url_patterns, inner, here)
        else:
            yield Address(f"{namespace}{pattern.name}", here, tuple(pattern.pattern.converters), pattern.callback)
