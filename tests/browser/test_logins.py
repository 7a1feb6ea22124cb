"""The second factor in a real Chromium: by keyboard, for screen readers and on a phone."""

import re
from typing import Any

import pytest
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from playwright.sync_api import expect

from hotelapp.demo import people
from tests.helpers.accessibility import assert_accessible_and_fitting
from tests.helpers.browsing import NewPage, give_password
from tests.helpers.logins import CODE, code_of, forget_codes
from tests.helpers.people import make_groups

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.core
def test_a_user_sets_it_up_and_logs_in_with_it(new_page: NewPage, alice: User) -> None:
    page = new_page()
    page.goto("/guests/")
    page.click("summary:has-text('alice')")
    page.click("nav[aria-label=User] >> text=Second factor")
    assert_accessible_and_fitting(page)
    page.click("text=Set it up")
    assert_accessible_and_fitting(page)
    page.get_by_label("Password").fill("alice")
    page.click("button[name=begin]")
    expect(page.locator("[data-secret]")).to_be_visible()
    assert_accessible_and_fitting(page)
    page.get_by_label("Code", exact=True).fill(code_of(alice))
    page.keyboard.press("Enter")
    expect(page.locator(".backup-codes li")).to_have_count(10)
    assert_accessible_and_fitting(page)
    page.click("text=I have kept them")
    page.click("text=Remove the second factor")
    assert_accessible_and_fitting(page)
    page.context.clear_cookies()
    forget_codes(alice)
    page.goto("/admin/login/?next=/hotels/")
    give_password(page)
    expect(page).to_have_url(re.compile(CODE))
    expect(page.get_by_label("Code", exact=True)).to_be_focused()
    assert_accessible_and_fitting(page)
    page.get_by_label("Code", exact=True).fill(code_of(alice))
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/hotels/$"))


def test_one_click_in_the_demo_logs_in(new_page: NewPage, settings: Any) -> None:
    settings.DEMO_USERNAME = settings.DEMO_PASSWORD = "demo"
    make_groups()
    people.ensure(make_password("demo"))
    page = new_page()
    page.context.clear_cookies()
    page.goto("/admin/login/?next=/hotels/")
    assert_accessible_and_fitting(page)
    page.get_by_role("button", name="Manager").click()
    expect(page).to_have_url(re.compile("/hotels/$"))
    expect(page.locator("tr[data-row]")).to_have_count(2)
