"""``python -m benchmarks.pages``: whole pages of the room list, against Django's stock admin changelist.

Both serve the same rooms to the test client, each in its own process. They are timed alternately, page by page.
"""

from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.test import Client

from benchmarks import common, data, portal
from benchmarks.common import Target
from benchmarks.filling import filled_tables
from benchmarks.portal import PAGE
from benchmarks.stock.driver import Changelist
from dynamodb_lists.reading.pages import read_page
from hotels.commands import save_hotels
from rooms import queries
from rooms.commands import save_rooms
from rooms.entities import RoomQuery

ONE_EACH = urlencode({"view": "sea-view", "size": 35, "type": "suite"})
SEVERAL = urlencode(
    {"view": ["sea-view", "pool-view"], "size": [26, 48, 70], "type": ["double", "suite"], "sort": "-size"}, doseq=True
)
STOCK_ONE_EACH = urlencode({"view": "Sea view", "size": 35, "type": "Suite"})
STOCK_AS_OURS = "o=2.3.4.1"  # the columns view, size, type, number: the order of the portal's list
TARGETS = (
    Target("rooms, last", "rooms, first", 1.15),
    Target("rooms, middle", "rooms, first", 1.15),
    Target("rooms, one value each, first", "rooms, first", 1.3),
    Target("rooms, one value each, last", "rooms, first", 1.3),
    Target("rooms, several values, sorted, first", "rooms, first", 1.3),
    Target("rooms, several values, sorted, last", "rooms, first", 1.3),
    Target("rooms in 1,160 combinations, first", "rooms, first", 1.3),
    Target("changelist, first", "rooms, first", 5, at_least=True),
    Target("changelist, last", "rooms, last", 15, at_least=True),
    Target("changelist, one value each, first", "rooms, one value each, first", 5, at_least=True),
    Target("changelist, one value each, last", "rooms, one value each, last", 15, at_least=True),
    Target("changelist in our order, first", "rooms, first", 5, at_least=True),
    Target("changelist in our order, last", "rooms, last", 15, at_least=True),
)


def main() -> None:
    """Fill both, time both, and print the figures."""
    options = common.options("Time whole pages.", rooms=(100_000, 600), repeat=(60, 1))
    with (
        Changelist(common.ROOT, common.WORK / "stock.sqlite3", options.rooms) as changelist,
        filled_tables(options.rooms),
    ):
        stock = _stock(changelist, options.rooms)
        timers = _portal(portal.logged_in(), options.rooms) | stock
        common.say(f"{options.rooms} rooms, {PAGE} a page, {options.repeat} rounds")
        common.report(common.interleaved(timers, options.repeat), TARGETS)


# --- The portal -----------------------------------------------------------------------------------------


def _portal(client: Client, how_many: int) -> dict[str, Callable[[], float]]:
    """A timer for each page of the room list."""
    first = portal.rooms_of()
    pages = {"rooms, first": first, "rooms, middle": portal.middle_of(data.HOTEL.hotel_id, how_many)}
    pages["rooms, last"] = portal.last_of(client, first)
    for name, query in (("one value each", ONE_EACH), ("several values, sorted", SEVERAL)):
        pages[f"rooms, {name}, first"] = portal.rooms_of(query=query)
        pages[f"rooms, {name}, last"] = portal.last_of(client, portal.rooms_of(query=query))
    save_hotels([data.VARIED])
    for batch in common.batches(data.varied_rooms(), 400):
        save_rooms(batch)
    pages["rooms in 1,160 combinations, first"] = portal.rooms_of(data.VARIED.hotel_id)
    for page in pages.values():
        portal.markup(client, page)
    calls: dict[str, Callable[[], object]] = {name: partial(client.get, page) for name, page in pages.items()}
    return {name: partial(common.milliseconds, call) for name, call in (calls | _parts(client, first)).items()}


def _parts(client: Client, address: str) -> dict[str, Callable[[], object]]:
    """The two largest parts of a page alone: its template, with the context of a real request, and its rows."""
    page: Any = client.get(address)
    return {
        "template of the first alone": lambda: page.rendered_content,
        "rows of the first alone": lambda: read_page(
            queries.unfiltered_rooms(data.HOTEL.hotel_id, RoomQuery())[2], PAGE
        ),
    }


# --- The changelist -------------------------------------------------------------------------------------


def _stock(changelist: Changelist, how_many: int) -> dict[str, Callable[[], float]]:
    """A timer for each page of the changelist."""
    last = (how_many - 1) // PAGE + 1
    filtered = int(changelist.ask(f"?{STOCK_ONE_EACH}")["results"])
    pages = {
        "changelist, first": "",
        "changelist, last": f"?p={last}",
        "changelist, one value each, first": f"?{STOCK_ONE_EACH}",
        "changelist, one value each, last": f"?{STOCK_ONE_EACH}&p={(filtered - 1) // PAGE + 1}",
        "changelist in our order, first": f"?{STOCK_AS_OURS}",
        "changelist in our order, last": f"?{STOCK_AS_OURS}&p={last}",
    }
    for page in pages.values():
        if not changelist.ask(page)["rows"]:
            raise SystemExit(f"The changelist shows no rooms on {page!r}.")
    return {name: partial(changelist.time, page) for name, page in pages.items()}


if __name__ == "__main__":
    main()
