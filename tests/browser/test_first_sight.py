"""What a browser sees of a page at first, without anything in its cache: nothing moves, and every icon is there."""

import pytest

from tests.helpers.browsing import DESK, PHONE, NewPage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PAGES = ("/", "/hotels/seaside/", "/hotels/seaside/rooms/", "/hotels/seaside/attention/", "/hotels/seaside/reviews/")
SHIFT = """() => new Promise(done => {
    let sum = 0;
    const observer = new PerformanceObserver(list => {
        for (const entry of list.getEntries()) entry.entryType === "mark" ? done(sum) : sum += entry.value;
    });
    observer.observe({type: "layout-shift", buffered: true});
    observer.observe({type: "mark"});
    const drawn = () => requestAnimationFrame(() => requestAnimationFrame(() => performance.mark("drawn")));
    document.fonts.ready.then(drawn);
})"""
"""The sum of the page's layout shifts until it is drawn with its fonts, as https://web.dev/articles/cls counts them."""

NODES = (
    "() => { const nodes = document.createNodeIterator(document); let n = 0; while (nodes.nextNode()) n++; return n; }"
)
"""The elements, texts and comments of the page."""


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_nothing_moves_when_fonts_arrive(new_page: NewPage, viewport: dict[str, int]) -> None:
    page = new_page(viewport=viewport)
    devtools = page.context.new_cdp_session(page)
    shifts = {}
    for address in PAGES if viewport == DESK else PAGES[2:]:
        devtools.send("Network.clearBrowserCache")
        page.goto(address)
        shifts[address] = page.evaluate(SHIFT)
    devtools.detach()
    assert {address: shift for address, shift in shifts.items() if shift > 0.02} == {}


def test_a_phone_asks_for_few_files(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.clearBrowserCache")
    page.goto("/hotels/seaside/rooms/?page_size=50")
    files = page.evaluate(
        "performance.getEntriesByType('resource').map(file => [file.name, file.renderBlockingStatus])"
    )
    nodes = page.evaluate(NODES)
    devtools.detach()
    assert page.locator("tr[data-row]").count() == 50
    assert nodes < 2500
    assert len(files) <= 6, files  # beside the page and its icon
    assert len([name for name, blocking in files if blocking == "blocking"]) == 2
    assert not [name for name, _ in files if "latin" in name], "letters are of the phone's own font"
