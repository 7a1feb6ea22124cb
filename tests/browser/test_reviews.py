"""Reviews in a real Chromium: filters, adding, editing, replying and deleting."""

import re

import pytest
from playwright.sync_api import expect

from hotelapp.dynamodb.planning.selection import Selection
from reviews import queries
from tests.helpers.browsing import NewPage, choose, enter

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
URL = "/hotels/seaside/reviews/"


def test_bars_and_chips_filter_and_come_back(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/hotels/seaside/rooms/")
    page.click(".hotel-tabs >> text=Reviews")
    expect(page).to_have_url(re.compile("/reviews/$"))
    bar = page.locator("[data-facet=rating][data-value='5']")
    count = bar.get_attribute("data-count") or ""
    choose(page, "rating", "5")
    expect(page.locator("table[data-list]")).to_have_attribute("data-total", count)
    expect(page).to_have_url(re.compile(r"rating=5$"))
    choose(page, "language", "en")
    expect(page).to_have_url(re.compile(r"language=en"))
    expect(page.locator("#language-en")).to_be_checked()
    page.keyboard.press("Escape")
    page.click("#sort-date")
    expect(page.locator("th[aria-sort=ascending]")).to_contain_text("Written")
    page.click("text=Reset")
    expect(page.locator("#rating-5")).not_to_be_checked()


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
