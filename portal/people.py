"""The accounts of staff: their names, as pages show them, and that of a request."""

from collections.abc import Collection
from hashlib import sha256
from typing import Any

from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.http import HttpRequest

from dynamodb_lists import Conflict

NAMES_SECONDS = 300


def full_name(user: Any) -> str:
    """The name of an account, or else its username."""
    return str(user.get_full_name() or user.get_username())


def person_id(user: Any) -> str:
    """What identifies an account for ever. A username may change, and another account may have it later."""
    return str(user.pk)


def names_of(usernames: Collection[str]) -> dict[str, str]:
    """The names of accounts by username, which are kept for some minutes; the username itself if there is none."""
    digests = {username: sha256(username.encode(errors="surrogatepass")).hexdigest() for username in usernames}
    keys = {username: f"name:{digest}" for username, digest in digests.items()}  # a key has no blanks
    kept = cache.get_many(keys.values())
    if missing := [username for username, key in keys.items() if key not in kept]:
        found = get_user_model().objects.filter(username__in=missing)
        read = {name: name for name in missing} | {user.get_username(): full_name(user) for user in found}
        kept |= {keys[username]: name for username, name in read.items()}
        cache.set_many(kept, NAMES_SECONDS)
    return {username: kept[key] for username, key in keys.items()}


def author_name(username: str) -> str:
    """The name of who made a change. Lists call :func:`names_of` before for all of their rows at once."""
    return names_of([username])[username]


class ByAuthor(Conflict):
    """A refusal because of what somebody did. ``{}`` in its text stands for the name of the author ``by``.

    The name is looked up where the text is shown: commands may run in threads that have no connection to SQL.
    """

    def __init__(self, text: str, by: str = "") -> None:
        super().__init__(text)
        self.by = by

    def __str__(self) -> str:
        return super().__str__().format(author_name(self.by)) if self.by else super().__str__()


def name_of(person: str) -> str:
    """The name of an account by its :func:`person_id`, whether it is active or not. It is kept for some minutes."""

    def read() -> str:
        found = get_user_model().objects.filter(pk=person).first() if person.isdecimal() else None
        return full_name(found) if found else f"account {person}"

    return str(cache.get_or_set(f"person:{person}", read, NAMES_SECONDS))


def loaded_user(request: HttpRequest) -> Any:
    """The user whom the session of a request names, if it is read already; otherwise ``None``.

    For log lines and error pages, which must not be the reason to read a session.
    """
    return getattr(request, "_session_user", None)
