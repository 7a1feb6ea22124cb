"""The pages of staff accounts, in Unfold's and Django's own templates, under the Content-Security-Policy."""

import re

import pytest
from django.contrib.auth.models import Group, User
from playwright.sync_api import expect

from tests.helpers.accessibility import assert_accessible, assert_fitting, assert_legible_in_the_dark
from tests.helpers.browsing import NewPage, enter

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("superuser")]
IDLE = "new Promise(requestIdleCallback)"
"""Waits until the page has nothing more to do."""

SIDEBAR = "[x-on\\:click='sidebarDesktopOpen = !sidebarDesktopOpen']"


def test_every_page_is_accessible_under_the_policy_and_fits_a_phone(new_page: NewPage, dana: User) -> None:
    page = new_page()
    user = f"user/{dana.pk}/"
    night = Group.objects.create(name="Night")
    paths = [
        *("user/", "user/add/"),
        *(f"{user}{name}/" for name in ("change", "password-link", "delete")),
        f"group/{night.pk}/change/",
    ]
    for path in paths:
        response = page.goto(f"/admin/auth/{path}")
        assert response, path
        assert response.ok, path
        page.evaluate(IDLE)
        assert_accessible(page, "html" if path == "user/" else "#main")
        if path in {"user/", f"{user}change/"}:
            assert_legible_in_the_dark(page, "#main")
        if path.endswith(("user/", "add/", "change/")):
            assert_fitting(page)


def test_a_group_is_changed_with_two_lists(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/admin/auth/group/add/")
    enter(page, "#id_name", "Night")
    enter(page, "#id_permissions_input", "Can see rooms")
    page.locator("#id_permissions_from option").first.dblclick()
    expect(page.locator("#id_permissions_to option")).to_have_count(1)
    page.click("button[name=_save]")
    expect(page.locator("text=was added successfully")).to_be_visible()
    assert Group.objects.get(name="Night").permissions.count() == 1


def test_a_user_is_ticked_and_deleted(new_page: NewPage) -> None:
    User.objects.create_user("erin")
    page = new_page()
    page.goto("/admin/auth/user/?q=erin")
    page.check("input.action-select")
    page.select_option("select[name=action]", "delete_selected")
    bar = page.locator("#changelist-actions")
    assert bar.evaluate("bar => bar.style.width").endswith("px")
    bar.get_by_text("Run", exact=True).click()
    page.click("text=Yes, I’m sure")
    expect(page.locator("text=Successfully deleted 1 member of staff")).to_be_visible()


def test_the_frame_works_under_the_policy(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/hotels/")
    page.click("#nav-sidebar summary")
    page.get_by_role("button", name="Dark").press("Enter")
    expect(page.locator("html")).to_have_class(re.compile("dark"))
    page.keyboard.press("Escape")
    page.click(SIDEBAR)
    expect(page.locator("#nav-sidebar")).to_be_hidden()
    page.reload()
    expect(page.locator("html")).to_have_class(re.compile("dark"))
    expect(page.locator("#nav-sidebar")).to_be_hidden()
    page.click(SIDEBAR)
    expect(page.locator("#nav-sidebar")).to_be_visible()
