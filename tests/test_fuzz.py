"""Random query strings and paths: never a 500."""

from urllib.parse import quote, urlencode

import pytest
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import ABC, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("hotel"), pytest.mark.django_db]

NAMES = ["view", "type", "size", "size_min", "size_max", "sort", "then", "page_size", "number", "cursor", "format", "x"]
LIKELY = ["sea-view", "suite", "20", "40", "0040m", "size", "-size", "type", "25", "10", "csv", "1", "", "#", "%", "٤٠"]
values = st.sampled_from(LIKELY) | st.text(max_size=30) | st.integers().map(str) | st.floats().map(str)
pairs = st.lists(st.tuples(st.sampled_from(NAMES) | st.text(max_size=5), values), max_size=6)
good_values = {"view": "sea-view", "type": "suite", "size": "40", "sort": "-size", "then": "type", "page_size": "10"}
raw_bytes = st.text(alphabet="%&=+#;abc019AF\\\"'<>-", max_size=60)


@pytest.fixture
def hotel(empty_tables: None) -> None:
    """Thirty rooms of two views and three sizes."""
    make_hotel([make_room(str(n), view=["Sea view", "City"][n % 2], size=20 + n % 3 * 20) for n in range(30)])


def encoded(query: list[tuple[str, str]]) -> str:
    return urlencode(query, errors="surrogatepass")


@settings(max_examples=1500)
@given(pairs, st.sampled_from(["/hotels/", f"/hotels/{ABC}/rooms/"]))
def test_any_parameters(staff: Client, query: list[tuple[str, str]], path: str) -> None:
    response = staff.get(f"{path}?{encoded(query)}")
    assert response.status_code in {200, 400}
    if response.streaming:
        assert response.getvalue()


@settings(max_examples=800)
@given(raw_bytes, st.sampled_from(["/hotels/", f"/hotels/{ABC}/rooms/"]))
def test_any_query_string(staff: Client, query: str, path: str) -> None:
    assert staff.get(path, QUERY_STRING=query).status_code in {200, 400}


@settings(max_examples=500)
@given(st.sets(st.sampled_from(sorted(good_values))), st.sampled_from(sorted(good_values)), values)
def test_one_odd_value_among_good_ones(staff: Client, names: set[str], odd: str, value: str) -> None:
    query = [(name, good_values[name]) for name in names if name != odd] + [(odd, value)]
    assert staff.get(f"/hotels/{ABC}/rooms/?{encoded(query)}").status_code in {200, 400}


@settings(max_examples=500)
@given(st.text(min_size=1, max_size=40), st.text(min_size=1, max_size=40))
def test_any_path(staff: Client, hotel_id: str, number: str) -> None:
    path = f"/hotels/{quote(hotel_id, errors='surrogatepass')}/rooms/{quote(number, errors='surrogatepass')}/"
    assert staff.get(path).status_code in {200, 301, 302, 404}
