"""Packed counts: unpacking gives back the packed counts, and refuses any other item."""

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynamodb_lists import LabelledCounts, facet_choices
from dynamodb_lists.declared.counts import Count, Counts, changed, pack, spelt_labels, unpack

slugs = st.sampled_from(["sea", "garden", "0040", "!", "海景"]) | st.text(st.characters(codec="utf-8"), min_size=1)
spelt = st.none() | st.text(min_size=1)
labels = st.just(()) | st.tuples(spelt, spelt).filter(any)
counts = st.builds(Count, st.integers(-3, 10**6), labels)
combinations = st.tuples(slugs, slugs)


@given(st.dictionaries(combinations, counts))
def test_unpacking_gives_back_what_was_packed(found: Counts) -> None:
    assert unpack(pack(found), 2) == found


@given(st.dictionaries(combinations, counts), combinations)
def test_what_is_added_and_taken_away_again_leaves_the_numbers(found: Counts, combination: tuple[str, str]) -> None:
    after = changed(found, [(combination, 2, ()), (combination, -2, ())])
    assert {each: count.number for each, count in after.items()} == {
        combination: 0,
        **{each: count.number for each, count in found.items()},
    }


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"text",
        pack({})[:-1],
        zlib.compress(b"[]"),
        zlib.compress(b'{"a": {"b": 1}}'),
        zlib.compress(b'[[[["a",""]]],[0],[1]]'),  # one facet
        zlib.compress(b'[[[["a",""]],[["b"]]],[0],[1]]'),
        zlib.compress(b'[[[["a",""]],[]],[0],[1]]'),
        zlib.compress(b'[[[["a",""]],[["b",""]]],[0],["many"]]'),
        zlib.compress(b'[[[["a",""]],[["b",""]]],0,[1]]'),
        zlib.compress(b'[[[["a",""]],[["b",""]]],[1],[1]]'),
    ],
)
def test_anything_else_is_no_copy(data: bytes) -> None:
    with pytest.raises(ValueError, match="no packed counts"):
        unpack(data, 2)


def test_a_value_has_the_label_of_most_items() -> None:
    found: Counts = {
        ("sea", "a"): Count(2, ("SEA", None)),
        ("sea", "b"): Count(3, ("Sea!", None)),
        ("sea", "c"): Count(1),
    }
    assert spelt_labels(found)[0] == {"sea": "Sea!"}


def test_parts_of_keys_have_the_words_that_people_wrote() -> None:
    found: Counts = {("sea", "a"): Count(2, ("SEA", None)), ("garden", "!"): Count(1), ("cave", "b"): Count(0)}
    labelled = LabelledCounts(found, ("view", "kind"))
    assert [labelled.label("view", part) for part in ("sea", "garden", "no-such")] == ["SEA", "Garden", "No such"]
    assert labelled.labels_of("view") == ["Garden", "SEA"]
    assert labelled.labels_of("kind") == ["A"]
    assert labelled.choices({"kind": frozenset({"a"})})["view"] == {"cave": 0, "garden": 0, "sea": 2}


def test_choices_are_counted_among_the_values_of_other_facets() -> None:
    counts = {("sea", "a"): 2, ("sea", "b"): 3, ("cave", "b"): 1}
    assert facet_choices(("view", "kind"), counts, {"view": {"cave"}, "kind": ()}) == {
        "view": {"cave": 1, "sea": 5},
        "kind": {"a": 0, "b": 1},
    }
