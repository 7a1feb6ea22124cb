"""What a page shows, its export has: each column of each list, in the CSV file and in the workbook, with its values."""

import csv
import io
from collections.abc import Iterable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from overview.forms import COLUMNS
from portal.lists.views import ListPage
from portal.people import person_id
from portal.times import today_in
from rooms import commands
from rooms.entities import StatusChange
from rooms.statuses import Housekeeping, Priority, Service
from tests.helpers.addresses import addresses
from tests.helpers.days import far_zone, make_days
from tests.helpers.forms import fill as fill_examples
from tests.helpers.markup import get
from tests.helpers.rooms import ABC
from tests.helpers.workbooks import read_workbook

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
LISTS = [address for address in addresses() if issubclass(address.page, ListPage)]
STATUS = ["Service status", "Reason", "Out of order until", "Cleaning status", "Remark"]
REPAIR = [*STATUS, "Responsible"]
HEADINGS = {
    "rooms:rooms": {"Rate": ["Rate a night", "Currency"], "Status": [*STATUS, "Assignee", "Priority"]},
    "rooms:repairs": {"Until": ["Out of order until"], "Type and view": ["Type", "View"]},
    "rooms:repairs_of_hotels": {
        "Until": ["Out of order until"],
        "Type and view": ["Type", "View"],
        "Hotel": ["Hotel id"],
    },
    "rooms:attention_of_hotels": {
        "Hotel": ["Hotel id"],
        "Status": REPAIR,
        "Since": ["Attention since"],
        "Type and view": ["Type", "View"],
    },
    "reviews:reviews": {"Review": ["Title", "Text", "Reply"]},
    "reviews:unanswered": {"Review": ["Title", "Text"]},
    "history:staff": {"When": ["Time"]},
}
DAY = {
    "Status": REPAIR,
    "Assigned to": ["Assignee", "Priority"],
    "Since": ["Attention since"],
    "Type and view": ["Type", "View"],
}
HEADINGS |= dict.fromkeys(("rooms:my_rooms", "rooms:plan", "rooms:attention"), DAY)
OF_HOTELS = {" ".join(filter(None, words)): [words[0]] for words in COLUMNS.values()}
HEADINGS["overview:group"] = {**OF_HOTELS, "Hotel": ["Hotel"]}
HEADINGS |= dict.fromkeys(("history:mine", "history:thing", "overview:history"), HEADINGS["history:staff"])
"""The columns of the export for what a page shows under another heading, or under one for several columns."""

ACTIONS = {"Back in service", "Mark"}
"""Headings of buttons."""
SHOWN_BLANK = {"", "-", "–", "Unspecified", "Nobody", "No day", "no room", "- no room", "Normal", "normal"}
MANY = {"Status", "Review"}
"""Headings of which no row fills each column."""


def filled(texts: Iterable[Any]) -> bool:
    return any(str(text) not in SHOWN_BLANK for text in texts if text is not None)


def test_what_a_page_shows_its_export_has(manager: Client, mary: User) -> None:
    """If a heading of the page is filled, its columns in the export are filled, too."""
    make_days()  # the hotel keeps its zone
    fill_examples()
    out = StatusChange(service=Service.OUT_OF_ORDER, reason="Water", responsible="Ann", note="Ask Ann")
    commands.set_status(ABC, "101", out, "anna")
    day, person = today_in(far_zone()), person_id(mary)
    rush = StatusChange(Housekeeping.DIRTY, day=day, assignee=person, priority=Priority.RUSH)
    commands.set_status(ABC, "201", rush, "anna")
    compared = set()
    for address in LISTS:
        page = get(manager, address.url)
        if not page.soup.select("a[data-export]"):
            continue
        compared.add(address.name)
        text = manager.get(address.url, {"format": "csv"}).getvalue().decode()
        rows = list(csv.reader(io.StringIO(text)))
        book = read_workbook(manager.get(address.url, {"format": "xlsx"}).getvalue())
        for heading in page.soup.select("table[data-list] thead th:not(.tick)"):
            label = heading.get_text(" ", strip=True).partition(" ,")[0].rstrip(" ▲▼")
            wanted = HEADINGS.get(address.name, {}).get(label, [label])
            if label in ACTIONS:
                continue
            assert set(wanted) <= set(book.headings), (address.name, label)
            cells = page.soup.select(f"tr[data-row] [data-label='{label.partition(' and ')[0]}']")
            if filled(cell.get_text(" ", strip=True) for cell in cells):
                for table in (book.rows, [dict(zip(book.headings, row, strict=False)) for row in rows[1:]]):
                    full = [filled(row.get(column) for row in table) for column in wanted]
                    assert any(full) if label in MANY else all(full), (address.name, label)
    assert compared >= {"rooms:my_rooms", "rooms:plan", "orders:orders", "reviews:reviews", "history:staff"}
