"""Random query strings and paths: never a 500."""

from urllib.parse import quote, urlencode

import pytest
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamodb_lists.tests.helpers.examples import examples
from tests.helpers.contents import Fill
from tests.helpers.orders import make_order, store
from tests.helpers.reviews import make_review
from tests.helpers.reviews import store as store_reviews
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]

LISTS = ["/hotels/", f"/hotels/{ABC}/rooms/", "/guests/", "/guests/alex/orders/", "/orders/"]
LISTS += [f"/hotels/{ABC}/orders/big/", f"/hotels/{ABC}/reviews/", f"/hotels/{ABC}/orders/", "/orders/unfinished/"]
LISTS += [f"/hotels/{ABC}/attention/", f"/history/room/{ABC}/7/"]
NAMES = [
    "language",
    "rating",
    "room",
    "q",
    "status",
    "from",
    "to",
    "before",
    "view",
    "type",
    "size",
    "size_min",
    "size_max",
    "rate_min",
    "rate_max",
    "sort",
    "then",
    "page_size",
    "number",
    "cursor",
    "format",
    "x",
]
LIKELY = [
    "en",
    "zh-cn",
    "5",
    "sea-view",
    "suite",
    "20",
    "40",
    "0040m",
    "size",
    "-size",
    "type",
    "-rate",
    "dirty",
    "120.50",
    "25",
    "10",
    "csv",
    "SHIPPED",
    "-date",
    "total",
    "2023-01-15",
    "9999-12-31",
    "1",
    "",
    "#",
    "%",
    "٤٠",
]
values = st.sampled_from(LIKELY) | st.text(max_size=30) | st.integers().map(str) | st.floats().map(str)
pairs = st.lists(st.tuples(st.sampled_from(NAMES) | st.text(max_size=5), values), max_size=6)
good_values = {"view": "sea-view", "type": "suite", "size": "40", "sort": "-size", "then": "type", "page_size": "10"}
good_values |= {"rate_min": "100", "rate_max": "250.50", "status": "clean"}
good_review_values = {"language": "en", "rating": "5", "sort": "date", "page_size": "10"}
PATHS = [
    "/guests/{}/",
    "/guests/{}/orders/",
    "/orders/{}/",
    "/reviews/{}/",
    "/hotels/{}/reviews/",
    "/hotels/{}/orders/",
    "/history/guest/{}/",
    "/history/newest/room/abc/{}/",
    "/history/{}/7/",
]
ASKED: list[dict[str, str]] = [{}, *[{"HX-Request": "true", "HX-Target": "list"}] * 3]  # by htmx most often
raw_bytes = st.text(alphabet="%&=+#;abc019AF\\\"'<>-", max_size=60)


def fill() -> None:
    """Store twelve rooms with two views and three sizes, twelve orders and twelve reviews: two pages of ten rows."""
    make_hotel([make_room(str(n), view=["Sea view", "City"][n % 2], size=20 + n % 3 * 20) for n in range(12)])
    store([make_order(f"o-{n}", total=995 + n) for n in range(12)])
    store_reviews([make_review(f"r-{n}", ["en", "zh-cn"][n % 2], n % 5 + 1) for n in range(12)])


@pytest.fixture
def filling() -> Fill:
    return fill


def encoded(query: list[tuple[str, str]]) -> str:
    return urlencode(query, errors="surrogatepass")


@settings(max_examples=examples(50))
@given(pairs, st.sampled_from(LISTS), st.sampled_from(ASKED))
def test_any_parameters(staff: Client, query: list[tuple[str, str]], path: str, headers: dict[str, str]) -> None:
    response = staff.get(f"{path}?{encoded(query)}", headers=headers)
    assert response.status_code in {200, 400}
    if response.streaming:
        assert response.getvalue()


@settings(max_examples=examples(25))
@given(raw_bytes, st.sampled_from(LISTS), st.sampled_from(ASKED))
def test_any_query_string(staff: Client, query: str, path: str, headers: dict[str, str]) -> None:
    assert staff.get(path, headers=headers, QUERY_STRING=query).status_code in {200, 400}


@settings(max_examples=examples(30))
@given(
    st.sets(st.sampled_from(sorted(good_values))), st.sampled_from(sorted(good_values)), values, st.sampled_from(ASKED)
)
def test_one_odd_value_among_good_ones(
    staff: Client, names: set[str], odd: str, value: str, headers: dict[str, str]
) -> None:
    query = [(name, good_values[name]) for name in names if name != odd] + [(odd, value)]
    assert staff.get(f"/hotels/{ABC}/rooms/?{encoded(query)}", headers=headers).status_code in {200, 400}


@settings(max_examples=examples(20))
@given(
    st.sets(st.sampled_from(sorted(good_review_values))),
    st.sampled_from([*sorted(good_review_values), "room"]),
    values,
    st.sampled_from(ASKED),
)
def test_one_odd_value_among_good_ones_of_reviews(
    staff: Client, names: set[str], odd: str, value: str, headers: dict[str, str]
) -> None:
    query = [(name, good_review_values[name]) for name in names if name != odd] + [(odd, value)]
    assert staff.get(f"/hotels/{ABC}/reviews/?{encoded(query)}", headers=headers).status_code in {200, 400}


@settings(max_examples=examples(30))
@given(st.text(min_size=1, max_size=40), st.text(min_size=1, max_size=40))
def test_any_path(staff: Client, hotel_id: str, number: str) -> None:
    path = f"/hotels/{quote(hotel_id, errors='surrogatepass')}/rooms/{quote(number, errors='surrogatepass')}/"
    assert staff.get(path).status_code in {200, 301, 302, 404}


@settings(max_examples=examples(25))
@given(st.text(min_size=1, max_size=40), st.sampled_from(PATHS))
def test_any_guest_order_and_review(staff: Client, name: str, path: str) -> None:
    url = path.format(quote(name, errors="surrogatepass"))
    assert staff.get(url).status_code in {200, 301, 302, 404}


@settings(max_examples=examples(20))
@given(
    st.dictionaries(st.sampled_from(["seen", "step", "username", "name", "items-TOTAL_FORMS", "order_id"]), values),
    st.sampled_from(["/orders/o-1/", "/orders/place/", "/guests/add/", "/guests/alex/edit/"]),
)
def test_any_post(staff: Client, entry: dict[str, str], path: str) -> None:
    safe = {name: value.encode(errors="replace").decode() for name, value in entry.items()}
    assert staff.post(path, safe).status_code in {200, 302, 400}


@settings(max_examples=examples(20))
@given(
    st.dictionaries(
        st.sampled_from(["review_id", "author", "language", "rating", "room_number", "body", "reply"]), values
    ),
    st.sampled_from(
        [f"/hotels/{ABC}/reviews/add/", "/reviews/r-1/edit/", "/reviews/r-1/reply/", "/reviews/r-1/delete/"]
    ),
    values,
)
def test_any_review(admin_client: Client, entry: dict[str, str], path: str, revision: str) -> None:
    good = {"review_id": "r-99", "author": "Ann", "language": "en", "rating": "5", "revision": revision}
    safe = {name: value.encode(errors="replace").decode() for name, value in {**good, **entry}.items()}
    assert admin_client.post(path, safe).status_code in {200, 302, 404}


@settings(max_examples=examples(25))
@given(
    st.dictionaries(
        st.sampled_from(["hotel_id", "name", "time_zone", "number", "view", "size", "rate", "currency", "revision"]),
        values,
    ),
    st.sampled_from(["add/", f"{ABC}/edit/", f"{ABC}/rooms/add/", f"{ABC}/rooms/1/edit/", f"{ABC}/rooms/1/delete/"]),
)
def test_any_hotel_and_room(admin_client: Client, entry: dict[str, str], path: str) -> None:
    good = {
        "hotel_id": "x",
        "name": "X",
        "time_zone": "UTC",
        "number": "1",
        "size": "20",
        "rate": "1",
        "currency": "EUR",
    }
    safe = {name: value.encode(errors="replace").decode() for name, value in {**good, **entry}.items()}
    assert admin_client.post(f"/hotels/{path}", safe).status_code in {200, 302, 404}


@settings(max_examples=examples(25))
@given(
    st.dictionaries(st.sampled_from(["housekeeping", "service", "reason", "until", "list"]), values),
    st.sampled_from(["dirty", "clean", ""]),
)
def test_any_status(admin_client: Client, entry: dict[str, str], housekeeping: str) -> None:
    safe = {name: value.encode(errors="replace").decode() for name, value in entry.items()}
    response = admin_client.post(f"/hotels/{ABC}/rooms/1/status/", {"housekeeping": housekeeping, **safe})
    assert response.status_code in {200, 302}


@settings(max_examples=examples(25))
@given(
    st.dictionaries(st.sampled_from(["rate_to", "rate_by", "rate_percent", "view", "service", "until"]), values),
    st.sampled_from(["rate-to", "rate-by", "rate-percent", "view", "status", "x"]),
    st.sampled_from(["all=on", "room=1&room=2", "all=on&view=city", "room=x#", "all=on&rate_min=1e5"]),
)
def test_any_bulk_change(admin_client: Client, entry: dict[str, str], action: str, selection: str) -> None:
    named = [("new-action", action), *((f"new-{name}", value) for name, value in entry.items())]
    address = f"/hotels/{ABC}/rooms/change/?{selection}&{encoded(named)}"
    assert admin_client.get(address, follow=True).status_code in {200, 400}
    assert admin_client.post(address, {"seen": next(iter(entry.values()), "")}).status_code in {302, 400}


@pytest.mark.parametrize("path", LISTS)
def test_more_fields_than_django_takes(staff: Client, path: str) -> None:
    response = staff.get(path, {f"x{n}": "1" for n in range(1001)})
    assert (response.status_code, b"more fields than" in response.content) == (400, True)
