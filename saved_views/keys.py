"""The owners of saved views, as parts of keys in the table ``hotel-app``. docs/keys.md explains them."""

from dynamodb_lists.schema import keys

STAFF, HOTEL, GROUP = "staff", "hotel", "group"

EVERYONE = ":all"
"""Stands for all hotels in place of a hotel's id, which it is not. Whoever is bound to hotels does not change these."""


def of_account(account_id: int | None) -> str:
    """The owner of the views that a member of staff has saved for oneself: the id, because a username may change."""
    return keys.compose(STAFF, str(account_id))


def of_hotel(hotel_id: str) -> str:
    """The owner of the views for all of a hotel, or of the group."""
    return keys.compose(GROUP, GROUP) if hotel_id == EVERYONE else keys.compose(HOTEL, hotel_id)
