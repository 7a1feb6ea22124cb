"""The keys of rooms: sizes sort as numbers, and each index holds the same facets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynamodb_lists.connection.errors import KeyPartError
from dynamodb_lists.planning.range_planner import FacetIndex
from dynamodb_lists.schema import keys
from rooms import keys as room_keys

labels = st.text(max_size=80)
sizes = st.integers(0, room_keys.MAX_SIZE)


@given(sizes, sizes)
def test_padded_numbers_sort_as_numbers(first: int, second: int) -> None:
    assert (room_keys.size(first) < room_keys.size(second)) == (first < second)
    assert room_keys.square_metres(room_keys.size(first)) == first


@pytest.mark.parametrize("number", [-1, 10_000])
def test_a_number_that_does_not_fit_is_an_error(number: int) -> None:
    with pytest.raises(KeyPartError, match="4 digits"):
        room_keys.size(number)


@given(labels, sizes, labels, st.sampled_from(room_keys.INDEXES))
def test_every_index_holds_the_same_facets(view: str, size: int, type_: str, index: FacetIndex) -> None:
    facets = room_keys.facets(view, size, type_)
    _, *parts, natural, number = keys.parse(room_keys.room(facets, "101", index.name))
    assert (dict(zip(index.order, parts, strict=True)), natural, number) == (facets._asdict(), "03101", "101")
    assert room_keys.parse_room(room_keys.room(facets, "101")) == (facets, "101")


def test_the_six_indexes_are_the_six_orders() -> None:
    assert len({index.order for index in room_keys.INDEXES}) == 6
    assert {index.name for index in room_keys.INDEXES} == {"", "lsi1", "lsi2", "lsi3", "lsi4", "lsi5"}
