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
    return missing.map(name => `make fonts: no icon ${name}`).concat(
        (await axe.run(within, options)).violations.map(rule => `${rule.id}: ${rule.nodes[0].html}`));
}"""
"""Lays out the page with its final colours and fonts, and runs axe-core, which takes an icon's name for text without
the font of icons. An icon that the font lacks is a violation, too: it is as wide as the letters of its name."""

RUN_IN_THE_DARK = f"""async given => {{
    document.documentElement.classList.add("dark");
    const violations = await ({RUN})(given);
    document.documentElement.classList.remove("dark");
    return violations;
}}"""

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


def assert_fitting(page: Page) -> None:
    """Check that nothing sticks out on a tablet or a phone."""
    wide = page.viewport_size
    for width in (768, 360):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, page.url
    page.set_viewport_size(wide or DESK)


def assert_accessible_and_fitting(page: Page) -> None:
    """Check what only this test gets to see. ``test_every_page.py`` checks each kind of page as it is at first."""
    assert_accessible(page)
    assert_fitting(page)


def _axe(page: Page, script: str, within: str, **options: object) -> list[str]:
    """The violations that axe-core reports: the rule, and the first element."""
    page.wait_for_load_state()  # a click waits until the next page begins, not until it is there
    if not page.evaluate("'axe' in window"):
        devtools = page.context.new_cdp_session(page)
        # The Content-Security-Policy forbids a script element. What DevTools run is compiled once for all pages.
        devtools.send("Runtime.evaluate", {"expression": AXE.read_text(encoding="utf-8")})
        devtools.detach()
    # No rule that runs here reads the stylesheets, which axe-core would load again.
    return list(page.evaluate(script, [within, {"resultTypes": ["violations"], "preload": False, **options}]))
