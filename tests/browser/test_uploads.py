"""An upload in a real Chromium: a file that is too large is named before it is sent; steps follow by themselves."""

from typing import Any

import pytest
from playwright.sync_api import expect

from portal.uploads import steps, views
from tests.helpers.accessibility import assert_accessible, assert_accessible_and_fitting, assert_legible_in_the_dark
from tests.helpers.browsing import PHONE, NewPage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("superuser")]
HEADER = "hotel_id,hotel_name,city,number,view,size,type,rate,currency"


def file(text: str) -> Any:
    return {"name": "rooms.csv", "mimeType": "text/csv", "buffer": text.encode()}


@pytest.mark.core
def test_a_file_is_checked_and_imported_step_by_step(new_page: NewPage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "PIECE_ROWS", 3)
    monkeypatch.setattr(views, "WORK_SECONDS", 0.0)
    rows = [f"seaside,,,9{number:02d},Sea view,30,Suite,{100 + number},GBP" for number in range(10)]
    rows = [row.replace(",,,", ",Grand Seaside Hotel,Brighton,") for row in rows]
    page = new_page(viewport=PHONE)
    page.goto("/hotels/seaside/rooms/")
    page.click("#open-more")
    page.click("text=Import rooms")
    page.set_input_files("[type=file]", file("x" * (views.MAX_BYTES + 100_000)))
    too_large = "This file has 2.1 MB. At most 2 MB can be uploaded."
    assert page.eval_on_selector("[type=file]", "field => field.validationMessage") == too_large
    page.set_input_files("[type=file]", file("\n".join([HEADER, *rows, "seaside,,,,,,,,"])))
    page.click("text=Check the file")
    expect(page.locator("#bulk-status")).to_contain_text("Nothing is written yet: 11 rows of rooms.csv.")
    expect(page.locator("tr[data-row]")).to_have_count(3)
    assert_accessible_and_fitting(page)
    assert_legible_in_the_dark(page, "main")
    page.click("text=Import 10 rooms")
    expect(page.locator("#bulk-status")).to_contain_text("Imported: ")
    expect(page.locator("[data-outcome-of=added]")).to_have_text("10 added")
    expect(page.locator("[data-outcome-of=refused]")).to_have_text("1 refused")
    assert_accessible(page, "#bulk")
