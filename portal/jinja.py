"""Two template engines: Jinja2 draws lists and their parts, Django's own engine draws the pages around them.

A list has hundreds of nodes. Jinja2 draws them in a quarter to half of the time. A template exists once, in one
language: those of Jinja2 are in ``templates/jinja2``. What both engines call is registered once, in a :class:`Library`.
"""

import re
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from inspect import signature
from typing import Any, TypeVar

from django import template
from django.template import defaultfilters, engines
from django.utils.safestring import SafeString, mark_safe
from jinja2 import Environment, StrictUndefined, pass_context
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream

from portal.frame import address

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])
FILTERS = ("capfirst", "date", "intcomma", "pluralize", "slugify", "urlencode")
"""The filters of Django that templates of Jinja2 use. Others of these names mean something else there."""


class Library(template.Library):
    """What both engines call: filters, and functions, which are tags in Django's templates."""

    def __init__(self) -> None:
        super().__init__()
        self.functions: dict[str, Callable[..., Any]] = {}

    def function(self, function: FunctionT) -> FunctionT:
        """Register a function. It gets the template's context if its first parameter has this name."""
        takes_context = next(iter(signature(function).parameters)) == "context"
        self.functions[function.__name__] = pass_context(function) if takes_context else function
        self.simple_tag(function, takes_context=takes_context)
        return function


class Indentation(Extension):
    """Leaves out the indentation of templates, and lines between blocks, when they are compiled."""

    blocks = (
        "details|div|d[ldt]|fieldset|form|h[1-6]|legend|li|ol|option|p|rect|summary|t(?:able|body|d|h|head|itle|r)|ul"
    )
    before = re.compile(rf"\s*\n\s*(?=</?(?:{blocks})\b)")
    after, lines = re.compile(rf"(</?(?:{blocks})\b[^<>]*>)\s*\n\s*"), re.compile(r"\s*\n\s*")

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        for token in stream:
            if token.type == "data":
                short = self.lines.sub("\n", self.after.sub(r"\1", self.before.sub("", token.value)))
                yield Token(token.lineno, token.type, short)
            else:
                yield token


class _Environment(Environment):
    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the same map for every template: each ``import`` in a row would compare a chain of maps in Python."""
        return self.globals


def environment(**options: Any) -> Environment:
    """Return the environment of Jinja2, as settings name it. A name that a template lacks is an error."""
    env = _Environment(**{**options, "undefined": StrictUndefined, "extensions": [Indentation]})  # noqa: S701 (Django escapes)
    libraries = engines["django"].engine.template_libraries.values()  # type: ignore[attr-defined]
    filters = {name: found for library in libraries for name, found in library.filters.items()}
    filters |= defaultfilters.register.filters
    env.filters |= {name: filters[name] for name in FILTERS}
    for library in libraries:
        if isinstance(library, Library):
            env.filters |= library.filters
            env.globals |= library.functions
    env.globals["url"] = address
    return env


def part(name: str, context: Mapping[str, Any]) -> SafeString:
    """Return a template of Jinja2, drawn with this context, which needs no context processors any more."""
    env: Environment = engines["jinja2"].env  # type: ignore[attr-defined]
    return mark_safe(env.get_template(name).render(context))  # noqa: S308 (the environment escapes)
