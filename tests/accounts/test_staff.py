"""What a page asks about its user is read by one SQL query, and answers as Django does."""

from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from pytest_django import DjangoAssertNumQueries

from accounts import backends
from accounts.second_factor.devices import device_of
from hotels.staff_hotels import scope_of
from tests.helpers.logins import with_second_factor
from tests.helpers.people import DAILY_WORK, bind, join, permit
from tests.helpers.rooms import ABC
from tests.project.test_access import fill as fill_examples

fill = fill_examples
pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]


@pytest.fixture
def people(alice: User, mary: User, dana: User, admin_user: User) -> list[User]:
    """Users with rights from everywhere, hotels of each kind, and a second factor."""
    permit(mary, *DAILY_WORK)
    join(mary, "Auditor")
    mary.groups.add(Group.objects.create(name="Without permissions"))
    bind(mary, ABC, "xyz")
    bind(alice)
    with_second_factor(dana)
    return [alice, mary, dana, admin_user]


def test_rights_are_what_django_says_and_take_one_query(
    people: list[User], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for account in people:
        with django_assert_num_queries(1):
            user: Any = backends.read(account.pk)
            assert user.hotel_scope, user.has_perm("rooms.view_room")
        usual = User.objects.get(pk=account.pk)
        for rights in ("get_user_permissions", "get_group_permissions", "get_all_permissions"):
            assert getattr(user, rights)() == getattr(usual, rights)(), (account, rights)
        assert user.hotel_scope == scope_of(usual), account
        assert user.second_factor == getattr(device_of(usual), "pk", None), account
    assert backends.read(0) is None
