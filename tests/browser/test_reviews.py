"""Reviews in a real Chromium: filters, adding, editing, replying and deleting."""

import re

import pytest
from playwright.sync_api import expect

from dynamodb_lists.planning.selection import Selection
from reviews import queries
from tests.helpers.browsing import NewPage, enter

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
URL = "/hotels/seaside/reviews/"


@pytest.mark.usefixtures("superuser")
def test_add_edit_and_delete_a_review(new_page: NewPage) -> None:
    page = new_page()
    page.goto(URL)
    before = queries.statistics(queries.review_counts("seaside"), Selection()).total
    page.click("text=Add a review")
    for name, value in {"author": "Ünal", "language": "tr", "title": "Çok güzel", "body": "Harika " * 60}.items():
        enter(page, f"[name={name}]", value)
    page.select_option("[name=rating]", "5")
    page.click("text=Save")
    expect(page.locator("article.review")).to_contain_text("Harika")
    page.click("text=Edit >> nth=-1")
    page.select_option("[name=rating]", "4")
    page.click("text=Save")
    expect(page.locator("article.review")).to_contain_text("4 of 5 stars")
    page.click(".actions >> text=Reply")
    enter(page, "[name=reply]", "Teşekkürler! " * 30)
    page.click("text=Save")
    expect(page.locator("section.reply")).to_contain_text("Teşekkürler!")
    page.goto(f"{URL}?language=tr")
    expect(page.locator("tr[data-row]")).to_have_count(1)
    page.click("details.body summary")
    expect(page.locator("details.body p").first).to_be_visible()
    page.click("tr[data-row] th a")
    page.click(".glance .dots summary")
    page.click(".glance .menu >> text='Delete'")
    page.click("text=Delete it")
    expect(page).to_have_url(re.compile(r"/reviews/\?language=tr$"))  # the list that the review was opened from
    assert queries.statistics(queries.review_counts("seaside"), Selection()).total == before
