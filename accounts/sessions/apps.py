"""The sessions app. It replaces ``django.contrib.sessions``, so that no SQL table is created."""

import time
from typing import Any

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.http import HttpRequest


class SessionsConfig(AppConfig):
    """Sessions in DynamoDB."""

    name = "accounts.sessions"
    label = "sessions"

    def ready(self) -> None:
        user_logged_in.connect(_note_the_time, dispatch_uid="sessions.started")


def _note_the_time(request: HttpRequest, **_: Any) -> None:
    from accounts.sessions.store import STARTED

    request.session[STARTED] = int(time.time())
