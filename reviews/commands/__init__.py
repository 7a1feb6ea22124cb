"""Writes. Each is one transaction that keeps reviews and their counts in step, or the repair of one item."""

from reviews.commands.repairs import mend_count, mend_keys
from reviews.commands.reviews import (
    AlreadyWritten,
    add_review,
    delete_reply,
    delete_review,
    edit_review,
    reply_to_review,
    review_item,
    save_reviews,
)

__all__ = [
    "AlreadyWritten",
    "add_review",
    "delete_reply",
    "delete_review",
    "edit_review",
    "mend_count",
    "mend_keys",
    "reply_to_review",
    "review_item",
    "save_reviews",
]
