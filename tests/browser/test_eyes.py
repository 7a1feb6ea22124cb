"""Pages for every eye and hand: what colours say is said otherwise, too, words are whole, the focus is never lost."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from tests.helpers.browsing import DESK, NewPage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("superuser")]
HOTEL = "/hotels/seaside/"
WRAPPED = """selector => [...document.querySelectorAll(selector)].filter(part => {
    const range = document.createRange();
    range.selectNodeContents(part);
    const bottoms = [...range.getClientRects()].map(box => box.bottom);
    return Math.max(...bottoms) - Math.min(...bottoms) > 10;
}).map(part => part.textContent.trim())"""
"""The texts that take more than one line."""

BROKEN = r"""() => {
    const walker = document.createTreeWalker(document.querySelector("tbody"), NodeFilter.SHOW_TEXT);
    const range = document.createRange(), broken = [];
    while (walker.nextNode()) {
        for (const word of walker.currentNode.data.matchAll(/[\p{L}]+/gu)) {
            range.setStart(walker.currentNode, word.index);
            range.setEnd(walker.currentNode, word.index + word[0].length);
            if (new Set([...range.getClientRects()].map(box => box.top)).size > 1) broken.push(word[0]);
        }
    }
    return broken;
}"""
"""The words of a list that are broken inside."""


@pytest.fixture
def staff() -> str:
    """The page of a member of staff whom alice may delete."""
    return f"/admin/auth/user/{User.objects.create_user('bruno').pk}/change/"


def test_words_and_times_are_whole(new_page: NewPage) -> None:
    page = new_page(viewport=DESK)
    for address, cells in {
        f"{HOTEL}rooms/?status=out-of-order": "[data-label=View], .status.out-of-order:not(.overdue)",
        f"{HOTEL}attention/": "time",
        f"{HOTEL}orders/": "tbody time",
        f"{HOTEL}reviews/": "tbody time",
    }.items():
        page.goto(address)
        assert page.evaluate(WRAPPED, cells) == [], address
    assert page.locator("div.bar").evaluate("bar => bar.offsetHeight") < 50, "one line"
    assert page.locator("tbody tr").evaluate_all("rows => Math.max(...rows.map(row => row.offsetHeight))") < 70, (
        "two lines"
    )
    expect(page.locator("tbody time").first).not_to_contain_text(",")  # one unit
    for width in (390, 360):
        page.set_viewport_size({"width": width, "height": 844})
        for address in (f"{HOTEL}rooms/?view=courtyard&status=inspected", f"{HOTEL}attention/?status=attention"):
            page.goto(address)
            wrap = page.locator("#rows")
            assert page.evaluate(BROKEN) == [], address
            assert wrap.evaluate("box => box.scrollWidth <= box.clientWidth"), "nothing is cut"


def colours(page: Page, selector: str) -> set[str]:
    """Return the background of each element."""
    script = "found => found.map(one => getComputedStyle(one).backgroundColor)"
    return set(page.locator(selector).evaluate_all(script))


def test_forced_colours_leave_the_state(new_page: NewPage, staff: str) -> None:
    page = new_page(viewport=DESK)
    page.emulate_media(forced_colors="active")
    page.goto(f"{HOTEL}attention/")
    page.locator("button.next").first.press("Enter")
    expect(page.locator("td [aria-pressed=true]")).to_have_count(1)  # the user's menu may have another
    assert not colours(page, "td [aria-pressed=true]") & colours(page, "td .next:not([aria-pressed])")
    page.goto(f"{HOTEL}rooms/")
    edge = "tab => getComputedStyle(tab).borderBottomColor"
    tabs = page.locator(".hotel-tabs a")
    assert tabs.nth(0).evaluate(edge) != tabs.nth(1).evaluate(edge), "only the tab of this page is marked"
    page.goto(staff)
    box = page.locator("#main [type=checkbox]").first
    assert (
        box.evaluate("box => getComputedStyle(box).appearance + getComputedStyle(box, '::after').content") == "autonone"
    )
    page.emulate_media(forced_colors="none")


def test_the_focus_comes_back(new_page: NewPage) -> None:
    page = new_page(viewport=DESK)
    page.goto(f"{HOTEL}attention/?status=attention")
    row = page.locator("tr[data-row]").nth(1)
    row.locator("button.next").press("Enter")
    row.locator("button.undo").press("Enter")
    expect(row.locator(".undo")).to_have_count(0)
    expect(row.locator("button:focus")).to_have_count(1)
    for opener in ("tr[data-row] th a", "body"):
        if opener != "body":
            page.locator(opener).first.focus()
        else:
            page.evaluate("document.activeElement.blur()")
        page.keyboard.press("Control+k")
        field = page.locator("#search-input-command")
        expect(field).to_be_focused()
        page.keyboard.press("Tab")
        expect(page.locator("[role=dialog] :focus")).to_have_count(1)
        page.keyboard.press("Escape")
        expect(field).to_be_hidden()
        expect(page.locator(opener if opener != "body" else "main").first).to_be_focused()
