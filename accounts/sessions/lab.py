"""The sessions in the cost lab: a Scan whose filter drops those that have expired."""

from functools import partial

from accounts.sessions.models import SessionModel
from lab.measured import GoodFilter, Measured, Read
from lab.unplanned import unexpired

UNEXPIRED = GoodFilter(
    "Expired items",
    "TTL deletes an item up to a few days after it has expired, so a reader must not trust that expired items are "
    "gone. A filter drops them. DynamoDB charges what it drops, but that is little, and soon deleted.",
    "Sessions that have not expired",
    lambda _: [
        Read(
            "Expired sessions",
            "Sessions that are still there, without those that have expired.",
            partial(unexpired, SessionModel, SessionModel.expires_at),
        )
    ],
)

MEASURED = Measured(good_filters=(UNEXPIRED,))
