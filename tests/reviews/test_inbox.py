"""The inbox: the reviews of several hotels without a reply, and the way from one to the next."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlencode

import pytest
from django.test import Client

from dynamodb_lists import ChangedMeanwhile
from hotels.commands import save_hotels
from hotels.entities import Hotel
from portal.history.subjects import thing_at
from portal.history.undoing import NotUndone, undo
from reviews import commands, queries
from reviews.entities import Review
from tests.helpers.markup import ListMarkup, entry_of, get
from tests.helpers.reviews import AT, assert_reviews_in_step, make_review, store, stored
from tests.helpers.rooms import make_hotel, make_room
from tests.helpers.statistics import together
from tests.helpers.writes import delete_review

pytestmark = [pytest.mark.usefixtures("in_step"), pytest.mark.django_db]
INBOX, ONE = "/reviews/unanswered/", "/hotels/one/reviews/?unanswered=1&sort=date"
WRITTEN = {"one": "02468", "two": "1357"}
"""The hours of the reviews of two hotels. Those of even hours are in English, and have one star; r-4 is in German."""


def fill() -> None:
    for hotel_id, hours in WRITTEN.items():
        make_hotel([make_room("101", hotel_id=hotel_id)], hotel_id, f"House {hotel_id}")
        for hour in map(int, hours):
            language, rating = ("en", 1) if hour % 2 == 0 and hour != 4 else ("de", 5)
            written = AT + timedelta(hours=hour)
            store([make_review(f"r-{hour}", hotel_id=hotel_id, created_at=written, language=language, rating=rating)])


def answer(client: Client, number: int, origin: str, then: str = "next") -> str:
    """Answer a review from a list; returns the address of the page that follows."""
    address = f"/reviews/r-{number}/reply/"
    page = ListMarkup(client.get(address, headers={"referer": f"http://testserver{origin}"}).content)
    form = page.element("form.entries")
    response = client.post(f"{address}{form.get('action') or ''}", {**entry_of(page), "reply": "Thanks!", "then": then})
    assert response.status_code == 302
    assert stored(f"r-{number}").reply == "Thanks!"
    return response["Location"]


def test_the_newest_of_few_hotels_come_first_and_filters_narrow_them(manager: Client) -> None:
    assert get(manager, INBOX).rows == [f"r-{hour}" for hour in reversed(range(9))]
    assert get(manager, f"{INBOX}?sort=date&hotel=one").rows == ["r-0", "r-2", "r-4", "r-6", "r-8"]
    assert get(manager, f"{INBOX}?language=de&hotel=one").rows == ["r-4"]
    assert get(manager, f"{INBOX}?rating=1").rows == ["r-8", "r-6", "r-2", "r-0"]
    assert "No review without a reply matches" in get(manager, f"{INBOX}?language=de&rating=1").text("tr.nothing")


@pytest.mark.parametrize("most", [12, 1])
def test_days_are_those_of_each_hotel(manager: Client, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Whether hotels are merged or follow each other. 22:30 UTC is the next day in Tokyo, not in Paris."""
    monkeypatch.setattr(queries, "MOST_MERGED", most)
    save_hotels([Hotel("tokyo", "Tokyo", currency="JPY", time_zone="Asia/Tokyo")])
    late = AT.replace(hour=22, minute=30)
    store([make_review(f"late-{hotel_id}", hotel_id=hotel_id, created_at=late) for hotel_id in ("one", "tokyo")])
    next_day = (late + timedelta(days=1)).date()
    page = get(manager, f"{INBOX}?from={next_day}")
    assert page.rows == ["late-tokyo"]
    assert "in each hotel" in page.text(".active-filters")
    assert get(manager, f"{INBOX}?to={late.date()}&language=en&rating=5").rows == ["late-one"]
    assert get(manager, f"{INBOX}?from={next_day}&hotel=one").rows == []


def test_a_reply_says_who_wrote_the_review_and_what_it_is_about(manager: Client) -> None:
    store([make_review("r-9", hotel_id="one", language="de", room_number="101")])
    about = get(manager, "/reviews/r-9/reply/").text(".about")
    assert about.replace(" ,", ",") == "Ann Guest, room 101 · German · House one"


QUERIES = ("", "rating=5&rating=1", "language=de", "language=en&rating=5")


@pytest.mark.parametrize("path", [INBOX, "/hotels/one/reviews/", "/hotels/one/reviews/?unanswered=1"])
def test_each_count_beside_a_choice_is_the_number_of_rows_that_it_leads_to(manager: Client, path: str) -> None:
    """A count beside a choice respects the other filters. A choice that no stored count answers has no number."""
    counted = 0
    for query in (*QUERIES, *(f"{each}&hotel=one" for each in QUERIES if path == INBOX)):
        page = get(manager, f"{path}{'&' if '?' in path else '?'}{query}")
        asked = parse_qs(f"{path.partition('?')[2]}&{query}")
        for choice in page.soup.select("[data-facet][data-count]"):
            others = {**asked, str(choice["data-facet"]): [str(choice["data-value"])]}
            rows = get(manager, f"{path.partition('?')[0]}?{urlencode(others, doseq=True)}").rows
            assert int(str(choice["data-count"])) == len(rows), (query, choice)
            counted += 1
        if path == INBOX:
            assert not page.soup.select("[data-facet=rating][data-count]")
            assert bool(page.soup.select("[data-facet=language][data-count]")) == ("rating" not in query)
    assert counted or "unanswered" in path


def test_what_waits_is_counted_once_whatever_happens_at_the_same_time() -> None:
    """Make each change twice at once from the same state. The second change is refused, or has no effect."""
    ids, imported = [f"r-{hour}" for hour in range(9)], [stored(f"r-{hour}") for hour in range(3)]
    changes: list[tuple[int, Callable[[Review], Any]]] = [
        (6, lambda seen: commands.reply_to_review(seen, "Thanks!", "anna")),
        (6, lambda seen: delete_review(seen, "anna")),
        (6, lambda seen: undo(thing_at("review", seen.review_id), 3, "anna", lambda _: True)),
        (6, lambda seen: commands.save_reviews([seen])),
        (9, lambda seen: commands.delete_reply(seen, "anna")),
        (9, lambda seen: commands.save_reviews([replace(seen, language="fr")])),
        (6, lambda seen: delete_review(seen, "anna")),
        (9, lambda seen: commands.save_reviews([seen])),
    ]
    for left, change in changes:
        now = queries.reviews_as_stored(ids)
        with ThreadPoolExecutor(4) as threads:
            seen = [now.get(each.review_id, each) for each in imported]
            done = [threads.submit(change, each) for each in seen for _ in range(2)]
        assert {type(each.exception()) for each in done} <= {type(None), ChangedMeanwhile, NotUndone}
        waiting = [each for each in queries.reviews_as_stored(ids).values() if not each.replied_at]
        assert together(WRITTEN, AT.date()).unanswered == len(waiting) == left
        assert_reviews_in_step()


@pytest.mark.parametrize("most", [12, 1])
def test_saving_goes_on_to_the_next_of_the_list(manager: Client, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """With the filters, over the edge of a page, and whether hotels are merged or follow each other."""
    monkeypatch.setattr(queries, "MOST_MERGED", most)
    listed, where = get(manager, f"{INBOX}?language=de&page_size=10").rows, f"{INBOX}?language=de"
    assert listed == (["r-7", "r-5", "r-4", "r-3", "r-1"] if most == 12 else ["r-4", "r-7", "r-5", "r-3", "r-1"])
    for this, following in zip(listed, listed[1:], strict=False):
        found = answer(manager, int(this[2:]), where)
        assert found == f"/reviews/{following}/reply/?list=%2Freviews%2Funanswered%2F%3Flanguage%3Dde"
    assert answer(manager, int(listed[-1][2:]), where) == where
    page = get(manager, where)
    assert page.rows == []
    assert "That was the last review" in page.soup.get_text()


def test_one_can_skip_a_review_and_save_without_going_on(manager: Client) -> None:
    page = ListMarkup(manager.get("/reviews/r-2/reply/", headers={"referer": f"http://testserver{ONE}"}).content)
    skip = str(page.element("a[href*='skip=1']")["href"])
    response = manager.get(f"/reviews/r-2/reply/{skip}")
    assert response["Location"].startswith("/reviews/r-4/reply/?list=")
    assert answer(manager, 4, ONE).startswith("/reviews/r-6/reply/?list="), "not back to those before it"
    assert answer(manager, 6, ONE, then="").startswith("/reviews/r-6/?list=")
    assert answer(manager, 8, ONE) == ONE, "the list still has what was skipped"
    elsewhere = ListMarkup(manager.get("/reviews/r-2/reply/", headers={"referer": "http://testserver/orders/"}).content)
    assert not elsewhere.soup.select("[name=then][value=next]"), "no list of reviews without a reply"


def place(client: Client, number: int, origin: str) -> tuple[str, list[str]]:
    """Return where a review is among those of a list, and the reviews before and after it."""
    page = client.get(f"/reviews/r-{number}/reply/", headers={"referer": f"http://testserver{origin}"})
    nav = ListMarkup(page.content).element("nav.way-back")
    beside = [str(link["href"]).partition("?")[0] for link in nav.select("a[rel]")]
    return nav.get_text(" ", strip=True), beside


@pytest.mark.parametrize(("query", "of"), [("", "9"), ("?language=de", "5"), ("?hotel=one", "5"), ("?rating=1", "4")])
def test_the_reply_says_where_one_is_in_the_list(manager: Client, query: str, of: str) -> None:
    rows = get(manager, INBOX + query).rows
    for number, row in enumerate(rows):
        text, beside = place(manager, int(row[2:]), INBOX + query)
        assert f"{number + 1} of {of}" in text
        around = [*rows[max(number - 1, 0) : number], *rows[number + 1 : number + 2]]
        assert beside == [f"/reviews/{each}/reply/" for each in around]


def test_a_list_of_several_pages_is_counted_by_statistics(manager: Client) -> None:
    more = [
        make_review(f"r-{n}", hotel_id="one", created_at=AT + timedelta(hours=n), language="en") for n in range(9, 22)
    ]
    store(more)
    for origin, of in ((INBOX, 22), (f"{INBOX}?language=de", 5), (f"{INBOX}?hotel=one", 18), (ONE, 18)):
        text, _ = place(manager, 4, f"{origin}{'&' if '?' in origin else '?'}page_size=10&sort=date")
        assert f" of {of}" in text, origin
    next_page = str(get(manager, f"{INBOX}?page_size=10&sort=date").element("a[rel=next]")["href"])
    assert "13 of 22" in place(manager, 12, f"{INBOX}{next_page}")[0]
    assert " of 17" in place(manager, 6, f"{INBOX}?language=en&page_size=10&sort=date")[0]
    text, beside = place(manager, 4, f"{INBOX}?rating=5&rating=3&page_size=10&sort=date")
    assert " of " not in text, "no statistics count some ratings"
    assert "All without a reply" in get(manager, "/reviews/r-4/reply/").text("nav.way-back")


def test_the_place_follows_what_colleagues_answer(manager: Client) -> None:
    commands.reply_to_review(stored("r-8"), "Thanks!", "bob")
    text, _ = place(manager, 7, INBOX)
    assert "1 of 8" in text
    text, beside = place(manager, 8, INBOX)
    assert (" of " in text, beside) == (False, []), "a colleague has answered this one"
