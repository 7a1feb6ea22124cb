"""A form that is sent twice is saved once: one after the other, or at the same time, as by a double click.

Both answers say that it is saved, the history has it once, and the user is told once.
"""

from typing import Any

import pytest
from django.test import Client

from dynamodb_lists.tests.helpers.answers import answering
from dynamodb_lists.tests.helpers.examples import usual
from tests.helpers.forms import KINDS, filled_in
from tests.helpers.forms import fill as fill_examples
from tests.helpers.history import all_entries
from tests.helpers.lost_answers import stored
from tests.helpers.markup import ListMarkup
from tests.helpers.pages import FORMS
from tests.helpers.rooms import ABC

fill = fill_examples
pytestmark = pytest.mark.django_db
ADD_ROOM = f"/hotels/{ABC}/rooms/add/"
CHANGES = ("edit_", "erase_", "delete_", "reply")
EDITS = [name for name in FORMS if name.partition(":")[2].startswith(CHANGES) and "saved_views" not in name]


def told(client: Client) -> list[str]:
    """The messages on the next page."""
    page = ListMarkup(client.get("/hotels/").content)
    return [message.get_text(" ", strip=True) for message in page.soup.select("#main ul.flex > li > div")]


@pytest.mark.parametrize("name", usual(FORMS, *KINDS))
def test_a_form_that_is_sent_twice_is_saved_and_told_once(manager: Client, name: str) -> None:
    address, entry = filled_in(manager, name)
    before = len(all_entries())
    first = manager.post(address, entry)
    after = stored()
    second = manager.post(address, entry)
    assert (first.status_code, second.status_code) == (302, 302)
    assert stored() == after
    assert len(all_entries()) == before + FORMS[name].recorded
    assert len(told(manager)) <= 1


@pytest.mark.parametrize("name", usual(EDITS, "rooms:edit_room", "orders:erase_guest", "reviews:delete_review"))
def test_a_form_that_is_sent_twice_at_once_is_saved_once(manager: Client, name: str) -> None:
    """The second one is sent when the first one is about to write."""
    address, entry = filled_in(manager, name)
    forms, statuses, before = [entry], list[int](), len(all_entries())

    def send(**_: Any) -> None:
        if forms:  # it writes, too, and must not send a third form
            statuses.append(manager.post(address, forms.pop()).status_code)

    with answering(send):
        statuses.append(manager.post(address, entry).status_code)
    assert statuses == [302, 302]
    assert len(all_entries()) == before + FORMS[name].recorded


def test_different_messages_are_all_shown(manager: Client) -> None:
    for number in ("9", "10"):
        manager.post(ADD_ROOM, {"number": number, "size": "9", "rate": "90", "currency": "EUR"})
    assert told(manager) == ["Room 9 was added. Undo this change", "Room 10 was added. Undo this change"]
