"""How sessions end: without use, after a day, with a new password, with the account; and what their renewal costs."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.conf import settings
from django.test import Client, override_settings

from accounts.sessions import STARTED, SessionStore
from dynamodb_lists.tests.helpers.answers import answering, refusal
from tests.helpers.sessions import change_item, item_of

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
HOUR = 3600
PAGE = "/hotels/"


def session_of(client: Client) -> SessionStore:
    return SessionStore(client.cookies[settings.SESSION_COOKIE_NAME].value)


def hours_left(client: Client) -> float:
    return (int(item_of(session_of(client))["expires_at"]["N"]) - datetime.now(UTC).timestamp()) / HOUR


def pass_time(client: Client, hours: float) -> None:
    """Move a session's end and its login into the past."""
    session = session_of(client)
    session[STARTED] -= int(hours * HOUR)
    ends = int(item_of(session)["expires_at"]["N"]) - int(hours * HOUR)
    session.save()
    change_item(session, expires_at={"N": str(ends)})


def writes(response: Any) -> list[str]:
    return [call.operation for call in response.wsgi_request.ledger.of("session") if not call.reads]


def test_a_session_in_use_is_renewed_once_in_a_twelfth_of_the_idle_time(staff: Client) -> None:
    assert hours_left(staff) == pytest.approx(8, abs=0.05)
    pass_time(staff, 0.6)
    assert writes(staff.get(PAGE)) == []
    pass_time(staff, 0.1)
    response = staff.get(PAGE)
    assert writes(response) == ["UpdateItem"]
    assert hours_left(staff) == pytest.approx(8, abs=0.05)
    assert [writes(staff.get(PAGE)) for _ in range(3)] == [[]] * 3
    pass_time(staff, 7.9)
    assert staff.get(PAGE).status_code == 200
    with override_settings(SESSION_IDLE_HOURS=2):
        assert writes(staff.get(PAGE)) == ["UpdateItem"], "a session of before the change ends sooner, too"
    assert hours_left(staff) == pytest.approx(2, abs=0.05)


def test_it_ends_after_hours_without_use_and_a_form_says_so(staff: Client) -> None:
    pass_time(staff, 8)
    assert staff.get(PAGE)["Location"].startswith("/admin/login/")
    client = staff
    client.cookies.clear()
    page = client.post("/guests/add/", {"username": "alex"}, follow=True)
    assert "Nothing was saved, because you were not logged in" in page.content.decode()


def test_it_ends_some_hours_after_the_login_however_much_it_is_used(staff: Client) -> None:
    for _ in range(3):
        pass_time(staff, 7.5)
        assert staff.get(PAGE).status_code == 200
    assert hours_left(staff) == pytest.approx(1.5, abs=0.05)
    assert writes(staff.get(PAGE)) == [], "near its end there is nothing to renew"
    pass_time(staff, 1.5)
    assert staff.get(PAGE).status_code == 302


def test_what_another_request_saved_meanwhile_is_kept(staff: Client) -> None:
    pass_time(staff, 1)
    first = session_of(staff)
    first.load()
    second = session_of(staff)
    second["cat"] = "dog"
    second.save()
    pass_time(staff, 1)
    first.get("cat")
    first.renew()
    assert session_of(staff)["cat"] == "dog"


@pytest.mark.parametrize("code", ["ConditionalCheckFailedException", "ReplicatedWriteConflictException"])
def test_a_page_does_not_fail_because_its_session_is_not_renewed(staff: Client, code: str) -> None:
    """Somebody has logged out in another window, or the database does not take writes now."""
    pass_time(staff, 1)
    with answering(lambda **_: refusal(code), "UpdateItem"):
        assert staff.get(PAGE).status_code == 200
    assert hours_left(staff) == pytest.approx(7, abs=0.05)


def test_a_renewal_does_not_bring_a_deleted_session_back(staff: Client) -> None:
    pass_time(staff, 1)
    session = session_of(staff)
    session.load()
    session_of(staff).delete()
    session.renew()
    assert item_of(session) == {}
