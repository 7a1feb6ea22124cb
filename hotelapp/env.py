"""Strict reading of the environment: a missing or malformed value stops the start and names itself.

django-environ reads ``.env`` and the process environment; on its own it takes ``DEBUG=maybe`` for false
and lets a bad number surface as a bare ``ValueError``, so every setting goes through one of these.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

import environ
from django.core.exceptions import ImproperlyConfigured

T = TypeVar("T")

_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"0", "false", "no", "off"})


def read_env_file(path: str) -> None:
    """Add the variables of the file at ``path`` to the environment; those already set win."""
    environ.Env.read_env(path)


def text(name: str, default: str | None = None) -> str:
    """The variable as it stands; a blank one counts as missing. Without a default, that is an error."""
    # Not through Env.str, which takes a value that begins with "$", as secrets may, for another variable's name.
    value = environ.Env.ENVIRON.get(name, "").strip()
    if not value and default is None:
        raise ImproperlyConfigured(f"{name} is not set. Set it in the environment or in .env.")
    return value or default or ""


def boolean(name: str, default: bool = False) -> bool:
    """True or false; anything that is neither word is an error, not false."""
    value = text(name, "1" if default else "0").lower()
    if value not in _TRUE | _FALSE:
        raise ImproperlyConfigured(f"{name} must be one of 1, 0, true, false, yes, no, on, off; it is {value!r}.")
    return value in _TRUE


def number(name: str, default: int, low: int, high: int) -> int:
    """A whole number from ``low`` to ``high``, both included."""
    return _parse(name, str(default), int, lambda value: low <= value <= high, f"a whole number {low}-{high}")


def seconds(name: str, default: float) -> float:
    """A duration in seconds, more than zero."""
    return _parse(name, str(default), float, lambda value: 0 < value < float("inf"), "a number of seconds above 0")


def choice(name: str, default: str, choices: Sequence[str]) -> str:
    """One of ``choices``."""
    return _parse(name, default, str, lambda value: value in choices, "one of " + ", ".join(choices))


def words(name: str, default: Sequence[str] = ()) -> list[str]:
    """A comma-separated list; blanks are dropped."""
    return [word.strip() for word in text(name, ",".join(default)).split(",") if word.strip()]


def _parse(name: str, default: str, cast: Callable[[str], T], allow: Callable[[T], bool], want: str) -> T:
    raw = text(name, default)
    try:
        value = cast(raw)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must be {want}; it is {raw!r}.") from error
    if not allow(value):
        raise ImproperlyConfigured(f"{name} must be {want}; it is {raw!r}.")
    return value
