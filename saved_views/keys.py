"""The keys of saved views in the table ``hotel-app``. docs/keys.md explains them.

===============  =========================  =========
item             pk                         sk
===============  =========================  =========
of an account    ``saved-views#staff#17``   ``views``
of a hotel       ``saved-views#hotel#abc``  ``views``
===============  =========================  =========
"""

from dynamodb_lists.schema import keys

KIND, VIEWS = "saved-views", "views"
STAFF, HOTEL = "staff", "hotel"


def of_account(account_id: int | None) -> str:
    """Partition of the views that a member of staff has saved for oneself. A username may change, so it is the id."""
    return keys.compose(KIND, STAFF, str(account_id))


def of_hotel(hotel_id: str) -> str:
    """Partition of the views for all of a hotel."""
    return keys.compose(KIND, HOTEL, hotel_id)


def owner(partition: str) -> tuple[str, str]:
    """Whose views a partition holds: :data:`STAFF` or :data:`HOTEL`, and the id."""
    _, kind, owner_id = keys.parse(partition)
    return kind, owner_id
