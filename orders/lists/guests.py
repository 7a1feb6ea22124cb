"""The list of guests."""

from dynamodb_lists import List
from orders import keys
from orders.entities import Guest
from orders.models import GuestModel, word_items
from portal.history.commands import recorded

GUESTS = recorded(
    List(Guest, table=GuestModel, name="guests", words=word_items, entry_bytes=keys.GUEST_BYTES),
    {"changed": "orders.change_guest"},
)
"""All guests are listed by username: four shards, merged. Their writes do not change the counts of orders."""
