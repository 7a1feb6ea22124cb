"""What the forms of an own entity get from their lines, in a copy of the project with what guests left behind."""

import pytest
from django.test import Client

from tests.helpers.markup import entry_of, get
from tests.helpers.rooms import ABC, make_hotel

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
PAGE = f"/hotels/{ABC}/lost/"


def test_an_entity_is_added_edited_recorded_and_undone(manager: Client) -> None:
    make_hotel()
    thing = {"thing": "T1", "what": "Umbrella", "found_on": "2026-01-05"}
    assert manager.post(f"{PAGE}add/", thing)["Location"] == f"{PAGE}T1/"
    entry = entry_of(get(manager, f"{PAGE}T1/"))
    assert {name: entry[name] for name in thing} == thing
    assert manager.post(f"{PAGE}T1/", {**entry, "what": "Red umbrella"}).status_code == 302
    stale = manager.post(f"{PAGE}T1/", {**entry, "what": "Stick"})
    assert "Compare both versions" in stale.content.decode()
    history = get(manager, f"/history/lostthing/{ABC}/T1/")
    assert "Umbrella Red umbrella" in history.text("tbody")
    manager.post(str(history.element("tbody form")["action"]), {"serial": history.element("[name=serial]")["value"]})
    assert entry_of(get(manager, f"{PAGE}T1/"))["what"] == "Umbrella"
    page = get(manager, PAGE)
    assert page.rows == ["T1"]
    links = {str(link["href"]).partition("?")[0] for link in page.soup.select("main a[href]")}
    assert links >= {f"{PAGE}T1/", f"{PAGE}add/"}
