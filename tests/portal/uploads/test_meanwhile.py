"""What is confirmed is what was shown: an import writes no row that somebody else has changed since the check."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal

import pytest
from django.test import Client

from dynamodb_lists import Change, Write
from dynamodb_lists.writing import changes
from orders import commands as order_commands
from orders import queries as orders
from orders.lists import stored_order
from orders.statuses import Status
from portal.uploads.steps import ConfirmedRows
from reviews import queries as reviews
from rooms import commands
from rooms import queries as rooms
from rooms.entities import Room, StatusChange
from rooms.statuses import Housekeeping
from tests.helpers.orders import make_order
from tests.helpers.orders import store as store_orders
from tests.helpers.reviews import make_review
from tests.helpers.reviews import store as store_reviews
from tests.helpers.rooms import ABC, assert_in_step, make_room
from tests.helpers.uploads import (
    ORDERS,
    REVIEWS,
    counts,
    finish,
    line,
    order_line,
    reviews_file,
    rooms_file,
    send,
    told,
)
from tests.helpers.uploads import fill as fill_examples
from tests.helpers.writes import delete_room, edit_review, edit_room

fill = fill_examples
pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
FILE = rooms_file(line("101"), line("102"), line("103"))


def change_rate(number: str, rate: int) -> None:
    before = rooms.room(ABC, number, consistent=True)
    edit_room(before, replace(before, rate=Decimal(rate)), "zoe")


def clean(number: str) -> None:
    commands.set_status(ABC, number, StatusChange(housekeeping=Housekeeping.DIRTY), "zoe")


def remove(number: str) -> None:
    delete_room(rooms.room(ABC, number, consistent=True), "zoe")


def renumber(number: str, becomes: str) -> None:
    before = rooms.room(ABC, number, consistent=True)
    edit_room(before, replace(before, number=becomes), "zoe")


def replace_room(number: str) -> None:
    """Delete a room, and add another room with its number. The new room never has an old revision, as in production."""
    remove(number)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(changes, "first_revision", lambda: 1_800_000_000_000)
        commands.create_room(make_room(number, view="Garden"), "zoe")


def add(number: str) -> None:
    commands.create_room(make_room(number, rate=Decimal(77)), "zoe")


@pytest.mark.parametrize(
    ("number", "change", "became", "late"),
    [
        ("101", lambda: change_rate("101", 300), {"added": 1, "changed": 1, "same": 0}, False),
        ("102", lambda: clean("102"), {"added": 1, "changed": 0, "same": 1}, True),
        ("102", lambda: replace_room("102"), {"added": 1, "changed": 0, "same": 1}, True),
        ("102", lambda: renumber("102", "110"), {"added": 1, "changed": 0, "same": 1}, True),
        ("101", lambda: renumber("101", "110"), {"added": 1, "changed": 1, "same": 0}, False),
        ("103", lambda: add("103"), {"added": 0, "changed": 1, "same": 1}, False),
        ("103", lambda: add("103"), {"added": 0, "changed": 1, "same": 1}, True),
    ],
    ids=["same, changed", "status", "replaced", "renumbered", "same, renumbered", "added", "added within it"],
)
def test_what_others_changed_meanwhile_stays_and_is_told(  # noqa: PLR0913
    manager: Client,
    monkeypatch: pytest.MonkeyPatch,
    number: str,
    change: Callable[[], None],
    became: dict[str, int],
    late: bool,
) -> None:
    address, written = send(manager, FILE), list[dict[tuple[str, str], Room]]()
    assert counts(manager, address) == {"added": 1, "changed": 1, "same": 1, "refused": 0}

    def now() -> None:
        change()
        written.append(rooms.rooms_as_stored([(ABC, number)]))

    usual = ConfirmedRows.also

    def late_change(rows: ConfirmedRows, changes: Sequence[Change[Room]], by: object) -> list[Write]:
        if not written:
            now()
        return usual(rows, changes, by)

    if late:  # within the import, between the read of the stored rooms and their transaction
        monkeypatch.setattr(ConfirmedRows, "also", late_change)
    else:
        now()
    assert finish(manager, address) == {**became, "refused": 0, "meanwhile": 1}
    assert rooms.rooms_as_stored([(ABC, number)]) == written[0], "the other's change stays"
    assert_in_step()
    (row,) = told(manager, address)
    assert row[1:] == (f"abc · {number}", "Not imported", "others changed it meanwhile")
    address = send(manager, FILE)
    wanted = {"added": 1, "changed": 0} if not written[0] else {"added": 0, "changed": 1}
    assert counts(manager, address) == {**wanted, "same": 2, "refused": 0}
    assert finish(manager, address)["changed"] == wanted["changed"]
    assert rooms.room(ABC, number, consistent=True).rate == Decimal("120.50")


def test_a_preview_that_is_loaded_again_says_what_was_changed_since(manager: Client) -> None:
    address = send(manager, FILE)
    change_rate("101", 300)
    assert told(manager, address)[0][2:] == ("Not imported", "others changed it meanwhile")
    assert counts(manager, send(manager, FILE))["changed"] == 2
    assert rooms.room(ABC, "101", consistent=True).rate == 300


def test_orders_and_reviews_that_others_changed_meanwhile_stay(manager: Client) -> None:
    store_orders([make_order("o-1", "alex")])
    address = send(manager, order_line("o-1", "alex", "SHIPPED"), ORDERS)
    order_commands.take_step(orders.order("o-1"), Status.CANCELLED, "zoe")
    done = finish(manager, address)
    assert (done["changed"], done["refused"]) == (0, 1), "a cancelled order is never shipped"
    assert stored_order("o-1").status == Status.CANCELLED
    store_reviews([make_review("r-1", rating=5, author="Ann", title=""), make_review("r-2", rating=2, author="Ann")])
    address = send(manager, reviews_file(1, 2), REVIEWS)
    for review_id in ("r-1", "r-2"):
        before = reviews.review(review_id, consistent=True)
        edit_review(before, replace(before, title="Mended"), "zoe")
    assert finish(manager, address) == {"added": 0, "changed": 0, "same": 0, "refused": 0, "meanwhile": 2}
    assert {reviews.review(each, consistent=True).title for each in ("r-1", "r-2")} == {"Mended"}
