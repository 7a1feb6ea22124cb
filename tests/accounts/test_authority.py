"""Who may change whom: the table of ``accounts.authority``, on every way to change an account or a role."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.db import transaction
from django.test import Client

from accounts import authority
from accounts.authority import BELOW, CHANGE, CONTROL, MAY, NOT_BELOW, accounts_seen, standing_of
from accounts.recording import recorded, state_of
from hotels.staff_hotels import EVERY, StaffHotel, scope_of
from portal.people import HotelScope
from tests.conftest import logged_in
from tests.helpers.accounts import form_of
from tests.helpers.documents import ROOT
from tests.helpers.logins import with_second_factor
from tests.helpers.markup import ListMarkup
from tests.helpers.people import bind, join, show_every_hotel
from tests.helpers.rooms import ABC, make_hotel

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
OWN = ("rooms.view_room", "orders.view_guest")
ACCOUNTS = {f"auth.{action}_{thing}" for action in ("view", "add", "change", "delete") for thing in ("user", "group")}
LIST, GROUPS = "/admin/auth/user/", "/admin/auth/group/"
NEW = {"username": "new", "reach": "none", "is_active": "on", "is_staff": "on"}
NOT_GIVEN = "You can only give permissions that you have yourself."


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


@pytest.fixture
def bound(empty_tables: None, ursula: User) -> None:
    """Ursula is bound to the hotel abc. There is another one."""
    make_hotel()
    make_hotel(hotel_id="xyz", name="Hotel XYZ")
    bind(ursula, ABC)


def page_of(user: User, page: str = "change") -> str:
    return f"{LIST}{user.pk}/{page}/"


def errors_of(response: Any) -> str:
    assert response.status_code == 200
    soup = ListMarkup(response.content).soup
    return " ".join(
        element.get_text(" ", strip=True) for element in soup.select(".errorlist, .text-red-600, .text-red-700")
    )


# --- The table ------------------------------------------------------------------------------------------


def as_much_at_abc(user: User) -> None:
    give(user, *OWN, *ACCOUNTS)
    bind(user, ABC)


def deactivated(user: User) -> None:
    give(user, "rooms.delete_room")
    user.is_active = False
    user.save()


KINDS: dict[str, tuple[str | None, Callable[[User], Any]]] = {
    "below": (BELOW, lambda user: bind(user, ABC)),
    "below, without hotels": (BELOW, bind),
    "superuser": (NOT_BELOW, lambda user: User.objects.filter(pk=user.pk).update(is_superuser=True)),
    "more": (NOT_BELOW, lambda user: give(user, "rooms.delete_room")),
    "more by a role": (NOT_BELOW, lambda user: join(user, "Manager")),
    "more, deactivated": (NOT_BELOW, deactivated),
    "as much": (NOT_BELOW, lambda user: give(user, *OWN, *ACCOUNTS)),
}
"""Accounts, each with how it stands to ursula."""

WHEN_BOUND: dict[str, tuple[str | None, Callable[[User], Any]]] = {
    "below, at her hotel": (BELOW, lambda user: bind(user, ABC)),
    "at every hotel": (NOT_BELOW, show_every_hotel),
    "at another hotel, too": (NOT_BELOW, lambda user: bind(user, ABC, "xyz")),
    "as much, at her hotel": (NOT_BELOW, as_much_at_abc),
    "at another hotel alone": (None, lambda user: bind(user, "xyz")),
}
"""The same while ursula is bound to the hotel abc. ``None`` is an account that she does not see."""


def ways(user: User) -> list[tuple[str, str, dict[str, Any]]]:
    """Return every way to change an account or to let others log in to it: its name, its address and its form."""
    form, chosen = form_of(user), {"_selected_action": [str(user.pk)], "post": "yes"}
    return [
        (CHANGE, page_of(user), {**form, "first_name": "Another"}),
        (
            CONTROL,
            page_of(user),
            {name: value for name, value in form.items() if name != "is_active" or not user.is_active},
        ),
        (CONTROL, page_of(user), {name: value for name, value in form.items() if name != "is_staff"}),
        (CONTROL, page_of(user, "second-factor"), {}),
        (CONTROL, page_of(user, "password-link"), {}),
        (CONTROL, page_of(user, "delete"), {"post": "yes"}),
        (CONTROL, LIST, {**chosen, "action": "delete_selected"}),
    ]


def does(browser: Client, user: User, address: str, form: dict[str, Any]) -> bool:
    """Return whether a form changes an account, or shows a link to log in as it. The change is taken back."""
    before = state_of(user)
    with transaction.atomic():
        answer = browser.post(address, form)
        found = User.objects.filter(pk=user.pk).first()
        changed = found is None or state_of(found) != before
        transaction.set_rollback(True)
    return changed or b'id="password-link"' in answer.content


def assert_ways(actor: User, user: User, allowed: set[str]) -> None:
    user, browser = User.objects.get(pk=user.pk), logged_in(actor)
    for what, address, form in ways(user):
        assert does(browser, user, address, form) == (what in allowed), (what, address, form)


def text_of(response: Any) -> str:
    return ListMarkup(response.content).soup.get_text(" ")


def made(kind: str, ursula: User, username: str = "anna") -> tuple[User, str | None]:
    """Return an account of this kind, and how it stands to ursula."""
    if kind in WHEN_BOUND:
        bind(ursula, ABC)
    standing, make = {**KINDS, **WHEN_BOUND}[kind]
    user = show_every_hotel(User.objects.create_user(username, password="anna", is_staff=True))
    make(user)
    return User.objects.get(pk=user.pk), standing


def test_how_an_account_stands(ursula: User, admin_user: User) -> None:
    for kind in (*KINDS, *WHEN_BOUND):
        user, standing = made(kind, ursula, kind)
        assert accounts_seen(ursula, User.objects.filter(pk=user.pk)).exists() == (standing is not None), kind
        found, reason = standing_of(ursula, user)
        assert found == (standing or NOT_BELOW), kind
        assert bool(reason) == (found != BELOW), kind
        assert standing_of(admin_user, user)[0] == BELOW, kind
        assert standing_of(user, user)[0] == authority.OWN, kind


@pytest.mark.parametrize("kind", ["below", "more", "at another hotel alone"])
def test_every_way_keeps_to_the_table(ursula: User, admin_user: User, kind: str) -> None:
    make_hotel()
    user, standing = made(kind, ursula)
    with_second_factor(user)
    assert_ways(ursula, user, MAY[standing] if standing else set())
    browser = logged_in(ursula)
    page, is_listed = browser.get(page_of(user)), "anna" in text_of(browser.get(LIST))
    assert (page.status_code == 200, is_listed) == (standing is not None, standing is not None)
    if standing == NOT_BELOW:
        assert standing_of(ursula, user)[1] in text_of(page)
        assert "with 10 backup codes left" in text_of(page)
        assert not ListMarkup(page.content).soup.select(
            "main [name=username], main [name=_save], main a[href*='/password-link/']"
        )
        assert_ways(admin_user, user, MAY[BELOW])


def test_nobody_ends_the_own_account_or_makes_it_a_superuser(ursula: User, admin_user: User, dana: User) -> None:
    admin = logged_in(admin_user)
    for user in (ursula, admin_user):
        assert_ways(user, user, MAY[authority.OWN])
        turned = form_of(user, **({} if user.is_superuser else {"is_superuser": "on"}))
        assert not does(logged_in(user), user, page_of(user), turned)
        twice = dict.fromkeys(("password1", "password2"), "Xq7!hotel-sea")
        assert not does(admin, user, page_of(user, "password"), twice), "Django's page is not there"
    ursula.user_permissions.remove(permission("auth.change_user"), permission("auth.delete_user"))
    assert_ways(ursula, dana, set())  # Django's permissions count besides


def test_the_document_has_the_table() -> None:
    rows = re.findall(
        r"^\| ([^|]+) \| (yes|no) \| (yes|no) \| (yes|no) \|$", (ROOT / "docs/portal.md").read_text(), re.M
    )
    *standings, elsewhere = [(name.partition(":")[0], seen, change, control) for name, seen, change, control in rows]
    words = {True: "yes", False: "no"}
    assert standings == [(each, "yes", words[CHANGE in may], words[CONTROL in may]) for each, may in MAY.items()]
    assert elsewhere[1:] == ("no", "no", "no")


def test_the_action_for_many_deletes_all_or_none(browser: Client, admin_user: User, dana: User, charlie: User) -> None:
    def delete(*users: User) -> int:
        form = {"action": "delete_selected", "_selected_action": [str(user.pk) for user in users], "post": "yes"}
        return browser.post(LIST, form).status_code

    assert delete(dana, admin_user) == 403
    assert User.objects.filter(pk__in=[dana.pk, admin_user.pk]).count() == 2
    assert delete(dana, charlie) == 302
    assert not User.objects.filter(pk__in=[dana.pk, charlie.pk]).exists()


def test_a_role_is_below_who_has_its_permissions_and_sees_every_hotel(
    browser: Client, ursula: User, mary: User
) -> None:
    """A role's members may be at any hotel, so only users who see every hotel may change the role. Other users may see
    it, and give it to users below them.
    """
    night, manager = Group.objects.create(name="Night"), Group.objects.get(name="Manager")
    night.permissions.add(permission("rooms.view_room"))

    def refused(role: Group, words: str) -> None:
        page = browser.get(f"{GROUPS}{role.pk}/change/")
        assert words in page.content.decode()
        assert not ListMarkup(page.content).soup.select("main [name=permissions], [name=_save]")
        chosen = {"action": "delete_selected", "_selected_action": [str(role.pk)], "post": "yes"}
        assert browser.post(f"{GROUPS}{role.pk}/change/", {"name": "Mine", "permissions": []}).status_code == 403
        assert browser.post(f"{GROUPS}{role.pk}/delete/", {"post": "yes"}).status_code == 403
        assert browser.post(GROUPS, chosen).status_code == 403

    refused(manager, "permissions that you do not have: Can")
    renamed = {"name": "Late", "permissions": [permission("rooms.view_room").pk]}
    assert browser.post(f"{GROUPS}{night.pk}/change/", renamed).status_code == 302
    bind(ursula, ABC)
    refused(night, "Only users with all hotels can change a role")
    assert browser.post(f"{GROUPS}add/", renamed).status_code == 403
    assert "Late" in browser.get(GROUPS).content.decode()


# --- What is given --------------------------------------------------------------------------------------


def test_she_gives_what_she_has(browser: Client, ursula: User, admin_user: User, dana: User) -> None:
    group = Group.objects.create(name="Rooms")
    group.permissions.add(permission("rooms.view_room"))
    given = [permission("orders.view_guest").pk]
    assert browser.post(page_of(dana), form_of(dana, groups=[group.pk], user_permissions=given)).status_code == 302
    assert dana.has_perms(OWN)
    assert browser.post(page_of(dana), form_of(dana, groups=[], user_permissions=[])).status_code == 302
    dana = User.objects.get(pk=dana.pk)
    assert not dana.get_all_permissions()
    admin, more = logged_in(admin_user), [permission("rooms.delete_room").pk]
    assert admin.post(page_of(dana), form_of(dana, is_superuser="on", user_permissions=more)).status_code == 302
    assert User.objects.get(pk=dana.pk).is_superuser, "a superuser gives everything"


def test_she_gives_nothing_that_she_lacks(browser: Client, ursula: User, dana: User, mary: User) -> None:
    before = [user.get_all_permissions() for user in (ursula, dana)]
    for address, form in (
        (page_of(ursula), form_of(ursula)),
        (page_of(dana), form_of(dana)),
        (f"{LIST}add/", {**NEW, "user_permissions": []}),
    ):
        page = ListMarkup(browser.get(address).content)
        assert len(page.soup.select("[name=user_permissions] option")) == len(OWN) + len(ACCOUNTS)
        assert not page.soup.select("[name=groups], [name=is_superuser]"), "managers have more"
        for more in (
            {"user_permissions": [*form["user_permissions"], permission("rooms.delete_room").pk]},
            {"groups": [Group.objects.get(name="Manager").pk]},
        ):
            assert NOT_GIVEN in errors_of(browser.post(address, {**form, **more})), address
        assert not User.objects.filter(username="new").exists()
        browser.post(address, {**form, "is_superuser": "on"})
    assert not User.objects.filter(is_superuser=True).exists()
    assert [User.objects.get(pk=user.pk).get_all_permissions() for user in (ursula, dana)] == before


@pytest.mark.usefixtures("bound")
def test_she_makes_nobody_her_equal(browser: Client, ursula: User, dana: User) -> None:
    own = [*ursula.user_permissions.values_list("pk", flat=True)]
    for hotel_ids in ([ABC, "xyz"], []):
        dana.user_permissions.clear()
        for user, has in ((ursula, hotel_ids), (dana, hotel_ids[:1])):
            if has:
                bind(user, *has)
            else:
                show_every_hotel(user)
        answer = browser.post(page_of(dana), form_of(dana, *hotel_ids, user_permissions=own))
        assert "less than yours. Choose another role" in errors_of(answer)
        assert browser.post(page_of(dana), form_of(dana, *hotel_ids, user_permissions=own[1:])).status_code == 302
        assert browser.post(page_of(dana), form_of(dana, ABC, user_permissions=own)).status_code == 302


def test_a_role_gets_what_she_has(browser: Client, ursula: User) -> None:
    wanted = [permission("rooms.view_room").pk]
    assert browser.post(f"{GROUPS}add/", {"name": "Rooms", "permissions": wanted}).status_code == 302
    own = Group.objects.get(name="Rooms")
    ursula.groups.add(own)
    for address in (f"{GROUPS}{own.pk}/change/", f"{GROUPS}add/"):
        more = {"name": "More", "permissions": [*wanted, permission("rooms.delete_room").pk]}
        assert NOT_GIVEN in errors_of(browser.post(address, more))
    assert not ursula.has_perm("rooms.delete_room")
    assert not Group.objects.filter(name="More").exists()


@pytest.mark.usefixtures("bound")
def test_she_binds_to_her_hotels_alone(browser: Client, ursula: User) -> None:
    page = ListMarkup(browser.get(f"{LIST}add/").content).soup
    assert [box["value"] for box in page.select("[name=hotels][checked]")] == [ABC], "hers"
    assert [box["value"] for box in page.select("[name=reach]")] == ["some"]
    assert "Choose one or more of your own hotels" in errors_of(browser.post(f"{LIST}add/", NEW))
    assert browser.post(f"{LIST}add/", {**NEW, "reach": "some", "hotels": [ABC]}).status_code == 302
    new = User.objects.get(username="new")
    assert scope_of(new) == HotelScope(frozenset({ABC}))
    for user, changes, words in (
        (new, {"hotels": ["xyz"]}, "You do not see the hotel “xyz”"),
        (ursula, {"hotels": ["xyz"]}, "You do not see the hotel “xyz”"),
        (new, {"hotels": [ABC], "other_hotels": "xyz"}, "You do not see the hotel “xyz”"),
        (new, {"hotels": [ABC], "other_hotels": EVERY}, f"You do not see the hotel “{EVERY}”"),
        (new, {"hotels": []}, "Select a hotel"),
        (new, {"reach": ""}, "Choose “Only these hotels” and select the hotels"),
        (new, {"reach": "none"}, "Choose one or more of your own hotels"),
        (ursula, {"reach": "every"}, "Choose one or more of your own hotels"),
    ):
        assert words in errors_of(browser.post(page_of(user), form_of(user, **changes))), words
        assert scope_of(user) == HotelScope(frozenset({ABC}))


@pytest.mark.usefixtures("bound")
def test_she_reads_nothing_of_hotels_that_she_does_not_see(browser: Client, charlie: User) -> None:
    bind(charlie, ABC, "xyz")
    with recorded(charlie, "root"):
        StaffHotel.objects.create(user=charlie, hotel_id="secret")
    for address in (page_of(charlie), LIST, "/history/account/charlie/", "/history/newest/account/charlie/"):
        shown = text_of(browser.get(address))
        assert not re.search("xyz|Xyz|XYZ|secret", shown), address
        assert re.search("(abc|Hotel ABC) and 2 that you do not see|another hotel", shown), address


@pytest.mark.usefixtures("bound")
def test_the_history_of_an_account_that_she_does_not_see_is_not_there(
    browser: Client, ursula: User, charlie: User
) -> None:
    """Lists of changes do not say what was changed, either."""
    ursula.user_permissions.add(permission("portal.view_history"))
    bind(charlie, "xyz")
    with recorded(charlie, "root"):
        charlie.first_name = "Karlheinz"
        charlie.save()
    for address in ("/history/account/charlie/", "/history/newest/account/charlie/"):
        assert browser.get(address).status_code == 404, address
    assert "Karlheinz" not in text_of(browser.get("/history/staff/root/?days=all"))
    bind(charlie, "xyz", ABC)
    for address in ("/history/account/charlie/", "/history/newest/account/charlie/", "/history/staff/root/?days=all"):
        assert "Karlheinz" in text_of(browser.get(address)), address


def test_no_page_shows_parts_of_a_password(browser: Client, dana: User, admin_user: User) -> None:
    page = browser.get(page_of(dana)).content.decode()
    assert "No password is set." in page
    assert page_of(dana, "password-link") in page
    dana.set_password("dana")
    dana.save()
    for user in (dana, admin_user):
        page = browser.get(page_of(user)).content.decode()
        assert "A password is set." in page
        assert not [part for part in ("salt", user.password.partition("$")[0]) if part in page]
