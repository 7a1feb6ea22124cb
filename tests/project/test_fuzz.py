"""Random query strings, paths and forms: never a 500."""

from urllib.parse import quote, urlencode

import pytest
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamodb_lists.tests.helpers.examples import examples
from tests.helpers.orders import make_order, store
from tests.helpers.reviews import make_review
from tests.helpers.reviews import store as store_reviews
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
HOTEL = f"/hotels/{ABC}/"
ROOMS, REVIEWS = f"{HOTEL}rooms/", f"{HOTEL}reviews/"
LISTS = ["/hotels/", "/guests/", "/guests/alex/orders/", "/orders/", "/orders/unfinished/", f"/history/room/{ABC}/7/"]
LISTS += [ROOMS, REVIEWS, *(f"{HOTEL}{name}/" for name in ("orders", "orders/big", "attention"))]
NAMES = "language rating room q status from to before view type size size_min size_max rate_min rate_max sort then"
LIKELY = "en zh-cn 5 sea-view suite 20 40 0040m size -size type -rate dirty 120.50 25 10 csv SHIPPED -date total"
PATHS = [f"/{name}/{{}}/" for name in ("guests", "orders", "reviews", "history/guest", f"history/newest/room/{ABC}")]
PATHS += ["/guests/{}/orders/", "/hotels/{}/reviews/", "/hotels/{}/orders/", "/history/{}/7/", "/hotels/{}/rooms/{}/"]
PATHS += [f"{ROOMS}{{}}/"]
FORMS = [
    (
        ["/orders/o-1/", "/orders/place/", "/guests/add/", "/guests/alex/edit/"],
        "seen=PLACED&step=PROCESSING&username=bo&name=Bo&order_id=n-1&items-TOTAL_FORMS=1",
    ),
    (
        [f"{REVIEWS}add/", *(f"/reviews/r-1/{name}/" for name in ("edit", "reply", "delete"))],
        "review_id=r-99&author=Ann&language=en&rating=5&revision=1&room_number=&body=&reply=",
    ),
    (
        ["/hotels/add/", f"{HOTEL}edit/", f"{ROOMS}add/", f"{ROOMS}1/edit/", f"{ROOMS}1/delete/"],
        "hotel_id=x&name=X&time_zone=UTC&number=1&view=&size=20&rate=1&currency=EUR&revision=1",
    ),
    (["/orders/unfinished/"], "order=o-1/alex/PLACED&to=next"),
    ([f"{ROOMS}1/status/"], "housekeeping=dirty&service=&reason=&until=&list=&revision=1"),
]
"""The addresses of forms, and the values that some of them accept."""

ASKED: list[dict[str, str]] = [{}, *[{"HX-Request": "true", "HX-Target": "list"}] * 3]  # by htmx most often
names = st.sampled_from([*NAMES.split(), "page_size", "number", "cursor", "format", "x"])
likely = st.sampled_from([*LIKELY.split(), "2023-01-15", "9999-12-31", "1", "", "#", "%", "٤٠"])
values = likely | st.text(max_size=30) | st.integers().map(str) | st.floats().map(str)
pairs = st.lists(st.tuples(names | st.text(max_size=5), values), max_size=6)


def fill() -> None:
    """Store twelve rooms with two views and three sizes, twelve orders and twelve reviews: two pages of ten rows."""
    make_hotel([make_room(str(n), view=["Sea view", "City"][n % 2], size=20 + n % 3 * 20) for n in range(12)])
    store([make_order(f"o-{n}", total=995 + n) for n in range(12)])
    store_reviews([make_review(f"r-{n}", ["en", "zh-cn"][n % 2], n % 5 + 1) for n in range(12)])


def encoded(query: list[tuple[str, str]]) -> str:
    return urlencode(query, errors="surrogatepass")


@settings(max_examples=examples(25))
@given(pairs, st.sampled_from(LISTS), st.sampled_from(ASKED))
def test_any_parameters(staff: Client, query: list[tuple[str, str]], path: str, headers: dict[str, str]) -> None:
    response = staff.get(f"{path}?{encoded(query)}", headers=headers)
    assert response.status_code in {200, 400}
    if response.streaming:
        assert response.getvalue()


@settings(max_examples=examples(40))
@given(st.text(min_size=1, max_size=40), st.text(min_size=1, max_size=40), st.sampled_from(PATHS))
def test_any_path(staff: Client, first: str, second: str, path: str) -> None:
    url = path.format(*(quote(name, errors="surrogatepass") for name in (first, second)))
    assert staff.get(url).status_code in {200, 301, 302, 404}


@pytest.mark.parametrize(("paths", "good"), FORMS, ids=[paths[0] for paths, _ in FORMS])
@settings(max_examples=examples(20))
@given(data=st.data())
def test_any_form(admin_client: Client, paths: list[str], good: str, data: st.DataObject) -> None:
    entry = dict(pair.split("=") for pair in good.split("&"))
    entry |= data.draw(st.dictionaries(st.sampled_from([*entry]), values))
    safe = {name: value.encode(errors="replace").decode() for name, value in entry.items()}
    assert admin_client.post(data.draw(st.sampled_from(paths)), safe).status_code in {200, 302, 400, 404}


@settings(max_examples=examples(25))
@given(
    st.dictionaries(st.sampled_from(["rate_to", "rate_by", "rate_percent", "view", "service", "until"]), values),
    st.sampled_from(["rate-to", "rate-by", "rate-percent", "view", "status", "x"]),
    st.sampled_from(["all=on", "room=1&room=2", "all=on&view=city", "room=x#", "all=on&rate_min=1e5"]),
)
def test_any_bulk_change(admin_client: Client, entry: dict[str, str], action: str, selection: str) -> None:
    named = [("new-action", action), *((f"new-{name}", value) for name, value in entry.items())]
    address = f"{ROOMS}change/?{selection}&{encoded(named)}"
    assert admin_client.get(address, follow=True).status_code in {200, 400}
    assert admin_client.post(address, {"seen": next(iter(entry.values()), "")}).status_code in {302, 400}
