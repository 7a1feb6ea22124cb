"""Writes of reviews: each is all or nothing, twice has the same effect as once, and reviews and counts agree."""

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from dynamodb_lists.connection.errors import ChangedMeanwhile, Conflict, NotFound, Unavailable, UnknownValue
from dynamodb_lists.tests.helpers.answers import answering, cancelled, refusal
from dynamodb_lists.tests.helpers.examples import examples
from reviews import commands, queries
from reviews.commands import AlreadyWritten
from reviews.entities import Review
from reviews.keys import ReviewFacets
from tests.helpers.reviews import AT, assert_reviews_in_step, make_review, snapshot, store, stored
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = pytest.mark.usefixtures("in_step")


def fill() -> None:
    make_hotel([make_room("101")])


def counts() -> dict[tuple[str, ...], int]:
    """The counts above 0."""
    return {facets: n for facets, n in queries.review_counts(ABC).items() if n}


def outcomes(calls: list[Callable[[], object]]) -> list[str]:
    """The results of calls that run at the same time."""

    def outcome(call: Callable[[], object]) -> str:
        try:
            call()
        except (Conflict, NotFound) as refused:
            return type(refused).__name__
        return "done"

    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(outcome, calls))


# --- One review -----------------------------------------------------------------------------------------


def test_an_added_review_is_found_and_counted() -> None:
    review = make_review(body="Good.\nVery good.", room_number="101")
    assert commands.add_review(review, "alice") == stored() == replace(review, revision=1)
    assert counts() == {("en", "5"): 1}


@pytest.mark.parametrize("change", [{"rating": 1}, {"body": "Other."}, {"author": "Bob"}, {"hotel_id": "xyz"}], ids=str)
def test_an_id_is_used_once(change: dict[str, Any]) -> None:
    make_hotel(hotel_id="xyz")
    before = commands.add_review(make_review(), "alice")
    with pytest.raises(AlreadyWritten, match="different review"):
        commands.add_review(make_review(**change), "alice")
    assert stored() == before


def test_who_writes_names_a_room_that_is_there_and_a_file_any() -> None:
    with pytest.raises(UnknownValue):
        commands.add_review(make_review(room_number="999"), "alice")
    store([make_review(room_number="998")])
    assert commands.edit_review(stored(), replace(stored(), rating=1), "alice").room_number == "998", "it was so before"
    with pytest.raises(UnknownValue):
        commands.edit_review(stored(), replace(stored(), room_number="999"), "alice")
    assert stored().room_number == "998"


def test_a_language_that_does_not_exist_comes_from_a_file_alone_and_may_stay() -> None:
    with pytest.raises(UnknownValue):
        commands.add_review(make_review(language="ge"), "alice")
    store([make_review(language="ge")])
    assert commands.edit_review(stored(), replace(stored(), title="Mended"), "alice").language == "ge"
    with pytest.raises(UnknownValue):
        commands.edit_review(stored(), replace(stored(), language="xx"), "alice")
    assert stored().title == "Mended"


def test_a_review_needs_a_hotel() -> None:
    with pytest.raises(NotFound):
        commands.add_review(make_review(hotel_id="nowhere"), "alice")


@pytest.mark.parametrize(
    "change",
    [
        {"body": "Better."},
        {"rating": 1},
        {"language": "zh-cn"},
        {"language": "de", "rating": 2, "title": ""},
        {"room_number": "101"},
        {"room_number": ""},
        {"created_at": AT + timedelta(days=1)},
        {"hotel_id": "another", "review_id": "r-9"},
    ],
    ids=str,
)
def test_an_edit_moves_the_review_in_its_indexes_and_counts(change: dict[str, Any]) -> None:
    store([make_review(room_number="102"), make_review("r-2")])
    before = stored()
    after = commands.edit_review(before, replace(before, **change), "alice")
    identity = {"review_id": "r-1", "hotel_id": ABC}
    assert stored() == after == replace(before, **{**change, **identity}, revision=2)
    assert sum(counts().values()) == 2


def test_an_edit_from_an_old_sight_is_refused() -> None:
    store([make_review()])
    before = stored()
    commands.edit_review(before, replace(before, rating=4), "alice")
    for late in (
        lambda: commands.edit_review(before, replace(before, rating=1), "alice"),
        lambda: commands.delete_review(before, "alice"),
    ):
        with pytest.raises(ChangedMeanwhile, match="Somebody else changed this"):
            late()
    assert stored().rating == 4


def test_deleting_twice_is_refused_the_second_time() -> None:
    store([make_review(), make_review("r-2")])
    review = stored()
    commands.delete_review(review, "alice")
    for late in (
        lambda: commands.delete_review(review, "alice"),
        lambda: commands.edit_review(review, review, "alice"),
    ):
        with pytest.raises(ChangedMeanwhile):
            late()
    assert counts() == {("en", "5"): 1}
    with pytest.raises(NotFound):
        stored()


def test_an_id_is_free_again_once_its_review_is_gone() -> None:
    store([make_review()])
    commands.delete_review(stored(), "alice")
    assert commands.add_review(make_review(rating=3), "alice").revision == 1
    assert counts() == {("en", "3"): 1}


# --- Many reviews ---------------------------------------------------------------------------------------


def test_saving_the_same_reviews_again_writes_nothing() -> None:
    reviews = [make_review(f"r-{n}", ["en", "de", "zh-cn"][n % 3], n % 5 + 1) for n in range(150)]
    assert commands.save_reviews(reviews) == (150, {})
    before = snapshot()
    assert commands.save_reviews(reviews) == (0, {})
    assert snapshot() == before
    changed = [replace(review, language="fr", rating=1) if n < 40 else review for n, review in enumerate(reviews)]
    assert commands.save_reviews(changed) == (40, {})
    assert queries.review_counts(ABC)[ReviewFacets("fr", "1")] == 40
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


def test_what_was_in_the_way_and_is_gone_when_the_batch_is_planned_anew_is_not_refused() -> None:
    """The id belongs to another hotel's review, which is deleted while the batch waits."""
    store([make_review("r-2", hotel_id="xyz")])
    waiting = [True]

    def respond(**_: Any) -> Any:
        if not waiting:
            return None
        waiting.clear()
        commands.delete_review(stored("r-2"), "alice")
        return cancelled("ConditionalCheckFailed")

    with answering(respond):
        assert commands.save_reviews([make_review(), make_review("r-2")]) == (2, {})
    assert stored("r-2").hotel_id == ABC


# --- Many at once ---------------------------------------------------------------------------------------


def test_of_many_who_change_one_review_one_wins() -> None:
    store([make_review(), make_review("r-2")])
    seen, other = stored(), stored("r-2")
    edits = [
        lambda rating=n % 5 + 1, n=n: commands.edit_review(seen, replace(seen, rating=rating, title=str(n)), "alice")
        for n in range(16)
    ]
    assert sorted(outcomes([*edits])) == ["ChangedMeanwhile"] * 15 + ["done"]
    assert outcomes([lambda: commands.delete_review(other, "alice")] * 16).count("done") == 1
    assert sum(counts().values()) == 1


def test_of_many_who_use_one_id_one_wins() -> None:
    calls = [partial(commands.add_review, make_review(rating=n % 5 + 1, title=str(n)), "alice") for n in range(16)]
    assert sorted(outcomes([*calls])) == ["AlreadyWritten"] * 15 + ["done"]
    assert sum(counts().values()) == 1


def test_one_form_sent_many_times_at_once_adds_one() -> None:
    assert outcomes([lambda: commands.add_review(make_review(), "alice")] * 16) == ["done"] * 16
    assert counts() == {("en", "5"): 1}


def test_reviews_and_counts_agree_after_random_concurrent_commands() -> None:
    store([make_review(f"r-{n}") for n in range(20)])

    def worker(seed: int) -> int:
        draw = random.Random(seed)
        return sum(outcome == "done" for outcome in (outcomes_of(random_command(draw)) for _ in range(examples(8))))

    def outcomes_of(call: Callable[[], object]) -> str:
        return outcomes([call])[0]

    with ThreadPoolExecutor(6) as pool:
        done = sum(pool.map(worker, range(6)))
    assert done > 12


def random_command(draw: random.Random) -> Callable[[], object]:
    def some_review() -> Review:
        return make_review(f"r-{draw.randrange(30)}", draw.choice(("en", "de")), draw.choice((1, 2)))

    review, kind = some_review(), draw.randrange(4)
    if kind == 0:
        return lambda: commands.add_review(review, "alice")
    if kind == 1:
        return lambda: commands.delete_review(stored(review.review_id), "alice")
    if kind == 2:
        return lambda: commands.edit_review(stored(review.review_id), some_review(), "alice")
    return lambda: commands.save_reviews([review, replace(review, review_id="x" + review.review_id)])


# --- Outages --------------------------------------------------------------------------------------------


def test_the_same_change_is_not_taken_for_a_later_one() -> None:
    """Somebody has changed the review back, and again. Its editor would be offered the undo of that."""
    store([make_review()])
    seen = stored()
    for rating in (1, 5, 1):
        commands.edit_review(stored(), replace(stored(), rating=rating), "bob")
    with pytest.raises(ChangedMeanwhile):
        commands.edit_review(seen, replace(seen, rating=1), "alice")


def test_a_database_that_fails_half_way_leaves_whole_transactions() -> None:
    reviews = [make_review(f"r-{n:03d}", rating=n % 5 + 1) for n in range(250)]
    answers = iter([None, refusal("AccessDeniedException")])
    with answering(lambda **_: next(answers, None)), pytest.raises(Unavailable):
        commands.save_reviews(reviews)
    assert_reviews_in_step()
    missing = 250 - sum(counts().values())
    assert 0 < missing < 250
    assert commands.save_reviews(reviews) == (missing, {})
