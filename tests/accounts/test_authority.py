"""A user administrator gives only what she has, and changes only who has no more, on every way to do it."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.test import Client
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts.recording import recorded
from portal.models import EveryHotel, StaffHotel
from tests.conftest import logged_in
from tests.helpers.accounts import form_of
from tests.helpers.logins import with_second_factor
from tests.helpers.markup import ListMarkup
from tests.helpers.people import bind, join, portal_permissions, show_every_hotel
from tests.helpers.rooms import ABC, make_hotel

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
OWN = ("rooms.view_room", "orders.view_guest")
ACCOUNTS = {f"auth.{action}_{thing}" for action in ("view", "add", "change", "delete") for thing in ("user", "group")}
LIST, GROUPS = "/admin/auth/user/", "/admin/auth/group/"
NEW = {"username": "new", "reach": "none", "is_active": "on", "is_staff": "on", "password1": "Xq7!hotel-sea"}
PASSWORD = {"password1": "Xq7!hotel-sea", "password2": "Xq7!hotel-sea", "usable_password": "true"}


def permission(name: str) -> Permission:
    app, _, codename = name.partition(".")
    return Permission.objects.get(content_type__app_label=app, codename=codename)


def give(user: User, *names: str) -> None:
    user.user_permissions.add(*map(permission, names))


@pytest.fixture
def ursula(db: Any) -> User:
    """A user administrator, who sees rooms and guests."""
    ursula = show_every_hotel(User.objects.create_user("ursula", password="ursula", is_staff=True))
    give(ursula, *OWN, *ACCOUNTS)
    return ursula


@pytest.fixture
def browser(ursula: User) -> Client:
    """Ursula's browser."""
    return logged_in(ursula)


def page_of(user: User, page: str = "change") -> str:
    return f"{LIST}{user.pk}/{page}/"


def errors_of(response: Any) -> str:
    assert response.status_code == 200
    soup = ListMarkup(response.content).soup
    return " ".join(
        element.get_text(" ", strip=True) for element in soup.select(".errorlist, .text-red-600, .text-red-700")
    )


# --- What an account is given ---------------------------------------------------------------------------


def test_she_gives_what_she_has(browser: Client, ursula: User, dana: User) -> None:
    group = Group.objects.create(name="Rooms")
    group.permissions.add(permission("rooms.view_room"))
    given = [permission("orders.view_guest").pk]
    assert browser.post(page_of(dana), form_of(dana, groups=[group.pk], user_permissions=given)).status_code == 302
    assert dana.has_perms(OWN)
    assert browser.post(page_of(dana), form_of(dana, groups=[], user_permissions=[])).status_code == 302
    assert not User.objects.get(pk=dana.pk).get_all_permissions()


@pytest.mark.parametrize("who", ["herself", "dana"])
def test_nobody_makes_a_superuser(browser: Client, ursula: User, dana: User, who: str) -> None:
    user = ursula if who == "herself" else dana
    page = ListMarkup(browser.get(page_of(user)).content)
    assert page.element("input[name=is_superuser]").has_attr("disabled")
    assert len(page.soup.select("[name=user_permissions] option")) == len(OWN) + len(ACCOUNTS)
    answer = browser.post(page_of(user), form_of(user, is_superuser="on"))
    assert "Only a superuser may make somebody a superuser" in errors_of(answer)
    answer = browser.post(f"{LIST}add/", {**NEW, "is_superuser": "on"})
    assert "Only a superuser may make somebody a superuser" in errors_of(answer)
    assert not User.objects.filter(is_superuser=True).exists()
    assert not User.objects.filter(username="new").exists()


@pytest.mark.parametrize("who", ["herself", "dana"])
def test_she_gives_no_permission_and_no_group_that_she_lacks(
    browser: Client, ursula: User, dana: User, mary: User, who: str
) -> None:
    user = ursula if who == "herself" else dana
    before = user.get_all_permissions()
    own = list(user.user_permissions.values_list("pk", flat=True))
    answer = browser.post(page_of(user), form_of(user, user_permissions=[*own, permission("rooms.delete_room").pk]))
    assert "You cannot give what you lack: Can delete room." in errors_of(answer)
    more = {"groups": [Group.objects.get(name="Manager").pk], "user_permissions": own}
    answer = browser.post(f"{LIST}add/", {**NEW, **more})
    assert "The group “Manager” has permissions that you lack" in errors_of(answer)
    assert not User.objects.filter(username="new").exists()
    answer = browser.post(page_of(user), form_of(user, groups=[Group.objects.get(name="Manager").pk]))
    words = r"The group “Manager” has permissions that you lack: (Can [^,.]+, ){4}Can [^,.]+ and \d+ more\."
    assert re.search(words, errors_of(answer))
    assert User.objects.get(pk=user.pk).get_all_permissions() == before


# --- Whose account she changes --------------------------------------------------------------------------


@pytest.fixture(params=["superuser", "more", "more by a group", "deactivated"])
def above(request: pytest.FixtureRequest, db: Any) -> User:
    """An account that is above ursula's."""
    user = User.objects.create_user("above", password="above", is_staff=True, is_superuser=request.param == "superuser")
    if request.param.startswith("more by"):
        join(user, "Manager")
    else:
        give(user, "rooms.delete_room")
    user.is_active = request.param != "deactivated"
    user.save()
    with_second_factor(user)
    return user


def test_she_changes_nobody_who_has_more(browser: Client, above: User) -> None:
    page = browser.get(page_of(above))
    assert page.status_code == 200
    assert "permissions that you lack" in page.content.decode() or "may change a superuser" in page.content.decode()
    assert not ListMarkup(page.content).soup.select("main [name=username], [name=is_active], [name=_save]")
    assert "with 10 backup codes left" in page.content.decode()
    assert "Reset it" not in page.content.decode()
    before = User.objects.values().get(pk=above.pk)
    posts: list[tuple[str, dict[str, Any]]] = [
        (page_of(above), form_of(above, username="taken")),
        (page_of(above, "password"), {**PASSWORD, "set-password": "1"}),
        (page_of(above, "delete"), {"post": "yes"}),
        (page_of(above, "second-factor"), {}),
        (page_of(above, "password-link"), {}),
        (LIST, {"action": "delete_selected", "_selected_action": [str(above.pk)], "post": "yes"}),
    ]
    for url, form in posts:
        assert browser.post(url, form).status_code == 403, url
    assert browser.get(page_of(above, "password")).status_code == 403
    assert User.objects.values().get(pk=above.pk) == before
    assert TOTPDevice.objects.filter(user=above).exists()


def test_the_action_for_many_deletes_all_or_none(browser: Client, admin_user: User, dana: User, charlie: User) -> None:
    def delete(*users: User) -> int:
        form = {"action": "delete_selected", "_selected_action": [str(user.pk) for user in users], "post": "yes"}
        return browser.post(LIST, form).status_code

    assert delete(dana, admin_user) == 403
    assert User.objects.filter(pk__in=[dana.pk, admin_user.pk]).count() == 2
    assert delete(dana, charlie) == 302
    assert not User.objects.filter(pk__in=[dana.pk, charlie.pk]).exists()


def test_she_changes_who_has_no_more(browser: Client, dana: User) -> None:
    with_second_factor(dana)
    assert browser.post(page_of(dana, "password"), {**PASSWORD, "set-password": "1"}).status_code == 302
    assert User.objects.get(pk=dana.pk).check_password(PASSWORD["password1"])
    assert browser.post(page_of(dana, "second-factor")).status_code == 302
    assert not TOTPDevice.objects.exists()
    assert browser.post(page_of(dana, "delete"), {"post": "yes"}).status_code == 302


def test_the_permission_to_see_accounts_changes_none(browser: Client, ursula: User, dana: User) -> None:
    ursula.user_permissions.remove(permission("auth.change_user"), permission("auth.delete_user"))
    for url in (page_of(dana), page_of(dana, "password"), page_of(dana, "delete"), page_of(dana, "second-factor")):
        assert browser.post(url, form_of(dana)).status_code == 403, url


@pytest.mark.parametrize(
    ("who", "field", "words"),
    [("ursula", "is_staff", "take away your own"), ("superuser", "is_active", "deactivate your own")],
)
def test_nobody_shuts_himself_out(ursula: User, admin_user: User, dana: User, who: str, field: str, words: str) -> None:
    user = ursula if who == "ursula" else admin_user
    browser, change = logged_in(user), {"is_superuser": "on"} if user.is_superuser else {}
    shut = {name: value for name, value in form_of(user, **change).items() if name != field}
    assert f"You cannot {words}" in errors_of(browser.post(page_of(user), shut))
    assert getattr(User.objects.get(pk=user.pk), field)
    assert browser.post(page_of(user), form_of(user, **change)).status_code == 302
    shut = {name: value for name, value in form_of(dana).items() if name != field}
    assert browser.post(page_of(dana), shut).status_code == 302, "somebody else"
    assert not getattr(User.objects.get(pk=dana.pk), field)


def test_the_own_account_is_not_deleted_and_its_password_needs_the_old_one(browser: Client, ursula: User) -> None:
    password = {"password1": "Xq7!hotel-sea", "password2": "Xq7!hotel-sea", "usable_password": "true"}
    answer = browser.post(f"/admin/auth/user/{ursula.pk}/password/", password)
    assert answer["Location"] == "/admin/password_change/"
    assert browser.post(f"/admin/auth/user/{ursula.pk}/delete/", {"post": "yes"}).status_code == 403
    assert User.objects.get(pk=ursula.pk).password == ursula.password


def test_no_page_shows_parts_of_a_password(browser: Client, dana: User, admin_user: User) -> None:
    page = browser.get(page_of(dana)).content.decode()
    assert "No password is set." in page
    assert "../password/" in page
    dana.set_password("dana")
    dana.save()
    for user in (dana, admin_user):
        page = browser.get(page_of(user)).content.decode()
        assert "A password is set." in page
        assert not [part for part in ("salt", user.password.partition("$")[0]) if part in page]


# --- Groups ---------------------------------------------------------------------------------------------


def test_a_group_gets_what_she_has(browser: Client, ursula: User, mary: User) -> None:
    wanted = [permission("rooms.view_room").pk]
    assert browser.post(f"{GROUPS}add/", {"name": "Rooms", "permissions": wanted}).status_code == 302
    own = Group.objects.get(name="Rooms")
    ursula.groups.add(own)
    more = [*wanted, permission("rooms.delete_room").pk]
    for url in (f"{GROUPS}{own.pk}/change/", f"{GROUPS}add/"):
        answer = browser.post(url, {"name": "More", "permissions": more})
        assert "You cannot give what you lack: Can delete room." in errors_of(answer)
    assert not ursula.has_perm("rooms.delete_room")
    assert not Group.objects.filter(name="More").exists()


def test_a_group_that_has_more_is_not_hers(browser: Client, mary: User) -> None:
    manager = Group.objects.get(name="Manager")
    page = browser.get(f"{GROUPS}{manager.pk}/change/").content.decode()
    assert "permissions that you lack" in page
    assert browser.post(f"{GROUPS}{manager.pk}/change/", {"name": "Mine", "permissions": []}).status_code == 403
    assert browser.post(f"{GROUPS}{manager.pk}/delete/", {"post": "yes"}).status_code == 403
    form = {"action": "delete_selected", "_selected_action": [str(manager.pk)], "post": "yes"}
    assert browser.post(GROUPS, form).status_code == 403
    assert mary.has_perm("rooms.delete_room")


# --- Hotels ---------------------------------------------------------------------------------------------


@pytest.fixture
def bound(empty_tables: None, ursula: User) -> None:
    """Ursula is bound to the hotel abc. There is another one."""
    make_hotel()
    make_hotel(hotel_id="xyz", name="Hotel XYZ")
    bind(ursula, ABC)


def hotels_of(user: User) -> set[str]:
    return set(StaffHotel.objects.filter(user=user).values_list("hotel_id", flat=True))


@pytest.mark.usefixtures("bound")
def test_she_binds_to_her_hotels_alone(browser: Client, ursula: User) -> None:
    page = ListMarkup(browser.get(f"{LIST}add/").content).soup
    assert [box["value"] for box in page.select("[name=hotels][checked]")] == [ABC], "hers"
    assert [box["value"] for box in page.select("[name=reach]")] == ["some"]
    assert "Keep one of your hotels" in errors_of(browser.post(f"{LIST}add/", NEW))
    assert browser.post(f"{LIST}add/", {**NEW, "reach": "some", "hotels": [ABC]}).status_code == 302
    new = User.objects.get(username="new")
    assert hotels_of(new) == {ABC}
    for user in (new, ursula):
        for changes, words in (
            ({"reach": "some", "hotels": ["xyz"]}, "You do not see the hotel “xyz”"),
            ({"reach": "some", "hotels": [ABC], "other_hotels": "xyz"}, "You do not see the hotel “xyz”"),
            ({"reach": "some", "hotels": []}, "Select a hotel"),
            ({"reach": ""}, "Choose “Only these hotels” for those that are ticked"),
            ({"reach": "none"}, "Keep one of your hotels"),
            ({"reach": "every"}, "you cannot give every hotel"),
        )[:: 1 if user == new else 5]:
            assert words in errors_of(browser.post(page_of(user), form_of(user, **changes))), words
        assert hotels_of(user) == {ABC}
        assert not EveryHotel.objects.filter(user=user).exists()


def test_groups_are_changed_from_no_single_hotel(browser: Client, bound: None, dana: User) -> None:
    """The group's members are at any hotel. She may see it, and give it to those whom she may change."""
    bind(dana, ABC)
    group = Group.objects.create(name="Rooms")
    group.permissions.add(permission("rooms.view_room"))
    page = browser.get(f"{GROUPS}{group.pk}/change/")
    assert "Only who sees every hotel may change them" in page.content.decode()
    assert not ListMarkup(page.content).soup.select("main [name=permissions], [name=_save]")
    assert group.name in browser.get(GROUPS).content.decode()
    given = [permission("orders.view_guest").pk]
    posts: list[tuple[str, dict[str, Any]]] = [
        (f"{GROUPS}add/", {"name": "More", "permissions": given}),
        (f"{GROUPS}{group.pk}/change/", {"name": "Rooms", "permissions": given}),
        (f"{GROUPS}{group.pk}/change/", {"name": "Rooms"}),
        (f"{GROUPS}{group.pk}/delete/", {"post": "yes"}),
        (GROUPS, {"action": "delete_selected", "_selected_action": [str(group.pk)], "post": "yes"}),
    ]
    for url, form in posts:
        assert browser.post(url, form).status_code == 403, (url, form)
    assert [found.codename for found in group.permissions.all()] == ["view_room"]
    assert Group.objects.filter(name__in=["Rooms", "More"]).count() == 1
    assert browser.post(page_of(dana), form_of(dana, groups=[group.pk])).status_code == 302
    assert list(dana.groups.all()) == [group]


@pytest.mark.usefixtures("bound")
def test_she_changes_nobody_who_sees_other_hotels(browser: Client, dana: User, charlie: User) -> None:
    bind(charlie, "xyz")
    assert "You see only some" in browser.get(page_of(dana)).content.decode()
    assert browser.get(page_of(charlie)).status_code == 302, "who works elsewhere alone is not shown"
    assert "charlie" not in browser.get(LIST).content.decode()
    bind(charlie, ABC, "xyz")
    page = browser.get(page_of(charlie)).content.decode()
    assert "This account sees hotels that you do not see." in page
    with recorded(charlie, "root"):
        StaffHotel.objects.create(user=charlie, hotel_id="secret")
    for address in (page_of(charlie), LIST, "/history/account/charlie/", "/history/newest/account/charlie/"):
        shown = ListMarkup(browser.get(address, follow=True).content).soup.get_text(" ")
        assert not re.search("xyz|Xyz|XYZ|secret", shown), address
        assert re.search("Hotel ABC and 2 that you do not see|another hotel", shown), address
    for user in (dana, charlie):
        assert browser.post(page_of(user), form_of(user, ABC)).status_code == 403
        assert browser.post(page_of(user, "password"), {**PASSWORD, "set-password": "1"}).status_code == 403
    bind(dana, ABC)
    assert browser.get(page_of(charlie, "password-link")).status_code == 403
    assert browser.get(page_of(dana, "password-link")).status_code == 200
    assert browser.post(page_of(dana, "password"), {**PASSWORD, "set-password": "1"}).status_code == 302


@pytest.mark.usefixtures("bound")
def test_a_superuser_may_do_all_of_it(admin_user: User, dana: User) -> None:
    admin = logged_in(admin_user)
    offered = ListMarkup(admin.get(page_of(dana)).content).soup.select("[name=user_permissions] option")
    assert len(offered) == len(ACCOUNTS | portal_permissions())
    changes = {"is_superuser": "on", "user_permissions": [permission("rooms.delete_room").pk]}
    answer = admin.post(page_of(dana), form_of(dana, "xyz", **changes))
    assert answer.status_code == 302
    dana.refresh_from_db()
    assert dana.is_superuser
    assert hotels_of(dana) == {"xyz"}


# --- Links that set a password --------------------------------------------------------------------------

CHANGES: dict[str, Callable[[User], Any]] = {
    "superuser": lambda user: User.objects.filter(pk=user.pk).update(is_superuser=True),
    "staff": lambda user: User.objects.filter(pk=user.pk).update(is_staff=False),
    "username": lambda user: User.objects.filter(pk=user.pk).update(username="dan"),
    "e-mail": lambda user: User.objects.filter(pk=user.pk).update(email="dan@example.com"),
    "permission": lambda user: give(user, "rooms.delete_room"),
    "group": lambda user: user.groups.add(Group.objects.create(name="Empty")),
    "permission of a group": lambda user: user.groups.get().permissions.add(permission("rooms.delete_room")),
    "hotel": lambda user: bind(user, "other"),
    "every hotel": show_every_hotel,
    "who made it is gone": lambda _: User.objects.get(username="ursula").delete(),
    "who made it is shut out": lambda _: User.objects.filter(username="ursula").update(is_active=False),
    "who made it is no staff": lambda _: User.objects.filter(username="ursula").update(is_staff=False),
    "who made it has a new password": lambda _: User.objects.filter(username="ursula").update(password="!"),
    "who made it lost a hotel": lambda _: bind(User.objects.get(username="ursula"), "other"),
    "who made it lost a permission": lambda _: User.objects.get(username="ursula").user_permissions.clear(),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_password_link_ends_when_the_rights_change(browser: Client, change: str) -> None:
    dana = User.objects.create_user("dana", is_staff=True)
    dana.groups.add(Group.objects.create(name="Rooms"))
    bind(dana, ABC)
    page = ListMarkup(browser.get(page_of(dana, "password-link")).content).soup
    link = str(page.select_one("#password-link")["value"])  # type: ignore[index]
    opened, later = Client(), Client()
    answer = opened.get(link, follow=True)
    assert "This link is for “dana” alone." in answer.content.decode()
    CHANGES[change](dana)
    password = {"new_password1": "Xq7!hotel-sea", "new_password2": "Xq7!hotel-sea"}
    opened.post(answer.redirect_chain[-1][0], password)
    assert "does not work any more" in later.get(link, follow=True).content.decode()
    assert not User.objects.get(pk=dana.pk).has_usable_password()
