"""Reads the pages of the admin: rows, links, filters, and what they cost."""

import re
from typing import Any
from urllib.parse import urljoin

from django.contrib.admin.models import LogEntry
from django.http import HttpResponse
from django.test import Client

from dynamodb_lists.tests.helpers.soup import parsed

BOOKS_URL, LOANS_URL = "/admin/library/book/", "/admin/library/loan/"
CHANGE = f"{BOOKS_URL}H-1/change/"


class Shown:
    """A page as a browser has it."""

    soup: Any

    def __init__(self, client: Client, address: str, answer: Any = None) -> None:
        answer = client.get(address) if answer is None else answer
        assert answer.status_code == 200, (address, answer.status_code, answer.headers.get("Location"))
        self.client, self.address, self.text = client, address, answer.content.decode()
        self.soup = parsed(self.text)

    @property
    def boxes(self) -> list[str]:
        """The values of the boxes to tick."""
        return [str(box["value"]) for box in self.soup.select("#result_list tbody input[name=_selected_action]")]

    @property
    def ids(self) -> list[str]:
        """The ids of the rows."""
        return [box.split("#")[-2] for box in self.boxes]

    def column(self, name: str) -> list[str]:
        """Return the cells of a column."""
        return [cell.get_text() for cell in self.soup.select(f"#result_list .field-{name}")]

    @property
    def pages(self) -> dict[str, str]:
        """The addresses of the pages beside this one, by their names."""
        return {a.get_text(): self.at(a) for a in self.soup.select(".paginator a:not(.showall):not([aria-current])")}

    @property
    def number(self) -> int:
        """The number of this page; -1 if nothing counts the pages before it."""
        found = self.soup.select_one(".paginator .this-page, .paginator [aria-current]")
        return int(found.get_text()) if found and found.get_text().isdigit() else 1 - 2 * bool(found)

    @property
    def total(self) -> str:
        """The number of rows, as the page says it."""
        found = re.search(r"(\d+\+?) [a-z]", self.soup.select_one(".paginator").get_text(" "))
        assert found, "a page says how many rows there are"
        return found[1]

    def choices(self, title: str) -> dict[str, str]:
        """Return the addresses of the choices of a filter, by their labels."""
        found = self.soup.select(f'[data-filter-title="{title}"] li a')
        return {a.get_text(strip=True): self.at(a) for a in found}

    @property
    def chosen(self) -> list[str]:
        """The labels of the chosen choices of all filters."""
        return [a.get_text(strip=True) for a in self.soup.select("#changelist-filter li.selected a")]

    @property
    def said(self) -> list[str]:
        """The messages on the page."""
        return [each.get_text(strip=True) for each in self.soup.select(".messagelist li")]

    @property
    def cost(self) -> dict[str, float]:
        """What the page cost."""
        found = self.soup.select_one("[data-cost]")
        return {name: float(found[f"data-{name}"]) for name in ("requests", "units", "waves")}

    def at(self, link: Any) -> str:
        """Return the address of a link."""
        href = str(link["href"])
        return self.address.partition("?")[0] if href == "?" else urljoin(self.address, href)

    def go(self, address: str) -> "Shown":
        """Return the page at an address of this one."""
        return Shown(self.client, address)

    def posted(self, form: str, **values: Any) -> HttpResponse:
        """Return what a form answers, with these values in place of its own."""
        data: dict[str, Any] = {}
        for field in self.soup.select(f"{form} input, {form} textarea, {form} select"):
            name, kind = field.get("name"), field.get("type")
            if not name or kind in {"submit", "checkbox"} and not field.has_attr("checked"):
                continue
            if field.name == "select":
                chosen = field.select_one("option[selected]")
                data[str(name)] = chosen["value"] if chosen else ""
            else:
                data[str(name)] = (
                    field.get("value", "on" if kind == "checkbox" else "")
                    if field.name == "input"
                    else field.get_text().removeprefix("\n")
                )
        return self.client.post(self.address, {**data, **values})  # type: ignore[return-value]


def log() -> list[tuple[int, str, str]]:
    """Return the log, oldest first: what was done, to what, and in which words."""
    return [
        (each.action_flag, each.object_id or "", each.get_change_message()) for each in LogEntry.objects.order_by("pk")
    ]
