"""The second factor: setting it up, logging in with it, and that nothing is open before the code was given."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.contrib.auth.models import User
from django.test import Client, override_settings
from django.utils import timezone
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts.second_factor import devices
from tests.conftest import logged_in
from tests.helpers.addresses import addresses
from tests.helpers.logins import CODE, LOGIN, code_of, forget_codes, is_in, log_in, with_second_factor
from tests.helpers.markup import ListMarkup

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
PAGE = "/account/second-factor/"
SET_UP, CODES, REMOVE = f"{PAGE}set-up/", f"{PAGE}backup-codes/", f"{PAGE}remove/"
FIRST_SET_UP = "/admin/login/set-up/"
BEGIN = {"begin": "1", "password": "alice"}
HTMX = {"HX-Request": "true", "HX-Target": "list"}


@pytest.fixture
def backup_codes(alice: User) -> list[str]:
    """Alice has a second factor and these backup codes."""
    return with_second_factor(alice)


@pytest.fixture
def half(client: Client, backup_codes: list[str]) -> Client:
    """A browser in which alice has given her password, but no code."""
    assert log_in(client, "alice", "alice").status_code == 302
    return client


def give(client: Client, code: str, **more: str) -> Any:
    return client.post(f"{CODE}?next=/guests/", {"code": code, **more})


@contextmanager
def the_time_standing() -> Iterator[None]:
    """Let no time pass inside the block, so that a page names the same time to wait on any machine."""
    with patch("django.utils.timezone.now", return_value=timezone.now()):
        yield


def text_of(response: Any) -> str:
    return " ".join(ListMarkup(response.content).soup.get_text(" ").split())


# --- Setting up -----------------------------------------------------------------------------------------


def test_a_user_sets_up_a_second_factor(staff: Client, alice: User, caplog: pytest.LogCaptureFixture) -> None:
    other = logged_in(alice)
    assert "is off" in text_of(staff.get(PAGE))
    assert not TOTPDevice.objects.exists(), "reading writes nothing"
    assert staff.post(SET_UP, BEGIN)["Location"] == SET_UP
    page = ListMarkup(staff.get(SET_UP).content).soup
    assert page.select("svg.qr path")
    assert page.select("main a[href^='otpauth://totp/Hotel%20portal']")
    assert not page.select("main [style], main script"), "the content security policy allows neither"
    assert "A code has 6 digits" in text_of(staff.post(SET_UP, {"code": "12a456"}))
    assert is_in(other)
    with caplog.at_level(logging.INFO, "accounts"):
        done = staff.post(SET_UP, {"code": code_of(alice)})
    assert "second factor enabled" in caplog.text
    shown = [code.get_text().replace(" ", "") for code in ListMarkup(done.content).soup.select(".backup-codes code")]
    assert len(shown) == devices.BACKUP_CODES
    assert sorted(shown) == sorted(StaticToken.objects.values_list("token", flat=True))
    assert "no-store" in done["Cache-Control"]
    assert is_in(staff)
    assert not is_in(other), "every other session needs a code from now on"
    assert "10 backup codes left" in text_of(staff.get(PAGE))
    assert TOTPDevice.objects.get().confirmed


def test_a_wrong_code_enables_nothing_and_a_new_beginning_has_a_new_key(staff: Client, alice: User) -> None:
    assert "too old. Begin again" in text_of(staff.post(SET_UP, {"code": "123456"}))
    staff.post(SET_UP, BEGIN)
    key = TOTPDevice.objects.get().key
    assert "This code is wrong" in text_of(staff.post(SET_UP, {"code": f"{int(code_of(alice)) ^ 1:06d}"}))
    staff.post(SET_UP, BEGIN)
    device = TOTPDevice.objects.get()
    assert device.key != key
    assert not device.confirmed
    assert is_in(staff)


def test_an_unattended_session_sets_up_nothing(staff: Client, alice: User, caplog: pytest.LogCaptureFixture) -> None:
    assert "This field is required" in text_of(staff.post(SET_UP, {"begin": "1"}))
    answers = [staff.post(SET_UP, {**BEGIN, "password": "x"}) for _ in range(5)]
    assert [answer.status_code for answer in answers] == [200] * 4 + [429]
    assert "This password is wrong" in text_of(answers[0])
    assert "Enter the code" not in text_of(answers[0])
    assert [r.message for r in caplog.records if r.name == "accounts"] == ["failed login"] * 5 + ["lockout"]
    assert staff.post(SET_UP, BEGIN).status_code == 429
    assert not TOTPDevice.objects.exists()


def test_a_key_belongs_to_the_session_that_began_it_and_waits_a_quarter_of_an_hour(staff: Client, alice: User) -> None:
    other = logged_in(alice)
    staff.post(SET_UP, BEGIN)
    assert TOTPDevice.objects.get().key
    assert not ListMarkup(other.get(SET_UP).content).soup.select("[data-secret]")
    assert "too old. Begin again" in text_of(other.post(SET_UP, {"code": code_of(alice)}))
    begun = TOTPDevice.objects.get().created_at
    assert begun is not None
    TOTPDevice.objects.update(created_at=begun - devices.SET_UP_TIME)
    assert "too old. Begin again" in text_of(staff.post(SET_UP, {"code": code_of(alice)}))
    other.post(SET_UP, BEGIN)
    assert "too old. Begin again" in text_of(staff.post(SET_UP, {"code": code_of(alice)}))
    assert not TOTPDevice.objects.get().confirmed
    assert "Your backup codes" in text_of(other.post(SET_UP, {"code": code_of(alice)}))


def test_a_second_one_is_not_set_up(empty_tables: None, alice: User) -> None:
    with_second_factor(alice)
    staff = logged_in(alice)
    session = staff.session
    devices.complete(session, TOTPDevice.objects.get())
    session.save()
    assert "already have a second factor" in text_of(staff.post(SET_UP, BEGIN, follow=True))
    assert "already have a second factor" in text_of(staff.post(SET_UP, {"code": code_of(alice)}))
    assert TOTPDevice.objects.count() == 1


# --- Nothing is open before the code --------------------------------------------------------------------


def test_every_address_is_closed_until_the_code_was_given(half: Client, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_superuser=True)
    urls = [address.url for address in addresses()][::4]  # one middleware closes them all
    urls += ["/admin/auth/group/", "/admin/auth/user/", "/admin/password_change/", "/admin/jsi18n/"]
    urls += ["/guests/?format=csv", f"/admin/auth/user/{alice.pk}/change/", "/admin/autocomplete/", "/admin/logout/"]
    for url in urls:
        answers: list[Any] = [half.get(url), half.post(url, {"seen": "PLACED"})]
        for answer in answers:
            assert answer.status_code == 302, url
            assert answer["Location"].startswith((LOGIN, "/admin/?", "/admin/")), url
            assert not [call for call in answer.wsgi_request.ledger.calls if call.purpose != "session"], url
    assert half.get("/guests/", headers=HTMX)["HX-Redirect"].startswith(LOGIN)
    assert "alice" not in half.get("/nowhere/").content.decode()
    page = half.get(f"{LOGIN}?next=/guests/%3Fq%3Da")
    assert page["Location"] == f"{CODE}?next=%2Fguests%2F%3Fq%3Da"
    assert text_of(half.get(page["Location"])).count("Enter your code") == 2


def test_a_code_logs_in_once(half: Client, alice: User, caplog: pytest.LogCaptureFixture) -> None:
    code, before = code_of(alice), half.session.session_key
    with caplog.at_level(logging.INFO, "accounts"):
        answer = give(half, f" {code[:3]} {code[3:]} ")
    assert answer["Location"] == "/guests/"
    assert [record.message for record in caplog.records if record.name == "accounts"] == ["login"]
    assert half.session.session_key != before
    assert half.cookies[f"known_browser_{alice.pk}"].value
    assert is_in(half)
    second = Client()
    log_in(second, "alice", "alice")
    assert "was used before" in text_of(give(second, code))
    assert not is_in(second)


def test_a_code_may_have_the_digits_of_any_script_and_leads_to_no_other_site(half: Client, alice: User) -> None:
    code = "".join(chr(ord("۰") + int(digit)) for digit in code_of(alice))
    assert half.post(f"{CODE}?next=https://evil.example/", {"code": f"{code[:3]}－{code[3:]}"})["Location"] == "/"
    assert is_in(half)


def test_a_wrong_code_makes_the_next_one_wait(half: Client, alice: User) -> None:
    with the_time_standing():
        assert "This code is wrong" in text_of(give(half, f"{int(code_of(alice)) ^ 1:06d}"))
        TOTPDevice.objects.update(throttling_failure_count=3)
        assert "wait 4 seconds" in text_of(give(half, code_of(alice))), "the right code, too soon"
    assert not is_in(half)
    TOTPDevice.objects.update(throttling_failure_timestamp=None)
    page = half.post(f"{CODE}?next=/guests/", {"code": code_of(alice)}, follow=True)
    assert "somebody entered 3 wrong codes" in text_of(page)


def test_nobody_who_knows_a_password_locks_its_owner_out_for_long(half: Client) -> None:
    TOTPDevice.objects.update(throttling_failure_count=devices.MOST_FAILURES)
    with the_time_standing():
        give(half, "000000")
        assert "wait 18 minutes" in text_of(give(half, "000000"))
    assert TOTPDevice.objects.get().throttling_failure_count == devices.MOST_FAILURES


def test_a_backup_code_logs_in_once(half: Client, backup_codes: list[str]) -> None:
    page = text_of(give(half, "0000000000"))
    assert "This backup code is wrong, or it was used before." in page
    assert "your app shows" not in page
    with the_time_standing():
        StaticDevice.objects.update(throttling_failure_timestamp=timezone.now() + timedelta(minutes=10.5))
        assert "After 1 wrong code, wait 11 minutes. Then try again." in text_of(give(half, backup_codes[0]))
    StaticToken.objects.get(token=backup_codes[0]).device.throttle_reset()
    give(half, f"{backup_codes[0][:5]} {backup_codes[0][5:]}")
    assert is_in(half)
    assert "9 backup codes left" in text_of(half.get(PAGE))
    second = Client()
    log_in(second, "alice", "alice")
    give(second, backup_codes[0])
    assert not is_in(second)


def test_what_is_no_code_costs_no_attempt(half: Client) -> None:
    for code in ("", "12345", "1234567", "١٢٣٤٥٦x", "abcdef", "1" * 41):
        assert give(half, code).status_code == 200, code
        assert TOTPDevice.objects.get().throttling_failure_count == 0, code


def test_somebody_else_can_log_in_instead(half: Client, charlie: User, mary: User) -> None:
    assert half.post("/admin/login/leave/")["Location"] == LOGIN
    assert half.get(LOGIN).status_code == 200
    assert half.get(CODE)["Location"] == LOGIN
    log_in(half, "alice", "alice")
    mary.set_password("mary")
    mary.save()
    log_in(half, "mary", "mary")
    assert "mary" in half.get("/guests/").content.decode()
    assert half.get(CODE)["Location"] == "/"


def test_the_page_of_another_device_opens_nothing(half: Client, alice: User, mary: User) -> None:
    """A session is bound to the user's own, confirmed device of now."""
    with_second_factor(mary)
    for device in (TOTPDevice.objects.get(user=mary), TOTPDevice.objects.create(user=alice, confirmed=False)):
        session = half.session
        devices.complete(session, device)
        session.save()
        assert not is_in(half)


# --- Required of everybody ------------------------------------------------------------------------------


@pytest.mark.usefixtures("alice")
def test_who_has_none_sets_it_up_before_anything_else(client: Client, alice: User) -> None:
    old = logged_in(alice)
    with override_settings(SECOND_FACTOR="required"):
        assert not is_in(old), "also in a session that began before"
        assert "This field is required" in text_of(old.post(FIRST_SET_UP, {"begin": "1"})), "it may be unattended"
        log_in(client, "alice", "alice")
        assert not is_in(client)
        page = client.get(f"{LOGIN}?next=/guests/", follow=True)
        assert page.request["PATH_INFO"] == FIRST_SET_UP
        assert "Everybody needs a second factor here" in text_of(page)
        there = f"{FIRST_SET_UP}?next=/guests/"
        assert client.post(there, BEGIN)["Location"] == there
        done = client.post(there, {"code": code_of(alice)})
        assert [str(link["href"]) for link in ListMarkup(done.content).soup.select("a.primary")] == ["/guests/"]
        assert is_in(client)


def test_the_password_alone_sets_up_no_other_device(half: Client) -> None:
    with override_settings(SECOND_FACTOR="required"):
        for answer in (half.get(FIRST_SET_UP), half.post(FIRST_SET_UP, {"begin": "1"})):
            assert answer["Location"] == CODE
        assert half.get(f"{FIRST_SET_UP}?next=/guests/")["Location"] == f"{CODE}?next=%2Fguests%2F"
    assert half.post(SET_UP, BEGIN)["Location"].startswith(LOGIN)
    assert TOTPDevice.objects.count() == 1


def test_anonymous_users_have_nothing_to_do_between_password_and_code(client: Client) -> None:
    for url in (CODE, FIRST_SET_UP):
        assert client.get(url)["Location"] == client.post(url, {"code": "123456"})["Location"] == LOGIN


# --- Changing and removing ------------------------------------------------------------------------------


@pytest.fixture
def complete(half: Client, alice: User) -> Client:
    """A browser in which alice has logged in with a code."""
    give(half, code_of(alice))
    forget_codes(alice)
    return half


@pytest.mark.parametrize("url", [CODES, REMOVE])
def test_a_change_needs_the_password_and_a_code(complete: Client, alice: User, url: str) -> None:
    before = set(StaticToken.objects.values_list("token", flat=True))
    assert "This password is wrong" in text_of(complete.post(url, {"password": "x", "code": code_of(alice)}))
    assert "This backup code is wrong" in text_of(complete.post(url, {"password": "alice", "code": "0000000000"}))
    assert complete.post(url, {"password": "alice"}).status_code == 200
    assert set(StaticToken.objects.values_list("token", flat=True)) == before
    done = complete.post(url, {"password": "alice", "code": code_of(alice)})
    after = set(StaticToken.objects.values_list("token", flat=True))
    assert not after & before
    assert (done.status_code, len(after)) == ((200, 10) if url == CODES else (302, 0))
    assert is_in(complete)
    assert (devices.device_of(alice) is None) == (url == REMOVE)


def test_a_superuser_resets_the_second_factor_of_somebody_else(
    admin_user: User, alice: User, backup_codes: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    admin = logged_in(admin_user)
    url = f"/admin/auth/user/{alice.pk}/second-factor/"
    assert f'href="{url}"' in admin.get(f"/admin/auth/user/{alice.pk}/change/").content.decode()
    assert "with the password alone" in text_of(admin.get(url))
    own = f"/admin/auth/user/{admin_user.pk}/"
    assert f"{own}second-factor/" not in admin.get(f"{own}change/").content.decode()
    with caplog.at_level(logging.INFO, "accounts"):
        assert admin.post(url).status_code == 302
        assert admin.post(url).status_code == 302
    (record,) = [record for record in caplog.records if record.message == "second factor disabled"]
    assert record.fields == {"by": "admin", "address": "127.0.0.1", "of": "alice"}  # type: ignore[attr-defined]
    assert not StaticToken.objects.exists()


def test_no_page_of_the_admin_shows_the_secrets_of_others(admin_user: User) -> None:
    admin = logged_in(admin_user)
    for page in ("otp_totp/totpdevice/", "otp_static/staticdevice/", "axes/accessattempt/"):
        assert admin.get(f"/admin/{page}").status_code == 404
