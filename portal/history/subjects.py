"""The things that have a history, which apps declare: so this package can name and link what an entry is about."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from string import Formatter

from django.core import cache as caching
from django.urls import reverse

from dynamodb_lists import Field, errors
from dynamodb_lists.django.declaring import declaring
from dynamodb_lists.schema.keys import parse
from portal.app_config import PortalConfig, Subject, hotels_app
from portal.history import keys

NAME_SECONDS = 60


@dataclass(frozen=True)
class Thing:
    """A thing that has a history. It may be deleted by now."""

    subject: Subject
    ids: tuple[str, ...]

    @property
    def key(self) -> str:
        """The partition of the thing's history."""
        return keys.thing(self.subject.kind, *self.ids)

    @property
    def title(self) -> str:
        """The name of the thing for readers, with the name of its hotel if that is cached."""
        return self.titled(read=False)

    def titled(self, *, read: bool) -> str:
        """Return the name of the thing. With ``read``, that of its hotel is read, at most once a minute."""
        words = [*self.ids]
        if read:
            name_things([self.key])
        if self.hotel_id:
            words[0] = hotels_app().hotel_name(self.hotel_id, read)
        if self.subject.names:
            words[-1] = caching.cache.get(self.name_key, words[-1])
        return self.subject.title.format(*words)

    @property
    def name_key(self) -> str:
        """The key of the thing's name in the cache."""
        return f"thing:{self.key}"

    @property
    def address(self) -> str:
        return reverse(self.subject.url_name, args=self.ids)

    @property
    def history_address(self) -> str:
        return reverse("history:thing", args=[self.subject.kind, self.path])

    @property
    def hotel_id(self) -> str:
        """The hotel in the thing's ids; blank if they name none."""
        return self.ids[0] if self.subject.in_hotel else ""

    @property
    def path(self) -> str:
        """The part of the address of a history that names the thing."""
        return "/".join(self.ids)


def name_things(keys_of_things: Iterable[str]) -> None:
    """Cache the names that titles have in place of ids: one request for those of a kind that are not cached.

    A text that is erased meanwhile is in titles for :data:`NAME_SECONDS` at most.
    """
    wanted: dict[str, list[Thing]] = defaultdict(list)
    for thing in filter(None, map(thing_of, {*keys_of_things})):
        if thing.subject.names and thing.name_key not in caching.cache:
            wanted[thing.subject.kind].append(thing)
    for kind, things in wanted.items():
        read = subjects()[kind].names
        names = read([thing.ids for thing in things]) if read else {}
        caching.cache.set_many({each.name_key: names[each.ids] for each in things if each.ids in names}, NAME_SECONDS)


@cache
def subjects() -> Mapping[str, Subject]:
    return {subject.kind: subject for app in declaring(PortalConfig) for subject in app.subjects}


def thing_at(kind: str, path: str) -> Thing:
    """Return the thing in the address of a history. Raises: :class:`NotFound` for an address that no thing can have."""
    subject = subjects().get(kind)
    if subject is None:
        raise errors.NotFound(f"Nothing of the kind {kind!r} has a history.")
    thing = Thing(subject, tuple(path.split("/")))
    wanted = {name for _, name, _, _ in Formatter().parse(subject.title) if name is not None}
    with suppress(errors.KeyPartError):
        if len(thing.ids) == len(wanted) and thing.key:
            return thing
    raise errors.NotFound("There is no history here.")


def thing_of(key: str) -> Thing | None:
    """Return the thing of a history's partition; ``None`` if no app declares its kind any more."""
    kind, *ids = parse(key)
    subject = subjects().get(kind)
    return Thing(subject, tuple(ids)) if subject else None


def field_of(key: str, name: str) -> Field | None:
    """Return a field of the thing of a history's partition; ``None`` if this release has no such thing or field."""
    thing = thing_of(key)
    return thing.subject.fields.get(name) if thing else None
