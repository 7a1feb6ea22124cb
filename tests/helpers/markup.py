"""The markup of list pages and of forms."""

from html.parser import HTMLParser
from typing import Any

from django.test import Client

from dynamodb_lists.tests.helpers.soup import Tag, parsed


class ListMarkup:
    """The markup of a list page that tests and scripts may rely on."""

    def __init__(self, content: bytes) -> None:
        self.soup = parsed(content)

    @property
    def table(self) -> Tag:
        """The list."""
        return self.element("table[data-list]")

    @property
    def rows(self) -> list[str]:
        """The name of each row."""
        return [str(row["data-row"]) for row in self.soup.select("tr[data-row]")]

    @property
    def total(self) -> int:
        """The list's length."""
        return int(str(self.table["data-total"]))

    def link(self, rel: str) -> str | None:
        """Return the pager's link of this kind, if there is one."""
        element = self.soup.select_one(f"nav.pager a[rel={rel}]")
        return str(element["href"]) if element else None

    def count(self, facet: str, value: str) -> int:
        """Return the number on a filter's choice."""
        return int(str(self.element(f'[data-facet="{facet}"][data-value="{value}"]')["data-count"]))

    def cost(self, name: str) -> float:
        """Return a figure of the engineers' panel."""
        return float(str(self.element("[data-cost]")[f"data-{name}"]))

    def text(self, selector: str) -> str:
        """Return the text of an element, with single blanks."""
        return " ".join(self.element(selector).get_text(" ").split())

    def element(self, selector: str) -> Tag:
        """Return the element, which must be there."""
        element = self.soup.select_one(selector)
        assert element is not None, f"{selector} is missing"
        return element


def errors(response: Any) -> str:
    """Return the errors that a form shows."""
    assert response.status_code == 200
    return " ".join(element.get_text(" ") for element in ListMarkup(response.content).soup.select(".errorlist"))


def entry_of(page: ListMarkup) -> dict[str, str]:
    """Return the data that a browser sends if the user does not change the form."""
    fields = page.soup.select("form.entries input[name], form.entries textarea[name]")
    entry = {str(field["name"]): str(field.get("value") or field.get_text().strip()) for field in fields}
    chosen = {str(menu["name"]): menu.select_one("option[selected]") for menu in page.soup.select("form select[name]")}
    entry.update({name: str(option["value"]) for name, option in chosen.items() if option})
    return {name: value for name, value in entry.items() if name != "csrfmiddlewaretoken"}


def differences(response: Any) -> list[tuple[str, ...]]:
    """Return the table that compares the stored version with the user's: label, stored value, user's value."""
    rows = ListMarkup(response.content).soup.select("table.differences tbody tr")
    return [tuple(cell.get_text(strip=True) for cell in row.select("th, td")) for row in rows]


class _Nesting(HTMLParser):
    """Notes tags that are not closed in order, and what an element or the page has twice."""

    VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: set[str] = set()
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names, own = [name for name, _ in attrs], str(dict(attrs).get("id", ""))
        if len(names) != len(set(names)) or own in self.ids:
            self.faults.append(f"{self.getpos()[0]}: {self.get_starttag_text()} has an attribute or an id twice")
        self.ids |= {own} - {""}

    def handle_endtag(self, tag: str) -> None:
        if self.open[-1:] == [tag]:
            self.open.pop()
        else:
            self.faults.append(f"{self.getpos()[0]}: </{tag}> closes <{self.open[-1] if self.open else ''}>")


def faults_of_markup(content: bytes) -> list[str]:
    """Return what a page's markup has wrong that a parser mends silently; nothing if it is well formed."""
    nesting = _Nesting()
    nesting.feed(content.decode())
    return nesting.faults + [f"<{tag}> is never closed" for tag in nesting.open]


def get(client: Client, address: str) -> ListMarkup:
    """Return the page at an address, or where it leads to."""
    response = client.get(address, follow=True)
    assert response.status_code == 200, response.content
    return ListMarkup(response.content)
