"""The things that have a history. Each app declares its own, in ``subjects`` of its ``AppConfig``.

So this package imports no app, and can name and link what an entry is about.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from string import Formatter

from django.urls import reverse

from dynamodb_lists.connection.errors import KeyPartError, NotFound
from dynamodb_lists.django.declaring import declaring
from dynamodb_lists.schema import entities
from dynamodb_lists.schema.entities import Field
from dynamodb_lists.schema.models import registered
from portal.history import keys
from portal.hotels_app import hotels


@dataclass(frozen=True)
class Subject:
    """A kind of thing: the ``kind`` of its model, and the name of the URL of its page, which takes the thing's ids.

    ``title`` has a number in braces for each id:
    ``Room {1} of {0}``. ``permission`` is what a user needs to see the thing and its history. With ``in_hotel``, the
    first id is that of the hotel that the thing belongs to. ``field_labels`` are needed only of a thing that is not in
    DynamoDB, so that no model describes its fields.
    ``bulk_url_name`` names the URL of a bulk change: it takes the first id and the change's.
    ``marked`` is a field whose changes have a list of their own, such as a room's way out of order and back.
    """

    kind: str
    title: str
    url_name: str
    permission: str
    in_hotel: bool = False
    field_labels: Mapping[str, str] | None = None
    bulk_url_name: str = ""
    marked: str = ""

    @property
    def labels(self) -> Mapping[str, str]:
        """The labels of the fields, by name."""
        if self.field_labels is not None:
            return self.field_labels
        return {name: field.label for name, field in self.fields.items()}

    @property
    def fields(self) -> Mapping[str, Field]:
        """The fields, by name. Those of a thing that is not in DynamoDB are plain text."""
        if self.field_labels is not None:
            return {}
        entity = next(model.entity for model in registered() if model.kind == self.kind)
        assert entity is not None, f"the model of {self.kind} names no entity"
        return {field.name: field for field in entities.fields(entity)}


@dataclass(frozen=True)
class Thing:
    """A thing that has a history. It may be deleted by now."""

    subject: Subject
    ids: tuple[str, ...]

    @property
    def key(self) -> str:
        """The partition of its history."""
        return keys.thing(self.subject.kind, *self.ids)

    @property
    def title(self) -> str:
        """The name of the thing for readers, with the name of its hotel if this costs nothing."""
        return self.titled(read=False)

    def titled(self, *, read: bool) -> str:
        """The name of the thing. With ``read``, that of its hotel is read, at most once a minute."""
        if not self.hotel_id:
            return self.subject.title.format(*self.ids)
        return self.subject.title.format(hotels().hotel_name(self.hotel_id, read=read), *self.ids[1:])

    @property
    def address(self) -> str:
        """The address of the thing's page."""
        return reverse(self.subject.url_name, args=self.ids)

    @property
    def history_address(self) -> str:
        """The address of the thing's history."""
        return reverse("history:thing", args=[self.subject.kind, self.path])

    @property
    def hotel_id(self) -> str:
        """The hotel in the thing's ids; blank if they name none."""
        return self.ids[0] if self.subject.in_hotel else ""

    @property
    def path(self) -> str:
        """The thing in the address of its history."""
        return "/".join(self.ids)


class HasSubjects:
    """An ``AppConfig`` of an app whose things have a history."""

    @property
    def subjects(self) -> Sequence[Subject]:
        raise NotImplementedError


@cache
def subjects() -> Mapping[str, Subject]:
    """The kinds of things that have a history, by kind."""
    return {subject.kind: subject for app in declaring(HasSubjects) for subject in app.subjects}


def thing_at(kind: str, path: str) -> Thing:
    """The thing in the address of a history. Raises :class:`NotFound` for an address that no thing can have."""
    subject = subjects().get(kind)
    if subject is None:
        raise NotFound(f"Nothing of the kind {kind!r} has a history.")
    thing = Thing(subject, tuple(path.split("/")))
    wanted = {name for _, name, _, _ in Formatter().parse(subject.title) if name is not None}
    try:
        if len(thing.ids) == len(wanted) and thing.key:
            return thing
    except KeyPartError as error:
        raise NotFound("That is not the address of a history.") from error
    raise NotFound("That is not the address of a history.")


def thing_of(key: str) -> Thing | None:
    """The thing of a history's partition; ``None`` if no app declares its kind any more."""
    kind, ids = keys.parse_thing(key)
    subject = subjects().get(kind)
    return Thing(subject, ids) if subject else None


def field_label(key: str, name: str) -> str:
    """The label of a field in a history's partition; its name, if no app declares the kind of thing any more."""
    thing = thing_of(key)
    return thing.subject.labels.get(name, name) if thing else name
