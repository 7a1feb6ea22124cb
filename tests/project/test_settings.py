"""Settings: the strict defaults are for production, and the error for a bad value names the variable."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command

SECRET = "Kw7-vbq2_Xt9" * 5
PRODUCTION = {"SECRET_KEY": SECRET, "ALLOWED_HOSTS": "portal.example", "ENV_FILE": "", "DYNAMODB_ENGINE": "embedded"}


def python(*args: str, sent: str | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", *args],
        input=sent,
        env={"PATH": os.environ["PATH"], "VAR_DIR": os.environ["VAR_DIR"], **env},
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )


BAD_VALUES: list[tuple[dict[str, str], str]] = [
    ({"SECRET_KEY": ""}, "SECRET_KEY is not set"),
    ({"SECRET_KEY": SECRET[:49]}, "SECRET_KEY is shorter than 50 characters. Make one with: python -c"),
    ({"SECRET_KEY": "abcdefghi" * 6}, "SECRET_KEY has fewer than 10 different characters. Make one with: python"),
    ({"SECRET_KEY": f"django-insecure-{SECRET}"}, "SECRET_KEY is a well-known example. Make one with: python -c"),
    ({"SESSION_IDLE_HOURS": "0"}, "SESSION_IDLE_HOURS must be a whole number 1-24"),
    ({"MACHINE_ACCOUNTS": "channel, key cards"}, "MACHINE_ACCOUNTS must be a list of usernames; it has 'key cards'"),
    ({"SECOND_FACTOR": "on"}, "SECOND_FACTOR must be one of optional, required"),
    ({"SECRET_KEY_FALLBACKS": f"{SECRET},short"}, "SECRET_KEY_FALLBACKS is shorter than 50 characters. Make one"),
    ({"SECRET_KEY_FILE": os.devnull}, "SECRET_KEY and SECRET_KEY_FILE are both set"),
    ({"SECRET_KEY": "", "SECRET_KEY_FILE": os.devnull}, "SECRET_KEY_FILE names an empty file"),
    ({"SECRET_KEY": "", "SECRET_KEY_FILE": "/nowhere/secret"}, "SECRET_KEY_FILE cannot be read: [Errno 2] No such"),
    ({"SECURE_HSTS_SECONDS": "1y"}, "SECURE_HSTS_SECONDS must be a whole number 0-63072000"),
    ({"ALLOWED_HOSTS": ""}, "ALLOWED_HOSTS is not set"),
    ({"ALLOWED_HOSTS": "https://portal.example"}, "ALLOWED_HOSTS must be a list of host names such as"),
    ({"DATABASE_URL": "nonsense"}, "DATABASE_URL must be like postgres://"),
    ({"DYNAMODB_TABLE_PREFIX": "a b"}, "DYNAMODB_TABLE_PREFIX must be of letters, digits and _.-"),
    ({"DEBUG": "maybe"}, "DEBUG must be one of"),
    ({"DYNAMODB_ENGINE": ""}, "DYNAMODB_ENGINE is not set"),
    ({"DYNAMODB_ENGINE_HOST": "0.0.0.0"}, "DYNAMODB_ENGINE_HOST must be an address such as 127.0.0.1"),
    ({"VAR_DIR": "/dev/null/var"}, "VAR_DIR cannot be used"),
    ({"DYNAMODB_ENGINE_PORT": "70000"}, "DYNAMODB_ENGINE_PORT must be a whole number"),
    ({"DYNAMODB_ENDPOINT_URL": "localhost:8000"}, "DYNAMODB_ENDPOINT_URL must be an address with http"),
    ({"DYNAMODB_ENGINE": "aws"}, "AWS_REGION is not set"),
    ({"DYNAMODB_TABLE_NAMES": "hotel-app"}, "DYNAMODB_TABLE_NAMES must be a list of name=value"),
    ({"LOG_LEVEL": "debug"}, "LOG_LEVEL must be one of DEBUG, INFO"),
    ({"METRICS_TOKEN": "short"}, "METRICS_TOKEN must have at least 16 characters"),
]
"""Variables, and the error that they cause."""

TOLD = """
import json, os, sys
import django.db.models, django.templatetags.static, django.urls, environ
from hotelapp import environment, private_files
from hotelapp.operations import logs

for env, expression in json.load(sys.stdin):
    if child := os.fork():
        os.waitpid(child, 0)
        continue
    os.environ.clear()
    os.environ.update(env)
    try:
        from hotelapp import settings as s
        print(eval(expression), flush=True)
    except Exception as error:
        print(type(error).__name__, error, flush=True)
    os._exit(0)
"""
"""What the settings say under each environment. One process imports what they need, and others begin as its copies."""


def told(*asked: tuple[Mapping[str, str], str]) -> list[str]:
    """Return a setting of ``s``, or the error of the settings, under each of these variables beside those of
    production.
    """
    usual = {**PRODUCTION, "VAR_DIR": os.environ["VAR_DIR"]}
    done = python("-c", TOLD, sent=json.dumps([({**usual, **env}, expression) for env, expression in asked]))
    assert not done.stderr
    return done.stdout.splitlines()


STARTED = """
import sys, django
django.setup()
import hotelapp.urls
print(*sys.modules)
from django.apps import apps
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.templatetags.static import static
from dynamodb_lists.schema.tables import names
print(*names())
settings.STATIC_ROOT = sys.argv[1]
call_command("check", deploy=True, fail_level="WARNING")
call_command("collectstatic", "-v0", "--no-input")
print(static("portal/portal.css"))
"""


def test_production_starts_with_little_without_a_warning_with_its_tables_and_hashed_files(tmp_path: Path) -> None:
    """Hashed names need every file that a stylesheet names. A missing file would make every page a 500.

    A table may have a name of its own. What only a page or a command needs is not loaded.
    """
    aws = {"DYNAMODB_ENGINE": "aws", "AWS_REGION": "eu-west-1"}
    named = {"DYNAMODB_TABLE_PREFIX": "p-", "DYNAMODB_TABLE_NAMES": "hotel-app=rebuilt, reviews = new-reviews"}
    more = {"VAR_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "hotelapp.settings"}
    done = python("-c", STARTED, str(tmp_path / "static"), **{**PRODUCTION, **aws}, **named, **more)
    assert done.returncode == 0, done.stderr
    loaded, tables, checked, style = done.stdout.splitlines()
    assert "rooms.views" in loaded.split()
    unwanted = {"xlsxwriter", "segno", "tqdm", "faker", "prometheus_client", "gunicorn"}
    assert not unwanted & {*loaded.split()}
    assert tables.split() == ["new-reviews", "p-history", "p-notes", "p-sessions", "p-users-and-orders", "rebuilt"]
    assert "no issues" in checked
    assert style.startswith("/static/portal/portal.")
    assert style != "/static/portal/portal.css"


@pytest.mark.django_db
def test_no_migration_is_missing() -> None:
    said = StringIO()
    call_command("makemigrations", "--check", "--dry-run", stdout=said)  # exits with status 1 if one is missing
    assert said.getvalue() == "No changes detected\n"


HTTPS = "s.SECURE_HSTS_SECONDS, s.SECURE_SSL_REDIRECT, s.SESSION_COOKIE_SECURE"
ENDPOINT, TABLES = "s.DYNAMODB_ENDPOINT_URL", "s.DYNAMODB_PROTECTED, s.DYNAMODB_TABLE_NAMES"
MEANT: list[tuple[dict[str, str], str, str]] = [
    ({}, HTTPS, "(31536000, True, True)"),
    ({"DEMO": "1"}, HTTPS, "(0, False, False)"),
    ({}, ENDPOINT, "http://127.0.0.1:8765"),
    ({"DYNAMODB_ENGINE_PORT": "9000"}, ENDPOINT, "http://127.0.0.1:9000"),
    ({"DYNAMODB_ENGINE": "", "DEMO": "1", "DYNAMODB_ENGINE_HOST": "127.1.2.3"}, ENDPOINT, "http://127.1.2.3:8765"),
    ({"DYNAMODB_ENDPOINT_URL": "http://db:8000", "DYNAMODB_ENGINE": "aws"}, ENDPOINT, "http://db:8000"),
    ({"DYNAMODB_ENGINE": "aws", "AWS_REGION": "eu-west-1"}, ENDPOINT, "None"),
    ({}, TABLES, "(True, {})"),
    ({"DEMO": "1"}, TABLES, "(False, {})"),
    (
        {"DYNAMODB_PROTECTED": "off", "DYNAMODB_TABLE_NAMES": "team=portal, cost = it=x,"},
        TABLES,
        "(False, {'team': 'portal', 'cost': 'it=x'})",
    ),
]
"""Variables, something of the settings, and what it is. Plain HTTP and tables that may be deleted are the demo's."""


def in_files(folder: Path) -> list[tuple[dict[str, str], str, str]]:
    """Return the same with files: secrets may be in some, may begin with a dollar sign, and the environment wins."""
    secret, url, env_file, dollar = folder / "secret", folder / "url", folder / ".env", "$Kw7#vbq2_Xt9" * 5
    secret.write_text(f"{SECRET}\n")
    url.write_text("postgres://portal:p%40ss@db/portal\n")
    env_file.write_text("DYNAMODB_TABLE_PREFIX=file-\nDYNAMODB_ENGINE_PORT=9000\n")
    env_file.chmod(0o644)
    files = {"SECRET_KEY": "", "SECRET_KEY_FILE": str(secret), "DATABASE_URL_FILE": str(url)}
    both = {"ENV_FILE": str(env_file), "DYNAMODB_ENGINE_PORT": "9001"}
    code = "s.SECRET_KEY, s.DATABASES['default'].get('PASSWORD')"
    return [
        (files, code, f"('{SECRET}', 'p@ss')"),
        ({"SECRET_KEY": dollar}, code, f"('{dollar}', '')"),
        (both, "s.DYNAMODB_TABLE_PREFIX, s.DYNAMODB_ENGINE_PORT", "('file-', 9001)"),
    ]


def test_the_settings_follow_the_environment_and_a_bad_value_names_itself(tmp_path: Path) -> None:
    """A folder and a file that everybody could read are closed, and so is all that the folder contains."""
    var, env_file = tmp_path / "var", tmp_path / ".env"
    var.mkdir(mode=0o755)
    meant = [*MEANT, *in_files(tmp_path), ({"VAR_DIR": str(var)}, "s.VAR_DIR", str(var))]
    said = told(*((env, expression) for env, expression, _ in meant), *((env, "'no error'") for env, _ in BAD_VALUES))
    assert list(zip(meant, said, strict=False)) == [(row, row[2]) for row in meant]
    for (env, complaint), words in zip(BAD_VALUES, said[len(meant) :], strict=True):
        assert words.startswith("ImproperlyConfigured "), env
        assert complaint in words, env
    assert {path.name: path.stat().st_mode & 0o777 for path in (var, env_file, var / "portal.sqlite3")} == {
        "var": 0o700,
        ".env": 0o600,
        "portal.sqlite3": 0o600,
    }


def test_a_name_for_no_table_stops_the_start(settings: Any) -> None:
    settings.DYNAMODB_TABLE_NAMES = {"hotel_app": "x"}
    with pytest.raises(ImproperlyConfigured, match="DYNAMODB_TABLE_NAMES names x, but for no table"):
        apps.get_app_config("dynamodb").ready()
