"""What a request costs at least. DynamoDB charges each one for 4 KB, so a few more items are free.

(DynamoDB Developer Guide, "Read and write capacity": an eventually consistent read of up to 4 KB is half a read unit.)
"""

MINIMUM_BYTES = 4096
"""A Query is charged for at least so many bytes."""

OVERRUN = 2
"""A page with a filter may read so many times the expected items. Then the rest of it is read in another way."""


def items_paid(item_bytes: int) -> int:
    """How many items of a size fit into the minimum charge: reading so many costs as much as another request."""
    return max(1, MINIMUM_BYTES // item_bytes)
