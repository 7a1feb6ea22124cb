"""Pages that add and edit guests: errors in the form, forms sent twice or at the same time."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client

from orders import commands, queries
from orders.entities import Guest
from tests.helpers.markup import ListMarkup, differences, entry_of, errors
from tests.helpers.orders import assert_orders_in_step, make_order, store
from tests.helpers.writes import create_guest

pytestmark = [pytest.mark.usefixtures("empty_tables", "in_step"), pytest.mark.django_db]


@pytest.fixture
def in_step(empty_tables: None) -> Iterator[None]:
    """Store a guest. Check after each test that orders, items, indexes and counts agree."""
    create_guest(Guest("alex", "Alex Doe", "alex@example.com"), "alice")
    yield
    assert_orders_in_step()


def test_a_guest_is_added(staff: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = {"username": "Ünal", "name": "Ünal Öz", "email": "u@example.com", "phone": "+90 1"}
    response = staff.post("/guests/add/", entry, follow=True)
    assert "Ünal Öz was added" in ListMarkup(response.content).soup.get_text()
    monkeypatch.setattr("portal.history.views.SENT_AGAIN", timedelta(seconds=-5))
    twice = ListMarkup(staff.post("/guests/add/", entry, follow=True).content).soup.get_text()
    assert "Ünal Öz is there already, with these values." in twice
    assert queries.guest("ünal").email == "u@example.com"
    response = staff.post("/guests/add/", {**entry, "name": "Somebody else"})
    assert "already added a guest" in errors(response)
    again = entry_of(ListMarkup(response.content))
    assert again["username"].startswith("guest-")
    assert staff.post("/guests/add/", again).status_code == 302


def test_nobody_chooses_a_username(staff: Client) -> None:
    made = []
    for name in ("山田 太郎", "Alex Doe", "Alex Doe"):
        page = ListMarkup(staff.get("/guests/add/").content)
        assert page.element("[name=username]")["type"] == "hidden"
        entry = {**entry_of(page), "name": name}
        made.append([staff.post("/guests/add/", entry)["Location"] for _ in range(2)])
    assert all(first == second for first, second in made), "sent twice is done once"
    assert len({first for first, _ in made}) == 3
    assert staff.post("/guests/add/", {"name": "Bo"})["Location"].startswith("/guests/guest-")


def test_what_is_wrong_with_a_guest_stands_in_the_form(staff: Client) -> None:
    for change, complaint in (
        ({"username": "a b"}, "letters, digits"),
        ({"username": "a#b"}, "letters, digits"),
        ({"username": "x" * 65}, "at most 64"),
        ({"username": "Add"}, "Choose another one"),
        ({"username": ".."}, "letters, digits"),
        ({"name": ""}, "required"),
        ({"name": "x" * 201}, "at most 200"),
        ({"email": "x"}, "valid email"),
        ({"phone": "\u202e123"}, "U+202E (right-to-left override)"),
        ({"phone": "1" * 41}, "at most 40"),
        ({"phone": "abc"}, "Enter a phone number with digits"),
    ):
        assert complaint in errors(staff.post("/guests/add/", {"username": "bo", "name": "Bo", **change})), change

    mail, phone = "a?bcc=evil@example.com", "Büro 0660 1234 ext. 5"
    assert (
        staff.post("/guests/add/", {"username": "eve", "name": "Eve", "email": mail, "phone": phone}).status_code == 302
    )
    page = ListMarkup(staff.get("/guests/eve/").content)
    assert page.element('a[href^="mailto:"]')["href"] == "mailto:a%3Fbcc%3Devil@example.com"


def test_a_guest_is_changed_and_keeps_the_orders(staff: Client) -> None:
    store([make_order()])
    shown = entry_of(ListMarkup(staff.get("/guests/alex/edit/").content))
    assert (shown["name"], shown["email"]) == ("Alex Doe", "alex@example.com")
    staff.post("/guests/alex/edit/", {**shown, "name": "Alex Roe"})
    changed = queries.guest("alex")
    assert (changed.name, changed.total_orders) == ("Alex Roe", 1)
    assert staff.post("/guests/alex/edit/", {**shown, "name": "Alex Roe"}).status_code == 302, "sent twice is done once"
    late = staff.post("/guests/alex/edit/", {**shown, "name": "Late"})
    assert differences(late) == [("Name", "Alex Roe", "Late")]
    assert queries.guest("alex").name == "Alex Roe"
    staff.post("/guests/alex/edit/", entry_of(ListMarkup(late.content)))
    assert queries.guest("alex").name == "Late", "after reading the stored values, the user may replace them"


# --- Erasing --------------------------------------------------------------------------------------------

ERASE = "/guests/alex/erase/"


def test_erasing_asks_once_and_says_what_goes_and_what_stays(eraser: Client) -> None:
    store([make_order()])
    page = ListMarkup(eraser.get(ERASE).content)
    text = page.text("form.entries")
    assert all(words in text for words in ("cannot be undone", "Alex Doe", "alex@example.com", "1 order."))
    assert "The username “alex” stays" in text
    sent = {"revision": page.element("input[name=revision]")["value"]}
    assert ERASE in eraser.get("/guests/alex/").content.decode()
    for _ in range(2):
        response = eraser.post(ERASE, sent, follow=True)
        assert "personal data was erased" in response.content.decode(), "sent twice is done once"
    guest = queries.guest("alex")
    assert (guest.name, guest.email, guest.total_orders, guest.revision) == ("Erased guest", "", 1, 2)
    assert ERASE not in eraser.get("/guests/alex/").content.decode()
    assert "Nothing is left to erase" in eraser.get(ERASE).content.decode()


def test_who_saw_another_guest_is_asked_again(eraser: Client) -> None:
    guest = queries.guest("alex")
    commands.edit_guest(guest, replace(guest, name="Alex Roe"), "alice")
    assert "Do you still want to erase" in errors(eraser.post(ERASE, {"revision": "1"}))
    assert queries.guest("alex").name == "Alex Roe"
    assert eraser.post(ERASE, {"revision": "2"}).status_code == 302


def test_the_e_mail_or_the_phone_of_another_guest_asks_first(staff: Client) -> None:
    entry = {"username": "ann", "name": "Ann", "email": "ann@example.org", "phone": "+49 30 1234567"}
    staff.post("/guests/add/", entry)
    for change in ({"phone": ""}, {"email": ""}, {"email": "ANN@example.org"}):
        twin = {**entry, "username": "twin", **change}
        asked = staff.post("/guests/add/", twin)
        assert "e-mail address or phone already belongs to" in errors(asked), change
    assert '<a class="link" href="/guests/ann/">Ann</a>' in asked.content.decode()
    assert ListMarkup(asked.content).element("[name=another]").get("required") is None, "the e-mail may change instead"
    assert staff.post("/guests/add/", {**twin, "another": "on"})["Location"] == "/guests/twin/"
