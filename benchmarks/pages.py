"""``python -m benchmarks.pages``: whole pages of the room list, against Django's stock admin changelist.

Both serve the same rooms to the test client, each in its own process. They are timed alternately, page by page.
"""

import re
from collections.abc import Callable
from functools import partial
from html import unescape
from urllib.parse import urlencode

from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from tqdm import tqdm

from benchmarks import common, data
from benchmarks.common import Target
from benchmarks.filling import fill
from benchmarks.stock.driver import Changelist
from hotelapp.dynamodb.reading.pages import read_page
from rooms import queries
from rooms.entities import RoomQuery

PAGE = 25
ONE_EACH = urlencode({"view": "sea-view", "size": 35, "type": "suite"})
SEVERAL = urlencode(
    {"view": ["sea-view", "pool-view"], "size": [26, 48, 70], "type": ["double", "suite"], "sort": "-size"}, doseq=True
)
STOCK_ONE_EACH = urlencode({"view": "Sea view", "size": 35, "type": "Suite"})
STOCK_AS_OURS = "o=2.3.4.1"  # the columns view, size, type, number: the order of the portal's list
LAST_LINK = re.compile(r'<a\b[^>]*\brel="last"[^>]*>')
TARGETS = (
    Target("rooms, last", "rooms, first", 1.15),
    Target("rooms, middle", "rooms, first", 1.15),
    Target("rooms, one value each, first", "rooms, first", 1.3),
    Target("rooms, one value each, last", "rooms, first", 1.3),
    Target("rooms, several values, sorted, first", "rooms, first", 1.3),
    Target("rooms, several values, sorted, last", "rooms, first", 1.3),
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
    with Changelist(common.ROOT, common.WORK / "stock.sqlite3", options.rooms) as changelist, common.fresh_tables():
        stock = _stock(changelist, options.rooms)
        fill(options.rooms)
        timers = _portal(_staff(), options.rooms) | stock
        print(f"{options.rooms} rooms, {PAGE} a page, {options.repeat} rounds")
        common.report(common.interleaved(timers, options.repeat), TARGETS)


def _staff() -> Client:
    call_command("migrate", verbosity=0)
    client = Client(SERVER_NAME="localhost")
    client.force_login(get_user_model().objects.create_superuser("staff"))
    return client


# --- The portal -----------------------------------------------------------------------------------------


def _portal(client: Client, how_many: int) -> dict[str, Callable[[], float]]:
    """A timer for each page of the room list."""
    address = reverse("rooms:rooms", args=[data.HOTEL.hotel_id])
    pages = {"rooms, first": address, "rooms, middle": f"{address}?cursor={_middle(how_many)}"}
    for name, query in (("one value each", ONE_EACH), ("several values, sorted", SEVERAL)):
        pages[f"rooms, {name}, first"] = f"{address}?{query}"
    for name, page in list(pages.items()):
        if name.endswith("first"):
            pages[name.removesuffix("first") + "last"] = address + _last(client, page)
    for page in pages.values():
        _rows(client, page)
    return {
        name: partial(common.milliseconds, partial(client.get, page))
        for name, page in sorted(pages.items(), key=_position)
    }


def _middle(how_many: int) -> str:
    """The cursor of the page in the middle. It is reached as by a reader: page after page."""
    cursor, counts = "", queries.room_counts(data.HOTEL.hotel_id)
    for _ in tqdm(range(how_many // PAGE // 2), desc="Walking to the middle", unit=" pages", disable=None):
        listing = queries.rooms(data.HOTEL.hotel_id, RoomQuery(page_size=PAGE, cursor=cursor), counts)
        cursor = read_page(listing, PAGE, cursor).next or ""
    return cursor


def _last(client: Client, page: str) -> str:
    """The query string of a page's link to the last page."""
    link = LAST_LINK.search(_rows(client, page))
    target = link and re.search(r'href="([^"]*)"', link[0])
    if not target:  # there are so few rooms that the first page is the last
        return "?" + page.partition("?")[2]
    return "?" + unescape(target[1]).partition("?")[2]


def _rows(client: Client, page: str) -> str:
    """The page's markup. Ends the benchmark if the page shows no rooms."""
    response = client.get(page)
    text = response.content.decode()
    if response.status_code != 200 or "<tr data-row=" not in text:
        raise SystemExit(f"{page} answered {response.status_code} and shows no rooms.")
    return text


def _position(named: tuple[str, str]) -> tuple[int, int]:
    """A sort key for the report: unfiltered pages before filtered ones; first, middle, last."""
    name = named[0]
    return ("one" in name) + 2 * ("several" in name), ("first", "middle", "last").index(name.split(", ")[-1])


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
