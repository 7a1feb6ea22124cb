"""Strict settings from the environment: a missing or malformed value stops the start, with an error that names it.

django-environ reads ``.env``, but it is not strict. It reads ``DEBUG=maybe`` as false, ``TIMEOUT=3s`` as 3, and a
secret that begins with "$" as a reference; for a bad number it raises a bare ``ValueError``. These functions raise
``ImproperlyConfigured`` instead.
"""

import re
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from ipaddress import IPv4Address
from pathlib import Path
from typing import Any, TypeVar

import environ
from django.core.exceptions import ImproperlyConfigured

T = TypeVar("T")
HOST = r"\*|\[[0-9a-fA-F:.]+\]|\.?[\w-]+(\.[\w-]+)*"
"""A host name without scheme, port or path; ``*`` is any host."""

USERNAME = r"[\w.@+-]{1,150}"

MIN_SECRET, MIN_DISTINCT = 50, 10
SQL_SECONDS = 5
"""How long to wait for another writer of SQLite, or to connect to PostgreSQL; a statement there has twice as long."""

EXAMPLES = ("django-insecure-", "changeme", "change-me", "change_me", "a-long-random-text", "secret-key")
"""Texts of secrets in examples and templates, in lower case."""

HOW_TO_MAKE_A_SECRET = """Make one with: python -c "import secrets; print(secrets.token_urlsafe(50))\""""

_TRUE = frozenset(environ.Env.BOOLEAN_TRUE_STRINGS)
_FALSE = frozenset({"0", "false", "no", "off"})


def text(name: str, default: str | None = None) -> str:
    """Return the text of a variable. A blank variable counts as missing, which is an error without a default."""
    value = environ.Env.ENVIRON.get(name, "").strip()
    if not value and default is None:
        raise ImproperlyConfigured(f"{name} is not set. Set it in the environment or in .env.")
    return value or default or ""


def confidential(name: str, default: str | None = None) -> str:
    """Return a variable's text, or that of the file that the variable ``<name>_FILE`` names, without a line break.

    Containers get secrets in files, because everybody who may inspect a container sees its environment.
    """
    path = text(f"{name}_FILE", "")
    if not path:
        return text(name, default)
    if text(name, ""):
        raise ImproperlyConfigured(f"{name} and {name}_FILE are both set. Remove one of them.")
    try:
        value = Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"{name}_FILE cannot be read: {error}.") from error
    if not value:
        raise ImproperlyConfigured(f"{name}_FILE names an empty file: {path}.")
    return value


def secret(name: str) -> str:
    """Return a secret that nobody can guess: long, of many different characters, and no known example."""
    return _unguessable(name, confidential(name))


def secrets(name: str) -> list[str]:
    """Return the secrets in a variable, separated by commas; empty without the variable."""
    return [_unguessable(name, value) for part in confidential(name, "").split(",") if (value := part.strip())]


def _unguessable(name: str, value: str) -> str:
    problem = ""
    if len(value) < MIN_SECRET:
        problem = f"is shorter than {MIN_SECRET} characters"
    elif len(set(value)) < MIN_DISTINCT:
        problem = f"has fewer than {MIN_DISTINCT} different characters"
    elif any(example in value.lower() for example in EXAMPLES):
        problem = "is a well-known example"
    if problem:
        raise ImproperlyConfigured(f"{name} {problem}. {HOW_TO_MAKE_A_SECRET}")
    return value


def boolean(name: str, default: bool = False) -> bool:
    """Return true or false. Any other word is an error."""
    expected = "one of " + ", ".join(sorted(_TRUE | _FALSE))
    return _cast(name, str(default).lower(), str.lower, lambda value: value in _TRUE | _FALSE, expected) in _TRUE


def number(name: str, default: int, low: int, high: int) -> int:
    """Return a whole number from ``low`` to ``high``, both included."""
    return _cast(name, str(default), int, lambda value: low <= value <= high, f"a whole number {low}-{high}")


def choice(name: str, default: str | None, choices: Sequence[str]) -> str:
    """Return one of ``choices``. Without a default, a missing value is an error."""
    return _cast(name, default, str, lambda value: value in choices, "one of " + ", ".join(choices))


def loopback(name: str, default: str) -> str:
    """Return an IPv4 address that only this machine reaches: 127.0.0.1, or another one of 127.0.0.0/8."""
    return _cast(name, default, str, lambda value: IPv4Address(value).is_loopback, "an address such as 127.0.0.1")


def words(name: str, default: str | None = "", pattern: str = ".*", expected: str = "words") -> list[str]:
    """Return a comma-separated list of words that match the pattern, which ``expected`` describes."""
    entries = [entry for part in text(name, default).split(",") if (entry := part.strip())]
    for entry in entries:
        if not re.fullmatch(pattern, entry):
            raise ImproperlyConfigured(f"{name} must be a list of {expected}; it has {entry!r}.")
    return entries


def matching(name: str, pattern: str, expected: str) -> str:
    """Return a text that matches the pattern; blank if it is not set. ``expected`` describes the pattern."""
    return _cast(name, "", str, lambda value: not value or bool(re.fullmatch(pattern, value)), expected)


def database(url: str) -> dict[str, Any]:
    """Return the entry of Django's ``DATABASES`` that a URL describes. The error does not repeat it: it has a password.

    Nobody waits long for a lock, a statement or a machine that is away. A connection that was lost is opened again.
    What the URL says takes precedence.
    """
    try:
        with warnings.catch_warnings(action="ignore"):  # the error below says the same
            entry: dict[str, Any] = environ.Env.db_url_config(url)
    except (KeyError, ValueError, ImproperlyConfigured):
        entry = {}
    if entry.get("ENGINE") not in environ.Env.DB_SCHEMES.values():
        raise ImproperlyConfigured("DATABASE_URL must be like postgres://user:password@host/name.")
    options: dict[str, Any] = {}
    if entry["ENGINE"].endswith("sqlite3"):  # let writers wait for each other, not fail
        options = {"transaction_mode": "IMMEDIATE", "timeout": SQL_SECONDS}
    elif entry["ENGINE"].endswith("postgresql"):
        milliseconds = 2 * SQL_SECONDS * 1000
        options = {"connect_timeout": SQL_SECONDS, "tcp_user_timeout": milliseconds}
        options["options"] = f"-c statement_timeout={milliseconds}"
    options |= entry.get("OPTIONS", {})
    return {"CONN_MAX_AGE": 600, "CONN_HEALTH_CHECKS": True, **entry, "OPTIONS": options}


def pairs(name: str) -> dict[str, str]:
    """Return a comma-separated list of ``name=value``. Any other entry is an error."""
    entries = words(name, "", r"[^=]*[^=\s]\s*=.*", "name=value")
    return {before.strip(): value.strip() for before, _, value in (entry.partition("=") for entry in entries)}


def _cast(name: str, default: str | None, cast: Callable[[str], T], allow: Callable[[T], bool], expected: str) -> T:
    raw = text(name, default)
    with suppress(ValueError):
        if allow(value := cast(raw)):
            return value
    raise ImproperlyConfigured(f"{name} must be {expected}; it is {raw!r}.")
