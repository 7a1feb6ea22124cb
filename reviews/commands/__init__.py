"""Writes. Each is one transaction that keeps reviews and their counts in step."""

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
    "reply_to_review",
    "review_item",
    "save_reviews",
]
