"""The things whose changes the table ``history`` holds, as parts of its keys; docs/keys.md explains them."""

from dynamodb_lists.schema import keys

BY_STAFF, IN_HOTEL, MARKED = "by-staff", "in-hotel", "marked"
USERNAME_LENGTH = 150
"""The most characters of the username of a staff account, in Django."""


def thing(kind: str, *ids: str) -> str:
    """Return the partition of a thing's history: the kind of its item and its ids, such as ``room#abc#101``."""
    return keys.compose(kind, *ids)
