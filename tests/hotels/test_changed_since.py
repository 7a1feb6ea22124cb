"""The address that says whether something has changed in a hotel: its permissions, its answers and its cost."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from accounts.sessions import SessionModel
from rooms import commands
from rooms.entities import StatusChange
from rooms.statuses import Housekeeping
from tests.helpers.people import bind, permit
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
CHANGED = f"/hotels/{ABC}/changed/"
DIRTY, CLEAN = StatusChange(Housekeeping.DIRTY), StatusChange(Housekeeping.CLEAN)


def ask(client: Client, since: str = "") -> Any:
    return client.get(CHANGED, {"since": since})


def test_it_tells_each_change_from_none_for_half_a_unit(newcomer: Client) -> None:
    """Dana has no permission, and learns that there was a change, but not which."""
    make_hotel([make_room("101"), make_room("102")])
    nothing = ask(newcomer).json()
    assert nothing["newest"] == 0
    commands.set_status(ABC, "101", DIRTY, "hanna")
    first = ask(newcomer, nothing["since"])
    assert set(first.json()) == {"since", "newest"}
    assert 0 <= timezone.now().timestamp() - first.json()["newest"] / 1000 < 60
    same = ask(newcomer, first.json()["since"])
    assert (same.status_code, same.content) == (204, b"")
    for answer in (first, same):
        reads = [call for call in answer.wsgi_request.ledger.calls if call.purpose != "session"]
        assert [(call.operation, call.units) for call in reads] == [("Query", Decimal("0.5"))]
    commands.set_status(ABC, "102", DIRTY, "hanna")
    commands.set_status(ABC, "102", CLEAN, "hanna")
    assert ask(newcomer, first.json()["since"]).status_code == 200


def test_it_knows_no_hotel_of_others_and_prolongs_no_session(newcomer: Client, dana: User) -> None:
    make_hotel([make_room("101")])
    (session,) = SessionModel.scan()
    session.update([SessionModel.expires_at.set(timezone.now() + timedelta(minutes=1))])
    ask(newcomer)
    (unused,) = SessionModel.scan()
    assert unused.expires_at < timezone.now() + timedelta(minutes=2)
    newcomer.get("/history/mine/")
    (used,) = SessionModel.scan()
    assert used.expires_at > unused.expires_at
    bind(dana, ABC)
    permit(dana, "orders.view_order")
    assert f'data-fresh="{CHANGED}"' in newcomer.get("/orders/unfinished/").content.decode()
    bind(dana, ABC, "another")
    assert "data-fresh" not in newcomer.get("/orders/unfinished/").content.decode()
    bind(dana, "another")
    assert ask(newcomer).status_code == 404
    assert newcomer.get(CHANGED, {"since": "x" * 17}).status_code == 404
