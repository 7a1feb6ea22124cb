"""The accounts of staff: their names, as pages show them, the hotels that they see, and the account of a request."""

from collections.abc import Collection
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, TypeVar

from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.http import HttpRequest

from dynamodb_lists import Query, errors

T = TypeVar("T")
NAMES_SECONDS = 300


def full_name(user: Any) -> str:
    """Return the name of an account, or else its username."""
    return str(user.get_full_name() or user.get_username())


def person_id(user: Any) -> str:
    """Return what identifies an account for ever. A username may change, and another account may get it later."""
    return str(user.pk)


def names_of(usernames: Collection[str]) -> dict[str, str]:
    """Return the names of accounts by username, cached for some minutes; without an account, the username itself."""
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
    """Return the name of a change's author. Lists call :func:`names_of` first, for all of their rows at once."""
    return names_of([username])[username]


class ByAuthor(errors.Conflict):
    """A refusal because of what somebody did. ``{}`` in its text stands for the name of the author ``by``.

    The name is looked up where the text is shown: commands may run in threads that have no connection to SQL.
    """

    def __init__(self, text: str, by: str = "") -> None:
        super().__init__(text)
        self.by = by

    def __str__(self) -> str:
        return super().__str__().format(author_name(self.by)) if self.by else super().__str__()


def name_of(person: str) -> str:
    """Return the name of an account by its :func:`person_id`, active or not. It is cached for some minutes."""

    def read() -> str:
        found = get_user_model().objects.filter(pk=person).first() if person.isdecimal() else None
        return full_name(found) if found else f"account {person}"

    return str(cache.get_or_set(f"person:{person}", read, NAMES_SECONDS))


def loaded_user(request: HttpRequest) -> Any:
    """Return the user whom the session of a request names, if it is read already; otherwise ``None``.

    For log lines and error pages, which must not be the reason to read a session.
    """
    return getattr(request, "_session_user", None)


# --- Which hotels a user sees: where each query begins whose rows belong to hotels -------------------------------


@dataclass(frozen=True, slots=True)
class HotelScope:
    """The hotels that a user sees and finds. ``hotel_ids`` is ``None`` for every hotel of the group, and may be empty.

    Lists that span hotels are narrowed by :meth:`of`. Everything that belongs to one hotel is checked by
    :meth:`allows`.
    """

    hotel_ids: frozenset[str] | None = None

    def of(self, query: Query[T]) -> Query[T]:
        """Return a query narrowed to the hotels that the user sees; its items have a ``hotel_id``."""
        return query if self.hotel_ids is None else query.where(hotel_id=self.hotel_ids)

    def __str__(self) -> str:
        """The hotels, as a part of what a cursor is bound to."""
        return repr(self.hotel_ids and sorted(self.hotel_ids))

    def allows(self, hotel_id: str) -> bool:
        return self.hotel_ids is None or hotel_id in self.hotel_ids

    @property
    def bound(self) -> bool:
        """Whether the user is bound to some hotels, or sees none."""
        return self.hotel_ids is not None

    def first(self, most: int, shown: int) -> str:
        """Return a notice for a page that shows the first of too many hotels; blank if it shows all of them."""
        if shown < most or len(self.hotel_ids or ()) == most:
            return ""
        return f"The first {most}" + (f" of your {len(self.hotel_ids):,} hotels" if self.hotel_ids else " hotels")

    @property
    def empty(self) -> bool:
        return self.hotel_ids == frozenset()


EVERY_HOTEL = HotelScope()
