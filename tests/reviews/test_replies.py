"""The hotel's reply to a review: its pages, the list, exports and imports; and the guest whom a review names."""

import csv
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from dynamodb_lists import UnknownValue, ledger
from dynamodb_lists.schema.entities import columns
from dynamodb_lists.tests.helpers import dynamodb_local
from reviews import commands, queries
from reviews.entities import Review
from reviews.models import ReviewModel
from tests.helpers.history import all_entries, changes
from tests.helpers.markup import ListMarkup, differences, entry_of, errors, get
from tests.helpers.orders import make_guest
from tests.helpers.reviews import (
    make_review,
    snapshot,
    store,
    stored,
    summary,
)
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.helpers.writes import create_guest, edit_review

pytestmark = [pytest.mark.usefixtures("in_step"), pytest.mark.django_db]
URL, REVIEW = f"/hotels/{ABC}/reviews/", "/reviews/r-1/"
REPLY, DELETE, EDIT = f"{REVIEW}reply/", f"{REVIEW}reply/delete/", f"{REVIEW}edit/"
THANKS = {"reply": "Thank you!\r\nCome again.", "revision": "1"}


def fill() -> None:
    make_hotel([make_room("101")])
    store([make_review(title="First", body="Good.", room_number="101")])


@pytest.fixture
def answered(empty_tables: None) -> Review:
    """The review, with a reply."""
    return commands.reply_to_review(stored(), "Thank you!", "anna")


def log() -> list[list[tuple[str, str, str]]]:
    """Return what the history says of changes by mary."""
    entries = (entry for entry in all_entries() if entry.by == "mary")
    return [[change for change in changes(entry) if not change[0].startswith("replied")] for entry in entries]


# --- Replying -------------------------------------------------------------------------------------------


def test_a_reply_is_written_and_shown(manager: Client) -> None:
    before, page = stored(), get(manager, REPLY)
    assert page.text("title").startswith("Reply to a review")
    assert "Good." in page.text("article.review .body")
    shown = ListMarkup(manager.post(REPLY, {**entry_of(page), **THANKS}, follow=True).content)
    replied = stored()
    assert replied.reply == "Thank you!\nCome again."
    assert replied.replied_by == "mary"
    assert replied.replied_at is not None
    assert abs(timezone.now() - replied.replied_at).total_seconds() < 3600
    assert replace(before, **{name: getattr(replied, name) for name in ("reply", "replied_by", "replied_at")}) == (
        replace(replied, revision=1)
    )
    assert shown.text("section.reply .body") == "Thank you! Come again."
    assert "mary" in shown.text("section.reply")
    assert log() == [[("reply", "", "Thank you!\nCome again.")]]


def test_a_reply_is_changed_and_deleted(manager: Client, answered: Review) -> None:
    page = get(manager, REPLY)
    assert page.text("title").startswith("Edit the reply")
    assert not page.soup.select(".reply"), "the reply is in the form"
    entry = entry_of(page)
    assert (entry["revision"][:2], entry["reply"]) == ("2 ", "Thank you!")
    manager.post(REPLY, {**entry, "reply": "Thanks a lot!"})
    assert (stored().reply, stored().replied_by, stored().revision) == ("Thanks a lot!", "mary", 3)
    question = get(manager, DELETE)
    assert "Thanks a lot!" in question.text("form.entries")
    response = manager.post(DELETE, entry_of(question), follow=True)
    assert "The reply was deleted" in ListMarkup(response.content).soup.get_text()
    assert not ListMarkup(response.content).soup.select(".reply")
    assert (stored().reply, stored().replied_by, stored().replied_at, stored().title) == ("", "", None, "First")
    assert manager.get(DELETE)["Location"] == REVIEW, "there is no reply to delete"
    assert log() == [[("reply", "Thank you!", "Thanks a lot!")], [("reply", "Thanks a lot!", "")]]


def test_the_second_of_two_sees_the_first_reply(manager: Client, answered: Review) -> None:
    late = manager.post(REPLY, THANKS)
    assert "Somebody else changed this meanwhile" in errors(late)
    assert differences(late) == [("Reply", "Thank you!", "Thank you!\nCome again.")]
    assert ListMarkup(late.content).text("section.reply .body") == "Thank you!", "the stored reply, in full"
    assert entry_of(ListMarkup(late.content))["reply"] == "Thank you!\nCome again.", "as it was entered"
    assert "Do you still want to delete it?" in errors(manager.post(DELETE, {"revision": "1"}))
    assert (stored(), log()) == (answered, [])
    manager.post(REPLY, entry_of(ListMarkup(late.content)))
    assert stored().reply == "Thank you!\nCome again."


def test_a_reply_and_an_edit_do_not_undo_each_other(manager: Client) -> None:
    shown = entry_of(get(manager, EDIT))
    manager.post(REPLY, THANKS)
    late = manager.post(EDIT, {**shown, "rating": "2"})
    assert differences(late) == [("Rating", "5", "2")]
    manager.post(EDIT, entry_of(ListMarkup(late.content)))
    assert (stored().rating, stored().reply) == (2, "Thank you!\nCome again.")
    edit_review(stored(), make_review(rating=3), "alice")
    assert (stored().rating, stored().reply, stored().replied_by) == (3, "Thank you!\nCome again.", "mary")


WRONG: list[tuple[dict[str, str], str]] = [
    ({"reply": " \r\n "}, "required"),
    ({"reply": "x" * 5001}, "at most 5000"),
    ({"reply": "line\n" * 91}, "At most 90 lines"),
]


def test_what_is_wrong_stands_in_the_form(manager: Client) -> None:
    for change, complaint in WRONG:
        response = manager.post(REPLY, {**THANKS, **change})
        assert complaint in errors(response), complaint
        if "reply" not in change:
            assert entry_of(ListMarkup(response.content))["reply"].startswith("Thank you!"), complaint
    assert (stored().reply, log()) == ("", [])


# --- Lists, exports and imports -------------------------------------------------------------------------


def test_a_list_says_which_reviews_are_answered_and_reads_no_more_for_it(staff: Client) -> None:
    store([make_review(f"r-{n}", room_number="101") for n in range(2, 40)])
    for review_id in ("r-9", "r-38"):
        commands.reply_to_review(stored(review_id), "word " * 100, "anna")
    for query in ("?explain=1&rating=5&rating=4", "?explain=1&room=101"):
        page = get(staff, URL + query)
        replied = [row for row in page.rows if page.soup.select(f"tr[data-row={row}] [data-reply-by]")]
        assert replied == ["r-9", "r-38"], query
        assert page.text("tr[data-row=r-9] [data-reply-by]").startswith("Reply by anna"), query
        assert f"BatchGetItem on the base table of {ReviewModel.Meta.table_name}" not in page.text("[data-cost]"), query
        assert page.cost("read-units") <= 4, query


def test_an_export_reads_the_partition_of_the_hotel_or_few_reviews_by_their_keys() -> None:
    ratings_of = {n: 1 if n % 50 == 0 else 4 + n % 2 for n in range(200)}
    store([make_review(f"r-{n}", rating=rating) for n, rating in ratings_of.items()])
    for review_id in ("r-7", "r-100"):
        commands.reply_to_review(stored(review_id), "Thank you!", "anna")
    for ratings, operations, most in (
        ((), {"Query"}, 15),
        ((4, 5), {"Query"}, 15),
        ((1,), {"Query", "BatchGetItem"}, 5),
    ):
        with ledger.recording() as calls:
            asked: dict[str, Any] = {"rating": ratings} if ratings else {}
            rows = list(queries.with_long_texts(queries.reviews(hotel_id=ABC, whole=True, **asked)))
        assert {call.operation for call in calls.calls} == operations
        assert calls.read_units <= most or dynamodb_local.wanted()
        wanted = {f"r-{n}" for n, rating in ratings_of.items() if not ratings or rating in ratings}
        assert {row.review_id for row in rows} == wanted
        assert {row.review_id for row in rows if row.reply == "Thank you!"} == wanted & {"r-7", "r-100"}


@pytest.mark.parametrize("query", ["?", "?room=101&"])
def test_exports_have_replies_and_can_be_imported(staff: Client, tmp_path: Path, query: str) -> None:
    longest = "\n".join(["line"] * 90)
    store([make_review("r-2", body="\n".join(["text"] * 900), room_number="101")])
    create_guest(make_guest("alex"), "alice")
    edit_review(stored("r-2"), replace(stored("r-2"), username="alex"), "alice")
    commands.reply_to_review(stored("r-2"), longest, "=anna")
    file = tmp_path / "export.csv"
    file.write_bytes(staff.get(f"{URL}{query}format=csv").getvalue())
    with file.open(encoding="utf-8", newline="") as lines:
        rows = {row["review_id"]: row for row in csv.DictReader(lines)}
    assert {tuple(row) for row in rows.values()} == {columns(Review)}
    replied_at = stored("r-2").replied_at
    assert replied_at is not None
    assert [rows["r-2"][name] for name in ("username", "reply", "replied_by", "replied_at")] == [
        "alex",
        longest,
        "'=anna",
        f"{replied_at:%Y-%m-%dT%H:%M:%SZ}",
    ]
    assert [rows["r-1"][name] for name in ("username", "reply", "replied_by", "replied_at")] == [""] * 4
    before, out = snapshot(), StringIO()
    call_command("import_reviews", file, stdout=out)
    assert "2 reviews read, 0 written" in out.getvalue()
    assert snapshot() == before


def test_an_import_that_changes_a_review_keeps_its_reply_and_its_guest(tmp_path: Path, answered: Review) -> None:
    create_guest(make_guest("alex"), "alice")
    edit_review(stored(), replace(stored(), username="alex"), "alice")
    file = tmp_path / "reviews.csv"
    file.write_text(
        "review_id,hotel_id,room_number,language,rating,created_at,author,title,body,username,reply\n"
        "r-1,abc,101,en,1,2023-01-15T10:22:31Z,Ann Guest,First,Good.,bob,Other\n"
        "r-2,abc,101,en,1,2023-01-15T10:22:31Z,Ann Guest,First,Good.,bob,Other\n",
        "utf-8",
    )
    call_command("import_reviews", file, stdout=StringIO())
    assert stored() == replace(answered, rating=1, username="alex", revision=4)
    assert (stored("r-2").username, stored("r-2").reply) == ("", ""), "no file answers a review"


def test_a_review_that_is_added_again_after_its_reply_is_the_same(manager: Client) -> None:
    entry = {"review_id": "r-9", "author": "Ann", "language": "en", "rating": "4"}
    manager.post(f"{URL}add/", entry)
    manager.post("/reviews/r-9/reply/", THANKS)
    assert manager.post(f"{URL}add/", entry)["Location"] == "/reviews/r-9/"
    assert stored("r-9").reply == "Thank you!\nCome again."


# --- The guest ------------------------------------------------------------------------------------------


def test_a_review_names_a_guest_and_links_to_them(manager: Client) -> None:
    create_guest(make_guest("alex"), "alice")
    manager.post(EDIT, {**entry_of(get(manager, EDIT)), "username": " Alex "})
    assert stored().username == "alex"
    link = get(manager, REVIEW).element('dl.facts a[href="/guests/alex/"]')
    assert link.get_text(strip=True) == "Alex Doe"
    assert manager.get(str(link["href"])).status_code == 200
    assert get(manager, REVIEW).cost("requests") <= 5
    assert entry_of(get(manager, EDIT))["username"] == "alex"
    manager.post(EDIT, {**entry_of(get(manager, EDIT)), "username": ""})
    assert stored().username == ""


def test_a_guest_who_does_not_exist_is_refused(manager: Client) -> None:
    entry = {"review_id": "r-9", "author": "Ann", "language": "en", "rating": "4", "revision": "1"}
    for path, username in ((EDIT, "nobody"), (f"{URL}add/", "nobody"), (EDIT, "a#b")):
        response = manager.post(path, {**entry, "username": username})
        assert f"There is no guest “{username}” here" in errors(response)
        assert entry_of(ListMarkup(response.content))["username"] == username
    assert (summary(ABC).total, stored().revision) == (1, 1)


def test_a_review_may_keep_a_guest_who_does_not_exist_any_more(manager: Client) -> None:
    store([make_review("r-2", username="gone")])
    page = get(manager, "/reviews/r-2/")
    assert "gone , who is not a guest of the portal" in page.text("dl.facts")
    assert not page.soup.select('a[href="/guests/gone/"]')
    entry = entry_of(get(manager, "/reviews/r-2/edit/"))
    assert manager.post("/reviews/r-2/edit/", {**entry, "rating": "1"}).status_code == 302
    with pytest.raises(UnknownValue):
        edit_review(stored("r-2"), replace(stored("r-2"), username="other"), "alice")
    assert log() == [[("rating", "5", "1")]]
