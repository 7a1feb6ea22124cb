"""Pages that write reviews: permissions, the history, forms sent twice or at the same time, and outages."""

from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from dynamodb_lists import NotFound
from tests.helpers.history import all_entries, changes
from tests.helpers.markup import ListMarkup, entry_of, errors, get
from tests.helpers.people import bind
from tests.helpers.reviews import AT, make_review, store, stored, summary
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.helpers.writes import edit_review

pytestmark = [pytest.mark.usefixtures("in_step"), pytest.mark.django_db]
ADD, REVIEW = f"/hotels/{ABC}/reviews/add/", "/reviews/r-1/"
EDIT, DELETE = f"{REVIEW}edit/", f"{REVIEW}delete/"
ENTRY = {
    "review_id": "r-9",
    "author": "Ann",
    "language": "EN",
    "rating": "4",
    "room_number": "101",
    "title": "Fine",
    "body": "Really.",
    "revision": "1",
}


def fill() -> None:
    make_hotel([make_room("101")])
    store([make_review(title="First", body="Good.")])


def log() -> list[tuple[str, str, str]]:
    """Return the history of changes of reviews by mary: the event, the review, and the author."""
    entries = [entry for entry in all_entries() if entry.by == "mary"]
    return [(entry.what, entry.thing.removeprefix("review#"), entry.by) for entry in entries]


# --- Adding ---------------------------------------------------------------------------------------------


def test_a_review_is_added(manager: Client) -> None:
    response = manager.post(ADD, ENTRY, follow=True)
    page = ListMarkup(response.content)
    assert "The review was added" in page.soup.get_text()
    assert page.element("[data-review]")["data-review"] == "r-9"
    added = stored("r-9")
    assert replace(added, created_at=AT) == make_review(
        "r-9", "en", 4, author="Ann", room_number="101", title="Fine", body="Really.", revision=1
    )
    assert abs(timezone.now() - added.created_at).total_seconds() < 3600
    assert log() == [("created", "r-9", "mary")]


@pytest.mark.parametrize("hotel_id", [ABC, "xyz"])
def test_a_form_that_was_used_for_another_review_goes_on_under_a_new_id(
    manager: Client, mary: User, hotel_id: str
) -> None:
    """A review of another hotel stays, too, and the answer tells nothing of it."""
    bind(mary, ABC)
    store([make_review("r-2", hotel_id=hotel_id, title="Taken")])
    taken = stored("r-2")
    again = manager.post(ADD, {**ENTRY, "review_id": "r-2"})
    assert errors(again) == "This form has already added a review. To add this one, too, save again."
    assert (stored("r-2"), log()) == (taken, [])
    address = manager.post(ADD, entry_of(ListMarkup(again.content)))["Location"]
    assert stored(address.split("/")[-2]).title == "Fine"
    assert stored("r-2") == taken
    assert [action for action, *_ in log()] == ["created"]


WRONG: list[tuple[dict[str, str], str]] = [
    ({"language": "English"}, "Enter the language’s code"),
    ({"language": "ge"}, "There is no language “ge” here"),
    ({"rating": "6"}, "valid choice"),
    ({"room_number": "999"}, "There is no room “999” here"),
    ({"body": "line\n" * 901}, "At most 900 lines"),
    ({"review_id": "a#b"}, "review's id"),
]


def test_what_is_wrong_stands_in_the_form(manager: Client) -> None:
    for change, complaint in WRONG:
        response = manager.post(ADD, {**ENTRY, **change})
        assert response.status_code == 200, change
        assert complaint in errors(response), complaint
        assert entry_of(ListMarkup(response.content))["title"] == "Fine", "the entry is kept"
    assert summary(ABC).total == 1
    assert log() == []


# --- Changing -------------------------------------------------------------------------------------------


def test_a_review_is_changed(manager: Client) -> None:
    shown = entry_of(get(manager, EDIT))
    assert (shown["title"], shown["rating"], shown["revision"][:2]) == ("First", "5", "1 ")
    before = stored()
    response = manager.post(EDIT, {**shown, "rating": "2", "language": "de", "body": "Bad."}, follow=True)
    assert "The change was saved" in ListMarkup(response.content).soup.get_text()
    assert stored() == replace(before, rating=2, language="de", body="Bad.", revision=2)
    assert log() == [("changed", "r-1", "mary")]


def test_saving_what_is_there_changes_nothing(manager: Client) -> None:
    edit_review(stored(), replace(stored(), body="One\n\nTwo"), "alice")
    entry = entry_of(get(manager, EDIT))
    assert manager.post(EDIT, {**entry, "body": "One\r\n\r\nTwo"})["Location"] == REVIEW
    assert (stored().revision, stored().body, log()) == (2, "One\n\nTwo", [])


# --- Deleting -------------------------------------------------------------------------------------------


def test_deleting_asks_first(manager: Client) -> None:
    page = get(manager, DELETE)
    assert "Delete this review?" in page.text("form.entries")
    assert "First" in page.text("blockquote")
    assert stored()
    response = manager.post(DELETE, entry_of(page), follow=True)
    assert "The review was deleted" in ListMarkup(response.content).soup.get_text()
    assert ListMarkup(response.content).total == 0
    with pytest.raises(NotFound):
        stored()
    assert log() == [("deleted", "r-1", "mary")]
    assert {("title", "First", ""), ("author", "Ann Guest", ""), ("rating", "5", "")} <= set(changes(all_entries()[-1]))
    assert manager.post(DELETE, {"revision": "1"}).status_code == 404
