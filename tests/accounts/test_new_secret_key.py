"""A new secret key ends nothing while the former one is a fallback. What that one signed ends with it."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from dynamodb_lists.connection.configuration import secrets
from tests.accounts.test_authority import page_of
from tests.accounts.test_staff_page import link_of
from tests.conftest import logged_in
from tests.helpers.markup import ListMarkup
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
ROOMS = f"/hotels/{ABC}/rooms/"


@pytest.fixture
def restarted() -> Iterator[Callable[[], None]]:
    """What a start of the server does: the package reads its secrets anew."""
    yield secrets.cache_clear
    secrets.cache_clear()


def test_what_a_former_key_has_signed_is_valid_while_it_is_a_fallback(
    restarted: Callable[[], None], admin_user: User, dana: User, settings: Any
) -> None:
    make_hotel([make_room(str(number)) for number in range(101, 141)])
    used, unused = logged_in(admin_user), logged_in(admin_user)
    link = link_of(used.get(page_of(dana, "password-link")).content)
    following = str(ListMarkup(used.get(ROOMS).content).element("a[rel=next]")["href"])
    assert following

    def valid(browser: Client) -> list[bool]:
        answers = [browser.get(ROOMS), browser.get(f"{ROOMS}?{following.partition('?')[2]}"), Client().get(link)]
        return [answer.status_code == wanted for answer, wanted in zip(answers, (200, 200, 302), strict=True)]

    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "Zx8-wcr3_Yu1" * 5
    restarted()
    assert valid(used) == [True, True, True]
    settings.SECRET_KEY_FALLBACKS = []
    restarted()
    assert valid(used) == [True, False, False], "the session was signed anew"
    assert not valid(unused)[0]
