"""docs/ten-minutes.md is right: the portal sends the requests that it shows, and they cost what it says."""

import os
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urljoin

import pytest
from django.contrib.auth.models import User
from django.test import Client

from dynamodb_lists.connection.ledger import Ledger
from dynamodb_lists.reading import fetching
from dynamodb_lists.tests.helpers import dynamodb_local
from tests.helpers.documents import ROOT
from tests.helpers.markup import ListMarkup, entry_of
from tests.helpers.orders import AT
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.helpers.shown_requests import in_short
from tests.helpers.tables import forget_counts

DOCUMENT = ROOT / "docs" / "ten-minutes.md"
BLOCK = re.compile(r"<!-- sent: (\w+) -->\n(?:```\n.*?\n```\n)?", re.DOTALL)
ADDRESS = re.compile(r"`(/hotels/abc/rooms/\S+)`")
VIEWS, TYPES = ("Sea view", "Garden view", "City view"), ("Suite", "Double")


def lines(calls: Ledger) -> Iterator[str]:
    """What a page sent besides the read of its session, and what it cost."""
    kept = [call for call in calls.calls if call.purpose != "session"]
    yield from map(in_short, kept)
    figures = {
        "read units": sum(call.units for call in kept if call.reads),
        "write units": sum(call.units for call in kept if not call.reads),
    }
    units = (f"{figure.normalize():f} {name}" for name, figure in figures.items() if figure)
    yield f"together {len(kept)} requests in {len({call.wave for call in kept})} waves, {', '.join(units)}"


def sent_by(client: Client, path: str, data: Mapping[str, str] | None = None) -> tuple[ListMarkup, str]:
    """The page at an address, or after a form, and its requests as the document shows them."""
    forget_counts()
    fetching.sizes.clear()
    response: Any = client.get(path) if data is None else client.post(path, data)
    assert response.status_code == (200 if data is None else 302)
    return ListMarkup(response.content), "\n".join(lines(response.wsgi_request.ledger))


@pytest.mark.django_db
@pytest.mark.skipif(dynamodb_local.wanted(), reason="plans follow the units, and DynamoDB Local charges LSIs otherwise")
def test_the_requests_are_the_ones_sent(manager: Client, mary: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rooms.commands.rooms.now", lambda: AT)
    monkeypatch.setattr("portal.history.commands.timezone.now", lambda: AT)
    make_hotel([make_room(str(100 + n), VIEWS[n % 3], 20 + 2 * (n % 20), TYPES[n // 3 % 2]) for n in range(300)])
    text = DOCUMENT.read_text(encoding="utf-8")
    (address,) = ADDRESS.findall(text)
    shown = {}
    page, shown["page"] = sent_by(manager, address)
    link = urljoin(address, page.link("next") or "")
    after, _ = sent_by(manager, link)
    edit = f"/hotels/{ABC}/rooms/{page.rows[-1]}/edit/"
    entry = entry_of(ListMarkup(manager.get(edit).content))
    _, shown["edit"] = sent_by(manager, edit, {**entry, "view": "City view"})
    again, shown["next"] = sent_by(manager, link)
    assert again.rows == after.rows
    shown["page"] = shown["page"].replace(f"staff#{mary.pk}'", "staff#1'")
    written = BLOCK.sub(lambda match: f"<!-- sent: {match[1]} -->\n```\n{shown[match[1]]}\n```\n", text)
    if os.environ.get("UPDATE_DOCS"):
        DOCUMENT.write_text(written, encoding="utf-8")
    assert DOCUMENT.read_text(encoding="utf-8") == written
    assert BLOCK.findall(text) == [*shown]
