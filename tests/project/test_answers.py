"""Answers of the database that cannot be used: each page is right, or says that the database is unavailable.

No page is an error of the portal, and none has data of another request. The package tests that each kind of answer is
refused, or read as it is. So only a sample of them meets a page and a form here. Each kind of strange items meets
several pages, which show it as well as they can. ``make fuzz`` sends every kind to more pages.
"""

import re
from collections.abc import Iterator
from itertools import cycle, islice
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User

from accounts.sessions import SessionModel
from dynamodb_lists.connection import client as client_module
from dynamodb_lists.tests.helpers.evil import KINDS, RIGHT, STRANGE, Evil, evil
from dynamodb_lists.tests.helpers.examples import DEPTH
from portal.error_pages import UNKNOWN_OUTCOME
from portal.lists.views import ListPage
from rooms.statuses import Housekeeping
from tests.conftest import logged_in
from tests.helpers.addresses import addresses
from tests.helpers.forms import fill as fill_examples
from tests.helpers.forms import filled_in
from tests.helpers.history import all_entries
from tests.helpers.lost_answers import WRITES, again, notice
from tests.helpers.markup import ListMarkup

fill = fill_examples
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("empty_tables")]
ELSEWHERE = ("accounts:", "rooms:lab")
"""Pages that read nothing, and those that a manager may not open."""

SOME = [*KINDS] if DEPTH > 1 else [kind for kind in KINDS if kind not in STRANGE][::6]
CHANGING = "[name=csrfmiddlewaretoken], [data-cost], #cost-badge, #list-status, #times"


@pytest.fixture
def server(empty_tables: None, endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Evil]:
    """The server between this process and the engine. It leaves sessions as they are."""
    with evil(endpoint) as server:
        server.spared = str(SessionModel.Meta.table_name)
        monkeypatch.setattr(settings, "DYNAMODB_ENDPOINT_URL", server.url)
        client_module.forget()
        yield server
    client_module.forget()


def pages() -> list[str]:
    """Return the pages of the registry, and the exports of its lists."""
    found = [each for each in addresses() if not each.name.startswith(ELSEWHERE)]
    lists = [each for each in found if issubclass(each.page, ListPage)]
    return [each.url for each in found] + [f"{each.url}?format=csv" for each in lists]


def shown(response: Any) -> str:
    """Return what a page says, without tokens, times and costs, which differ from request to request."""
    if response.streaming:
        return str(response.getvalue())
    markup = ListMarkup(response.content)
    for changing in markup.soup.select(f"{CHANGING}, time, script"):
        changing.decompose()
    return re.sub(r"\s+", " ", markup.soup.get_text())


def is_unavailable(response: Any) -> bool:
    """Return whether a page says that the database is unavailable, and when to come again."""
    return response.status_code == 503 and "Retry-After" in response and b"Traceback" not in response.content


def test_each_page_is_right_or_unavailable(server: Evil, mary: User) -> None:
    staff, faults = logged_in(mary), []
    staff.raise_request_exception = False
    right = {page: (answer.status_code, shown(answer)) for page in pages() for answer in [staff.get(page)]}
    left = cycle(right)
    for kind in dict.fromkeys([*SOME, *STRANGE]):
        for page in islice(left, round((8 if kind in STRANGE else 2) * DEPTH)):
            with server.sending(kind, share=1 if kind in STRANGE else 0.7):
                response = staff.get(page)
                found = response.status_code, shown(response)
            may_fail = kind not in RIGHT and is_unavailable(response)
            may_differ = kind in STRANGE and response.status_code < 500
            if found != right[page] and not may_fail and not may_differ:
                faults.append((kind, page, found))
    assert faults == []


def test_a_write_whose_answer_cannot_be_used_is_in_doubt_and_sent_again_is_made_once(server: Evil, mary: User) -> None:
    staff, faults = logged_in(mary), []
    states, written = cycle([Housekeeping.DIRTY, Housekeeping.CLEAN]), len(all_entries())
    for kind, state in zip(SOME, states, strict=False):
        address, entry = filled_in(staff, "rooms:status")
        entry["housekeeping"] = state
        with server.sending(kind, *WRITES):
            response = staff.post(address, entry)
        if response.status_code == 503 and kind not in RIGHT and UNKNOWN_OUTCOME in notice(response):
            response = staff.post(address, again(response))
        written += 1
        if response.status_code != 302 or len(all_entries()) != written:
            faults.append((kind, response.status_code, len(all_entries()), written))
    assert faults == []
