"""Long texts of reviews: indexes hold their beginnings, so lists and writes stay cheap, and nothing is ever lost."""

from collections.abc import Mapping
from csv import DictReader
from dataclasses import replace
from io import StringIO
from typing import Any

import pytest
from django.test import Client

from reviews import commands, models, queries
from reviews.entities import LISTED_LETTERS
from reviews.models import INDEXED, RESTS
from reviews.templatetags.reviews import folded
from tests.helpers.markup import get
from tests.helpers.reviews import AT, all_items, make_review, store, stored
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("in_step"), pytest.mark.django_db]
URL = f"/hotels/{ABC}/reviews/"
LENGTHS = (0, 1, LISTED_LETTERS, INDEXED, INDEXED + 1, 20_000)
LONG, REPLY = ("λέξη 😀 " * 3000)[:20_000], ("ευχαριστώ " * 500)[:5_000]


def fill() -> None:
    make_hotel([make_room("101")])


def texts(length: int) -> dict[str, Any]:
    return {"body": LONG[:length], "reply": LONG[:length], "replied_by": "anna", "replied_at": AT} if length else {}


def items() -> dict[str, Mapping[str, Any]]:
    return {item["pk"]["S"]: item for item in all_items() if item["kind"]["S"] == models.ReviewModel.kind}


def test_any_length_is_stored_once_in_two_parts_and_comes_back_whole() -> None:
    written = [make_review(f"r-{length}", **texts(length)) for length in LENGTHS]
    store(written)
    for review in written:
        assert stored(review.review_id) == replace(review, revision=1)
        item = items()[f"REVIEW#{review.review_id}"]
        for name, rest in RESTS.items():
            assert len(item.get(name, {"S": ""})["S"]) <= INDEXED
            assert (rest in item) == (len(getattr(review, name)) > INDEXED)
    assert commands.save_reviews(written) == (0, {}), "what is stored is what was written"
    listed = {review.review_id: review for review in queries.hotel_reviews(ABC)}
    assert all(listed[review.review_id].body == review.body[:INDEXED] for review in written)


def exported(staff: Client, query: str) -> dict[str, dict[str, str]]:
    content = staff.get(f"{URL}?{query}format=csv").getvalue().decode()
    return {row["review_id"]: row for row in DictReader(StringIO(content, newline=""))}


def test_exports_have_whole_texts(staff: Client) -> None:
    written = [make_review(f"r-{n:03}", rating=n % 2 + 1, body="Short." if n % 3 else LONG) for n in range(120)]
    written.append(make_review("r-long", rating=1, body=LONG, room_number="101"))
    store(written)
    commands.reply_to_review(stored("r-003"), REPLY, "anna")
    bodies = {review.review_id: review.body for review in written}
    for query in ("", "rating=1&", "rating=1&rating=2&", "unanswered=1&", "room=101&"):
        rows = exported(staff, query)
        assert rows, query
        assert {review_id: row["body"] for review_id, row in rows.items()}.items() <= bodies.items(), query
        assert rows.get("r-003", {"reply": REPLY})["reply"] == REPLY, query


def test_a_list_shows_an_excerpt_that_links_to_the_whole_text(staff: Client) -> None:
    words = "word " * 79 + "letters beyond"
    store([make_review(body=words), make_review("r-2", body="x" * LISTED_LETTERS), make_review("r-3", body="語" * 500)])
    page = get(staff, URL)
    assert page.text("tr[data-row=r-1] details p") == f"{'word ' * 79}… Read all", "it ends with a word"
    assert page.element("tr[data-row=r-1] details a")["href"] == "/reviews/r-1/"
    assert page.text("tr[data-row=r-2] details p") == "x" * LISTED_LETTERS
    assert page.text("tr[data-row=r-3] details p") == f"{'語' * INDEXED} … Read all", "a language without blanks"
    assert words in get(staff, "/reviews/r-1/").text("article.review .body")
    assert "Read all" not in folded(words), "forms quote all of it"
