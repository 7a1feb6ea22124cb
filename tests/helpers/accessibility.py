"""What each page owes to everybody: axe-core reports nothing, also in the dark, and it fits a tablet and a phone."""

from pathlib import Path

from django.conf import settings
from playwright.sync_api import Page

from tests.helpers.browsing import DESK

AXE = Path(settings.BASE_DIR) / "node_modules" / "axe-core" / "axe.min.js"
RUN = """async ([within, options]) => {
    document.body.offsetHeight;
    document.getAnimations().filter(it => it instanceof CSSTransition).forEach(it => it.finish());
    await document.fonts.ready;
    await document.fonts.load("20px Material Symbols Outlined");
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = "20px Material Symbols Outlined";
    const names = [...document.querySelectorAll(".material-symbols-outlined")].map(icon => icon.textContent.trim());
    const missing = names.filter(name => name && Math.abs(pen.measureText(name).width - 20) > 0.1);
    const violations = (await axe.run(within, options)).violations.filter(({ id, nodes }) =>
        id !== "target-size" || nodes.some(node => !node.html.includes('type="range"')));
    return missing.map(name => `make fonts: no icon ${name}`).concat(
        violations.map(rule => `${rule.id}: ${rule.nodes[0].html}`));
}"""
"""Lays out the page with its final colours and fonts, and runs axe-core, which takes an icon's name for text without
the font of icons. An icon that the font lacks is a violation, too: it is as wide as the letters of its name. The two
thumbs of a range lie on one line; the fields above them do the same."""

RUN_IN_THE_DARK = f"""async given => {{
    document.documentElement.classList.add("dark");
    const violations = await ({RUN})(given);
    document.documentElement.classList.remove("dark");
    return violations;
}}"""

OVERPRINTS = """() => {
    const styles = new Map(), range = document.createRange(), boxes = [];
    const styleOf = element => styles.get(element) ?? styles.set(element, getComputedStyle(element)).get(element);
    const seen = (box, element) => { // what the ancestors leave of a box; null in front of the page, over other text
        let { left, top, right, bottom } = box;
        for (let part = element; part; part = part.parentElement) {
            const style = styleOf(part);
            if (["fixed", "sticky"].includes(style.position) || part.matches(":popover-open, dialog")) return null;
            if (style.overflow !== "visible" || style.clip !== "auto" || style.clipPath !== "none") {
                const edge = part.getBoundingClientRect();
                [left, top] = [Math.max(left, edge.left), Math.max(top, edge.top)];
                [right, bottom] = [Math.min(right, edge.right), Math.min(bottom, edge.bottom)];
            }
        }
        return right - left > 2 && bottom - top > 4 ? { left, top, right, bottom } : null;
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const node = walker.currentNode, element = node.parentElement, seenAtAll = { visibilityProperty: true };
        if (!node.data.trim() || !element.checkVisibility({ opacityProperty: true, ...seenAtAll })) continue;
        range.selectNodeContents(node);
        for (const line of range.getClientRects()) {
            const box = seen(line, element);
            if (box) boxes.push({ ...box, node });
        }
    }
    const covers = (node, other) => { // as a layer with a ground of its own, which hides the other
        for (let part = node.parentElement; !part.contains(other); part = part.parentElement) {
            const { position, backgroundColor } = styleOf(part);
            if (position !== "static" && backgroundColor !== "rgba(0, 0, 0, 0)") return true;
        }
        return false;
    };
    const found = new Set();
    for (const cell of document.querySelectorAll("[data-label]")) { // a label before a cell is no node
        if (styleOf(cell).overflow === "visible" && cell.checkVisibility() && cell.scrollWidth > cell.clientWidth + 2)
            found.add(`${cell.dataset.label} is wider than its cell`);
    }
    boxes.sort((one, other) => one.top - other.top).forEach((one, index) => {
        for (let next = index + 1; next < boxes.length && boxes[next].top < one.bottom - 4; next++) {
            const other = boxes[next], width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
            const isOver = other.node !== one.node && width > 2 && Math.min(one.bottom, other.bottom) - other.top > 4;
            if (isOver && !covers(one.node, other.node) && !covers(other.node, one.node))
                found.add(`${one.node.data.trim()} | ${other.node.data.trim()}`);
        }
    });
    return [...found];
}"""
"""The pairs of texts of which one stands over the other: axe-core does not see them. A line's box is a little higher
than the line, so 4 pixels do not count."""

UNFITTING = f"""width => {{
    const wide = document.documentElement.scrollWidth;
    return (wide > width ? [`it is ${{wide}} wide`] : []).concat(({OVERPRINTS})());
}}"""

WIDTHS = (1280, 768, 320)
"""In CSS pixels: of a desk, a tablet, and the narrowest phone, that of WCAG 1.4.10."""

COLOR_RULES = ["color-contrast", "link-in-text-block"]


def assert_accessible(page: Page, within: str = "html") -> None:
    """Check that axe-core reports nothing for the whole page with its frame, or for a part of it."""
    assert _axe(page, RUN, within) == [], page.url


def assert_legible_in_the_dark(page: Page, within: str = "html") -> None:
    """Check the colours of the page in the dark, the only difference between a dark page and a light one.

    As Unfold's script does, this sets the colour scheme and a class. Another test checks that a browser with a dark
    colour scheme gets both.
    """
    page.emulate_media(color_scheme="dark")
    assert _axe(page, RUN_IN_THE_DARK, within, runOnly=COLOR_RULES) == [], page.url
    page.emulate_media(color_scheme="light")


def assert_fitting(page: Page, *widths: int, back: bool = True) -> None:
    """Check that at these widths nothing sticks out, and no text covers another text.

    The present width is checked first. With ``back``, the page has this width again afterwards.
    """
    before = page.viewport_size or DESK
    now = before["width"]
    for width in sorted(widths or WIDTHS, key=lambda width: width != before["width"]):
        if width != now:
            page.set_viewport_size({"width": width, "height": 740})
        now, found = width, page.evaluate(UNFITTING, width)
        assert not found, f"{page.url} at {width}: {found}"
    if back and now != before["width"]:
        page.set_viewport_size(before)


def assert_accessible_and_fitting(page: Page, within: str = "main") -> None:
    """Check what only this test gets to see. ``test_every_page.py`` checks the frame and pages as they are at first."""
    assert_accessible(page, within)
    assert_fitting(page)


def _axe(page: Page, script: str, within: str, **options: object) -> list[str]:
    """Return the violations that axe-core reports: the rule, and the first element."""
    page.wait_for_load_state()  # a click waits until the next page begins, not until it is there
    if not page.evaluate("'axe' in window"):
        devtools = page.context.new_cdp_session(page)
        # The Content-Security-Policy forbids a script element. What DevTools run is compiled once for all pages.
        devtools.send("Runtime.evaluate", {"expression": AXE.read_text(encoding="utf-8")})
        devtools.detach()
    # No rule that runs here reads the stylesheets, which axe-core would load again.
    rules = {"target-size": {"enabled": True}}  # WCAG 2.2
    given = {"resultTypes": ["violations"], "preload": False, "rules": rules, **options}
    return list(page.evaluate(script, [within, given]))
