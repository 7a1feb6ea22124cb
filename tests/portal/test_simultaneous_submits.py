"""A form that is sent twice at the same time, as by a double click, is saved once, and both answers say that it is."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.test import Client

from orders.commands import create_guest
from orders.entities import Guest
from reviews.commands import reply_to_review
from tests.helpers.answers import answering
from tests.helpers.history import all_entries
from tests.helpers.markup import ListMarkup, entry_of
from tests.helpers.reviews import make_review, store, stored
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = pytest.mark.django_db
ROOM, GUEST, REVIEW = f"/hotels/{ABC}/rooms/101/", "/guests/alex/", "/reviews/r-1/"


@pytest.fixture(autouse=True)
def things(empty_tables: None) -> None:
    """A hotel with a room, a guest, and a review with a reply."""
    make_hotel([make_room("101")])
    create_guest(Guest("alex", "Alex"), "anna")
    store([make_review(title="First")])
    reply_to_review(stored(), "Thank you!", "anna")


@contextmanager
def sent_meanwhile(client: Client, path: str, entry: dict[str, str]) -> Iterator[list[int]]:
    """Send the form when another request is about to write; the status of the answer."""
    forms, statuses = [entry], list[int]()

    def send(**_: Any) -> None:
        if forms:  # it writes, too, and must not send a third form
            statuses.append(client.post(path, forms.pop()).status_code)

    with answering(send):
        yield statuses


@pytest.mark.parametrize(
    ("path", "change"),
    [
        (f"{ROOM}edit/", {"rate": "77.00", "view": "Garden"}),
        (f"{ROOM}delete/", {}),
        (f"/hotels/{ABC}/edit/", {"city": "Bergen"}),
        (f"{GUEST}edit/", {"name": "Sascha"}),
        (f"{GUEST}erase/", {}),
        (f"{REVIEW}edit/", {"title": "Second", "rating": "1"}),
        (f"{REVIEW}reply/", {"reply": "Come again!"}),
        (f"{REVIEW}reply/delete/", {}),
        (f"{REVIEW}delete/", {}),
    ],
)
def test_a_form_that_is_sent_twice_at_once_is_saved_once(manager: Client, path: str, change: dict[str, str]) -> None:
    entry = {**entry_of(ListMarkup(manager.get(path).content)), **change}
    with sent_meanwhile(manager, path, entry) as first:
        second = manager.post(path, entry)
    assert [*first, second.status_code] == [302, 302]
    assert len([found for found in all_entries() if found.by == "mary"]) == 1
