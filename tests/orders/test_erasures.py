"""Erasures of guests that are interrupted at any request: pages and ``verify_data`` say so, and they go on."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count, cycle, islice, product
from typing import Any

import pytest
from botocore.httpsession import URLLib3Session
from django.test import Client

from dynamodb_lists import Conflict, Unavailable
from dynamodb_lists.connection.client import client
from dynamodb_lists.tests.helpers.answers import answering, refusal
from dynamodb_lists.tests.helpers.examples import usual
from orders import commands, models, queries
from orders.entities import ERASED_NAME, Guest
from portal.history.commands import erase_values, with_values
from tests.helpers.contents import start_from
from tests.helpers.faults import verify
from tests.helpers.history import all_entries, changes
from tests.helpers.lost_answers import stored
from tests.helpers.markup import ListMarkup
from tests.helpers.orders import assert_orders_in_step, make_order, profile, store
from tests.helpers.rooms import make_hotel
from tests.helpers.writes import create_guest

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
PERSONAL = ("Ludmilla", "Pavlova", "moved@example.com", "+43 660", "Allergic to nuts.", "Asks for a cot.")
GUEST, ERASE = "/guests/alex/", "/guests/alex/erase/"
NOT_COMPLETE = "the erasure of alex is not complete"


def fill() -> None:
    """A guest with an order that has a note, and with three changes in the history."""
    guest = create_guest(Guest("alex", "Ludmilla Maier", "first@example.com", "+43 660"), "alice")
    guest = commands.edit_guest(guest, replace(guest, name="Ludmilla Pavlova", note="Allergic to nuts."), "alice")
    commands.edit_guest(guest, replace(guest, email="moved@example.com"), "alice")
    store([make_order()])
    order = queries.order_as_stored("alex", "o-1")
    commands.note_order(order, replace(order, note="Asks for a cot."), "anna")


WAYS = [*product((False, True), ("form", "repair"))]


@contextmanager
def failing_at(number: int, *, made: bool) -> Iterator[list[str]]:
    """Let every request from this one on fail: after the engine has done it, or before. Yields the failed ones."""
    sent = count(1)
    failed: list[str] = []

    def respond(request: Any, event_name: str, **_: Any) -> Any:
        if next(sent) < number:
            return None
        if made and not failed:
            assert URLLib3Session().send(request).status_code == 200
        failed.append(event_name)
        return refusal("InternalServerError")

    with answering(respond, ""):
        yield failed


def interrupt(number: int, *, made: bool = False) -> bool:
    """Erase the guest, and fail at a request; returns whether there was such a request."""
    seen = profile()
    with failing_at(number, made=made) as failed:
        try:
            commands.erase_guest(seen, "mary")
        except Unavailable:
            assert failed
    return bool(failed)


def is_stored(*texts: str) -> bool:
    """Return whether any item of any table has one of these texts."""
    return any(text in item for item in stored() for text in texts)


def assert_found_and_mended() -> None:
    """Check that ``verify_data`` finds an erasure that is not complete, and completes it."""
    assert NOT_COMPLETE in verify()[0]
    assert NOT_COMPLETE in verify("--repair")[0]
    assert_erased()


def assert_erased() -> None:
    """Check that no item names the guest, and that the erasure is complete."""
    assert not is_stored(*PERSONAL)
    guest = profile()
    assert (guest.name, guest.erasing_by, guest.total_orders) == (ERASED_NAME, "", 1)
    assert [entry.what for entry in all_entries() if entry.thing == "guest#alex"][-1] == "erased"
    assert verify() == ("", True)
    assert_orders_in_step()


@pytest.mark.parametrize("first", usual((0, 1, 2, 3), 0))
def test_an_erasure_that_fails_at_any_request_is_found_and_gone_on_with(first: int) -> None:
    """Before the engine has done it or after, and gone on with by the form or the repair, in turns."""
    for number, (made, go_on) in enumerate(islice(cycle(WAYS), first, None), start=1):
        start_from("erasures", fill)
        if not interrupt(number, made=made):
            break
        guest = profile()
        if not guest.erased_at:
            assert is_stored("Ludmilla Pavlova"), "nothing is erased"
            assert verify() == ("", True)
        elif guest.erasing_by:
            assert NOT_COMPLETE in verify()[0], number
        if go_on == "form" or not guest.erased_at:
            commands.erase_guest(guest, "mary")
        else:
            assert (NOT_COMPLETE in verify("--repair")[0]) == bool(guest.erasing_by)
        assert_erased()
    assert number == 12, (
        "a transaction, a Query, three entries, two Queries, an order with its history, a note that goes"
    )


def test_the_pages_say_that_an_erasure_is_not_complete_and_offer_to_go_on(eraser: Client) -> None:
    assert interrupt(3)
    page = ListMarkup(eraser.get(GUEST).content)
    assert "not complete" in page.text(".notice")
    assert page.soup.select(f".notice a[href='{ERASE}']")
    form = ListMarkup(eraser.get(ERASE).content)
    assert "mary began to erase this guest" in form.text("form.entries")
    response = eraser.post(ERASE, {"revision": form.element("input[name=revision]")["value"]}, follow=True)
    assert "personal data was erased" in response.content.decode()
    assert "not complete" not in response.content.decode()
    assert_erased()


def test_an_edit_of_a_guest_finishes_the_erasure_first(eraser: Client) -> None:
    assert interrupt(3)
    form = ListMarkup(eraser.get(f"{GUEST}edit/").content)
    revision = form.element("input[name=revision]")["value"]
    assert eraser.post(f"{GUEST}edit/", {"name": "New Person", "revision": revision}).status_code == 302
    assert not is_stored(*PERSONAL)
    assert (profile().name, profile().erased_at, profile().erasing_by) == ("New Person", None, "")
    assert changes(all_entries()[-1]) == [("name", ERASED_NAME, "New Person")]
    commands.finish_erasure(replace(profile(), revision=4, erasing_by="mary"))
    assert profile().name == "New Person", "who comes late changes no profile"
    assert verify() == ("", True)


def test_a_history_that_was_restored_after_the_erasure_is_found() -> None:
    commands.erase_guest(profile(), "mary")
    commands.edit_guest(profile(), replace(profile(), name="Ludmilla Pavlova"), "alice")
    edited = profile()
    with answering(lambda **_: refusal("InternalServerError"), "Query"), pytest.raises(Unavailable):
        commands.erase_guest(edited, "mary")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(commands, "erase_values", lambda *_, **__: 0)
        commands.finish_erasure(profile())
    assert not profile().erasing_by
    assert any(with_values(["guest#alex"]))
    assert_found_and_mended()


@contextmanager
def erased_before_the_first(operation: str) -> Iterator[None]:
    """Erase the guest just before the first such request goes out."""
    left = [profile()]

    def respond(**_: Any) -> None:
        if left:
            commands.erase_guest(left.pop(), "mary")

    with answering(respond, operation):
        yield
    assert not left


@pytest.mark.parametrize("name", ["Alex Doe", ERASED_NAME], ids=["a name", "the name of the erased"])
def test_an_order_that_is_placed_meanwhile_does_not_bring_the_name_back(name: str) -> None:
    make_hotel()
    commands.edit_guest(profile(), replace(profile(), name=name), "mary")
    with erased_before_the_first("TransactWriteItems"), pytest.raises(Conflict, match="was erased"):
        commands.place_order(make_order("o-2"), "alice")
    assert commands.save_orders([make_order("o-2")])[1].keys() == {"o-2"}, "nobody orders for them"
    assert not is_stored(*PERSONAL)
    assert verify() == ("", True)


def test_a_name_that_an_order_still_has_is_found() -> None:
    """Such as one of a restored backup."""
    commands.erase_guest(profile(), "mary")
    key = {"PK": {"S": "USER#alex"}, "SK": {"S": "ORDER#o-1"}}
    named = {":name": {"S": "Ludmilla Pavlova"}}
    client().update_item(
        TableName=models.TABLE, Key=key, UpdateExpression="SET guest_name = :name", ExpressionAttributeValues=named
    )
    assert_found_and_mended()


def test_a_note_that_the_history_of_an_order_still_has_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:  # as a table of the history that was restored
        patch.setattr(commands, "erase_values", lambda things, fields=(): fields or erase_values(things))
        commands.erase_guest(profile(), "mary")
    assert_found_and_mended()
