"""Two template engines: Jinja2 draws lists and their parts, Django's own engine draws the pages around them.

A list has hundreds of nodes. Jinja2 draws them in a quarter to half of the time. A template exists once, in one
language: those of Jinja2 are in ``templates/jinja2``. What both engines call is registered once, in a :class:`Library`.
"""

import re
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from inspect import signature
from operator import attrgetter
from threading import Lock
from typing import Any, Self, TypeVar

from django import template
from django.conf import settings
from django.template import defaultfilters, engines
from django.urls import get_script_prefix
from django.utils.html import escape
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
    """Leaves out the indentation of templates, when they are compiled."""

    spaces = re.compile(r"\s*\n\s*")

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        for token in stream:
            is_text = token.type == "data"
            yield Token(token.lineno, token.type, self.spaces.sub("\n", token.value)) if is_text else token


def environment(**options: Any) -> Environment:
    """The environment of Jinja2, as settings name it. A name that a template lacks is an error."""
    env = Environment(**{**options, "undefined": StrictUndefined, "extensions": [Indentation]})  # noqa: S701 (Django escapes)
    libraries = engines["django"].engine.template_libraries.values()  # type: ignore[attr-defined]
    filters = {name: found for library in libraries for name, found in library.filters.items()}
    filters |= defaultfilters.register.filters
    env.filters |= {name: filters[name] for name in FILTERS}
    for library in libraries:
        if isinstance(library, Library):
            env.filters |= library.filters
            env.globals |= library.functions
    env.globals |= {"url": address, "kept_part": KeptPart, "live": Live}
    return env


def part(name: str, context: Mapping[str, Any]) -> SafeString:
    """A template of Jinja2, drawn with this context, which needs no context processors any more."""
    env: Environment = engines["jinja2"].env  # type: ignore[attr-defined]
    return mark_safe(env.get_template(name).render(context))  # noqa: S308 (the environment escapes)


MOST_KEPT = 8_000_000
"""The most characters of the kept parts of a process: a few thousand rows, and the filters of some hundred lists."""


class Live(str):
    """A text that differs from page to page, such as the token of a form, escaped. It is filled into a kept part."""

    __slots__ = ()

    def __new__(cls, text: object) -> Self:
        return super().__new__(cls, escape(text))


class DrawnTexts:
    """The texts of the kept parts of a process, by their keys. The oldest ones go when they are too many."""

    def __init__(self) -> None:
        self._texts: dict[Hashable, str] = {}
        self._characters = 0
        self._lock = Lock()

    def get(self, key: Hashable, draw: Callable[[], str]) -> str:
        """The part with this key, drawn if this process has not kept it."""
        text = self._texts.get(key)
        if text is None:
            text = draw()
            with self._lock:
                self._characters += len(text) - len(self._texts.pop(key, ""))
                self._texts[key] = text
                while self._characters > MOST_KEPT and len(self._texts) > 1:
                    self._characters -= len(self._texts.pop(next(iter(self._texts))))
        return text


_kept = DrawnTexts()


class KeptPart:
    """A template of Jinja2 that each process draws once for the same values. Templates call it ``kept_part``.

    It is given the values of the part and those of a call, and nothing else. So they are its key: all that it can
    depend on. What differs with each page is :class:`Live`, and is filled in. No function that the template calls may
    read a clock.
    """

    def __init__(self, name: str, /, **values: Any) -> None:
        self._name, self._given, self._live = name, values, list[tuple[str, Live]]()
        self._key: list[Hashable] = [name, get_script_prefix(), *values]
        for value_name, value in values.items():
            if isinstance(value, Live):
                self._live.append((_mark(value_name), value))
            else:
                self._key.append(_key_of(value))

    def __call__(self, **values: Any) -> SafeString:
        """The part with these values, such as those of a row."""
        key = *self._key, *values, *map(_key_of, values.values())

        def draw() -> str:
            marks = {name: _mark(name) for name, value in self._given.items() if isinstance(value, Live)}
            return part(self._name, {**self._given, **marks, **values})

        text = draw() if settings.DEBUG else _kept.get(key, draw)  # a template that is edited is drawn anew
        for mark, value in self._live:
            text = text.replace(mark, value)
        return SafeString(text)

    def __html__(self) -> str:
        """The part without more values."""
        return self()


def _key_of(value: Any) -> Hashable:
    """What tells a value from others: its ``kept_by``, or all its fields, also those that ``==`` leaves out."""
    of = _reader(value.__class__)
    return of(value) if of else value


@cache
def _reader(kind: type) -> Callable[[Any], Hashable] | None:
    if hasattr(kind, "kept_by"):
        return attrgetter("kept_by")
    return attrgetter(*(field.name for field in fields(kind))) if is_dataclass(kind) else None


@cache
def _mark(name: str) -> SafeString:
    """What stands for a live text in a kept part. No other text can be it, because ``<`` in texts is escaped."""
    return SafeString(f"<live {name}>")
