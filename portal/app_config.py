"""What an app gives to the pages of other apps: attributes of its ``AppConfig``. So the portal imports no app.

Attributes that need models are set in ``ready``, because Django loads models after the configs.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from django.http import HttpRequest

from dynamodb_lists import Field, ItemModel
from dynamodb_lists.django.declaring import HasRules, declaring
from dynamodb_lists.schema import entities
from portal.forms.pickers import Finder
from portal.imports.importer import Importer
from portal.people import HotelScope


class SidebarLink(NamedTuple):
    """A link in a group of the sidebar, and in the palette; without a group, in the palette alone.

    Only users with ``permission`` see the link: by default, those who may open the page. ``alone`` says that the link
    is not marked on pages below its address.
    """

    group: str
    title: str
    icon: str
    url_name: str
    permission: str = ""
    alone: bool = False


@dataclass(frozen=True)
class Subject:
    """A kind of thing that has a history: the ``kind`` of its model, and the name of the URL of its page.

    The URL takes the thing's ids. ``title`` has a number in braces for each id: ``Room {1} of {0}``. ``permission`` is
    what a user needs to see the thing and its history. With ``in_hotel``, the first id is that of the hotel that the
    thing belongs to. ``described`` is needed only of a thing that is not in DynamoDB: its fields, because no model has
    them. ``bulk_url_name`` names the URL of a bulk change: it takes the first id and the change's. ``marked`` is
    a field whose changes have a list of their own, such as a room's way out of order and back. ``hidden`` says whether
    a user does not see the thing with an id for another reason than the permission and the hotel. ``names`` reads what
    titles have in place of the last id, by the ids of things that exist.
    """

    kind: str
    title: str
    url_name: str
    permission: str
    in_hotel: bool = False
    described: Mapping[str, Field] | None = None
    bulk_url_name: str = ""
    marked: str = ""
    hidden: Callable[[Any, str], bool] = lambda user, thing_id: False
    names: Callable[[Collection[tuple[str, ...]]], Mapping[tuple[str, ...], str]] | None = None

    @property
    def fields(self) -> Mapping[str, Field]:
        if self.described is not None:
            return self.described
        entity = ItemModel.all_models[self.kind].entity
        assert entity is not None, f"the model of {self.kind} names no entity"
        return entities.by_name(entity)


class PortalConfig(HasRules):
    """A base of the ``AppConfig`` of each app of the portal. An app leaves empty what it does not have.

    This base is no ``AppConfig`` itself: Django would take it for the config of every app that imports it.
    """

    sidebar: Sequence[SidebarLink] = ()
    subjects: Sequence[Subject] = ()
    importer: type[Importer[Any]] | None = None
    """Imports files that people upload."""

    sidebar_group: Callable[[HttpRequest], dict[str, Any]] | None = None
    """Makes a group of the sidebar for a request, such as the user's saved views."""

    frame_urls: Mapping[str, str] = {}
    """The names of the URLs that the frame or every list links to, such as that of the search."""

    finder: Callable[[HttpRequest], Finder] | None = None
    """The search for the user of a request, from which forms pick. One app has it."""


class HasHotels:
    """A base of the ``AppConfig`` of the app with the hotels: what the page of a hotel needs to know."""

    bar_template: str
    """The bar above the pages of a hotel."""

    hotel_name: Callable[[str, bool], str]
    """The name of a hotel; unless it says that it may be read, perhaps the id."""

    zone_of: Callable[[str, HotelScope], str]
    """The time zone of a hotel; with a blank id, that of all hotels of a scope, if they share one."""


@cache
def hotels_app() -> HasHotels:
    (app,) = declaring(HasHotels)
    return app
