"""Reviews are found by the words of their title and text: what is found, what it costs, and its bounds."""

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamodb_lists import Words, ledger, read_page
from dynamodb_lists.connection.client import client
from dynamodb_lists.tests.helpers.paging import linked
from reviews import commands, queries
from reviews.entities import LEAST_LETTERS, MOST_WORDS, WORD, Review, TextQuery
from tests.helpers.faults import REVIEWS as REVIEW_TABLE
from tests.helpers.faults import verify
from tests.helpers.markup import get
from tests.helpers.reviews import AT, assert_reviews_in_step, ids, make_review, store, stored
from tests.helpers.rooms import ABC, make_hotel
from tests.helpers.writes import delete_review, edit_review

pytestmark = [pytest.mark.usefixtures("in_step"), pytest.mark.django_db]
REVIEWS = f"/hotels/{ABC}/reviews/"
TEXTS = (
    ("A fine room", "The moquette was old, the Frühstück superb."),
    ("Moquettes!", "Old carpets everywhere."),
    ("Ein Zimmer", "Das Fruehstueck war kalt und die Moquette-Böden alt."),
    ("", "Bad bed."),
    ("清潔で静かな部屋", "とても満足しました。"),
)


def fill() -> None:
    make_hotel()
    make_hotel(hotel_id="sea")
    store([make_review(f"r-{n}", title=title, body=body, rating=n + 1) for n, (title, body) in enumerate(TEXTS)])
    store([make_review("r-9", hotel_id="sea", title="Moquette")])


def rows_of(client: Client, query: str) -> list[str]:
    pages = linked(get(client, REVIEWS + query), lambda link: get(client, REVIEWS + link))
    return [row for page in pages for row in page.rows]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("moquette", ["r-0", "r-2", "r-1"]),
        ("MOQ", ["r-0", "r-2", "r-1"]),
        ("moquettes", ["r-1"]),
        ("fruh", ["r-0"]),
        ("the moquette", ["r-0", "r-2", "r-1"]),
        ("moquette superb", ["r-0"]),
        ("old moquette", ["r-0", "r-2", "r-1"]),
        ("moquette-böden", ["r-2"]),
        ("清潔", ["r-4"]),
        ("静か", []),
        ("bad", []),
        ("nothing", []),
    ],
)
def test_a_word_finds_the_reviews_of_the_hotel(staff: Client, typed: str, found: list[str]) -> None:
    """Whatever its accents and capitals, by its beginning. Words of fewer than four letters are not found."""
    assert rows_of(staff, f"?q={typed}") == found


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ("rating=1&rating=3", ["r-0", "r-2"]),
        ("language=de&sort=date", ["r-8"]),
        ("unanswered=1", ["r-2", "r-8", "r-1"]),
        ("rating=2&unanswered=1", ["r-1"]),
        ("from=2026-01-02&to=2026-01-03", ["r-8"]),
        ("to=2026-01-01", ["r-0", "r-2", "r-1"]),
        ("rating=4", []),
    ],
)
def test_words_and_filters_hold_together(staff: Client, filters: str, found: list[str]) -> None:
    store([make_review("r-8", body="moquette", language="de", created_at=AT.replace(2026, 1, 2))])
    commands.reply_to_review(stored("r-0"), "Thank you", "alice")
    assert rows_of(staff, f"?q=moquette&{filters}") == found


def test_the_page_of_a_search(staff: Client) -> None:
    page = get(staff, f"{REVIEWS}?q=moquette&rating=1")
    assert page.rows == ["r-0"]
    assert page.element("#filters [name=q]")["value"] == "moquette"
    assert page.element("form#filters label[for=q]").get_text() == "Word in a review"
    assert page.soup.select("[data-facet=language]")
    assert "Remove" in page.text(".active-filters")
    assert not page.soup.select("[aria-sort], [data-count]"), "what is found has the order of its words, and no counts"
    none = get(staff, f"{REVIEWS}?q=zzzz").text("tr.nothing")
    assert "No review was found for “zzzz”." in none
    assert "first 24 words of title and text with 4 letters or more" in none
    assert "No review matches." in get(staff, f"{REVIEWS}?q=zzzz&rating=1").text("tr.nothing")
    assert get(staff, REVIEWS).element("#filters [name=q]").get("value") is None
    assert staff.get(f"{REVIEWS}?q=!!!").status_code == 400


def test_a_page_whose_filters_drop_most_ends_early_and_leads_on(staff: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "FOUND_UNITS", 10)
    store([make_review(f"w-{n:03d}", body="velvet", rating=1 if n > 80 else 5) for n in range(90)])
    page = get(staff, f"{REVIEWS}?q=velvet&rating=1")
    assert page.rows == []
    assert "Go to the next page to look further." in page.text("tr.nothing")
    assert rows_of(staff, "?q=velvet&rating=1") == [f"w-{n:03d}" for n in range(81, 90)]


def test_a_search_is_exported_and_read_page_by_page(staff: Client) -> None:
    store([make_review(f"w-{n:02d}", body=f"moquette {n}") for n in range(23)])
    assert rows_of(staff, "?q=moquette&page_size=10") == ["r-0", "r-2", *(f"w-{n:02d}" for n in range(23)), "r-1"]
    answer: Any = staff.get(f"{REVIEWS}?q=moquette&format=csv")
    rows = list(csv.DictReader(io.StringIO(b"".join(answer).decode("utf-8-sig"))))
    assert len(rows) == 26
    assert rows[0]["body"] == TEXTS[0][1]


def test_words_follow_every_change(staff: Client) -> None:
    """An edit, a deletion, an import and an undo change the words; a reply and a rating write none."""
    edit_review(stored("r-1"), replace(stored("r-1"), title="Carpets", body="Old carpets."), "alice")
    assert rows_of(staff, "?q=moquette") == ["r-0", "r-2"]
    assert rows_of(staff, "?q=carpet") == ["r-1"]
    delete_review(stored("r-0"), "alice")
    commands.save_reviews([make_review("r-2", title="", body="Curtains", rating=3)])
    assert rows_of(staff, "?q=moquette") == []
    assert rows_of(staff, "?q=curtain") == ["r-2"]
    changes: tuple[Callable[[], Any], ...] = (
        lambda: commands.reply_to_review(stored("r-2"), "Thank you, curtains are new", "alice"),
        lambda: edit_review(stored("r-2"), replace(stored("r-2"), rating=1), "alice"),
    )
    for change in changes:
        with ledger.recording() as calls:
            change()
        assert "#words#" not in str([call.request for call in calls.calls if not call.reads])
    assert rows_of(staff, "?q=thank") == [], "words of a reply find nothing"


def test_a_long_text_has_a_bound_of_words_and_its_whole_change_fits_into_a_transaction() -> None:
    first, second = (" ".join(f"{letter}word{n}" for n in range(400)) for letter in "ab")
    review = stored("r-0")
    edit_review(review, replace(review, body=first), "alice")
    assert len(stored("r-0").words) == MOST_WORDS
    edit_review(stored("r-0"), replace(stored("r-0"), title="", body=second, language="fr", room_number=""), "alice")
    assert stored("r-0").words[0] == "bword0"
    assert_reviews_in_step()


@given(texts=st.lists(st.text(max_size=60), min_size=1, max_size=6), typed=st.text(min_size=1, max_size=12))
@settings(max_examples=200)
def test_words_and_searches_agree(texts: Sequence[str], typed: str) -> None:
    """A search finds a review if each of its long words begins a word of the review. Pure."""
    query = TextQuery.of(typed)
    for text in texts:
        review = Review(review_id="r", hotel_id=ABC, language="en", rating=1, created_at=AT, author="", body=text)
        assert len(review.words) <= MOST_WORDS
        assert all(len(word) >= LEAST_LETTERS and WORD.fullmatch(word) for word in review.words)
        if query:
            expected = all(any(word.startswith(each) for word in review.words) for each in query.typed)
            assert (query.term(Words(review.words)) is not None) == expected


def test_what_a_search_costs() -> None:
    """A page of 25 costs half a unit for the words, and a half for each review."""
    store([make_review(f"w-{n:03d}", body="velvet", created_at=AT + timedelta(hours=n)) for n in range(60)])
    query = TextQuery.of("velvet")
    assert query
    with ledger.recording() as calls:
        page = read_page(queries.reviews_found(ABC, query, queries.reviews(hotel_id=ABC)), 25, "")
    assert ids(page.rows) == [f"w-{n:03d}" for n in range(25)]
    assert (calls.waves, float(calls.read_units)) == (2, 13.5)


def test_verify_data_repairs_lost_and_surplus_words() -> None:
    lost, surplus = ({"pk": f"hotel#{ABC}#words#m", "sk": f"{word}#r-0"} for word in ("moquette", "marble"))
    client().delete_item(TableName=REVIEW_TABLE, Key={name: {"S": text} for name, text in lost.items()})
    words = {"words": " marble", "other_words": "", "kind": "review-word", **surplus}
    client().put_item(TableName=REVIEW_TABLE, Item={name: {"S": text} for name, text in words.items()})
    said, right = verify()
    assert not right
    assert {word for word in ("moquette", "marble") if word in said} == {"moquette", "marble"}
    verify("--repair")
    assert verify() == ("", True)
    every = queries.reviews(hotel_id=ABC)
    assert ids(queries.reviews_found(ABC, TextQuery(("m",)), every).stream()) == ["r-0", "r-2", "r-1"]
