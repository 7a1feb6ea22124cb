"""The markup of list pages."""

from bs4 import BeautifulSoup, Tag


class ListMarkup:
    """The markup of a list page that tests and scripts may rely on."""

    def __init__(self, content: bytes) -> None:
        self.soup = BeautifulSoup(content, "html.parser")

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
        """The pager's link of this kind, if there is one."""
        element = self.soup.select_one(f"nav.pager a[rel={rel}]")
        return str(element["href"]) if element else None

    def count(self, facet: str, value: str) -> int:
        """The number on a filter's choice."""
        return int(str(self.element(f'[data-facet="{facet}"][data-value="{value}"]')["data-count"]))

    def cost(self, name: str) -> float:
        """A figure of the cost panel."""
        return float(str(self.element("[data-cost]")[f"data-{name}"]))

    def text(self, selector: str) -> str:
        """The text of an element, with single blanks."""
        return " ".join(self.element(selector).get_text(" ").split())

    def element(self, selector: str) -> Tag:
        """The element, which must be there."""
        element = self.soup.select_one(selector)
        assert element is not None, f"{selector} is missing"
        return element
