"""What the portal can know of a write whose answer is lost, by what became of each attempt.

One form stands for all; ``test_lost_answers`` has every form. All faults are made by a real proxy before the engine.
The package tests answers that are late, and the storm all ways in which they are lost.
"""

from collections.abc import Mapping
from typing import Any

import pytest
from django.test import Client

from dynamodb_lists import Refused
from dynamodb_lists.connection.errors import MAYBE_WRITTEN
from dynamodb_lists.tests.helpers.answers import answer, answering, cancelled, refusal
from portal.error_pages import NOTHING_DONE, UNKNOWN_OUTCOME
from rooms import commands
from tests.helpers.history import all_entries
from tests.helpers.kinds import assert_all_in_step
from tests.helpers.lost_answers import WRITES, again, notice
from tests.helpers.proxy import Fault, Proxy
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("impatient"), pytest.mark.django_db]
ROOM = {"number": "102", "view": "Sea view", "size": "30", "type": "Suite", "rate": "100", "currency": "EUR"}


def fill() -> None:
    """A hotel with a room."""
    make_hotel([make_room("101")])


def add_room(portal: Client, form: Mapping[str, str] = ROOM) -> Any:
    return portal.post(f"/hotels/{ABC}/rooms/add/", form)


def assert_added_once() -> None:
    assert [entry.thing for entry in all_entries()].count(f"room#{ABC}#102") == 1
    assert_all_in_step()


# --- Every way to lose an answer ------------------------------------------------------------------------


def test_half_of_an_answer_is_no_answer(portal: Client, proxy: Proxy) -> None:
    with proxy.failing(Fault.CUT, *WRITES):
        response = add_room(portal)
    assert UNKNOWN_OUTCOME in notice(response)
    assert response["Retry-After"]
    assert add_room(portal, again(response)).status_code == 302
    assert_added_once()


def test_an_answer_that_is_lost_once_is_not_noticed(portal: Client, proxy: Proxy) -> None:
    """The SDK sends the transaction again, with the same token."""
    with proxy.failing(Fault.LOSE, *WRITES, times=1) as failing:
        assert add_room(portal).status_code == 302
    assert failing.met == 1
    assert_added_once()


@pytest.mark.parametrize(("operation", "fault"), [("GetItem", Fault.CUT), ("Query", Fault.BLANK)])
def test_a_read_that_is_cut_short_is_no_missing_item(
    portal: Client, proxy: Proxy, operation: str, fault: Fault
) -> None:
    """botocore takes such an answer for one without items: a user was logged out, and a room was a 404."""
    with proxy.failing(fault, operation):
        assert portal.get(f"/hotels/{ABC}/rooms/").status_code == 503
    assert portal.get(f"/hotels/{ABC}/rooms/").status_code == 200


# --- What is certain ------------------------------------------------------------------------------------


@pytest.mark.parametrize("when", ["session is read", "room is written"])
def test_a_request_that_was_never_sent_has_changed_nothing(portal: Client, proxy: Proxy, when: str) -> None:
    operation = "GetItem" if when == "session is read" else "TransactWriteItems"
    with answering(lambda **_: proxy.stop(), operation):
        response = add_room(portal)
    proxy.start()
    assert NOTHING_DONE in notice(response)
    assert UNKNOWN_OUTCOME not in notice(response)
    assert add_room(portal, again(response)).status_code == 302
    assert_added_once()


@pytest.mark.parametrize("code", ["ThrottlingException", "AccessDenied"])
def test_a_request_that_was_refused_has_changed_nothing(portal: Client, code: str) -> None:
    with answering(lambda **_: refusal(code)):
        response = add_room(portal)
    assert NOTHING_DONE in notice(response)
    assert UNKNOWN_OUTCOME not in notice(response)


def test_a_refusal_after_a_lost_answer_says_nothing_of_the_first_attempt(portal: Client, proxy: Proxy) -> None:
    with (
        proxy.failing(Fault.LOSE, *WRITES, times=1) as failing,
        answering(lambda **_: refusal("AccessDenied") if failing.met else None),
    ):
        response = add_room(portal)
    assert UNKNOWN_OUTCOME in notice(response)
    assert_added_once()


def test_the_doubt_stays_while_the_form_is_sent_again_in_vain(portal: Client, proxy: Proxy) -> None:
    with proxy.failing(Fault.LOSE, *WRITES):
        response = add_room(portal)
    proxy.stop()
    for _ in range(2):
        response = add_room(portal, again(response))
        assert UNKNOWN_OUTCOME in notice(response)
    proxy.start()
    assert add_room(portal, again(response)).status_code == 302
    assert_added_once()


@pytest.mark.parametrize(
    ("status", "code"), [(500, "InternalServerError"), (502, ""), (400, "TransactionInProgressException")]
)
def test_an_error_of_the_server_or_of_a_proxy_leaves_it_open(portal: Client, status: int, code: str) -> None:
    with answering(lambda **_: answer(status, __type=code, message="")):
        assert UNKNOWN_OUTCOME in notice(add_room(portal))


def test_a_doubt_of_an_earlier_attempt_is_in_the_error(portal: Client, proxy: Proxy) -> None:
    """The SDK's attempts end with a conflict, so the transaction is sent again; that attempt is refused."""
    after = iter([cancelled("TransactionConflict"), refusal("AccessDenied")])
    with (
        proxy.failing(Fault.LOSE, *WRITES, times=1) as failing,
        answering(lambda **_: next(after) if failing.met else None),
        pytest.raises(Refused, match=MAYBE_WRITTEN),
    ):
        commands.create_room(make_room("102"), "mary")
    assert_added_once()


def test_a_page_that_only_reads_says_nothing_of_changes(portal: Client, proxy: Proxy) -> None:
    with proxy.failing(Fault.CLOSE):
        words = notice(portal.get("/hotels/"))
    assert UNKNOWN_OUTCOME not in words
    assert NOTHING_DONE not in words
