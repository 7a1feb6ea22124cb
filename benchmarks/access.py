"""``python -m benchmarks.access``: the data of one page, against the same HTTP calls without any SDK.

The bare calls send the requests that the ledger recorded for the page, and only decode the JSON of the answers. So the
difference is the time of botocore, PynamoDB, the planner and the creation of plain values.
"""

import json
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from http.client import HTTPConnection

from django.conf import settings

from benchmarks import bare, common, data
from benchmarks.common import Target
from benchmarks.filling import filled_tables
from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.ledger import Call
from dynamodb_lists.reading.pages import read_page
from portal.lists.page_sizes import DEFAULT_PAGE_SIZE
from rooms import queries
from rooms.entities import RoomQuery

PAGE, BARE = "page through the portal", "page, bare HTTP"
TARGETS = (Target(PAGE, BARE, 3),)


def main() -> None:
    """Fill a hotel, then read its first page in both ways, alternately."""
    options = common.options("Time the data access of one page.", rooms=(20_000, 100), repeat=(300, 1))
    with filled_tables(options.rooms):
        calls = _calls()
        common.say(f"{options.rooms} rooms; a page is {' + '.join(map(_described, calls))}")
        with closing(bare.connect(str(settings.DYNAMODB_ENDPOINT_URL))) as connection:
            common.report(common.interleaved(_timers(connection, calls), options.repeat), TARGETS)


def _timers(connection: HTTPConnection, calls: Sequence[Call]) -> dict[str, Callable[[], float]]:
    timers: dict[str, Callable[[], object]] = {PAGE: _recorded, BARE: partial(_send_all, connection, calls)}
    for call in calls:
        timers[f"{call.purpose} alone, bare HTTP"] = partial(_send_all, connection, [call])
    timers["counts alone, through the portal"] = partial(queries.room_counts, data.HOTEL.hotel_id)
    return {name: partial(common.milliseconds, call) for name, call in timers.items()}


# --- The portal's way -----------------------------------------------------------------------------------


def _recorded() -> ledger.Ledger:
    """The calls of one page, recorded in a ledger as for every request."""
    with ledger.recording() as calls:
        counts = queries.room_counts(data.HOTEL.hotel_id)
        read_page(queries.rooms(data.HOTEL.hotel_id, RoomQuery(), counts), DEFAULT_PAGE_SIZE)
    return calls


def _calls() -> list[Call]:
    """The calls of a page after a first one has warmed up the process. None of them may be a Scan."""
    _recorded()
    calls = _recorded().calls
    if not {call.operation for call in calls} <= {"BatchGetItem", "GetItem", "Query"}:
        raise SystemExit(f"A page sent other calls than reads by keys: {[call.operation for call in calls]}.")
    return calls


def _described(call: Call) -> str:
    return f"one {call.operation} of {call.items_returned} items ({call.purpose})"


# --- Without an SDK -------------------------------------------------------------------------------------


def _send_all(connection: HTTPConnection, calls: Sequence[Call]) -> None:
    for call in calls:
        answer = bare.send(connection, call.operation, json.dumps(call.request))
        returned = answer.get("Count", int("Item" in answer)) + sum(map(len, answer.get("Responses", {}).values()))
        if returned != call.items_returned:
            raise SystemExit(f"The bare call returned {returned} items, the portal's {call.items_returned}.")


if __name__ == "__main__":
    main()
