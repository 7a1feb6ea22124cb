"""A room belongs to a person who cleans in the hotel now. Rooms of former cleaners have nobody, on all pages."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client

from dynamodb_lists.schema.keys import now
from portal.lists.views import ListPage
from rooms import commands
from rooms.entities import BulkChange, RoomAction
from tests.helpers.addresses import addresses
from tests.helpers.contents import Fill
from tests.helpers.days import CLEANED, RUSHED, TO_CLEAN, UNDISTURBED, URGENT, make_days, make_housekeeper, on
from tests.helpers.markup import get
from tests.helpers.orders import make_order, store
from tests.helpers.pages import EXAMPLES
from tests.helpers.people import bind
from tests.helpers.reviews import make_review
from tests.helpers.reviews import store as store_reviews
from tests.helpers.rooms import ABC

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
PLAN, MINE = f"/hotels/{ABC}/plan/", f"/hotels/{ABC}/my-rooms/"
NAME = "Zoe Abel"


@pytest.fixture
def filling() -> Fill | None:
    return None  # of people, who are in SQL


@pytest.fixture
def people(empty_tables: None) -> tuple[User, User]:
    return make_days()


def again(user: User) -> None:
    """Delete an account, and give its name to another one."""
    user.delete()
    make_housekeeper("amy.2", NAME)


def end(user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


LEAVING: dict[str, Callable[[User], object]] = {
    "ended": end,
    "no staff": lambda user: User.objects.filter(pk=user.pk).update(is_staff=False),
    "no hotel": bind,
    "another hotel": lambda user: bind(user, "xyz"),
    "no role": lambda user: user.groups.clear(),
    "deleted": lambda user: user.delete(),
    "made anew": again,
}
"""How somebody leaves who has rooms today."""


def test_rooms_of_somebody_who_has_left_are_with_nobody(manager: Client, people: tuple[User, User]) -> None:
    shares, unassigned, zoe = ".shares li [href]", f"{PLAN}?status=unassigned", people[0]
    dirty = [number for day in ("yesterday", "today", "tomorrow") for number in on(day, TO_CLEAN, URGENT, UNDISTURBED)]
    dirty = [number for number in dirty if number not in on("today", UNDISTURBED)]  # nobody cleans it today
    assert [link.text for link in get(manager, PLAN).soup.select(shares)] == ["Amy Zorn", NAME]
    assert not {*on("today", TO_CLEAN, UNDISTURBED)} & {*get(manager, unassigned).rows}
    for how, leave in LEAVING.items():
        before = transaction.savepoint()
        leave(User.objects.get(pk=zoe.pk))
        page = get(manager, PLAN)
        assert [link.text for link in page.soup.select(shares)] == ["Amy Zorn"], how
        assert f"Not assigned ({len(dirty)}+)" in page.text("main"), how
        transaction.savepoint_rollback(before)
    end(zoe)
    assert get(manager, unassigned).rows == dirty
    assert get(manager, f"{PLAN}?status=assigned").rows == on("today", CLEANED, RUSHED)
    assert get(manager, f"{PLAN}?status=do-not-disturb").rows == on("today", UNDISTURBED), "still not to be disturbed"


def named(client: Client) -> set[str]:
    """Return the pages and exports that name Zoe, but for those about accounts and about the past."""
    others = [f"{PLAN}?status={tab}" for tab in ("assigned", "rush", "do-not-disturb")]
    others += [f"/hotels/{ABC}/rooms/change/?room=201&new-first=assign"]
    for address in addresses():
        if {*address.kwargs} <= EXAMPLES.keys() and not address.name.startswith(("history:", "accounts:", "uploads:")):
            url = address.with_values(number=on("today", TO_CLEAN)[0])
            others += [url, f"{url}?format=csv"] if issubclass(address.page, ListPage) else [url]
    return {url for url in others if names_zoe(client, url)}


def names_zoe(client: Client, url: str) -> bool:
    text = b"".join(client.get(url)).decode(errors="replace")
    return any(each in text for each in (NAME, '"amy"', ",amy,"))


def test_no_page_and_no_file_names_somebody_who_has_left(manager: Client, people: tuple[User, User]) -> None:
    commands.ask_for(ABC, BulkChange(EXAMPLES["change_id"], RoomAction.UNASSIGN, "201", "anna", now()))
    store([make_order()])
    store_reviews([make_review()])
    before = named(manager)
    assert before >= {PLAN, *(f"/hotels/{ABC}/{page}" for page in ("rooms/?format=csv", "attention/", "rooms/201/"))}
    end(people[0])
    assert not {url for url in before if names_zoe(manager, url)}
