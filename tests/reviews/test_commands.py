"""Writes of reviews: each is all or nothing, twice has the same effect as once, and reviews and counts agree."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from dynamodb_lists import ChangedMeanwhile, UnknownValue
from reviews import commands, queries
from tests.helpers.reviews import AT, assert_reviews_in_step, make_review, snapshot, store, stored
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.helpers.writes import delete_review, edit_review

pytestmark = pytest.mark.usefixtures("in_step")


def fill() -> None:
    make_hotel([make_room("101")])


def counts() -> dict[tuple[str, int], int]:
    """Return the counts above 0."""
    return {facets: n for facets, n in queries.review_counts(ABC).items() if n}


# --- One review -----------------------------------------------------------------------------------------


def test_who_writes_names_a_room_that_is_there_and_a_file_any() -> None:
    with pytest.raises(UnknownValue):
        commands.add_review(make_review(room_number="999"), "alice")
    store([make_review(room_number="998")])
    assert edit_review(stored(), replace(stored(), rating=1), "alice").room_number == "998", "it was so before"
    with pytest.raises(UnknownValue):
        edit_review(stored(), replace(stored(), room_number="999"), "alice")
    assert stored().room_number == "998"


def test_a_language_that_does_not_exist_comes_from_a_file_alone_and_may_stay() -> None:
    with pytest.raises(UnknownValue):
        commands.add_review(make_review(language="ge"), "alice")
    store([make_review(language="ge")])
    assert edit_review(stored(), replace(stored(), title="Mended"), "alice").language == "ge"
    with pytest.raises(UnknownValue):
        edit_review(stored(), replace(stored(), language="xx"), "alice")
    assert stored().title == "Mended"


def test_an_edit_moves_the_review_in_its_indexes_and_counts() -> None:
    store([make_review(room_number="102"), make_review("r-2")])
    changes: list[dict[str, Any]] = [{"body": "Better."}, {"rating": 1}, {"language": "zh-cn"}, {"room_number": "101"}]
    changes += [{"language": "de", "rating": 2, "title": ""}, {"room_number": ""}]
    changes += [{"created_at": AT + timedelta(days=1)}, {"hotel_id": "another", "review_id": "r-9"}]
    for revision, change in enumerate(changes, 2):
        before = stored()
        after = edit_review(before, replace(before, **change), "alice")
        identity = {"review_id": "r-1", "hotel_id": ABC}
        assert stored() == after == replace(before, **{**change, **identity}, revision=revision)
        assert sum(counts().values()) == 2
        assert_reviews_in_step()


def test_an_edit_from_an_old_sight_is_refused_although_the_review_is_like_that_again() -> None:
    """Otherwise the editor would be offered the undo of somebody else's change."""
    store([make_review()])
    seen = stored()
    for rating in (1, 5, 1):
        edit_review(stored(), replace(stored(), rating=rating), "bob")
    for late in (
        lambda: edit_review(seen, replace(seen, rating=1), "alice"),
        lambda: edit_review(seen, replace(seen, rating=2), "alice"),
        lambda: delete_review(seen, "alice"),
    ):
        with pytest.raises(ChangedMeanwhile, match="Somebody else changed this"):
            late()
    assert stored().rating == 1


# --- Many reviews ---------------------------------------------------------------------------------------


def test_saving_the_same_reviews_again_writes_nothing() -> None:
    reviews = [make_review(f"r-{n}", ["en", "de", "zh-cn"][n % 3], n % 5 + 1) for n in range(150)]
    assert commands.save_reviews(reviews) == (150, {})
    before = snapshot()
    assert commands.save_reviews(reviews) == (0, {})
    assert snapshot() == before
    changed = [replace(review, language="fr", rating=1) if n < 40 else review for n, review in enumerate(reviews)]
    assert commands.save_reviews(changed) == (40, {})
    assert queries.review_counts(ABC)["fr", 1] == 40
    assert commands.save_reviews([]) == (0, {})


def test_a_review_of_another_hotel_is_refused() -> None:
    store([make_review(), make_review("r-2", hotel_id="xyz")])
    rows = [make_review("r-2"), make_review("r-3"), make_review(hotel_id="xyz")]
    assert commands.save_reviews(rows) == (
        1,
        {"r-2": "review_id: r-2 is a review of another hotel", "r-1": "review_id: r-1 is a review of another hotel"},
    )
    assert stored("r-2").hotel_id == "xyz"
    assert sum(counts().values()) == 2
