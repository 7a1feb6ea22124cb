"""Limits of failed logins: a handler of django-axes, which stores the counts in SQL, so that all processes share them.

An attempt counts for the pair of username and address, for the address, and for the username. In a browser in which the
user has logged in before, an attempt counts for the user in this browser alone. So nobody can lock a user out of a
known browser. Only attempts from many addresses can lock a user out of unknown browsers: see docs/portal.md.
"""

from dataclasses import dataclass
from datetime import datetime
from math import ceil
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import F, Max, Q, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django.utils.crypto import salted_hmac

from accounts.logins import clients
from accounts.logins.clients import record
from accounts.second_factor import devices

UNKNOWN = "unknown user"
"""The name in the log for a username without an account. The typed text may be a password: it is never kept."""

FAILURES = 5  # of a user at one address or in one known browser: more than typing errors, far fewer than guessing takes
FAILURES_PER_ADDRESS = 30  # of any users, because all colleagues of a hotel may share its address
FAILURES_PER_USER = 100  # at all addresses, so that an attacker with many of them has no more guesses
# AXES_COOLOFF_TIME in the settings says how long a lock lasts.


@dataclass(frozen=True, slots=True)
class LoginAttempt:
    """The identity of an attempt to log in, by which it is counted.

    ``key`` is the username, or a keyed hash of what was typed if nobody has this username. ``browser`` is the text
    of the cookie of a browser that the user has used before, otherwise blank.
    """

    username: str
    key: str
    network: str
    browser: str

    @property
    def limits(self) -> list[tuple[int, Q]]:
        """Yield each limit that applies, with the rows that it counts."""
        if self.browser:
            return [(FAILURES, Q(username=self.key, user_agent=self.browser))]
        address, user = Q(ip_address=self.network, user_agent=""), Q(username=self.key, user_agent="")
        return [(FAILURES, address & user), (FAILURES_PER_ADDRESS, address), (FAILURES_PER_USER, user)]

    def locked_until(self) -> datetime | None:
        """Return when the next attempt is allowed; ``None`` if it is allowed now."""
        fresh = AccessAttempt.objects.filter(attempt_time__gt=timezone.now() - settings.AXES_COOLOFF_TIME)
        counts = {"failures": Sum("failures_since_start", default=0), "last": Max("attempt_time")}
        ends: list[datetime] = []
        for limit, rows in self.limits:
            found = fresh.filter(rows).aggregate(**counts)
            if found["failures"] >= limit:
                ends.append(found["last"] + settings.AXES_COOLOFF_TIME)
        return max(ends, default=None)

    def count(self) -> None:
        """Count a failure. Two at the same moment are both counted. The browser is in the column of the user agent."""
        fields = {"username": self.key, "ip_address": self.network, "user_agent": self.browser}
        blank = {"get_data": "", "post_data": "", "http_accept": "", "path_info": "", "failures_since_start": 0}
        with transaction.atomic():
            row, _ = AccessAttempt.objects.get_or_create(**fields, defaults=blank)
            counted = {"failures_since_start": F("failures_since_start") + 1, "attempt_time": timezone.now()}
            AccessAttempt.objects.filter(pk=row.pk).update(**counted)


class LoginLimits(AxesDatabaseHandler):  # type: ignore[misc]
    """Refuses logins above the limits, counts and logs failures, and logs logins and logouts."""

    def is_locked(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> bool:
        until = attempt_of(request, credentials).locked_until()
        request.login_locked_until = until  # type: ignore[attr-defined]
        return until is not None

    def user_login_failed(
        self, sender: Any, credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any
    ) -> None:
        """Count and log a failure. An attempt that was refused unseen is not counted, so that it prolongs nothing."""
        if request is None:
            return
        attempt = attempt_of(request, credentials)
        if not self.is_locked(request, credentials):
            self.clean_expired_user_attempts(request, credentials)
            attempt.count()
            record("failed login", request, attempt.username)
        if self.is_locked(request, credentials):
            request.axes_locked_out = True  # type: ignore[attr-defined]
            record("lockout", request, attempt.username)

    def user_logged_in(self, sender: Any, request: HttpRequest, user: Any, **_: Any) -> None:
        """Forget the failures of this user in this browser, and log the login, unless a code must follow.

        All unknown browsers at an address count as one. A login in a known browser leaves their count as it is.
        """
        attempt = attempt_of(request, {"username": user.get_username()})
        failures = AccessAttempt.objects.filter(username=attempt.key, ip_address=attempt.network)
        failures.filter(user_agent=attempt.browser).delete()
        if settings.SECOND_FACTOR == "required" or devices.device_of(user):
            record("code asked", request, user.get_username())
            return
        record("login", request, user.get_username())
        if request.method == "POST":
            clients.remember(request, user)

    def user_logged_out(self, sender: Any, request: HttpRequest, user: Any, **_: Any) -> None:
        if user is not None:
            record("logout", request, user.get_username())


def attempt_of(request: HttpRequest, credentials: dict[str, Any] | None) -> LoginAttempt:
    typed = str((credentials or {}).get("username") or "")
    attempt: LoginAttempt | None = getattr(request, "login_attempt", None)
    if attempt is None or request.typed_username != typed:  # type: ignore[attr-defined]
        user, key = get_user_model()._default_manager.filter(username=typed).first(), typed
        if user is None:
            key = f"#{salted_hmac('accounts', typed, algorithm='sha256').hexdigest()}"
        browser = clients.known_browser(request, user.pk) if user else ""
        attempt = LoginAttempt(typed if user else UNKNOWN, key, clients.network_of(request), browser)
        request.login_attempt, request.typed_username = attempt, typed  # type: ignore[attr-defined]
    return attempt


def locked_page(request: HttpRequest, response: HttpResponse, credentials: dict[str, Any] | None) -> HttpResponse:
    """Return a 429 page that says when to try again. It is the same whether the account exists or not."""
    until: datetime = request.login_locked_until  # type: ignore[attr-defined]
    seconds = max(1, ceil((until - timezone.now()).total_seconds()))
    attempt: LoginAttempt = request.login_attempt  # type: ignore[attr-defined]
    context = {
        "title": "Too many failed attempts",
        "minutes": ceil(seconds / 60),
        "again": request.get_full_path(),
        "is_unknown": not attempt.browser and not request.user.is_authenticated,
    }
    locked = render(request, "accounts/locked.html", context, status=429)
    add_never_cache_headers(locked)
    locked["Retry-After"] = str(seconds)
    return locked
