"""What a browser sees of a page at first, without anything in its cache: nothing moves, and every icon is there."""

import re
from pathlib import Path

import pytest
import unfold

from portal.frame import groups
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

WIDTHS = """async names => {
    const full = "/static/unfold/fonts/material-symbols/Material-Symbols-Outlined.woff2";
    const fonts = [new FontFace("full", `url(${full})`), new FontFace("subset", "url(/static/fonts/icons.woff2)")];
    for (const font of fonts) document.fonts.add(await font.load());
    const pen = document.createElement("canvas").getContext("2d");
    const measure = (font, name) => { pen.font = `20px ${font}`; return pen.measureText(name).width; };
    return names.filter(name => measure("full", name) !== measure("subset", name));
}"""
"""The names that are not as wide in the portal's font as in Unfold's."""


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


def test_the_font_has_the_icons_of_unfolds_stylesheet(new_page: NewPage) -> None:
    """Other tests look for the icons of pages. These are drawn by the stylesheet alone, such as those of a calendar."""
    styles = Path(unfold.__file__).parent / "static/unfold/css/styles.css"
    names = re.findall(r'content:"([a-z_]+)"', styles.read_text(encoding="utf-8"))
    names += [link["icon"] for links in groups().values() for link in links]
    assert {"calendar_today", "history"} <= {*names}
    page = new_page()
    page.goto("/hotels/")
    assert page.evaluate(WIDTHS, names) == []
