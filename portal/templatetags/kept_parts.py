"""Parts of pages that a process keeps: rows, filters, menus and plots, each drawn once for the same values.

docs/pages.md explains it.
"""

from collections.abc import Callable, Hashable
from dataclasses import fields, is_dataclass
from functools import cache
from operator import attrgetter
from threading import Lock
from typing import Any, Self

from django.conf import settings
from django.urls import get_script_prefix
from django.utils.html import escape
from django.utils.safestring import SafeString

from portal import jinja

register = jinja.Library()

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
    """A template of Jinja2 that each process draws once for the same values.

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
        """The part with these values, such as those of a row. None of them is live."""
        key = *self._key, *values, *map(_key_of, values.values())

        def draw() -> str:
            marks = {name: _mark(name) for name, value in self._given.items() if isinstance(value, Live)}
            return jinja.part(self._name, {**self._given, **marks, **values})

        keeps = not settings.DEBUG and NotImplemented not in key  # a template that is edited is drawn anew
        text = _kept.get(key, draw) if keeps else draw()
        for mark, value in self._live:
            text = text.replace(mark, value)
        return SafeString(text)

    def __html__(self) -> str:
        """The part without more values."""
        return self()


def _key_of(value: Any) -> Hashable:
    """What tells a value from others: its ``kept_by``, or all its fields, also those that ``==`` leaves out.

    ``NotImplemented`` says that no part with this value is kept.
    """
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


register.filter("live", Live)


@register.function
def kept_part(name: str, /, **values: Any) -> KeptPart:
    """A template that is drawn once for these values. Call the result to add others, such as those of a row."""
    return KeptPart(name, **values)
