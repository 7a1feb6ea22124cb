"""What a list's bulk form says, counts, previews and changes is one selection: the rows that the list shows."""

import re
from collections import Counter
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from django.test import Client

from dynamodb_lists.schema.keys import now
from portal.lists.views import ListPage
from portal.people import person_id
from portal.times import today_in
from rooms import commands, queries
from rooms.entities import StatusChange
from rooms.statuses import Housekeeping
from tests.helpers.addresses import addresses
from tests.helpers.bulk_changes import preview
from tests.helpers.days import far_zone, make_days
from tests.helpers.forms import fill as fill_examples
from tests.helpers.markup import ListMarkup, get
from tests.helpers.rooms import ABC, make_room
from tests.helpers.walking import offered, sent_by

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
LISTS = [address for address in addresses() if issubclass(address.page, ListPage)]
CHANGE = f"/hotels/{ABC}/rooms/change/"
ACTION = "&new-action=status&new-housekeeping=inspected"
NUMBERS = [("number", "2"), ("number", "301")]
SAME = {"format", "explain", "page_size", "choices", "sort", "cursor"}
"""Parameters that select no other rows."""

OFFERING = {"rooms:rooms", "rooms:attention"}
"""The lists that offer to change all that they show. A list that is new here is compared as well."""


@pytest.fixture
def mary_has_rooms(manager: Client, mary: User) -> None:
    make_days()  # the hotel keeps its zone
    fill_examples()
    commands.save_rooms(
        [make_room(str(number), view="Garden", type=f"Kind {number % 3}") for number in range(301, 313)]
    )
    since, dirty = now() - timedelta(days=9), Housekeeping.DIRTY
    commands.save_rooms([make_room(each, housekeeping=dirty, attention_since=since) for each in ("313", "401")])
    plan = StatusChange(Housekeeping.DIRTY, day=today_in(far_zone()), assignee=person_id(mary))
    for number in ("301", "302"):
        commands.set_status(ABC, number, plan, "anna")


def narrowed(client: Client, url: str) -> list[str]:
    """Return the list, and what it is with one more parameter: one value of each, and each tab."""
    page = get(client, url)
    if not page.soup.select("button[name=all]"):
        return []
    links = {step.url for step in offered(page, url) if step.data is None and not step.entered}
    fields = page.soup.select("#filters option, #filters input[type=checkbox], #filters input[type=radio]")
    named = [(str(each.get("name") or each.parent and each.parent.get("name")), each.get("value")) for each in fields]
    links |= {f"{url}?{name}={value}" for name, value in (*named, *NUMBERS) if value}
    found = {("", ""): url}
    for link in sorted(links):
        path, _, query = link.partition("?")
        name, _, value = query.partition("=")
        if path == url and name not in SAME and "&" not in query:
            found.setdefault((name, value if name == "status" else ""), link)
    return [*found.values()]


def shown(client: Client, page: ListMarkup, url: str) -> list[str]:
    """Return the numbers of the rooms on all pages of a list, from its first page on."""
    found = page.rows
    while following := page.link("next"):
        page = get(client, url.partition("?")[0] + following)
        found += page.rows
    return sorted(found)


@pytest.mark.usefixtures("mary_has_rooms")
def test_it_is_one_selection_on_each_list(manager: Client) -> None:
    compared = Counter[str]()
    for address in LISTS:
        for url in narrowed(manager, address.url):
            rows = get(manager, url)
            if not (buttons := rows.soup.select("button[name=all]")):  # of the bar, and of the menu
                continue
            wanted = shown(manager, rows, url)
            for button in buttons:
                assert re.findall(r"\d+", button.get_text()) in ([], [str(len(wanted))]), url
            sends = sent_by(rows, rows.element("form#bulk"), url)
            action, data = next(each for each in sends if each[1][-1][0] == "all")
            page, confirmed, sent = preview(manager, f"{action}?{urlencode(data)}{ACTION}")
            assert f"{len(wanted)} room" in page.text("main .lead"), url
            assert sorted(page.rows) == wanted, url
            if not compared[address.name]:
                progress = manager.post(confirmed, sent)["Location"]
                assert sorted(queries.bulk_change(ABC, progress.split("/")[-2]).room_numbers) == wanted, url
            compared[address.name] += 1
    assert compared.keys() == OFFERING
    assert min(compared.values()) >= 5, compared


@pytest.mark.usefixtures("mary_has_rooms")
def test_cancel_leads_back_to_the_list(manager: Client) -> None:
    """Also from the preview, to which the form carries the list."""
    for address in addresses():
        if address.name not in {"rooms:rooms", "rooms:attention", "rooms:plan"}:
            continue
        referer = {"Referer": f"http://testserver{address.url}"}
        choose = ListMarkup(manager.get(f"{CHANGE}?room=301", headers=referer).content)
        (listed,) = (str(each["value"]) for each in choose.soup.select("form.bulk [name=list]"))
        previewed = f"{CHANGE}?{urlencode({'room': '301', 'list': listed})}{ACTION}"
        for shown_page in (choose, ListMarkup(manager.get(previewed, follow=True).content)):
            assert shown_page.element("form.bulk a.button")["href"] == address.url, address.name
