"""Changes of accounts and groups are in the portal's history, and stay there when their author is deleted."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import Group, User
from django.core import serializers
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.test import Client

from portal.history.entities import MACHINES
from tests.accounts.test_authority import GROUPS, LIST, NEW, page_of, permission
from tests.conftest import logged_in
from tests.helpers.accounts import form_of
from tests.helpers.history import all_entries, changes
from tests.helpers.logins import with_second_factor
from tests.helpers.markup import ListMarkup
from tests.helpers.rooms import ABC, make_hotel

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]


@pytest.fixture
def root(empty_tables: None, admin_user: User) -> Client:
    return logged_in(admin_user)


def newest() -> tuple[str, str, str, list[tuple[str, str, str]]]:
    entry = all_entries()[-1]
    return entry.by, str(entry.what), entry.thing, changes(entry)


def test_each_change_of_an_account_is_recorded(root: Client, dana: User) -> None:
    make_hotel()
    group, given = Group.objects.create(name="Night"), permission("orders.view_guest")
    root.post(f"{LIST}add/", NEW)
    added = [("username", "", "new"), ("is_active", "", "yes"), ("is_staff", "", "yes")]
    assert newest() == ("admin", "created", "account#new", added)

    form = form_of(dana, ABC, groups=[group.pk], user_permissions=[given.pk], email="d@example.org")
    assert root.post(page_of(dana), form).status_code == 302
    lines = [("email", "", "d@example.org"), ("groups", "", "Night"), ("permissions", "", given.name)]
    lines += [("hotels", "every hotel", ""), ("hotels", "", ABC)]
    assert newest() == ("admin", "changed", "account#dana", lines)

    with_second_factor(dana)
    root.post(page_of(dana, "second-factor"))
    assert newest()[1:] == ("changed", "account#dana", [("second_factor", "on", "")])
    root.post(page_of(dana, "delete"), {"post": "yes"})
    assert newest()[1:3] == ("deleted", "account#dana")
    assert ("email", "d@example.org", "") in newest()[3]
    assert not any(dana.password in str(changes(entry)) for entry in all_entries())


def test_an_account_that_is_renamed_has_its_history_under_both_names(root: Client, dana: User) -> None:
    assert root.post(page_of(dana), form_of(dana, username="dina")).status_code == 302
    entries = {entry.thing: entry for entry in all_entries()}
    assert entries["account#dana"].moved_to == "account#dina"
    assert entries["account#dina"].moved_from == "account#dana"
    assert root.get("/admin/auth/user/named/dina/")["Location"] == page_of(dana)


def test_each_change_of_a_group_is_recorded(root: Client) -> None:
    view, guests = permission("rooms.view_room"), permission("orders.view_guest")
    root.post(f"{GROUPS}add/", {"name": "Night", "permissions": [view.pk]})
    group = Group.objects.get(name="Night")
    assert newest()[1:] == ("created", f"group#{group.pk}", [("name", "", "Night"), ("permissions", "", view.name)])
    root.post(f"{GROUPS}{group.pk}/change/", {"name": "Night", "permissions": [guests.pk]})
    lines = [("name", "Night", "Night"), ("permissions", view.name, ""), ("permissions", "", guests.name)]
    assert newest()[1:] == ("changed", f"group#{group.pk}", lines)
    root.post(GROUPS, {"action": "delete_selected", "_selected_action": [str(group.pk)], "post": "yes"})
    assert newest()[1:] == ("deleted", f"group#{group.pk}", [("name", "Night", ""), ("permissions", guests.name, "")])


def test_the_history_stays_when_its_author_is_deleted_and_those_who_see_accounts_read_it(
    root: Client, dana: User, mary: User
) -> None:
    other = User.objects.create_superuser("other")
    logged_in(other).post(page_of(dana), form_of(dana, email="d@example.org"))
    root.post(page_of(other, "delete"), {"post": "yes"})
    assert root.get(f"/admin/auth/user/{dana.pk}/history/")["Location"] == "/history/account/dana/"
    page = ListMarkup(root.get("/history/account/dana/").content)
    assert "E-mail address" in page.text("table")
    assert "other" in page.text("table")
    assert ListMarkup(root.get("/history/staff/other/").content).rows == ["account#dana"]
    mary.groups.set(Group.objects.filter(name="Auditor"))
    assert logged_in(mary).get("/history/account/dana/").status_code == 403
    hidden = ListMarkup(logged_in(mary).get("/history/staff/other/").content).text("table")
    assert "d@example.org" not in hidden


def test_no_account_is_called_as_an_author_of_the_history(root: Client, dana: User) -> None:
    for name in [*sorted(MACHINES), "IMPORT", "\u0130mport", "Verify_Data", "ímport", last := "Ｉｍｐｏｒｔ"]:
        with pytest.raises(ValidationError):
            User.objects.create_user(name)
        assert not User.objects.filter(username=name).exists()
    for url, form in ((f"{LIST}add/", {**NEW, "username": last}), (page_of(dana), form_of(dana, username=last))):
        answer = root.post(url, form)
        assert answer.status_code == 200
        assert "because the portal uses it in histories" in answer.content.decode()
    with pytest.raises(CommandError, match="the portal uses it in histories"):
        call_command("createsuperuser", "--noinput", f"--username={last}", "--email=")
    assert not User.objects.filter(username=last).exists()


def rename(user: User, name: str = "gone") -> None:
    user.username = name
    user.save()


def overwrite(user: User) -> None:
    """Store a fixture over an account, as ``loaddata`` does."""
    fixture = serializers.serialize("json", [user]).replace('"dana"', '"gone"')
    for read in serializers.deserialize("json", fixture):
        read.save()


FORMER: dict[str, Callable[[User], object]] = {
    "deleted": lambda user: user.delete(),
    "deleted with others": lambda user: User.objects.filter(pk=user.pk).delete(),
    "renamed": rename,
    "given a capital": lambda user: rename(user, "Dana"),
    "overwritten": overwrite,
}


@pytest.mark.parametrize("leave", FORMER.values(), ids=FORMER)
def test_nobody_gets_a_username_that_an_account_had_and_with_it_its_history(
    root: Client, dana: User, alice: User, leave: Callable[[User], object]
) -> None:
    dana.save()  # its own name stays its own
    leave(dana)
    with pytest.raises(ValidationError, match="was the username of another"):
        User.objects.create_user("DÁNA")
    with pytest.raises(ValidationError):
        rename(User.objects.get(pk=alice.pk), "DaNa")


def test_no_form_and_no_command_gives_a_former_username(root: Client, dana: User, alice: User) -> None:
    dana.delete()
    for url, form in ((f"{LIST}add/", {**NEW, "username": "DaNa"}), (page_of(alice), form_of(alice, username="dana"))):
        assert "was the username of another" in root.post(url, form).content.decode(), url
    with pytest.raises(CommandError, match="was the username of another"):
        call_command("createsuperuser", "--noinput", "--username=dana", "--email=")


def test_an_account_may_take_back_its_own_former_username(root: Client, dana: User) -> None:
    rename(dana)
    assert root.post(page_of(dana), form_of(dana, username="Dana")).status_code == 302
    assert User.objects.get(pk=dana.pk).username == "Dana"
    with pytest.raises(ValidationError):
        User.objects.create_user("gone")


def test_no_account_has_a_name_that_leads_out_of_an_address(root: Client) -> None:
    for name in (".", ".."):
        answer = root.post(f"{LIST}add/", {**NEW, "username": name})
        assert "A username needs a letter or a digit" in answer.content.decode()


def test_the_own_password_and_second_factor_are_recorded(alice: User, staff: Client) -> None:
    new = {"new_password1": "a-long-word-1", "new_password2": "a-long-word-1", "usable_password": "true"}
    assert staff.post("/admin/password_change/", {"old_password": "alice", **new}).status_code == 302
    assert newest() == ("alice", "changed", "account#alice", [("password", "", "set")])
