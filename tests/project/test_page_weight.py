"""What a page may weigh: bytes, template renders, SQL queries, requests to DynamoDB, read units and waves.

The budget of each page is in tests/costs/pages.json. ``UPDATE_DOCS=1`` writes it anew, so whoever reads a change that
makes a page heavier, or much lighter, sees it there.
"""

import contextlib
import gzip
import re
from collections.abc import Mapping
from functools import cache, partial
from itertools import islice, product
from typing import Any
from urllib.parse import urljoin

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.template.base import Template
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from jinja2 import Template as JinjaTemplate
from jinja2.runtime import Macro

from dynamodb_lists.tests.helpers import dynamodb_local
from hotelapp import bundles
from hotels.queries import hotel
from orders import commands
from orders.queries import NEWEST
from orders.statuses import OPEN, Status
from tests.conftest import logged_in
from tests.costs import budget
from tests.costs.budget import Weight
from tests.helpers import contents
from tests.helpers.browsing import seed
from tests.helpers.documents import updating
from tests.helpers.markup import ListMarkup
from tests.helpers.orders import make_items, make_order
from tests.helpers.rooms import make_hotel, make_room

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true", "HX-Target": "list"}
VARIED = "varied"
"""The hotel whose rooms are almost all different."""

PAGES = {
    "overview of the group": "GET /",
    "hotels": "GET /hotels/",
    "a hotel": "GET /hotels/lakeview/",
    "rooms": "GET /hotels/lakeview/rooms/",
    "rooms, last page": "GET /hotels/lakeview/rooms/{last}",
    "rooms, filtered and sorted": "GET /hotels/lakeview/rooms/?view=sea-view&view=garden-view&sort=-size&then=type",
    "rooms, the list that htmx swaps": "HTMX /hotels/lakeview/rooms/",
    "rooms in 1,160 combinations": f"GET /hotels/{VARIED}/rooms/",
    "a room": "GET /hotels/lakeview/rooms/{room}/",
    "a tap on a status": "POST /hotels/lakeview/rooms/{room}/status/",
    "rooms that need attention": "GET /hotels/lakeview/attention/",
    "the handover of a hotel": "GET /hotels/lakeview/handover/",
    "reviews": "GET /hotels/lakeview/reviews/",
    "a hotel's orders": "GET /hotels/lakeview/orders/",
    "unfinished orders": "GET /orders/unfinished/",
    "an order": "GET /orders/{order}/",
    "guests": "GET /guests/",
    "a guest": "GET /guests/{guest}/",
    "a guest's orders": "GET /guests/{guest}/orders/",
    "history of a hotel": "GET /hotels/lakeview/history/",
    "search": "GET /search/?q=lakeview",
    "command palette": "GET /search/palette/?q=lakeview",
    "cost lab, before a run": "GET /lab/",
}
OF_ENGINEERS = 2
"""How many of them, the last ones, need a permission that managers do not have."""

ON_THE_WIRE, FIRST_VISIT, ALL_FONTS = 30_000, 120_000, 180_000
"""The most bytes of a page as it is sent, compressed; of a first visit on a phone, with all files; of all fonts."""

REQUESTS, BLOCKING, HEADERS = 8, 3, 1200
"""The most requests of a first visit on a phone, the files that its first picture waits for, and bytes of headers."""

FILES, SYMBOLS = "link[href]:not([rel=canonical]), script[src]", "/static/fonts/inter-symbols.woff2"
STYLES = ("unfold/css/styles.css", "portal/page.css")

URL = re.compile(r"""url\((?!["']?data:)["']?([^)"']+)""")


@pytest.fixture
def renders(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of what is rendered: each template of either engine, included ones as well, and each macro."""
    names: list[str] = []

    def count(owner: type, method: str) -> None:
        usual = getattr(owner, method)

        def counted(self: Any, *args: Any, **kwargs: Any) -> Any:
            names.append(str(self.name))
            return usual(self, *args, **kwargs)

        monkeypatch.setattr(owner, method, counted)

    count(Template, "_render")
    count(JinjaTemplate, "new_context")
    count(Macro, "_invoke")
    return names


@pytest.fixture
def browser_of_mary(endpoint: str, mary: User) -> Client:
    """Mary's browser, with the data of the demo."""
    contents.start_from("demo", seed)
    return logged_in(mary)


def add_varied_hotel() -> None:
    """Store a hotel of 1,200 rooms in 1,160 combinations of view, size and type."""
    views, sizes, types = [f"View {number}" for number in range(12)], range(20, 45), ("Twin", "Suite", "Loft", "Attic")
    facets = list(islice(product(views, sizes, types), 1160))
    rooms = [make_room(str(number), *each, hotel_id=VARIED) for number, each in enumerate(facets + facets[:40], 1000)]
    make_hotel(rooms, VARIED, "Varied")


def examples(client: Client) -> dict[str, str]:
    """What stands for the names in the addresses: the first one of each list; an order of three lines for a room.

    The room and the guest have as many orders as their pages show: those of the demo depend on the day of the seed.
    """
    lists = {"room": "/hotels/lakeview/rooms/", "guest": "/guests/"}
    found = {name: ListMarkup(client.get(address).content) for name, address in lists.items()}
    first = {name: page.rows[0] for name, page in found.items()}
    now = timezone.now()
    of_room: dict[str, Any] = {
        "hotel_id": "lakeview",
        "room_number": first["room"],
        "currency": hotel("lakeview").currency,
    }
    orders = [
        make_order(f"O-{number}", first["guest"], status, now, **of_room).with_items(make_items(3))
        for number, status in enumerate([OPEN, Status.DELIVERED] * NEWEST, 1)
    ]
    assert commands.save_orders(orders) == (len(orders), {})
    return {**first, "order": orders[0].order_id, "last": str(found["room"].link("last"))}


def ask(client: Client, page: str, values: Mapping[str, str]) -> Any:
    """The answer to the request for a page, or for its list alone. A tap makes the room clean, another one dirty."""
    method, address = page.format(**values).split(" ")
    headers = {"Accept-Encoding": "gzip"} | ({} if method == "GET" else HTMX)
    if method != "POST":
        return client.get(address, headers=headers)
    statuses = ({"list": "rooms", "housekeeping": status} for status in ("clean", "dirty"))
    return [client.post(address, status, headers=headers) for status in statuses][-1]


def weigh(client: Client, page: str, values: Mapping[str, str], renders: list[str]) -> Weight:
    """Return the weight of a page. The process has served it before, so its caches are warm."""
    ask(client, page, values)
    renders.clear()
    with CaptureQueriesContext(connection) as queries:
        response = ask(client, page, values)
    assert response.status_code == 200, response.content
    assert len(response.content) <= ON_THE_WIRE
    content = gzip.decompress(response.content) if response.has_header("Content-Encoding") else response.content
    ledger = response.wsgi_request.ledger
    taps = 2 if page.startswith("POST") else 1
    searching = page.startswith("GET /search/")
    assert len(queries) == taps + 2 * searching, "one reads the user, with permissions and hotels; others find staff"
    return Weight(len(content) / 1000, len(renders) / taps, ledger.requests, float(ledger.read_units), ledger.waves)


def test_each_page_keeps_its_budget(browser_of_mary: Client, mary: User, renders: list[str]) -> None:
    add_varied_hotel()
    values = examples(browser_of_mary)
    weights = {}
    for number, (name, page) in enumerate(PAGES.items()):
        if number == len(PAGES) - OF_ENGINEERS:
            mary.user_permissions.add(Permission.objects.get(codename="open_lab"))
        weights[name] = weigh(browser_of_mary, page, values, renders)
    if updating():
        budget.write(weights)
    budgets = budget.budgets()
    assert list(budgets) == list(PAGES)
    if dynamodb_local.wanted():  # it charges LSIs in another way, so plans differ
        same = ("kilobytes", "renders", "requests", "read_units", "waves")
        weights = {
            name: weights[name]._replace(**{each: getattr(budgets[name], each) for each in same}) for name in PAGES
        }
    different = {name: found for name in PAGES if (found := weights[name].compared(budgets[name]))}
    assert different == {}, "heavier, or much lighter; UPDATE_DOCS=1 writes the budget anew"


def sent(client: Client, address: str) -> bytes:
    """Return a page or a file, which must be there, compressed as pages and collected files are."""
    with contextlib.closing(client.get(address)) as response:
        assert response.status_code == 200, address
        return gzip.compress(response.getvalue())


def named(content: bytes, selector: str) -> set[str]:
    """Return the addresses of the files that a page names."""
    return {str(link.get("href") or link.get("src")) for link in ListMarkup(content).soup.select(selector)}


def classes(style: str) -> set[str]:
    """Return the classes that a style sheet has rules for."""
    return {re.sub(r"\\(.)", r"\1", name) for name in bundles.CLASS.findall(style)}


def test_a_first_visit_asks_for_little_and_waits_for_less(browser_of_mary: Client, mary: User) -> None:
    """Count what a phone loads on each page. A test in a browser shows that a browser loads the same."""
    mary.user_permissions.add(Permission.objects.get(codename="open_lab"))
    values = examples(browser_of_mary)
    pages = [page.format(**values).removeprefix("GET ") for page in PAGES.values() if page.startswith("GET")]
    pages += ["/account/second-factor/", "/guests/add/", "/hotels/lakeview/rooms/?page_size=50"]
    read = cache(partial(sent, browser_of_mary))
    of_unfold, own = (classes(gzip.decompress(read(f"/static/{file}")).decode()) for file in STYLES)
    clients = [(browser_of_mary, page) for page in pages if "palette" not in page] + [(Client(), "/admin/login/")]
    for client, address in clients:
        content = sent(client, address)
        page = gzip.decompress(content)
        assert named(page, "link[as=font]"), address
        blocking = named(page, "link[rel=stylesheet]:not([href*=noscript]), script:not([defer])")
        assert len(blocking) <= BLOCKING, address
        files = named(page, FILES) - named(page, "[media], noscript link") | {SYMBOLS}
        assert 1 + len(files) <= REQUESTS, address
        loaded = len(content) + sum(len(read(file)) for file in files) + HEADERS * (1 + len(files))
        assert loaded <= FIRST_VISIT, address
        used = {each for element in ListMarkup(page).soup.select("[class]") for each in str(element["class"]).split()}
        assert used & of_unfold <= own, f"{address}: their rules are not in the page's style sheet"


def test_every_part_of_the_fonts_is_there(browser_of_mary: Client) -> None:
    """Whoever reads every script of the world loads them all."""
    (style,) = STYLES[1:]
    names = URL.findall(gzip.decompress(sent(browser_of_mary, f"/static/{style}")).decode())
    parts = {name: len(sent(browser_of_mary, urljoin(f"/static/{style}", name))) for name in names}
    assert sum(parts.values()) <= ALL_FONTS
    assert {name for name in parts if "woff2" in name} == {*parts}


def test_rules_for_no_class_of_a_page_are_left_out() -> None:
    kept = "@layer a{.x{color:red}.x\\:y,.z{b:c}@media (d){.x:hover{e:f}}%s}@property --l{m:n}"
    style = kept % ".w:is(.x,.v){g:h}@media (i){.v{j:k}}"
    assert bundles.used(style, {"x", "x:y"}) == kept % "@media (i){}"
    assert bundles.used(style, {"x", "z", "v", "w"}) == style
