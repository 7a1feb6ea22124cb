"""The sessions app. It replaces ``django.contrib.sessions``, so that no SQL table is created."""

from django.apps import AppConfig


class SessionsConfig(AppConfig):
    """Sessions in DynamoDB."""

    name = "accounts.sessions"
    label = "sessions"
