"""What a change has ended stays ended when the change is taken back: links that set a password, and sessions."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.core.management.sql import emit_post_migrate_signal
from django.db import connection
from django.db.models import QuerySet
from django.test import Client
from django_otp.plugins.otp_totp.models import TOTPDevice
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.logins.passwords import LinkTokens
from dynamodb_lists.tests.helpers.examples import examples
from hotels.staff_hotels import EVERY, StaffHotel
from tests.accounts.test_authority import page_of
from tests.accounts.test_staff_page import link_of
from tests.conftest import logged_in
from tests.helpers.people import bind
from tests.helpers.rooms import ABC

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]


Change = tuple[Callable[[User], Any], Callable[[User], Any]]


def set_by_update(**values: Any) -> Change:
    """Return an update that loads no account, and its reversal."""

    def back(user: User) -> None:
        User.objects.filter(pk=user.pk).update(**{name: getattr(user, name) for name in values})

    return lambda user: User.objects.filter(pk=user.pk).update(**values), back


def set_by_save(name: str, value: Any) -> Change:
    def save(user: User, value: Any) -> None:
        stored = User.objects.get(pk=user.pk)
        setattr(stored, name, value)
        stored.save()

    return lambda user: save(user, value), lambda user: save(user, getattr(user, name))


def root() -> Client:
    return logged_in(User.objects.get(username="admin"))


def own_group() -> Group:
    return Group.objects.get(name="Own")


def permission() -> Permission:
    return Permission.objects.get(codename="view_room")


def devices(user: User) -> QuerySet[TOTPDevice]:
    found: QuerySet[TOTPDevice] = TOTPDevice.objects.filter(user=user)
    return found


DEVICE = {"name": "app", "confirmed": True}
ENDING: dict[str, Change] = {
    "deactivated": set_by_update(is_active=False),
    "deactivated by save": set_by_save("is_active", False),
    "no staff": set_by_update(is_staff=False),
    "password": set_by_update(password="!none"),
    "second factor": (
        lambda user: TOTPDevice.objects.create(user=user, **DEVICE),
        lambda user: devices(user).delete(),
    ),
    "second factor in steps": (
        lambda user: (TOTPDevice.objects.create(user=user, confirmed=False), devices(user).update(confirmed=True)),
        lambda user: (devices(user).update(confirmed=False), devices(user).delete()),
    ),
}
"""Changes after which somebody must log in again."""

OTHERS: dict[str, Change] = {
    "superuser": set_by_save("is_superuser", True),
    "e-mail": set_by_update(email="other@example.com"),
    "username": (
        lambda user: User.objects.filter(pk=user.pk).update(username=f"renamed-{user.pk}"),
        lambda user: User.objects.filter(pk=user.pk).update(username=user.username),
    ),
    "role": (lambda user: user.groups.add(own_group()), lambda user: user.groups.remove(own_group())),
    "a new role that is deleted": (
        lambda user: user.groups.add(Group.objects.get_or_create(name="Short")[0]),
        lambda _: Group.objects.filter(name="Short").delete(),
    ),
    "what the role may do": (
        lambda _: Group.objects.get(name="Common").permissions.add(permission()),
        lambda _: Group.objects.get(name="Common").permissions.clear(),
    ),
    "permission": (
        lambda user: user.user_permissions.set([permission()]),
        lambda user: user.user_permissions.clear(),
    ),
    "hotel": (
        lambda user: StaffHotel.objects.bulk_create([StaffHotel(user=user, hotel_id="new")]),
        lambda user: StaffHotel.objects.filter(user=user, hotel_id="new").delete(),
    ),
    "another hotel in its place": (
        lambda user: StaffHotel.objects.filter(user=user, hotel_id=ABC).update(hotel_id="other"),
        lambda user: StaffHotel.objects.filter(user=user, hotel_id="other").update(hotel_id=ABC),
    ),
    "every hotel": (
        lambda user: StaffHotel.objects.create(user=user, hotel_id=EVERY),
        lambda user: StaffHotel.objects.filter(user=user, hotel_id=EVERY).delete(),
    ),
}
"""Changes that take effect with the next page, in sessions that stay."""


def state_of(user: User) -> list[Any]:
    stored = User.objects.filter(pk=user.pk)
    held = ("groups", "groups__permissions", "user_permissions", "staff_hotels__hotel_id", "totpdevice")
    return [*stored.values(), *(sorted(map(str, stored.values_list(each, flat=True))) for each in held)]


@pytest.fixture
def people(admin_user: User, dana: User, mary: User) -> tuple[User, User]:
    """An account, and who makes a link for it."""
    Group.objects.create(name="Own")
    common = Group.objects.create(name="Common")
    for user in (dana, mary):
        bind(user, ABC)
        user.groups.add(common)
    return User.objects.get(pk=dana.pk), User.objects.get(pk=mary.pk)


Chosen = list[tuple[str, bool]]
changes = st.tuples(st.sampled_from([*ENDING, *OTHERS]), st.booleans())


def test_links_and_sessions_stay_ended(people: tuple[User, User]) -> None:
    """Change the account itself, and then the author of the link, in turns."""
    for number, name in enumerate([*ENDING, *OTHERS]):
        assert_ended(people, [(name, number % 2 == 0)])


@settings(max_examples=examples(8))
@given(st.lists(changes, min_size=2, max_size=4, unique=True))
def test_they_stay_ended_whatever_else_is_changed(people: tuple[User, User], chosen: Chosen) -> None:
    assert_ended(people, chosen)


def assert_ended(people: tuple[User, User], chosen: Chosen) -> None:
    """Check what is ended after these changes are made, and taken back in reverse order."""
    tokens, before = LinkTokens(people[1]), [*map(state_of, people)]
    token, browsers = tokens.make_token(people[0]), [*map(logged_in, people)]
    assert tokens.check_token(people[0], token)
    for name, of_maker in chosen:
        do, _ = (ENDING | OTHERS)[name]
        do(people[of_maker])
    for name, of_maker in reversed(chosen):
        _, back = (ENDING | OTHERS)[name]
        back(people[of_maker])
    assert [*map(state_of, people)] == before, chosen
    assert not tokens.check_token(people[0], token), chosen
    for number, browser in enumerate(browsers):
        ended = any(name in ENDING and of_maker == number for name, of_maker in chosen)
        assert browser.get("/history/mine/")["Location"].startswith("/admin/login/" if ended else "/history/staff/")


@pytest.mark.parametrize("who", ["the account", "who made it", "who made it is deleted"])
def test_a_link_is_as_dead_on_its_page(people: tuple[User, User], client: Client, admin_user: User, who: str) -> None:
    link = link_of(root().get(page_of(people[0], "password-link")).content)
    opened = client.get(link)["Location"]
    if who == "who made it is deleted":
        admin_user.delete()
    else:
        for change in ENDING["deactivated"]:
            change(people[0] if who == "the account" else admin_user)
    client.post(opened, {"new_password1": "Xq7!hotel-sea", "new_password2": "Xq7!hotel-sea"})
    assert not User.objects.get(pk=people[0].pk).has_usable_password()
    assert "does not work any more" in Client().get(link, follow=True).content.decode()


def test_a_migration_that_rebuilds_a_table_leaves_the_triggers(people: tuple[User, User]) -> None:
    table = User._meta.db_table
    on = f" ON {table}" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER accounts_changes_1_update{on}")
    emit_post_migrate_signal(0, False, "default")
    browser = logged_in(people[0])
    for change in ENDING["deactivated"]:
        change(people[0])
    assert browser.get("/history/mine/")["Location"].startswith("/admin/login/")
