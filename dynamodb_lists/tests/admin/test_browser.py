"""The admin in a real Chromium: the stock look and Unfold, a desk and a phone, without findings of axe-core."""

import os
import subprocess
import sys
from collections.abc import Iterator
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from dynamodb_lists.connection.engine import free_port
from dynamodb_lists.tests.admin.pages import BOOKS_URL, LOANS_URL
from dynamodb_lists.tests.helpers import chromium
from dynamodb_lists.tests.helpers.wheels import ROOT

AXE = (ROOT / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
RUN = """axe.run({resultTypes: ["violations"], preload: false}).then(
    it => it.violations.flatMap(rule => rule.nodes.map(node => [rule.id, node.html])))"""
"""No rule that runs here reads the stylesheets, which axe-core would load again."""

USUAL = {"label", "link-in-text-block", "landmark-one-main", "landmark-unique", "region", "label-title-only"}
"""What axe-core finds on pages of Django's own models, too; the last in the widgets of Unfold for dates and times."""

DESK: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 375, "height": 900}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = chromium.find()
    assert path, "There is no Chromium: install it (apt-get install chromium), or name it in CHROMIUM."
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=chromium.FLAGS)
        yield launched
        launched.close()


@pytest.fixture(scope="module", params=["stock", "unfold"])
def address(request: pytest.FixtureRequest, endpoint: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a project with a look. Its tables have a prefix, for both looks write."""
    port, folder = free_port(), tmp_path_factory.mktemp(request.param)
    environment = {
        "LOOK": request.param,
        "ENDPOINT": endpoint,
        "SQLITE": str(folder / "db"),
        "PREFIX": f"{request.param}-",
    }
    command = [sys.executable, "-m", "dynamodb_lists.tests.admin.serving", str(port)]
    with subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout
        assert server.stdout.readline() == "ready\n"
        yield f"http://127.0.0.1:{port}"
        server.terminate()


@pytest.fixture(scope="module")
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A page of Ada, who is logged in. At its end it has had no error of a script."""
    context = chromium.new_context(browser, base_url=address, viewport=DESK)
    shown, errors = context.new_page(), list[str]()
    shown.on("pageerror", lambda error: errors.append(str(error)))
    shown.goto("/admin/login/")
    shown.fill("[name=username]", "ada")
    shown.fill("[name=password]", "x")
    shown.click("[type=submit]")
    yield shown
    context.close()
    assert not errors


def findings(page: Page) -> set[str]:
    """Return what axe-core finds at a desk, and whether the page is wider than the window, there or on a phone."""
    page.wait_for_load_state()
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found = page.evaluate(RUN)
    wide = set()
    for size in (PHONE, DESK):
        page.set_viewport_size(size)
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wide.add(f"wide on {size['width']}")
    return {f"{rule}: {html}" for rule, html in found} | wide


def assert_as_good_as_stock(page: Page) -> None:
    """Check that axe-core finds nothing that the pages of Django's own models do not have."""
    assert not [each for each in findings(page) if each.partition(":")[0] not in USUAL]


def test_rows_of_a_filtered_list_are_ticked_shown_and_deleted(page: Page) -> None:
    page.goto(BOOKS_URL)
    expect(page.locator("#result_list .field-title")).to_have_count(20)
    assert_as_good_as_stock(page)
    link = page.locator("#changelist-filter a").get_by_text("Poetry (14)", exact=True)
    page.goto(urljoin(page.url, link.first.get_attribute("href") or ""))  # Unfold shows it in a drawer
    for box in (0, 2):
        page.locator("input.action-select").nth(box).check()
    page.select_option("[name=action]", "delete_selected")
    page.click("[name=index]")
    expect(page.get_by_text("Title: The book 39")).to_be_visible()
    expect(page.get_by_text("Title: The book 33")).to_be_visible()
    assert_as_good_as_stock(page)
    page.locator("form:has([name=post]) [type=submit]").click()
    expect(page.get_by_text("Successfully deleted 2 books")).to_be_visible()


def test_an_action_on_all_rows_goes_on_by_itself(page: Page) -> None:
    page.goto(f"{BOOKS_URL}?year__gte=1952&year__lte=1969")
    page.locator("input.action-select").first.check()
    page.evaluate("document.querySelector('[name=select_across]').value = 1")
    page.select_option("[name=action]", "mark_rare")
    page.click("[name=index]")
    expect(page.get_by_text("This will be done for all rows that match, 15 at a time")).to_be_visible()
    page.locator("form:has([name=step]) [type=submit]").click()
    expect(page.get_by_role("link", name="Back to the list")).to_be_visible()
    expect(page.locator("[data-progress]")).to_contain_text("18 done.")
    assert_as_good_as_stock(page)


def test_two_editors_of_a_new_row(page: Page) -> None:
    page.goto(f"{BOOKS_URL}add/")
    for name, value in {"shelf": "H-1", "title": "Hobbit", "author": "Tolkien"}.items():
        page.fill(f"[name={name}]", value)
    page.click("[name=_save]")
    expect(page.get_by_text("was added successfully")).to_be_visible()
    other = page.context.new_page()
    for each in (page, other):
        each.goto(f"{BOOKS_URL}H-1/change/")
    other.fill("[name=title]", "The Hobbit")
    other.click("[name=_save]")
    page.fill("[name=author]", "J. R. R. Tolkien")
    page.click("[name=_save]")
    expect(page.locator("[data-conflict] tbody tr")).to_have_count(2)
    expect(page.locator("[name=title]")).to_have_value("The Hobbit")
    assert_as_good_as_stock(page)
    page.click("[name=_save]")
    expect(page.get_by_text("was changed successfully")).to_be_visible()


def test_owners_and_what_they_own(page: Page) -> None:
    page.goto(LOANS_URL)
    assert_as_good_as_stock(page)
    page.get_by_role("link", name="L1", exact=True).click()
    expect(page.locator("#result_list .field-number")).to_have_count(25)
    page.goto("/admin/library/library/L1/change/")
    expect(page.locator("[data-owned=loan] tbody tr")).to_have_count(25)
    assert_as_good_as_stock(page)
    page.goto(f"{LOANS_URL}L1_23N-3/change/")
    expect(page.locator("[name=due]")).to_have_value("2026-01-04")


def test_a_table_that_exists_already(page: Page) -> None:
    page.goto("/admin/library/note/")
    assert_as_good_as_stock(page)
    page.goto("/admin/library/order/?username=ann")
    expect(page.locator("#result_list .field-order_id")).to_have_count(25)
    assert_as_good_as_stock(page)
    page.goto("/admin/library/order/USER_2523ann_23ORDER_2523O-003/change/")
    expect(page.locator("[name=total]")).to_have_value("11.25")
    page.get_by_text("As stored").click()
    expect(page.locator("#stored")).to_contain_text("Çankaya")
    assert_as_good_as_stock(page)
    page.get_by_role("link", name="All items of its partition").click()
    expect(page.locator("#stored li")).to_have_count(25)
    assert_as_good_as_stock(page)
    page.get_by_role("link", name="Next").click()
    page.get_by_role("link", name="WISH#1").click()
    expect(page.get_by_text("A <b>kettle</b>")).to_be_visible()
    assert_as_good_as_stock(page)
