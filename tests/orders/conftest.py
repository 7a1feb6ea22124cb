"""Fixtures of tests of orders."""

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from tests.conftest import logged_in
from tests.helpers.orders import assert_orders_in_step
from tests.helpers.people import DAILY_WORK, permit, show_every_hotel


@pytest.fixture
def in_step(empty_tables: None) -> Iterator[None]:
    """Check after the test that orders, items, indexes, words and counts agree."""
    yield
    assert_orders_in_step()


@pytest.fixture
def eraser(empty_tables: None, alice: User) -> Client:
    """Alice's browser. She may erase guests."""
    alice.user_permissions.add(Permission.objects.get(codename="erase_guest"))
    return logged_in(alice)


@pytest.fixture
def bob(db: None) -> Client:
    """The browser of another member of staff, who may do what alice may."""
    user = show_every_hotel(User.objects.create_user("bob", is_staff=True))
    permit(user, *DAILY_WORK)
    return logged_in(user)
