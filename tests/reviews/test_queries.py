"""V1 to V7 on the engine: the same rows as in plain Python. Their indexes and requests are in ``docs/costs.json``."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from statistics import mean
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import BadCursor, UnknownValue
from dynamodb_lists.planning.selection import Selection
from dynamodb_lists.tests.helpers.examples import examples
from reviews import commands, keys, queries
from reviews.entities import Review, ReviewQuery
from tests.helpers import contents
from tests.helpers.contents import Fill
from tests.helpers.reviews import (
    AT,
    assert_pages,
    assert_reviews_in_step,
    every_review,
    expected,
    ids,
    make_review,
    read_reviews,
    select,
    store,
)
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.helpers.writes import delete_review, edit_review

pytestmark = pytest.mark.usefixtures("empty_tables")
LANGUAGES = ("en", "de", "zh-cn")
ROOMS = ("", "101", "10")
EVERYTHING = ReviewQuery()


def all_reviews() -> list[Review]:
    return [
        make_review(f"r-{n:02d}", LANGUAGES[n % 3], n // 3 % 5 + 1, AT + timedelta(minutes=n), room_number=ROOMS[n % 2])
        for n in range(60)
    ]


def fill() -> None:
    store(all_reviews())


@pytest.fixture
def filling(request: pytest.FixtureRequest) -> Fill | None:
    return fill if "sixty" in request.fixturenames else None


@pytest.fixture
def sixty(empty_tables: None) -> list[Review]:
    """Sixty reviews, a minute apart, spread evenly over three languages and five ratings."""
    return all_reviews()


def test_a_language_that_nobody_wrote_in_is_unknown(sixty: list[Review]) -> None:
    for ask in (read_reviews, every_review):
        with pytest.raises(UnknownValue, match="fr") as caught:
            ask(ABC, ReviewQuery(select(language=["en", "fr"])))
        assert (caught.value.facet, caught.value.value) == ("language", "fr")
    assert read_reviews("nowhere", EVERYTHING).page.rows == ()


def test_a_cursor_serves_its_own_list_alone(sixty: list[Review]) -> None:
    cursor = read_reviews(ABC, ReviewQuery(page_size=10)).page.next or ""
    for query in (
        ReviewQuery(page_size=20),
        ReviewQuery(page_size=10, descending=False),
        ReviewQuery(select(rating=[5]), page_size=10),
    ):
        with pytest.raises(BadCursor):
            read_reviews(ABC, replace(query, cursor=cursor))
    with pytest.raises(BadCursor):
        queries.room_reviews(ABC, "101").page(10, cursor)
    with pytest.raises(BadCursor):
        read_reviews("other", ReviewQuery(page_size=10, cursor=cursor))


# --- Against plain Python -------------------------------------------------------------------------------

seconds = st.integers(0, 12).map(lambda n: AT + timedelta(seconds=n))
few_or_all = st.lists(st.sampled_from(range(1, 6)), max_size=4)


@st.composite
def kinds(draw: st.DrawFn) -> dict[str, Any]:
    """The values of a review that can be changed."""
    return {
        "language": draw(st.sampled_from(LANGUAGES)),
        "rating": draw(st.sampled_from(keys.RATINGS)),
        "room_number": draw(st.sampled_from(ROOMS)),
    }


@st.composite
def review_lists(draw: st.DrawFn, max_size: int = 50) -> list[Review]:
    """Reviews. Many of them share a second."""
    least = draw(st.sampled_from([0, max_size // 2]))
    drawn = draw(st.lists(st.tuples(kinds(), seconds), min_size=least, max_size=max_size))
    names = draw(st.permutations([f"r-{n}" for n in range(len(drawn))]))
    return [make_review(name, created_at=at, **kind) for name, (kind, at) in zip(names, drawn, strict=True)]


@settings(max_examples=examples(5))
@given(st.data())
def test_every_list_is_what_plain_python_gives(data: st.DataObject) -> None:
    """After random changes, every page has the same rows in the same order, and the same numbers."""
    contents.empty()
    make_hotel([make_room(number) for number in ROOMS if number])
    drawn = data.draw(review_lists())
    store(drawn)
    now = changed({review.review_id: replace(review, revision=1) for review in drawn}, data)
    assert_reviews_in_step()
    assert all(queries.review(name) == review for name, review in now.items())
    existing = {language for language, _ in queries.review_counts(ABC)}
    for descending in (True, False):
        languages = data.draw(st.lists(st.sampled_from(sorted(existing)), max_size=2)) if existing else []
        selection = select(language=languages, rating=data.draw(few_or_all))
        query = ReviewQuery(selection, descending=descending, page_size=data.draw(st.sampled_from([4, 10])))
        assert_pages(ABC, query, expected(now.values(), selection, descending))
        assert_numbers(query, list(now.values()))
        for number in ("101", "10"):
            of_room = [review for review in now.values() if review.room_number == number]
            found = queries.room_reviews(ABC, number).order_by("created_at", descending=descending)
            assert ids(found) == expected(of_room, Selection(), descending)


def changed(now: dict[str, Review], data: st.DataObject) -> dict[str, Review]:
    """The reviews after some were changed, some deleted, and some added."""
    for number in range(data.draw(st.integers(0, 15))):
        name = data.draw(st.sampled_from([*now, "new"]))
        if name == "new":
            new = make_review(f"new-{number}", created_at=data.draw(seconds), **data.draw(kinds()))
            now[new.review_id] = commands.add_review(new, "alice")
        elif data.draw(st.booleans()):
            now[name] = edit_review(now[name], replace(now[name], **data.draw(kinds())), "alice")
        else:
            delete_review(now.pop(name), "alice")
    return now


def assert_numbers(query: ReviewQuery, reviews: Sequence[Review]) -> None:
    """Check that the rows, the total, the histogram, the average and the filters' counts match the reviews."""
    filtered = read_reviews(ABC, query)
    selected = [review for review in reviews if query.selection.allows(keys.FACETS, review.facets)]
    by_id = {review.review_id: replace(review, revision=0) for review in reviews}
    assert list(filtered.page.rows) == [by_id[review.review_id] for review in filtered.page.rows]
    histogram = Counter(review.rating for review in selected)
    assert (filtered.statistics.total, Counter(filtered.statistics.histogram)) == (len(selected), histogram)
    if filtered.statistics.average is None:
        assert not selected
    else:
        assert abs(filtered.statistics.average - mean(Decimal(review.rating) for review in selected)) <= Decimal("0.05")
    for number, facet in enumerate(keys.FACETS):
        others = replace(query.selection, values={k: v for k, v in query.selection.values.items() if k != facet})
        drill = Counter(review.facets[number] for review in reviews if others.allows(keys.FACETS, review.facets))
        assert +Counter(filtered.choices[facet]) == drill


# --- Concurrent writes ----------------------------------------------------------------------------------


def test_what_a_write_is_compared_with_is_read_consistently() -> None:
    store([make_review("r-1")])
    with ledger.recording() as calls:
        assert list(queries.reviews_as_stored(["r-1"])) == ["r-1"]
        assert queries.review("r-1", consistent=True).review_id == "r-1"
    many, single = calls.calls
    assert [table["ConsistentRead"] for table in many.request["RequestItems"].values()] == [True]
    assert single.request["ConsistentRead"] is True
