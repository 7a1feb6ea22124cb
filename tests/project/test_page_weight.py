"""What a page may weigh: bytes, also with all its files, template renders, SQL queries, and requests to DynamoDB.

The figures are ceilings, a little above what is measured. A change that makes a page heavier raises its line here, so
that whoever reads the change sees it.
"""

import contextlib
import gzip
import re
from typing import Any, NamedTuple
from urllib.parse import urljoin

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.template.base import Template
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.conftest import logged_in
from tests.helpers import contents, dynamodb_local
from tests.helpers.browsing import seed
from tests.helpers.markup import ListMarkup

pytestmark = pytest.mark.django_db


class Weight(NamedTuple):
    """The most that a page may weigh, once the process has served it before."""

    kilobytes: int
    renders: int
    sql_queries: int
    requests: int
    read_units: float


PAGES = {
    "/": Weight(129, 80, 4, 3, 6),
    "/hotels/lakeview/": Weight(106, 62, 4, 3, 2.5),
    "/hotels/": Weight(27, 71, 4, 1, 0.5),
    "/hotels/lakeview/rooms/": Weight(84, 164, 4, 2, 2.5),
    "/hotels/lakeview/rooms/?view=sea-view&view=garden-view&sort=-size&then=type": Weight(71, 169, 4, 2, 2.5),
    "/hotels/lakeview/attention/": Weight(46, 93, 4, 1, 0.5),
    "/hotels/lakeview/reviews/": Weight(63, 125, 4, 2, 2.0),
    "/hotels/lakeview/orders/": Weight(56, 131, 4, 1, 1.0),
    "/guests/": Weight(32, 82, 3, 4, 2.0),
    "/orders/unfinished/": Weight(61, 114, 4, 8, 4.0),
}
ON_THE_WIRE, FIRST_VISIT = 30_000, 400_000
"""The most bytes of a page as it is sent, compressed, and of a page with all files that it may ask for."""

URL = re.compile(r"""url\((?!["']?data:)["']?([^)"']+)""")
HTMX_PART = Weight(61, 113, 4, 2, 2.5)
"""The list alone, as htmx requests it when somebody filters, sorts or turns the page."""


@pytest.fixture
def renders(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the templates that are rendered, included ones as well."""
    names: list[str] = []
    usual = Template._render  # type: ignore[attr-defined]

    def counted(template: Template, context: Any) -> Any:
        names.append(str(template.name))
        return usual(template, context)

    monkeypatch.setattr(Template, "_render", counted)
    return names


@pytest.fixture
def browser_of_mary(endpoint: str, mary: User) -> Client:
    """Mary's browser, with the data of the demo."""
    contents.start_from("demo", seed)
    return logged_in(mary)


def weigh(client: Client, address: str, renders: list[str], **headers: str) -> Weight:
    """The weight of a page. The process has served it before, so its caches are warm."""
    client.get(address, headers=headers)
    renders.clear()
    with CaptureQueriesContext(connection) as queries:
        response = client.get(address, headers={"Accept-Encoding": "gzip", **headers})
    assert response.status_code == 200, response.content
    assert len(response.content) <= ON_THE_WIRE
    content = gzip.decompress(response.content)
    markup = ListMarkup(content)
    requests, units = markup.cost("requests"), markup.cost("read-units")
    return Weight(-(-len(content) // 1000), len(renders), len(queries), int(requests), units)


def heavier(weight: Weight, ceiling: Weight) -> dict[str, tuple[float, float]]:
    """What is above the ceiling, without what follows from units on DynamoDB Local, which charges LSIs otherwise."""
    if dynamodb_local.wanted():
        ceiling = ceiling._replace(read_units=weight.read_units, requests=weight.requests, renders=weight.renders)
    pairs = zip(Weight._fields, weight, ceiling, strict=True)
    return {name: (value, most) for name, value, most in pairs if value > most}


def test_no_page_has_become_heavier(browser_of_mary: Client, renders: list[str]) -> None:
    weights = {address: weigh(browser_of_mary, address, renders) for address in PAGES}
    assert {address: heavier(weight, PAGES[address]) for address, weight in weights.items()} == dict.fromkeys(PAGES, {})


def test_no_list_that_htmx_swaps_has_become_heavier(browser_of_mary: Client, renders: list[str]) -> None:
    weight = weigh(browser_of_mary, "/hotels/lakeview/rooms/", renders, HX_Request="true", HX_Target="list")
    assert heavier(weight, HTMX_PART) == {}


def sent(client: Client, address: str) -> bytes:
    """What the server sends of a page or of a file, which must be there."""
    with contextlib.closing(client.get(address, headers={"Accept-Encoding": "gzip"})) as response:
        assert response.status_code == 200, address
        return response.getvalue()


def test_a_first_visit_asks_for_little_and_for_no_file_that_is_missing(browser_of_mary: Client) -> None:
    """Each page has the same files. Whoever reads every script of the world also loads every part of the fonts."""
    page = sent(browser_of_mary, "/hotels/lakeview/rooms/")
    links = ListMarkup(gzip.decompress(page)).soup.select("link[href], script[src]")
    addresses = {str(link.get("href") or link.get("src")) for link in links}
    files = {address: sent(browser_of_mary, address) for address in addresses}
    for address in filter(re.compile(r"\.css$").search, addresses):
        for name in URL.findall(gzip.decompress(files[address]).decode()):
            files[urljoin(address, name)] = sent(browser_of_mary, urljoin(address, name))
    assert {file for file in files if "woff2" in file} > {file for file in addresses if "woff2" in file} != set()
    assert len(page) + sum(map(len, files.values())) <= FIRST_VISIT
