"""The server starts with right options and collected static files alone. The error says what to do."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.exceptions import ImproperlyConfigured

from hotelapp import serving
from hotelapp.serving import server_options
from hotelapp.wsgi import COLLECT, require_collected

PRODUCTION = {"SECRET_KEY": "Kw7-vbq2_Xt9" * 5, "ALLOWED_HOSTS": "portal.example", "ENV_FILE": ""}
PRODUCTION |= {"DYNAMODB_ENGINE": "aws", "AWS_REGION": "eu-west-1"}


def test_the_command_starts_nothing_without_collected_files(tmp_path: Path) -> None:
    (tmp_path / "uncollected.py").write_text(f"from hotelapp.settings import *\nSTATIC_ROOT = {str(tmp_path)!r}\n")
    named = {"PYTHONPATH": str(tmp_path), "DJANGO_SETTINGS_MODULE": "uncollected"}
    done = subprocess.run(
        [sys.executable, "-m", serving.__name__],
        env={"PATH": os.environ["PATH"], "VAR_DIR": str(tmp_path), **named, **PRODUCTION},
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert f"Run: {COLLECT}" in done.stderr


def test_every_file_of_the_release_must_be_collected(settings: Any, tmp_path: Path) -> None:
    require_collected()  # the demo needs none
    names = [path for finder in get_finders() for path, _ in finder.list([])]
    storage = {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {**settings.STORAGES, "staticfiles": storage}
    for collected, complaint in (([], "such as"), (names[1:], f"lacks 1 of them, such as {names[0]}"), (names, "")):
        manifest = {"version": "1.1", "hash": "", "paths": dict.fromkeys(collected, "hashed")}
        (tmp_path / "staticfiles.json").write_text(json.dumps(manifest))
        settings.STORAGES = {**settings.STORAGES}  # read the manifest again
        if complaint:
            with pytest.raises(ImproperlyConfigured, match=complaint):
                require_collected()
        else:
            require_collected()


@pytest.mark.parametrize(
    ("env", "complaint"),
    [
        ({"SERVER_ADDRESS": "8000"}, "SERVER_ADDRESS must be host:port"),
        ({"SERVER_ADDRESS": "localhost:70000"}, "SERVER_ADDRESS must be host:port"),
        ({"SERVER_PROCESSES": "0"}, "SERVER_PROCESSES must be"),
        ({"TRUSTED_PROXY": "proxy"}, "TRUSTED_PROXY must be an IP address"),
        ({"SERVER_ADDRESS": "0.0.0.0:80"}, "TRUSTED_PROXY is not set"),
    ],
    ids=str,
)
def test_a_bad_option_names_itself(
    settings: Any, monkeypatch: pytest.MonkeyPatch, env: dict[str, str], complaint: str
) -> None:
    settings.BEHIND_TLS_PROXY = True
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(ImproperlyConfigured, match=complaint):
        server_options()


@pytest.mark.parametrize(
    ("behind", "env", "proxy"),
    [
        (False, {}, ""),
        (True, {}, "127.0.0.1"),
        (True, {"SERVER_ADDRESS": "[::1]:8000"}, "::1"),
        (True, {"SERVER_ADDRESS": "0.0.0.0:8000", "TRUSTED_PROXY": "*"}, "*"),
        (False, {"TRUSTED_PROXY": "10.0.0.7"}, "10.0.0.7"),
    ],
    ids=str,
)
def test_the_proxy_on_this_machine_is_trusted_and_others_are_named(
    settings: Any, monkeypatch: pytest.MonkeyPatch, behind: bool, env: dict[str, str], proxy: str
) -> None:
    settings.BEHIND_TLS_PROXY = behind
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert server_options().trusted_proxy == proxy
