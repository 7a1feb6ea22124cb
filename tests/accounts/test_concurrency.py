"""Logins and saved views at the same moment, on an SQLite file as in production; changes of accounts on PostgreSQL.

Threads cannot share a database in memory.
"""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import Permission, User
from django.db import connection, transaction
from django.test import Client

from dynamodb_lists.tests.helpers.waiting import eventually
from hotels.staff_hotels import StaffHotel, scope_of
from tests.conftest import logged_in
from tests.helpers.people import bind
from tests.helpers.rooms import make_hotel

TOGETHER = """
import django; django.setup()
from concurrent.futures import ThreadPoolExecutor
from axes.models import AccessAttempt
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django_otp.oath import totp
from django_otp.plugins.otp_totp.models import TOTPDevice
from accounts.logins.limits import LoginAttempt
from accounts.second_factor import devices
from saved_views.models import SavedView

with connection.schema_editor() as editor:
    for label in ("contenttypes", "auth", "axes", "otp_totp", "otp_static", "accounts", "saved_views"):
        for model in apps.get_app_config(label).get_models():
            editor.create_model(model)

def fail(number):
    LoginAttempt("alice", "alice", "192.0.2.1", "").count()

def give(code):
    try:
        devices.verify(alice, code)
        return "in"
    except devices.CodeRefused:
        return "refused"

alice = User.objects.create(username="alice")
devices.begin(alice, session := {})
_, codes = devices.confirm(alice, session, f"{totp(TOTPDevice.objects.get().bin_key):06d}")
TOTPDevice.objects.update(last_t=-1)
code = f"{totp(TOTPDevice.objects.get().bin_key):06d}"
with ThreadPoolExecutor(8) as pool:
    list(pool.map(fail, range(40)))
    print(*AccessAttempt.objects.values_list("failures_since_start", flat=True))
    print(sum(answer == "in" for answer in pool.map(give, [code] * 8)))
    print(sum(answer == "in" for answer in pool.map(give, [codes[0]] * 8)))
    keep = SavedView.objects.keep
    print(sum(pool.map(lambda number: keep(f"View {number // 8}", "/guests/", user=alice), range(240))))
"""


def test_every_failure_is_counted_a_code_logs_in_once_and_a_view_is_saved_once(tmp_path: Path) -> None:
    env = {"ENV_FILE": "", "DEMO": "1", "SECRET_KEY": settings.SECRET_KEY, "VAR_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", TOGETHER],
        env={**env, "DJANGO_SETTINGS_MODULE": "hotelapp.settings"},
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["40", "1", "1", "30"], done.stderr


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite lets one transaction write at a time")
def test_two_requests_at_once_leave_one_of_the_last_hotels(empty_tables: None) -> None:
    for hotel_id in ("abc", "xyz"):
        make_hotel(hotel_id=hotel_id)
    ursula, dana = (User.objects.create_user(name, is_staff=True) for name in ("ursula", "dana"))
    ursula.user_permissions.set(Permission.objects.filter(codename__in=["view_user", "change_user"]))
    for user in (ursula, dana):
        bind(user, "abc", "xyz")
    browsers = [logged_in(ursula), logged_in(ursula)]
    with ThreadPoolExecutor(2) as pool:
        with transaction.atomic():
            User.objects.select_for_update().get(pk=dana.pk)
            answers = [pool.submit(removal_of, row, browser, dana) for row, browser in enumerate(browsers)]
            assert eventually(lambda: requests_that_wait_for_a_lock() == 2)
        assert [answer.result() for answer in answers] == [302, 302]
    assert StaffHotel.objects.filter(user=dana).count() == 1
    assert scope_of(dana).bound


def removal_of(row: int, browser: Client, user: User) -> int:
    """Remove one of the two hotels of an account, and keep the other."""
    kept = ("xyz", "abc")[row]
    form = {"username": user.username, "is_staff": "on", "is_active": "on", "reach": "some", "hotels": [kept]}
    try:
        return browser.post(f"/admin/auth/user/{user.pk}/change/", form).status_code
    finally:
        connection.close()  # that of this thread


def requests_that_wait_for_a_lock() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        return int(cursor.fetchone()[0])
