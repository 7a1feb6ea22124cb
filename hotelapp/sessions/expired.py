"""The one place of the project that scans, for the command ``clearsessions`` alone: no page comes here.

An index on the time of expiry would cost a write on each save, for what TTL does for nothing.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from hotelapp.dynamodb.errors import translated
from hotelapp.sessions.models import Session


def keys(now: datetime) -> Iterator[str]:
    """The key of every session that has expired by ``now``, page by page: each reads 1 MB of the table."""
    start: Any = None
    while True:
        with translated():
            answer = Session.connection().scan(
                filter_condition=Session.expires_at <= now,
                attributes_to_get=[Session.session_key.attr_name],
                exclusive_start_key=start,
            )
        yield from (item["session_key"]["S"] for item in answer["Items"])
        if (start := answer.get("LastEvaluatedKey")) is None:
            return
