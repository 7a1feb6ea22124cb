"""Pages of reviews, by the markup that scripts rely on: filters, sort, pager, export, cost; and permissions."""

from datetime import timedelta
from decimal import Decimal
from functools import partial
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User
from django.test import Client

from dynamodb_lists.tests.helpers.paging import linked
from reviews import commands, queries
from reviews.entities import Review
from reviews.templatetags.reviews import folded, stars
from tests.helpers.contents import Fill
from tests.helpers.markup import ListMarkup
from tests.helpers.people import permit
from tests.helpers.reviews import (
    AT,
    expected,
    ids,
    make_review,
    store,
    stored,
)
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.helpers.writes import delete_review

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
URL = f"/hotels/{ABC}/reviews/"
LANGUAGES = ("en", "de", "zh-cn")


def all_reviews() -> list[Review]:
    return [
        make_review(f"r-{n}", LANGUAGES[n % 3], n % 5 + 1, AT + timedelta(hours=n), room_number="" if n % 4 else "101")
        for n in range(30)
    ]


def fill() -> None:
    make_hotel([make_room("101")])


def fill_reviews() -> None:
    fill()
    store(all_reviews())


@pytest.fixture
def filling(request: pytest.FixtureRequest) -> Fill:
    return fill_reviews if "thirty" in request.fixturenames else fill


@pytest.fixture
def thirty(empty_tables: None) -> list[Review]:
    """Thirty reviews, an hour apart, in three languages, with all ratings. One in four names room 101."""
    return all_reviews()


def get(client: Client, query: str = "", path: str = URL) -> ListMarkup:
    response = client.get(path + query)
    assert response.status_code == 200, response.content
    return ListMarkup(response.content)


# --- The list -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sort", "facets"), [("date", ""), ("-date", "&language=EN&language=de&rating=5&rating=1&rating=")]
)
def test_reviews_without_a_reply_and_by_the_days_of_the_hotel(
    staff: Client, thirty: list[Review], in_step: None, sort: str, facets: str
) -> None:
    for review in thirty[::4]:
        commands.reply_to_review(queries.review(review.review_id), "Thank you", "alice")
    commands.delete_reply(queries.review(thirty[4].review_id), "alice")
    answered = {review.review_id for review in thirty[::4]} - {thirty[4].review_id}
    days = {review.review_id: review.created_at.astimezone(ZoneInfo("Europe/Paris")).date() for review in thirty}
    day = days["r-13"]
    assert {review.created_at.date() for review in thirty if days[review.review_id] == day} > {day}, "UTC differs"
    for unanswered in ("", "&unanswered=1"):
        for dated in ("", f"&from={day}&to={day}", f"&to={day}"):
            wanted = [
                review.review_id
                for review in (thirty if sort == "date" else thirty[::-1])
                if (not facets or (review.language in {"en", "de"} and review.rating in {1, 5}))
                and not (unanswered and review.review_id in answered)
                and (
                    not dated or days[review.review_id] == day or ("from" not in dated and days[review.review_id] < day)
                )
            ]
            pages = linked(get(staff, f"?page_size=10&sort={sort}{facets}{unanswered}{dated}"), partial(get, staff))
            assert [row for page in pages for row in page.rows] == wanted, (unanswered, dated)
            for before, page in pairwise(pages):
                assert get(staff, page.link("prev") or "").rows == before.rows
            totals = {page.total for page in pages if page.table.has_attr("data-total")}
            assert totals <= {len(wanted)}, (unanswered, dated)


@pytest.mark.usefixtures("in_step")
def test_a_language_whose_last_review_went_is_no_choice_any_more(staff: Client, thirty: list[Review]) -> None:
    store([make_review("typed", "ge", 1)])
    assert get(staff).count("language", "ge") == 1
    delete_review(stored("typed"), "alice")
    assert not get(staff).soup.select("[data-value=ge]")
    assert get(staff, "?language=ge").count("language", "ge") == 0, "a link to it still works, and can be undone"


@pytest.mark.usefixtures("in_step")
def test_what_nobody_wrote_says_so(staff: Client, thirty: list[Review]) -> None:
    delete_review(stored("r-0"), "alice")
    store([make_review("fr", "fr", 1)])
    assert "No review matches" in get(staff, "?language=fr&rating=5").text(".nothing")
    assert "No review names room 999" in get(staff, "?room=999").text(".nothing")
    make_hotel(hotel_id="empty", name="Empty")
    page = get(staff, path="/hotels/empty/reviews/")
    assert "No reviews yet" in page.text(".nothing")
    assert staff.get("/hotels/empty/reviews/?format=csv").getvalue().count(b"\n") == 1


def test_reviews_of_a_room(staff: Client, thirty: list[Review]) -> None:
    of_room = [review for review in thirty if review.room_number]
    assert get(staff, "?room=101").rows == expected(of_room, queries.room_reviews(ABC, "101"))
    assert get(staff, "?room=101&sort=date").rows == ids(of_room)
    assert get(staff, "?room=101").element("form#filters input[name=room]")["value"] == "101"
    link = get(staff, path=f"/hotels/{ABC}/rooms/101/").element('a[href*="?room="]')
    assert link["href"] == f"{URL}?room=101"
    assert get(staff, "?room=101").element("p.active-filters a.link")["href"] == f"/hotels/{ABC}/rooms/101/"
    assert {str(link["href"]) for link in get(staff).soup.select("td[data-label=Room] a")} == {"?room=101"}


@pytest.mark.usefixtures("in_step")
def test_a_room_shows_its_newest_reviews_in_one_request(alice: User, staff: Client, thirty: list[Review]) -> None:
    path = f"/hotels/{ABC}/rooms/101/"
    assert get(staff, path=path).cost("waves") == 2, "the hotel, which is cached now; the room and its reviews"
    page = get(staff, path=path)
    assert page.cost("waves") == 1
    shown = [str(row["data-review"]) for row in page.soup.select("[data-review]")]
    assert shown == get(staff, "?room=101").rows[:3]
    assert page.element(f'a[href="{URL}?room=101"]')
    permit(alice, "rooms.view_room", "orders.view_order", "notes.view_note")
    unseen = get(staff, path=path)
    assert not unseen.soup.select("[data-review], a[href*=reviews]")
    assert unseen.cost("requests") == page.cost("requests") - 1


HTMX = {"HX-Request": "true", "HX-Target": "list"}
BAD = [
    ("rating=6", "rating"),
    ("language=fr", "language"),
    ("room=101&rating=5", "room"),
    ("from=2023-02-02&to=2023-02-01&unanswered=1", "from"),
    ("unanswered=yes", "unanswered"),
    ("room=101&days=today", "room"),
]


def test_a_bad_parameter_is_named(staff: Client, thirty: list[Review]) -> None:
    for query, field in BAD:
        response = staff.get(f"{URL}?{query}", headers=HTMX)
        assert response.status_code == 400, query
        assert ListMarkup(response.content).element("[data-problem]")["data-problem"] == field, query


# --- One review -----------------------------------------------------------------------------------------


def test_a_review_shows_all_it_knows(staff: Client, thirty: list[Review]) -> None:
    page = get(staff, path="/reviews/r-2/?explain=1")
    assert page.element("[data-review]")["data-review"] == "r-2"
    for words in ("Ann Guest", "Chinese", "no room", "3 of 5 stars"):
        assert words in page.text("dl.facts")
    assert page.element("article.review")["lang"] == "zh-cn"
    assert "3 of 5 stars" in page.text("article.review .sr-only")
    assert page.text("article.review h2") == stored("r-2").title
    assert page.element("article.review time")["datetime"] == "2023-01-15T12:22:31Z"
    assert get(staff, path="/reviews/r-0/").element(f'dl.facts a[href="/hotels/{ABC}/rooms/101/"]')


def test_stars_have_words_and_long_texts_fold(staff: Client) -> None:
    assert stars(4) == (
        '<span class="stars" aria-hidden="true">★★★★☆</span><span class="sr-only" lang="en">4 of 5 stars</span>'
    )
    assert "★★★★★" in stars(5)
    assert '★★★★<span class="half">★</span></span>' in stars(Decimal("4.5"))
    assert '★★★★☆</span><span class="sr-only" lang="en">4.2 of' in stars(Decimal("4.2"))
    assert folded("") == ""
    assert folded("Cafe\u0301") == '<p class="body" dir="auto">Cafe\u0301</p>', "an accent of its own folds nothing"
    store([make_review(body="word " * 50)])
    page = get(staff)
    assert page.text("tr[data-row=r-1] details p") == ("word " * 50).strip()
    assert len(page.text("tr[data-row=r-1] summary .beginning")) <= 160
