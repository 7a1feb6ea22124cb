"""``python -m benchmarks.mixed``: processor time of a page under the traffic of a group, against Django's changelist.

One person of each hotel reads its list of rooms, filters, sorts and pages it, and taps on rooms. Both servers are asked
for the same, in the same order, by eight clients. README.md says why the shares are what they are.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from html import unescape
from http import HTTPStatus
from http.client import HTTPConnection
from itertools import cycle
from multiprocessing import get_context
from random import Random
from statistics import median
from typing import NamedTuple
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.test import Client

from benchmarks import common, rooms
from benchmarks.server import PROCESSES, Server, listening
from benchmarks.stock.serving import SECRET, TOKEN, USERS
from dynamodb_lists.connection import engine
from hotels.commands import save_hotels
from hotels.entities import Hotel
from rooms.commands import save_rooms
from tests.helpers.people import bind, join

ROLES = ("Housekeeping", "Front desk", "Supervisor", "Manager")
FILTERS: Mapping[tuple[str, str], int] = {
    ("", ""): 40,
    ("type=suite", "type__exact=Suite"): 25,
    ("view=sea-view&view=garden-view", "view__in=Sea+view%2CGarden+view"): 10,
    ("view=city-view&type=double", "view__exact=City+view&type__exact=Double"): 10,
    ("size_min=26&size_max=48", "size__gte=26&size__lte=48"): 8,
    ("rate_min=100&rate_max=250", "rate__gte=100&rate__lte=250"): 7,
}
SORTS: Mapping[tuple[str, str], int] = {
    ("", ""): 60,
    ("sort=number", "o=1"): 15,
    ("sort=-size", "o=-3"): 15,
    ("sort=rate", "o=5"): 10,
}
"""What is asked of the portal and of the changelist, and how often of a hundred pages."""
NEXT, TAPS = 0.3, 0.28
"""How many go on to the next page, if there is one, and taps for each page."""
LISTS = "/hotels/inn-{hotel:02d}/rooms/", "/admin/stock/room/"
LINK = re.compile(r'<a\b[^>]*\brel="next"[^>]*>')
ROWS = (
    re.compile(r'/rooms/(?P<row>\w+)/status/\?initial-housekeeping=(?P<status>\w+)"'),
    re.compile(r'_selected_action" value="(?P<row>\d+)"'),
)
UNDRAWN = "mixed, undrawn"
"""Pages by the same questions of a portal that draws each list once. Nobody goes on, because links are old."""
MET = {"stock": 2.0, "stock with counts": 3.0}
"""How many times the processor time of the portal each server takes at least, mixed with taps."""


class Visit(NamedTuple):
    """What a client does next: whose page it reads, and whether that is the next one, and whether a tap follows."""

    hotel: int
    query: tuple[str, str]
    goes_on: bool
    taps: bool


class Portal(NamedTuple):
    """The portal, and the portal that draws each list once."""

    drawn: Server
    undrawn: Server


def main() -> None:
    """Start the servers, let the group use them in turns, and print the figures."""
    options = common.options("The traffic of a group.", hotels=(40, 8), rooms=(300, 60), pages=(200, 24), rounds=(5, 1))
    hotels = [Hotel(f"inn-{number:02d}", f"Inn {number}", "Lugano", currency="EUR") for number in range(options.hotels)]
    clients = ProcessPoolExecutor(1, get_context("spawn"))
    with clients, _portal(hotels, options.rooms) as portal, _changelist(hotels, options.rooms) as changelist:
        counted = changelist._replace(pages={"more": "&_facets=True"})
        servers = {"portal": portal.drawn, "stock": changelist, "stock with counts": counted}

        def milliseconds(server: Server, how: str, pages: int) -> float:
            """Read ``pages`` pages; return the milliseconds of processors for each of them."""
            before = server.seconds()
            clients.submit(_load, server, how, pages).result()
            return 1000 * (server.seconds() - before) / pages

        common.say(f"{options.hotels} hotels of {options.rooms} rooms, {USERS} clients, {PROCESSES} processes")
        # Each process reads its first page, and each person, too.
        rows = {"cold": {name: milliseconds(server, "cold", options.hotels) for name, server in servers.items()}}
        for how in ("repeated", "mixed", "mixed with taps"):
            calls = {name: partial(milliseconds, server, how, options.pages) for name, server in servers.items()}
            if how == "mixed":
                calls[UNDRAWN] = partial(milliseconds, portal.undrawn, UNDRAWN, options.pages)
            rows[how] = {name: median(found) for name, found in common.alternated(calls, options.rounds).items()}
        undrawn = rows["mixed"].pop(UNDRAWN)
        table = [(how, *(f"{ms:.1f}" for ms in row.values())) for how, row in rows.items()]
        common.print_table(("ms of processors a page", *servers), table)
        taps = rows["mixed with taps"]
        least = taps["portal"] - rows["mixed"]["portal"] + undrawn
        common.say(f"If lists were drawn for nothing, a page would take {undrawn:.1f} ms mixed, {least:.1f} with taps.")
        ratios = [(f"{name} / portal, mixed with taps", taps[name] / taps["portal"], met) for name, met in MET.items()]
        ratios += [(f"{name} / undrawn portal", taps[name] / least, met) for name, met in MET.items()]
        common.print_targets(ratios)
    common.finish(options)


# --- The servers --------------------------------------------------------------------------------------------


@contextmanager
def _portal(hotels: Sequence[Hotel], how_many: int) -> Iterator[Portal]:
    port, name = engine.free_port(), settings.SESSION_COOKIE_NAME
    environment = {"SERVER_ADDRESS": f"127.0.0.1:{port}", "LOG_LEVEL": "INFO"}
    with common.fresh_tables() as database:
        call_command("migrate", verbosity=0)
        save_hotels(hotels)
        cookies = []
        for hotel, role in zip(hotels, cycle(ROLES), strict=False):
            save_rooms([*rooms.rooms_of(hotel, how_many)])
            user, client = get_user_model().objects.create_user(hotel.hotel_id, is_staff=True), Client()
            join(user, role)
            bind(user, hotel.hotel_id)
            client.force_login(user)
            cookies.append(f"{name}={client.cookies[name].value}; {SECRET}")
        other = {**environment, "SERVER_ADDRESS": f"127.0.0.1:{(other_port := engine.free_port())}"}
        with (
            listening(["hotelapp.serving"], port, environment) as process,
            listening(["benchmarks.undrawn"], other_port, other) as undrawn,
        ):
            yield Portal(
                Server(port, {}, cookies, [process, database.process.pid]),
                Server(other_port, {}, cookies, [undrawn, database.process.pid]),
            )


@contextmanager
def _changelist(hotels: Sequence[Hotel], how_many: int) -> Iterator[Server]:
    port, environment = engine.free_port(), {"DJANGO_SETTINGS_MODULE": "benchmarks.stock.settings"}
    rooms.file_of(hotels, how_many)
    with listening(["benchmarks.stock.serving", str(port), str(PROCESSES)], port, environment) as process:
        yield Server(port, {"more": ""}, json.loads((common.WORK / "cookies.json").read_text()), [process])


# --- The people ---------------------------------------------------------------------------------------------


def _load(server: Server, how: str, pages: int) -> None:
    """Let eight clients read so many pages, each those of its own people."""
    with ThreadPoolExecutor(USERS) as threads:
        [*threads.map(partial(_read, server, how, pages), range(USERS))]


def _visits(how: str, hotels: int, pages: int, client: int) -> Iterator[Visit]:
    """Yield what a client does: the same for each server and in each round."""
    random, own, is_mixed = Random(f"{how} {client}"), [*range(client, hotels, USERS)], how.startswith("mixed")
    for number in range(len(range(client, pages, USERS))):
        if not is_mixed:
            yield Visit(own[number % len(own)] if how == "cold" else own[0], ("", ""), goes_on=False, taps=False)
            continue
        asked = [random.choices([*shares], [*shares.values()])[0] for shares in (FILTERS, SORTS)]
        portal, stock = ("&".join(filter(None, each)) for each in zip(*asked, strict=True))
        taps = random.random() < TAPS and how.endswith("taps")
        goes_on = random.random() < NEXT and how != UNDRAWN
        yield Visit(random.choice(own), (portal, stock), goes_on=goes_on, taps=taps)


def _read(server: Server, how: str, pages: int, client: int) -> None:
    kind, following = int("more" in server.pages), dict[int, str]()
    with closing(HTTPConnection("localhost", server.port, timeout=60)) as connection:
        for visit in _visits(how, len(server.cookies), pages, client):
            cookie, path = server.cookies[visit.hotel], LISTS[kind].format(hotel=visit.hotel)
            further = following.pop(visit.hotel, "") if visit.goes_on else ""
            query = (further or visit.query[kind]) + server.pages.get("more", "")
            text = _sent(connection, "GET", f"{path}?{query.removeprefix('&')}", cookie)
            if kind == 0 and (link := LINK.search(text)):
                following[visit.hotel] = unescape(link[0].partition('href="')[2].partition('"')[0]).partition("?")[2]
            elif kind and not further and "p=2" in text:
                following[visit.hotel] = f"{visit.query[kind]}&p=2"
            row = ROWS[kind].search(text)
            if row and visit.taps and kind:
                _sent(connection, "POST", path, cookie, action="tap", _selected_action=row["row"], index="0")
            elif row and visit.taps:
                status = "clean" if row["status"] == "dirty" else "dirty"
                address = f"{path}{row['row']}/status/?initial-housekeeping={row['status']}"
                _sent(connection, "POST", address, cookie, housekeeping=status, list="rooms?")


def _sent(connection: HTTPConnection, method: str, address: str, cookie: str, **form: str) -> str:
    """Send a request; return the text of the answer. Raises: :class:`RuntimeError` if the answer is an error."""
    body = urlencode({**form, "csrfmiddlewaretoken": TOKEN}) if form else None
    headers = {
        "Cookie": cookie,
        **({"Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true"} if form else {}),
    }
    connection.request(method, address, body, headers)
    response = connection.getresponse()
    text = response.read().decode()
    if response.status >= HTTPStatus.BAD_REQUEST:
        raise RuntimeError(f"{address} answered {response.status}: {text[:500]}")
    return text


if __name__ == "__main__":
    main()
