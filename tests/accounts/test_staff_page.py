"""The page on which somebody is added to the staff, the list of the staff, and the link that sets a password."""

from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from hotels.staff_hotels import StaffHotel
from tests.accounts.test_authority import GROUPS, LIST, errors_of, page_of
from tests.conftest import logged_in
from tests.helpers.accounts import form_of
from tests.helpers.markup import ListMarkup
from tests.helpers.people import bind, make_groups
from tests.helpers.rooms import ABC, make_hotel

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
ANNA = {
    "first_name": "Anna Maria",
    "last_name": "Rossi",
    "email": "Anna.Rossi@example.com",
    "username": "anna.rossi",
    "is_active": "on",
    "is_staff": "on",
}
NEW_PASSWORD = {"new_password1": "Xq7!hotel-sea", "new_password2": "Xq7!hotel-sea"}


@pytest.fixture
def root(empty_tables: None, admin_user: User) -> Client:
    make_hotel()
    return logged_in(admin_user)


def add(client: Client, **changes: Any) -> Any:
    return client.post(f"{LIST}add/", {**ANNA, "reach": "some", "hotels": [ABC], **changes})


def kept(client: Client, address: str) -> dict[str, Any]:
    """Return what a browser sends of a form that its user has not changed."""
    return kept_of(client.get(address).content)


def kept_of(page: bytes) -> dict[str, Any]:
    sent: dict[str, Any] = {}
    for field in ListMarkup(page).soup.select("form input[name], form select[name]"):
        boxes = field.get("type") in {"checkbox", "radio"}
        values = [str(each["value"]) for each in field.select("option[selected]")]
        values = values if field.name == "select" else [str(field.get("value", "on" if boxes else ""))]
        if not boxes or field.has_attr("checked"):
            sent.setdefault(str(field["name"]), []).extend(values)
    return {name: values for name, values in sent.items() if not name.startswith("_")}


def test_a_list_has_the_name_of_its_link(root: Client) -> None:
    for address, name in ((LIST, "Staff"), (GROUPS, "Roles")):
        assert f"<title>{name} |" in " ".join(root.get(address).content.decode().split()).replace("<title> ", "<title>")


def test_what_somebody_else_changed_meanwhile_stays(root: Client) -> None:
    make_groups()
    make_hotel(hotel_id="def", name="Hotel DEF")
    desk, manager = (Group.objects.get(name=name) for name in ("Front desk", "Manager"))
    add(root, groups=[desk.pk], hotels=[ABC, "def"])
    anna = User.objects.get(username="anna.rossi")
    address, group = page_of(anna), f"/admin/auth/group/{desk.pk}/change/"
    seen, seen_group = kept(root, address), kept(root, group)
    assert (seen["groups"], seen["hotels"]) == ([str(desk.pk)], [ABC, "def"])
    quicker = {**seen, "groups": [], "hotels": [ABC], "user_permissions": []}
    del quicker["is_staff"]
    assert root.post(address, quicker).status_code == 302
    late = root.post(address, {**seen, "last_name": "Bianchi"})
    assert "Somebody else changed this meanwhile. Stored now: Role: none; These hotels: abc" in errors_of(late)
    assert root.post(address, kept_of(late.content)).status_code == 302
    anna.refresh_from_db()
    assert (anna.get_full_name(), anna.is_staff, list(anna.groups.all())) == ("Anna Maria Bianchi", False, [])
    assert list(StaffHotel.objects.filter(user=anna).values_list("hotel_id", flat=True)) == [ABC]
    both = {**kept(root, address), "groups": [str(manager.pk)]}
    assert [root.post(address, both).status_code for _ in range(2)] == [302, 302], "equal changes are no conflict"
    assert root.post(address, {**both, "last_name": "Neri"}).status_code == 302
    assert "Last name: Neri" in errors_of(root.post(address, {**both, "email": "anna@example.com"}))
    assert root.post(group, {**seen_group, "permissions": []}).status_code == 302
    assert "Permissions: none" in errors_of(root.post(group, {**seen_group, "name": "Desk"}))


def link_of(page: bytes) -> str:
    return str(ListMarkup(page).element("#password-link")["value"]).removeprefix("http://testserver")


def test_somebody_is_added_on_one_page_and_sets_a_password_with_a_link(root: Client, client: Client) -> None:
    make_groups()
    page = ListMarkup(root.get(f"{LIST}add/").content)
    assert {box["name"] for box in page.soup.select("[type=checkbox][checked]")} == {"is_staff", "is_active"}
    assert not page.soup.select("[name=reach][checked]"), "nothing is chosen silently"
    assert root.post(f"{LIST}add/", ANNA).status_code == 200
    role = Group.objects.get(name="Front desk")
    answer = add(root, groups=[role.pk])
    anna = User.objects.get(username="anna.rossi")
    assert (anna.get_full_name(), anna.last_name, anna.is_staff) == ("Anna Maria Rossi", "Rossi", True)
    assert answer["Location"] == page_of(anna, "password-link")
    shown = root.get(answer["Location"])
    assert "may not log in" not in shown.content.decode()
    assert "no-store" in shown["Cache-Control"]
    link = link_of(shown.content)
    form = client.get(link)["Location"]
    assert client.post(form, {**NEW_PASSWORD, "new_password2": "other"}).status_code == 200
    assert client.post(form, NEW_PASSWORD)["Location"] == "/admin/login/"
    assert client.login(username="anna.rossi", password="Xq7!hotel-sea", request=shown.wsgi_request)
    for old in (link, form):
        assert "does not work any more" in Client().get(old).content.decode()
    row = ListMarkup(root.get(f"{LIST}?q=anna").content).soup.select("#result_list tbody tr")
    assert len(row) == 1
    for text in ("Anna Maria Rossi", "Anna.Rossi@example.com", "Front desk", "Hotel ABC"):
        assert text in row[0].get_text()
    assert "account#anna.rossi" in root.get("/history/staff/anna.rossi/").content.decode()


def test_the_form_of_a_new_account_sent_twice_adds_one(root: Client) -> None:
    assert [add(root).status_code for _ in range(2)] == [302, 200]
    assert list(User.objects.exclude(username="admin").values_list("username", flat=True)) == ["anna.rossi"]


def test_a_link_is_for_open_accounts_of_staff(root: Client, dana: User) -> None:
    for closed in ({"is_active": False}, {"is_active": True, "is_staff": False}):
        User.objects.filter(pk=dana.pk).update(**closed)
        page = root.get(page_of(dana, "password-link")).content
        assert "the account may not log in" in page.decode()
        link = link_of(page)
        assert "does not work any more" in Client().get(link).content.decode()
    assert Client().get(page_of(dana, "password-link")).status_code == 302


def test_the_list_names_hotels_with_one_read(root: Client) -> None:
    for number in range(12):
        make_hotel(hotel_id=f"h{number}", name=f"Hotel {number}")
        bind(User.objects.create_user(f"user{number}", is_staff=True), f"h{number}", "gone")
    page = root.get(LIST)
    calls = [call for call in page.wsgi_request.ledger.calls if call.purpose == "hotel"]  # type: ignore[attr-defined]
    assert len(calls) == 1, "and not one for each account"
    assert "gone, Hotel 11" in page.content.decode()
    assert 'aria-label="Select record"' not in page.content.decode()
    assert ListMarkup(page.content).text("title").startswith("Staff |")
    for url, words in ((LIST, "members of staff"), (GROUPS, "roles")):
        heading = ListMarkup(root.get(url).content).text("h1")
        assert words.split()[-1].capitalize() in heading


@pytest.fixture
def manager(root: Client) -> Client:
    """The browser of a manager of one hotel."""
    make_groups()
    manager = User.objects.create_user("manager", is_staff=True)
    manager.groups.set(Group.objects.filter(name="Manager"))
    bind(manager, ABC)
    return logged_in(manager)


def role(name: str) -> list[int]:
    return [Group.objects.get(name=name).pk]


def test_a_manager_adds_and_ends_staff_of_lower_roles(manager: Client) -> None:
    assert "less than yours. Choose another role" in errors_of(add(manager, groups=role("Manager")))
    assert add(manager, groups=role("Front desk")).status_code == 302
    anna, peer = User.objects.get(username="anna.rossi"), User.objects.create_user("peer", is_staff=True)
    at_work = logged_in(anna)
    assert at_work.get("/hotels/").status_code == 200
    peer.groups.set(role("Manager"))
    bind(peer, ABC)
    assert manager.post(page_of(peer), form_of(peer, is_active="")).status_code == 403
    ended = form_of(anna, is_active="")
    assert [manager.post(page_of(anna), ended).status_code for _ in range(2)] == [302, 302]
    assert at_work.get("/hotels/")["Location"].startswith("/admin/login/")
    assert manager.post(page_of(anna), form_of(anna)).status_code == 302
    assert manager.post(page_of(anna), ended).status_code == 302
    assert not User.objects.get(pk=anna.pk).is_active
    assert manager.get("/history/account/anna.rossi/").content.decode().count("Active") == 4, (
        "added, ended, opened, ended"
    )
