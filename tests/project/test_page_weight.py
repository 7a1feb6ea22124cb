"""What a page may weigh: bytes, template renders, SQL queries, and requests to DynamoDB.

The figures are ceilings, a little above what is measured. A change that makes a page heavier raises its line here, so
that whoever reads the change sees it.
"""

from typing import Any, NamedTuple

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
    "/hotels/": Weight(27, 71, 4, 1, 0.5),
    "/hotels/lakeview/rooms/": Weight(84, 164, 4, 2, 2.5),
    "/hotels/lakeview/rooms/?view=sea-view&view=garden-view&sort=-size&then=type": Weight(71, 169, 4, 2, 2.5),
    "/hotels/lakeview/attention/": Weight(40, 93, 4, 1, 0.5),
    "/hotels/lakeview/reviews/": Weight(63, 125, 4, 2, 2.0),
    "/hotels/lakeview/orders/": Weight(56, 131, 4, 1, 1.0),
    "/guests/": Weight(32, 82, 3, 4, 2.0),
    "/orders/unfinished/": Weight(61, 114, 4, 8, 4.0),
}
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
        response = client.get(address, headers=headers)
    assert response.status_code == 200, response.content
    markup = ListMarkup(response.content)
    requests, units = markup.cost("requests"), markup.cost("read-units")
    return Weight(-(-len(response.content) // 1000), len(renders), len(queries), int(requests), units)


def heavier(weight: Weight, ceiling: Weight) -> dict[str, tuple[float, float]]:
    """What is above the ceiling, without the units on DynamoDB Local, which charges LSIs in another way than AWS."""
    if dynamodb_local.wanted():
        ceiling = ceiling._replace(read_units=weight.read_units)
    pairs = zip(Weight._fields, weight, ceiling, strict=True)
    return {name: (value, most) for name, value, most in pairs if value > most}


def test_no_page_has_become_heavier(browser_of_mary: Client, renders: list[str]) -> None:
    weights = {address: weigh(browser_of_mary, address, renders) for address in PAGES}
    assert {address: heavier(weight, PAGES[address]) for address, weight in weights.items()} == dict.fromkeys(PAGES, {})


def test_no_list_that_htmx_swaps_has_become_heavier(browser_of_mary: Client, renders: list[str]) -> None:
    weight = weigh(browser_of_mary, "/hotels/lakeview/rooms/", renders, HX_Request="true", HX_Target="list")
    assert heavier(weight, HTMX_PART) == {}
