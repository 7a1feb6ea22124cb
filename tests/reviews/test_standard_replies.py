"""Standard replies: managers keep them by hotel and language, and whoever replies inserts one."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from portal.history.entities import Actor
from reviews import commands
from reviews.entities import StandardReply
from reviews.lists import MOST_REPLIES, STANDARD
from tests.conftest import logged_in
from tests.helpers.history import all_entries
from tests.helpers.markup import ListMarkup, differences, entry_of, errors, get
from tests.helpers.people import bind, permit
from tests.helpers.reviews import AT, make_review, make_standard, store, stored
from tests.helpers.rooms import ABC, make_hotel

pytestmark = [pytest.mark.usefixtures("in_step"), pytest.mark.django_db]
REPLIES, REPLY = f"/hotels/{ABC}/replies/", "/reviews/r-1/reply/"
ADD, THANKS = f"{REPLIES}add/", f"{REPLIES}en/Thanks/"
TEXT = '"Dear {guest}, thank you."'
SORRY = {"language": "de", "name": "Bedauern (Lärm)", "text": "Liebe {guest},\nes tut uns leid."}


def fill() -> None:
    make_hotel()
    make_hotel(hotel_id="sea")
    store(
        [
            make_review(created_at=AT + timedelta(hours=1)),
            make_review("r-2", language="de-at"),
            make_review("r-3", hotel_id="sea"),
        ]
    )
    commands.add_missing_replies([make_standard(), make_standard("Danke", "de"), make_standard("Sea", hotel_id="sea")])


def replies() -> list[tuple[str, str]]:
    return [(each.language, each.name) for each in STANDARD.query(hotel_id=ABC).order_by("language", "name")]


def offered(client: Client, review: str) -> list[str]:
    return [str(button["value"]) for button in get(client, f"/reviews/{review}/reply/").soup.select("[name=standard]")]


def test_a_manager_adds_changes_and_deletes_one_and_takes_it_back(manager: Client) -> None:
    assert get(manager, f"/hotels/{ABC}/reviews/").element(f"a[href='{REPLIES}']")
    page = ListMarkup(manager.post(ADD, SORRY, follow=True).content)
    assert page.rows == ["Bedauern (Lärm)", "Danke", "Thanks"]
    address = next(str(link["href"]) for link in page.soup.select("th a") if "Bedauern" in link.get_text())
    assert manager.post(address, {**entry_of(get(manager, address)), "text": "Danke, {guest}."}).status_code == 302
    changed: Any = STANDARD.get(hotel_id=ABC, language="de", name="Bedauern (Lärm)")
    assert changed.text == "Danke, {guest}."
    panel = get(manager, address).element(".history-panel a[href*='/history/']")
    assert "Danke, {guest}." in get(manager, str(panel["href"])).text("table")
    delete = f"{address}delete/"
    assert "Danke, {guest}." in get(manager, delete).text("blockquote")
    page = ListMarkup(manager.post(delete, entry_of(get(manager, delete)), follow=True).content)
    assert replies() == [("de", "Danke"), ("en", "Thanks")]
    undo = {str(field["name"]): str(field["value"]) for field in page.soup.select("form[action*=undo] input[name]")}
    action = str(page.element("form[action*=undo]")["action"])
    assert manager.post(action, undo).status_code == 302
    assert len(replies()) == 3
    assert len([entry for entry in all_entries() if entry.thing.startswith("standard-reply#")]) == 4


def test_a_name_is_unique_in_its_language_and_fits_into_an_address(manager: Client) -> None:
    assert errors(manager.post(ADD, {"language": "en", "name": "Thanks", "text": "Other"}))
    assert manager.post(ADD, {"language": "fr", "name": "Thanks", "text": "Merci"}).status_code == 302
    for name in ("a/b", "a#b", "..", "?", "x" * 41, "a\tb\x00"):
        assert errors(manager.post(ADD, {"language": "en", "name": name, "text": "Other"})), name
    assert errors(manager.post(ADD, {"language": "English", "name": "Fine", "text": "Other"}))
    assert replies() == [("de", "Danke"), ("en", "Thanks"), ("fr", "Thanks")]


def test_of_two_editors_the_second_sees_both_texts(manager: Client, mary: User) -> None:
    sent = entry_of(get(manager, THANKS))
    STANDARD.by(Actor("bob")).update(STANDARD.get(hotel_id=ABC, language="en", name="Thanks"), text="Theirs")
    assert differences(manager.post(THANKS, {**sent, "text": "Mine"})) == [("Text", "Theirs", "Mine")]


def test_who_replies_inserts_one_in_the_language_of_the_review(manager: Client) -> None:
    """Without a script: the button sends the form, which comes back with the text below what was typed."""
    assert (offered(manager, "r-1"), offered(manager, "r-2"), offered(manager, "r-3")) == (
        ["Thanks"],
        ["Danke"],
        ["Sea"],
    )
    sent = entry_of(get(manager, REPLY))
    page = ListMarkup(manager.post(REPLY, {**sent, "reply": "", "standard": "Thanks"}).content)
    assert page.text("textarea") == "Dear Ann Guest, thank you."
    assert stored("r-1").reply == "", "nothing is saved yet"
    page = ListMarkup(manager.post(REPLY, {**entry_of(page), "reply": "Hello.", "standard": "Thanks"}).content)
    assert page.text("textarea").split() == ["Hello.", "Dear", "Ann", "Guest,", "thank", "you."]
    commands.reply_to_review(stored("r-1"), "A colleague's", "bob")
    page = ListMarkup(manager.post(REPLY, {**entry_of(page), "standard": "Thanks"}).content)
    late = manager.post(REPLY, entry_of(page))
    assert differences(late)[0][0] == "Reply", "the form still has the revision that was seen"
    unknown = manager.post(REPLY, {**sent, "standard": "Danke"})
    assert errors(unknown), "of another language: the reply itself is sent, which is blank"


def test_the_inbox_goes_on_after_an_insertion(manager: Client) -> None:
    origin = f"/hotels/{ABC}/reviews/?unanswered=1"
    page = ListMarkup(manager.get(REPLY, headers={"referer": f"http://testserver{origin}"}).content)
    action = f"{REPLY}{page.element('form.entries')['action']}"
    inserted = ListMarkup(manager.post(action, {**entry_of(page), "standard": "Thanks"}).content)
    assert inserted.element("form.entries")["action"] == page.element("form.entries")["action"]
    assert "of 2" in inserted.text("nav.way-back")
    following = manager.post(action, {**entry_of(inserted), "then": "next"})
    assert following["Location"].startswith("/reviews/r-2/reply/")


def test_only_so_many_are_offered(manager: Client) -> None:
    commands.add_missing_replies([make_standard(f"T{n:02d}") for n in range(MOST_REPLIES + 9)])
    assert len(offered(manager, "r-1")) == MOST_REPLIES
    assert len(get(manager, f"{REPLIES}?page_size=100").rows) == MOST_REPLIES + 11
    answer: Any = manager.get(f"{REPLIES}?format=csv")
    assert b"".join(answer).decode("utf-8-sig").splitlines()[:2] == [
        "hotel_id,language,name,text",
        f"{ABC},de,Danke,{TEXT}",
    ]


def test_who_only_replies_cannot_keep_them_and_other_hotels_have_their_own(db: None) -> None:
    user = User.objects.create_user("rita", is_staff=True)
    permit(user, "reviews.view_review", "reviews.reply_review", "hotels.view_hotel")
    bind(user, ABC)
    rita = logged_in(user)
    page = get(rita, REPLY)
    assert page.element("[name=standard]")["value"] == "Thanks"
    assert not page.soup.select(f"a[href='{REPLIES}']")
    assert [rita.get(each).status_code for each in (REPLIES, ADD, THANKS, f"{THANKS}delete/")] == [403] * 4


def test_a_repeated_collection_adds_nothing() -> None:
    assert commands.add_missing_replies([make_standard(text="Other"), make_standard("New")]) == 1
    kept = STANDARD.get(hotel_id=ABC, language="en", name="Thanks")
    assert isinstance(kept, StandardReply)
    assert kept.text == "Dear {guest}, thank you."
