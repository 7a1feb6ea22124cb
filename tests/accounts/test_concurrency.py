"""Logins at the same moment, on an SQLite file as in production. Threads cannot share a database in memory."""

import subprocess
import sys
from pathlib import Path

from django.conf import settings

TOGETHER = """
import django; django.setup()
from concurrent.futures import ThreadPoolExecutor
from axes.models import AccessAttempt
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django_otp.oath import totp
from django_otp.plugins.otp_totp.models import TOTPDevice
from hotelapp.accounts.logins.limits import LoginAttempt
from hotelapp.accounts.second_factor import devices

with connection.schema_editor() as editor:
    for label in ("contenttypes", "auth", "axes", "otp_totp", "otp_static"):
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
"""


def test_every_failure_is_counted_and_a_code_logs_in_once(tmp_path: Path) -> None:
    env = {"ENV_FILE": "", "DEMO": "1", "SECRET_KEY": settings.SECRET_KEY, "VAR_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", TOGETHER],
        env={**env, "DJANGO_SETTINGS_MODULE": "hotelapp.settings"},
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["40", "1", "1"], done.stderr
