"""The admin of this project: a list that is declared, and six lines."""

import os
from dataclasses import dataclass
from io import StringIO

from django.conf import settings

from compared import admins, contender
from compared.questions import Room as Values

if not settings.configured:
    admins.start(
        INSTALLED_APPS=["dynamodb_lists.django"],
        DATABASES={"default": admins.SQLITE},
        DYNAMODB_ENDPOINT_URL=os.environ["DYNAMODB_ENDPOINT_URL"],
    )

from django.core.management import call_command

from dynamodb_lists import List, Record
from dynamodb_lists.connection.client import client
from dynamodb_lists.django.admin import ListAdmin, register


@dataclass(frozen=True, kw_only=True)
class Room(Record):
    """A room."""

    number: str
    view: str
    size: int
    type: str
    rate: int
    currency: str


ROOMS = List(Room, id="number", facets=("view", "type"), sorts=("size", "rate"))


@register(ROOMS)
class RoomAdmin(ListAdmin):
    """The list, and its forms."""

    app_label = "compared"
    list_display = ["number", "view", "size", "type", "rate"]
    list_filter = ["view", "type"]
    search_fields = ["number"]
    ordering = ["size"]


class Admin:
    """The list of rooms on the stock site."""

    delete_action = "delete_selected"

    def fill(self, rooms: list[Values]) -> None:
        ROOMS.save(Room(**values) for values in rooms)

    def stored(self) -> dict[str, str]:
        return {room.number: room.view for room in ROOMS.query().all()}

    def delete(self, number: str) -> None:
        ROOMS.delete(ROOMS.get(number=number))


# --- Measuring -------------------------------------------------------------------------------------------


def main() -> None:
    call_command("migrate", verbosity=0)
    created = admins.outcome(lambda: call_command("create_tables", stdout=StringIO()))
    meter = contender.Meter()
    meter.watch(client().meta.events)
    admins.run(Admin(), meter.read, {admins.START: "done", admins.CREATE: created})


if __name__ == "__main__":
    main()
