"""Limits of failed logins: who is locked out, who is not, what is stored, and what is logged."""

import logging
import time
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import F
from django.test import Client, RequestFactory

from accounts.logins import limits
from accounts.logins.clients import address_of, network_of
from tests.helpers.logins import LOGIN, is_in, log_in

pytestmark = [pytest.mark.usefixtures("empty_tables", "alice"), pytest.mark.django_db]
HERE, ELSEWHERE = "192.0.2.1", "198.51.100.7"
ELSEWHERE_TOO = "You can still log in with a browser that you have used before."
LOGGER = "accounts"


def fail(times: int, username: str = "alice", address: str = HERE, client: Client | None = None) -> list[int]:
    """Guess wrong passwords; returns the answers."""
    return [log_in(client or Client(), username, f"wrong-{n}", address).status_code for n in range(times)]


def pass_time(minutes: int) -> None:
    AccessAttempt.objects.update(attempt_time=F("attempt_time") - timedelta(minutes=minutes))


def logs_in(username: str = "alice", address: str = HERE, client: Client | None = None) -> bool:
    browser = client or Client()
    answer = log_in(browser, username, "alice", address)
    assert answer.status_code in {302, 429}
    return is_in(browser)


# --- Who is locked out ----------------------------------------------------------------------------------


def test_a_user_is_locked_at_one_address_and_nowhere_else() -> None:
    answers = [log_in(Client(), "alice", "wrong", x_forwarded_for=f"203.0.113.{n}").status_code for n in range(5)]
    assert answers == [200] * 4 + [429], "nobody chooses the address in a header"
    assert fail(5, address="") == [200] * 4 + [429], "a server that tells no address counts all the same"
    assert not logs_in(), "the right password is refused, too"
    assert logs_in(address=ELSEWHERE)
    assert fail(1, "bob") == [200], "a colleague at the same address"


def test_the_page_says_when_to_try_again_and_tells_nobody_which_users_exist() -> None:
    pages = []
    for username in ("alice", "nobody"):
        fail(5, username)
        pages.append(log_in(Client(), username, "wrong"))
    assert [page.status_code for page in pages] == [429, 429]
    assert {page["Retry-After"] for page in pages} <= {"900", "899"}
    assert "Try again in 15 minutes" in pages[0].content.decode()
    assert ELSEWHERE_TOO in pages[0].content.decode()
    assert pages[0].content == pages[1].content


def test_an_attempt_during_the_lock_does_not_prolong_it() -> None:
    fail(5)
    pass_time(14)
    assert int(log_in(Client(), "alice", "wrong")["Retry-After"]) <= 60
    assert not logs_in()
    pass_time(1)
    assert logs_in()
    assert fail(4) == [200] * 4, "the count begins anew"
    assert AccessAttempt.objects.count() == 1


def test_one_address_that_tries_many_users_is_locked_for_all_of_them() -> None:
    with patch.object(limits, "FAILURES_PER_ADDRESS", 6):
        assert [fail(2, name) for name in ("alice", "bob", "carol")] == [[200, 200], [200, 200], [200, 429]]
        assert not logs_in()
        assert logs_in(address=ELSEWHERE)


def test_a_login_forgets_its_own_failures_alone() -> None:
    with patch.object(limits, "FAILURES_PER_ADDRESS", 6):
        fail(4, "bob")
        fail(1)
        assert logs_in(), "or an attacker with an account would reset the count of the address"
        assert list(AccessAttempt.objects.values_list("failures_since_start", flat=True)) == [4]
        assert fail(2, "carol") == [200, 429]


def test_a_known_browser_is_not_locked_by_others() -> None:
    known = Client()
    assert logs_in(client=known)
    with patch.multiple(limits, FAILURES_PER_ADDRESS=6, FAILURES_PER_USER=8):
        fail(5)
        fail(4, address=ELSEWHERE)
        fail(3, "bob")
        assert not logs_in(address="203.0.113.9"), "guesses from many addresses lock browsers that nobody knows"
        assert not logs_in()
        assert logs_in(client=known)
        assert not logs_in(), "a login in a known browser gives others no new attempts"


def test_a_known_browser_has_a_limit_of_its_own() -> None:
    known, colleague = Client(), Client()
    assert logs_in(client=known)
    assert fail(6, client=known) == [200] * 4 + [429] * 2
    assert ELSEWHERE_TOO not in log_in(known, "alice", "alice").content.decode(), "this is the browser"
    assert logs_in(client=colleague), "its failures lock it alone"


def test_a_browser_is_known_for_those_who_have_logged_in_with_it(mary: User) -> None:
    mary.set_password("alice")
    mary.save()
    shared = Client()
    assert logs_in(client=shared)
    cookie = shared.cookies[f"known_browser_{User.objects.get(username='alice').pk}"]
    value = cookie.value
    assert (cookie["httponly"], cookie["path"], cookie["samesite"]) == (True, LOGIN, "Strict")
    fail(5, "mary")
    assert not logs_in("mary", client=Client())
    shared.post("/admin/logout/")
    assert log_in(shared, "mary", "alice").status_code == 429
    pass_time(15)
    assert logs_in("mary", client=shared)
    shared.cookies[f"known_browser_{mary.pk}"] = value
    shared.post("/admin/logout/")
    fail(5, "mary")
    assert log_in(shared, "mary", "alice").status_code == 429, "a cookie is for one user"
    fail(5)
    assert logs_in(client=shared)
    with patch("django.core.signing.time.time", return_value=time.time() + 181 * 86_400):
        assert log_in(shared, "alice", "alice").status_code == 429, "after half a year it is unknown"


def test_guesses_of_the_old_password_are_limited_as_at_the_login(staff: Client, alice: User) -> None:
    words = {"old_password": "wrong", "new_password1": "Xq7!hotel-sea", "new_password2": "Xq7!hotel-sea"}
    answers = [staff.post("/admin/password_change/", words) for _ in range(5)]
    assert [answer.status_code for answer in answers] == [200] * 4 + [429]
    assert ELSEWHERE_TOO not in answers[4].content.decode(), "the user is logged in"
    assert "Your old password was entered incorrectly" in answers[3].content.decode()
    assert staff.post("/admin/password_change/", {**words, "old_password": "alice"}).status_code == 429
    assert User.objects.get(pk=alice.pk).password == alice.password
    pass_time(15)
    assert staff.post("/admin/password_change/", {**words, "old_password": "alice"}).status_code == 302
    assert User.objects.get(pk=alice.pk).check_password("Xq7!hotel-sea")
    assert is_in(staff), "this session goes on"


# --- Addresses ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("told", "logged", "counted"),
    [
        ("192.0.2.1", "192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("", "", "0.0.0.0"),
        ("unix:", "", "0.0.0.0"),
    ],
)
def test_an_ipv6_address_is_counted_with_its_neighbours(told: str, logged: str, counted: str) -> None:
    request = RequestFactory().get("/", REMOTE_ADDR=told)
    assert (address_of(request), network_of(request)) == (logged, counted)


# --- What is stored and logged --------------------------------------------------------------------------


def lines(caplog: pytest.LogCaptureFixture) -> list[tuple[Any, ...]]:
    records = [record for record in caplog.records if record.name == LOGGER]
    return [(r.message, r.fields["by"], r.fields["address"]) for r in records]  # type: ignore[attr-defined]


def test_the_log_has_a_line_for_each_event(caplog: pytest.LogCaptureFixture) -> None:
    client = Client()
    with caplog.at_level(logging.INFO, LOGGER):
        fail(5)
        log_in(client, "alice", "alice")
        log_in(client, "alice", "alice", ELSEWHERE)
        words = {"old_password": "alice", "new_password1": "Xq7!hotel-sea", "new_password2": "Xq7!hotel-sea"}
        client.post("/admin/password_change/", {**words, "old_password": "wrong"}, REMOTE_ADDR=ELSEWHERE)
        client.post("/admin/password_change/", words, REMOTE_ADDR=ELSEWHERE)
        client.post("/admin/logout/", REMOTE_ADDR=ELSEWHERE)
        client.post("/admin/password_change/", words)
    assert lines(caplog) == [
        *[("failed login", "alice", HERE)] * 5,
        *[("lockout", "alice", HERE)] * 2,
        ("login", "alice", ELSEWHERE),
        ("failed login", "alice", ELSEWHERE),
        ("password change", "alice", ELSEWHERE),
        ("logout", "alice", ELSEWHERE),
    ]
    assert "wrong" not in caplog.text
    configured: Any = settings.LOGGING
    assert configured["loggers"][LOGGER.partition(".")[0]]["level"] == "INFO"


def test_neither_the_log_nor_the_database_has_what_was_typed(caplog: pytest.LogCaptureFixture) -> None:
    """Many people type their password into the field of the username."""
    for n in range(2):
        Client().post(f"{LOGIN}?password=in-the-address", {"username": "my-secret", "password": f"pass-{n}", "x": "y"})
    (row,) = AccessAttempt.objects.values()
    assert {row.pop(name) for name in ("get_data", "post_data", "http_accept", "path_info", "user_agent")} == {""}
    assert row["failures_since_start"] == 2
    assert "my-secret" not in str(row)
    assert "my-secret" not in caplog.text
    assert {line[:2] for line in lines(caplog)} == {("failed login", "unknown user")}
