"""Every form of the portal that writes to DynamoDB: what its user enters, and the data that it is about.

Tests send these forms twice, twice at the same time, and again after a lost answer.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.test import Client

from dynamodb_lists.schema.keys import now
from reviews import commands as reviews
from reviews import queries as review_queries
from rooms import commands
from rooms.entities import BulkChange, RoomAction, StatusChange
from rooms.statuses import Housekeeping
from tests.helpers.addresses import IN_A_HOTEL, addresses
from tests.helpers.markup import ListMarkup, entry_of
from tests.helpers.orders import make_order, store
from tests.helpers.reviews import make_review
from tests.helpers.reviews import store as store_reviews
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.helpers.views import SUITES, keep_examples

LINE = {"sku": "spa", "name": "Massage", "quantity": "2", "unit_price": "95.00"}
LINES = {f"items-0-{name}": text for name, text in LINE.items()}
LINES |= {"items-TOTAL_FORMS": "1", "items-INITIAL_FORMS": "0"}


@dataclass(frozen=True)
class Form:
    """A form of the portal: what its user enters beside what the page fills in, and the entries of history it adds."""

    entries: Mapping[str, str] = field(default_factory=dict)
    query: str = ""
    recorded: int = 1
    filled: bool = True


ROOM = {"number": "102", "view": "Sea view", "size": "30", "type": "Suite", "rate": "100", "currency": "EUR"}
HOTEL = {"hotel_id": "new", "name": "New", "city": "Rome", "currency": "EUR", "time_zone": "Europe/Rome"}
FORMS = {
    "hotels:add_hotel": Form(HOTEL),
    "hotels:edit_hotel": Form({"name": "Another name"}),
    "rooms:add_room": Form(ROOM),
    "rooms:edit_room": Form({"number": "110", "view": "Garden view"}, recorded=2),  # under both numbers
    "rooms:delete_room": Form(),
    "rooms:status": Form({"service": "out-of-order", "reason": "Water", "housekeeping": "dirty"}),
    "rooms:bulk_change": Form(query="?room=101&new-action=view&new-view=Garden", recorded=0),
    "rooms:bulk_progress": Form(filled=False),
    "history:undo": Form({"serial": "2"}, filled=False),
    "orders:add_guest": Form({"username": "bea", "name": "Bea Doe"}),
    "orders:edit_guest": Form({"name": "Alexandra Doe"}),
    "orders:erase_guest": Form(),
    "orders:place": Form({"username": "alex", "hotel_id": ABC, **LINES}),
    "orders:order": Form({"guest": "alex", "seen": "PLACED", "step": "PROCESSING"}, filled=False),
    "orders:correct": Form({"items-0-quantity": "5", "items-0-unit_price": "90"}),
    "reviews:add_review": Form({"author": "Ann", "language": "en", "rating": "5"}),
    "reviews:edit_review": Form({"rating": "1"}),
    "reviews:delete_review": Form(),
    "reviews:reply": Form({"reply": "Thank you very much."}),
    "reviews:delete_reply": Form(),
    "saved_views:save": Form({"name": "Mine", "hotel": ":me"}, query=f"?list={SUITES}", recorded=0),
    "saved_views:rename": Form({"name": "Another name"}, recorded=0),
    "saved_views:rename_of_hotel": Form({"name": "Another name"}, recorded=0),
    "saved_views:delete": Form(recorded=0),
    "saved_views:delete_of_hotel": Form(recorded=0),
}
"""Every form that writes to DynamoDB, by the name of its address. A new one must be added here."""

OF_ACCOUNTS = {"own_password", "accounts:set_up", "accounts:backup_codes", "accounts:remove"}
"""Forms that change an account in SQL, and of DynamoDB only the session."""

OF_FILES = {"uploads:import", "uploads:upload"}
"""Forms with a file, which no page can send again, and of its steps: ``tests/uploads`` tests them."""

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
    "saved_views:save",
]
"""One form of each base class, and those that no base class has."""

ADDRESSES = {address.name: address for address in addresses()}


def fill() -> None:
    """A hotel with a room, a guest's order, a review with a reply, and a bulk change that has not begun."""
    make_hotel([make_room("101")])
    commands.set_status(ABC, "101", StatusChange(Housekeeping.INSPECTED), "anna")
    store([make_order()])
    store_reviews([make_review()])
    reviews.reply_to_review(review_queries.review("r-1"), "Thank you", "anna")
    change = BulkChange(IN_A_HOTEL["change_id"], RoomAction.VIEW, "101", "anna", now(), text="Garden")
    commands.ask_for(ABC, change)


def filled_in(client: Client, name: str) -> tuple[str, dict[str, str]]:
    """The address of a form, and what a browser sends once its user has filled it in."""
    form, address = FORMS[name], f"{ADDRESSES[name].url}{FORMS[name].query}"
    if "view_id" in ADDRESSES[name].kwargs:
        keep_examples()
    if not form.filled:
        return address, dict(form.entries)
    page: Any = client.get(address, follow=True)
    if name == "rooms:bulk_change":
        seen = ListMarkup(page.content).element("#preview input[name=seen]")["value"]
        return page.wsgi_request.get_full_path(), {"seen": str(seen)}
    return address, {**entry_of(ListMarkup(page.content)), **form.entries}
