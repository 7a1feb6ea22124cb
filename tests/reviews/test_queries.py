"""V1 to V7 on the engine: the same rows as in plain Python. Their indexes and requests are in ``docs/costs.json``."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from functools import partial
from statistics import mean
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamodb_lists import EVER, BadCursor, Query, UnknownValue, ledger
from dynamodb_lists.lists.queries import QueryPage
from dynamodb_lists.tests.helpers.examples import examples
from dynamodb_lists.tests.helpers.paging import every_page, rows_of
from reviews import commands, keys, queries
from reviews.entities import Review
from reviews.lists import REVIEWS
from reviews.models import ReviewCountModel
from tests.helpers import contents
from tests.helpers.contents import Fill
from tests.helpers.reviews import (
    AT,
    assert_pages,
    assert_reviews_in_step,
    expected,
    ids,
    make_review,
    statistics,
    store,
)
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.helpers.writes import delete_review, edit_review

pytestmark = pytest.mark.usefixtures("empty_tables")
LANGUAGES = ("en", "de", "zh-cn")
ROOMS = ("", "101", "10")
reviews = queries.reviews
EVERYTHING = reviews(hotel_id=ABC)
numbers = st.sampled_from([-2, 0, 1, 9, 200])


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
    with pytest.raises(UnknownValue, match="fr") as caught:
        queries.require_known(["en", "fr"], queries.review_counts(ABC))
    assert (caught.value.facet, caught.value.value) == ("language", "fr")
    assert reviews(hotel_id="nowhere").page().rows == ()


def test_a_cursor_serves_its_own_list_alone(sixty: list[Review]) -> None:
    cursor = EVERYTHING.page(10).next
    others = [reviews(hotel_id=ABC, descending=False), reviews(hotel_id=ABC, rating=5), reviews(hotel_id="other")]
    for query in (*others, queries.room_reviews(ABC, "101")):
        with pytest.raises(BadCursor):
            query.page(10, cursor)
    with pytest.raises(BadCursor):
        EVERYTHING.page(20, cursor)


# --- Against plain Python -------------------------------------------------------------------------------

seconds = st.integers(0, 12).map(lambda n: AT + timedelta(seconds=n))
choices = {
    "language": st.sets(st.sampled_from(LANGUAGES)),
    "rating": st.sets(st.sampled_from(keys.RATINGS), max_size=4),
}
days = st.sampled_from([EVER, (AT.date(), None), (AT, AT + timedelta(seconds=6)), (None, AT.date())])


@st.composite
def kinds(draw: st.DrawFn) -> dict[str, Any]:
    """Return the values of a review that can be changed."""
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


@st.composite
def asked(draw: st.DrawFn) -> Query[Review]:
    """Return a list of a hotel's reviews by any of its filters, either way."""
    chosen: dict[str, Any] = {name: values for name, some in choices.items() if (values := draw(some))}
    return reviews(hotel_id=ABC, days=draw(days), descending=draw(st.booleans()), **chosen)


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
    for _ in range(2):
        query = data.draw(asked())
        pages = assert_pages(query, expected(now.values(), query), data.draw(st.sampled_from([4, 10])))
        assert_numbers(query, pages, list(now.values()))
    for number in ("101", "10"):
        query = queries.room_reviews(ABC, number)
        assert ids(query) == expected(now.values(), query)


@settings(max_examples=examples(8))
@given(st.data())
def test_wrong_counts_hide_no_row(data: st.DataObject) -> None:
    """With any counts, a query gives the same rows: on pages in both directions, and in an exported file."""
    contents.empty()
    drawn = data.draw(review_lists())
    store(drawn)
    wrong = data.draw(st.dictionaries(st.tuples(st.sampled_from(LANGUAGES), st.sampled_from(keys.RATINGS)), numbers))
    for (language, rating), number in wrong.items():
        count = ReviewCountModel.keyed(hotel_id=ABC, language=language, rating=rating)
        count.update(actions=[ReviewCountModel.reviews.set(number)])
    for _ in range(3):
        query = data.draw(asked())
        model = expected(drawn, query)
        assert ids(query.showing("reply")) == model
        pages = every_page(partial(query.page, 4), [*query], counted=False)
        assert ids(rows_of(pages)) == model


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


def assert_numbers(query: Query[Review], pages: Sequence[QueryPage[Review]], reviews: Sequence[Review]) -> None:
    """Check that the rows, the total, the histogram, the average and the filters' counts match the reviews."""
    by_id = {review.review_id: replace(review, revision=0) for review in reviews}
    assert all(row == by_id[row.review_id] for page in pages for row in page.rows)
    chosen = {name: values for name, values in query.asked.conditions.items() if name != "created_at"}
    selected = [*filter(REVIEWS.query(**chosen).matches, reviews)]
    is_dated = "created_at" in query.asked.conditions
    assert {page.total for page in pages} == {None if is_dated else len(selected)}
    if is_dated and chosen.keys() == {"hotel_id"}:
        return  # nothing counts days
    shown, histogram = statistics(query), Counter(review.rating for review in selected)
    assert (shown.total, +Counter(shown.histogram)) == (len(selected), histogram)
    if shown.average is None:
        assert not selected
    else:
        assert abs(shown.average - mean(Decimal(review.rating) for review in selected)) <= Decimal("0.05")
    for facet, counted in pages[0].facets.items():
        others = {name: values for name, values in chosen.items() if name != facet}
        matching = filter(REVIEWS.query(**others).matches, reviews)
        assert +Counter(counted) == Counter(getattr(review, facet) for review in matching)


# --- Concurrent writes ----------------------------------------------------------------------------------


def test_what_a_write_is_compared_with_is_read_consistently() -> None:
    store([make_review("r-1")])
    with ledger.recording() as calls:
        assert list(queries.reviews_as_stored(["r-1"])) == ["r-1"]
        assert queries.review("r-1", consistent=True).review_id == "r-1"
    many, single = calls.calls
    assert [table["ConsistentRead"] for table in many.request["RequestItems"].values()] == [True]
    assert single.request["ConsistentRead"] is True
