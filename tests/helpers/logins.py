"""Helpers for tests of logins: the login form from an address, and codes of a second factor."""

from typing import Any

from django.contrib.auth.models import User
from django.test import Client
from django_otp.oath import totp
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts.second_factor import devices

LOGIN, CODE = "/admin/login/", "/admin/login/code/"


def log_in(client: Client, username: str, password: str, address: str = "192.0.2.1", **headers: str) -> Any:
    """Send the login form from an address."""
    words = {"username": username, "password": password, "next": "/guests/"}
    return client.post(LOGIN, words, REMOTE_ADDR=address, headers=headers)


def is_in(client: Client) -> bool:
    """Return whether a browser is logged in."""
    return client.get("/guests/").status_code == 200


def code_of(user: User) -> str:
    """Return the code that the user's app shows now."""
    return f"{totp(TOTPDevice.objects.get(user=user).bin_key):06d}"


def forget_codes(user: User) -> None:
    """Let the device take a code that was used, and forget wrong ones, as if time had passed."""
    TOTPDevice.objects.filter(user=user).update(last_t=-1, drift=0, throttling_failure_count=0)


def with_second_factor(user: User) -> list[str]:
    """Give a user a second factor; returns the backup codes."""
    session: dict[str, Any] = {}
    devices.begin(user, session)
    _, codes = devices.confirm(user, session, code_of(user))
    forget_codes(user)
    return codes
