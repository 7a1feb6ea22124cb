"""Pictures: those of the documents are drawn from real requests, pages draw that of their list; all say it in words."""

import os
import re
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.conf import settings
from django.contrib.auth.models import Permission, User
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from dynamodb_lists.connection import ledger
from dynamodb_lists.tests.helpers import dynamodb_local
from rooms.commands import rooms as room_commands
from rooms.entities import StatusChange
from rooms.statuses import Housekeeping
from tests.costs import data
from tests.costs.data import ABC
from tests.helpers.contents import Fill
from tests.helpers.house_drawing import WORDS, house
from tests.helpers.markup import ListMarkup
from tests.helpers.write_drawings import transaction

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
PICTURES = Path(settings.BASE_DIR) / "docs" / "pictures"
LISTS = {
    "ranges": f"/hotels/{ABC}/rooms/?view=sea-view&sort=size",
    "merge": f"/hotels/{ABC}/reviews/?rating=2&rating=5&page_size=20",
}
NOW = datetime(2026, 1, 15, 10, 22, 31, tzinfo=UTC)
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def filling() -> Fill:
    return data.fill


def drawn(address: str) -> str:
    out = StringIO()
    call_command("explain", address, "--svg", stdout=out)
    return out.getvalue()


def tap(monkeypatch: pytest.MonkeyPatch) -> str:
    """The picture of a tap at a fixed time, which is a part of the key of its entry in the history."""
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    monkeypatch.setattr(room_commands, "now", lambda: NOW)
    with ledger.recording() as recorded:
        room_commands.set_status(ABC, "101", StatusChange(Housekeeping.DIRTY), "alice")
    (call,) = (call for call in recorded.calls if not call.reads)
    return transaction(call).file


def imported_folders() -> dict[str, set[str]]:
    """Each folder of the product, and the others that its modules import. The project has them all."""
    found: dict[str, set[str]] = {name: set() for name in WORDS}
    for folder, imported in found.items():
        for path in (Path(settings.BASE_DIR) / folder).rglob("*.py"):
            text = "" if "tests" in path.parts else path.read_text(encoding="utf-8")
            imported |= {name for name in WORDS if re.search(rf"^\s*(?:from|import) {name}\b", text, re.MULTILINE)}
        imported.discard(folder)
    found["hotelapp"] |= {app.partition(".")[0] for app in settings.INSTALLED_APPS} & found.keys() - {"hotelapp"}
    return found


@pytest.mark.skipif(dynamodb_local.wanted(), reason="plans follow the units, and DynamoDB Local charges LSIs otherwise")
def test_the_pictures_of_the_documents_are_what_requests_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    """``make pictures`` writes them."""
    found = {name: drawn(address) for name, address in LISTS.items()} | {"write": tap(monkeypatch)}
    found["house"] = house(imported_folders()).file
    if "PICTURES" in os.environ:
        for name, picture in found.items():
            (PICTURES / f"{name}.svg").write_text(picture, encoding="utf-8")
    assert {path.stem: path.read_text(encoding="utf-8") for path in PICTURES.glob("*.svg")} == found


@pytest.mark.parametrize("name", [*LISTS, "write", "house"])
def test_a_picture_tells_screen_readers_what_it_shows(name: str) -> None:
    root = ElementTree.fromstring((PICTURES / f"{name}.svg").read_text(encoding="utf-8"))  # noqa: S314 (our own)
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title")
    assert len(str(root.findtext(f"{SVG}desc")).split()) > 15
    assert not root.findall(f".//{SVG}script")
    assert not [element for element in root.iter() if element.get("style")]
    assert "prefers-color-scheme:dark" in str(root.findtext(f"{SVG}style"))


def texts(picture: str) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)<", picture)


def test_a_merge_shows_each_row_of_the_page_once() -> None:
    shown = texts(drawn(LISTS["merge"]))
    assert sorted(int(text) for text in shown if text.isdigit()) == [*range(1, 21)]
    parts = [text for text in shown if re.fullmatch(r"\d+ read, \d+ shown", text)]
    assert sum(int(text.split()[2]) for text in parts) == 20
    assert f"{sum(int(text.split()[0]) for text in parts)} items read, 20 shown" in shown


def test_a_tap_shows_its_items_and_their_indexes(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = texts(tap(monkeypatch))
    assert {"lsi1", "lsi5", "attention", "by-rate", "by-number", "history"} <= set(shown)


@pytest.mark.parametrize("address", ["/nowhere/", f"/hotels/{ABC}/orders/", f"/hotels/{ABC}/rooms/?view=moon"])
def test_what_has_no_picture_is_refused(address: str) -> None:
    with pytest.raises(CommandError):
        drawn(address)


@pytest.mark.parametrize("address", LISTS.values())
def test_the_panel_has_the_picture_of_its_page(staff: Client, alice: User, address: str) -> None:
    assert not ListMarkup(staff.get(f"{address}&explain=1").content).soup.select("svg.drawing")
    alice.user_permissions.add(Permission.objects.get(codename="view_costs"))
    assert not ListMarkup(staff.get(address).content).soup.select("svg.drawing")
    page = ListMarkup(staff.get(f"{address}&explain=1").content)
    (picture,) = page.soup.select("#cost svg.drawing")
    assert not picture.select("style, [style]")
    assert [text.get_text() for text in picture.select("text")]
