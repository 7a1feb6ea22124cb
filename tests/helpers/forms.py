"""The forms of the registry, as a browser sends them, and the data that they are about.

Tests send them twice, twice at the same time, and again after a lost answer.
"""

from typing import Any

from django.test import Client

from dynamodb_lists.schema.keys import now
from notes.commands import add_note
from reviews import commands as reviews
from reviews import queries as review_queries
from rooms import commands
from rooms.entities import BulkChange, RoomAction, StatusChange
from rooms.statuses import Housekeeping
from tests.helpers.addresses import addresses
from tests.helpers.markup import ListMarkup, entry_of
from tests.helpers.notes import make_note
from tests.helpers.orders import make_order, store
from tests.helpers.pages import EXAMPLES, FORMS
from tests.helpers.reviews import make_review, make_standard
from tests.helpers.reviews import store as store_reviews
from tests.helpers.rooms import ABC, make_hotel, make_room

KINDS = [
    "hotels:add_hotel",
    "rooms:add_room",
    "rooms:edit_room",
    "rooms:status",
    "rooms:bulk_change",
    "rooms:bulk_progress",
    "history:undo",
    "orders:erase_guest",
    "orders:place",
    "orders:order",
    "reviews:delete_review",
]
"""One form of each base class, and those that no base class has."""

ADDRESSES = {address.name: address for address in addresses()}


def fill() -> None:
    """What the examples of addresses name.

    It is a hotel with a room, a change of it that can be undone, a guest's order, a review with a reply, a standard
    reply, a note, and a bulk change that has not begun.
    """
    make_hotel([make_room("101")])
    commands.set_status(ABC, "101", StatusChange(Housekeeping.DIRTY), "anna")
    store([make_order()])
    store_reviews([make_review()])
    reviews.reply_to_review(review_queries.review("r-1"), "Thank you", "anna")
    add_note(make_note(), "anna")
    reviews.add_missing_replies([make_standard()])
    change = BulkChange(EXAMPLES["change_id"], RoomAction.VIEW, "101", "anna", now(), text="Garden")
    commands.ask_for(ABC, change)


def filled_in(client: Client, name: str) -> tuple[str, dict[str, str]]:
    """Return the address of a form, and what a browser sends once its user has filled it in."""
    form, address = FORMS[name], f"{ADDRESSES[name].url}{FORMS[name].query}"
    if not form.filled:
        return address, dict(form.entries)
    page: Any = client.get(address, follow=True)
    if name == "rooms:bulk_change":
        seen = ListMarkup(page.content).element("#preview input[name=seen]")["value"]
        return page.wsgi_request.get_full_path(), {"seen": str(seen)}
    return address, {**entry_of(ListMarkup(page.content)), **form.entries}
