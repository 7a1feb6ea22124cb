"""The second factor of a user: a TOTP device and backup codes, stored by django-otp.

A user has at most one confirmed TOTP device. A session is complete once it has the device's id. A device that is being
set up belongs to the session that began it.
"""

import secrets
from datetime import timedelta
from math import ceil
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django_otp import DEVICE_ID_SESSION_KEY
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from dynamodb_lists import counted

CODE_DIGITS, BACKUP_DIGITS = 6, 10
BACKUP_CODES = 10
MOST_FAILURES = 11
"""The wait after a wrong code doubles with each, from 1 second. After this many it stays: 2 ** 10 seconds, 17 minutes.

Without this limit, whoever knows a password could lock its owner out for years.
"""
WRONG: dict[type, str] = {
    TOTPDevice: "This code is wrong, or it was used before. Wait until your app shows the next one.",
    StaticDevice: "This backup code is wrong, or it was used before.",
}
"""Why a device refuses a code."""
SET_UP_TIME = timedelta(minutes=15)
"""How long a new key waits for its first code. Later, an unattended session cannot use it."""
BEGUN = "second_factor_begun"
"""The key in a session of the device that it is setting up."""


class CodeRefused(Exception):
    """A code that does not log the user in. The text is the reason, for the user."""


def device_of(user: Any) -> TOTPDevice | None:
    """Return the user's TOTP device; ``None`` if the user has no second factor."""
    return TOTPDevice.objects.filter(user_id=user.pk, confirmed=True).first()


def backup_codes_left(user: Any) -> int:
    return int(StaticToken.objects.filter(device__user_id=user.pk).count())


def complete(session: Any, device: TOTPDevice) -> None:
    """Note in a session that its user has given a code."""
    session[DEVICE_ID_SESSION_KEY] = device.persistent_id


def unconfirmed(user: Any, session: Any) -> QuerySet[TOTPDevice]:
    """Return the device that the user is setting up in this session, if it is not confirmed, replaced or too old."""
    begun: QuerySet[TOTPDevice] = TOTPDevice.objects.filter(user_id=user.pk, pk=session.get(BEGUN), confirmed=False)
    return begun.filter(created_at__gt=timezone.now() - SET_UP_TIME)


@transaction.atomic
def begin(user: Any, session: Any) -> None:
    """Begin to set up a second factor, with a new secret. Raises :class:`CodeRefused` if the user has one already.

    The device is bound to the session. Nobody can confirm it in another session.
    """
    _refuse_second(user)
    TOTPDevice.objects.filter(user_id=user.pk, confirmed=False).delete()
    device = TOTPDevice.objects.create(user_id=user.pk, name="Authenticator app", confirmed=False)
    session[BEGUN] = device.pk


def confirm(user: Any, session: Any, code: str) -> tuple[TOTPDevice, list[str]]:
    """Enable the device that the session sets up; return it and new backup codes. Raises: :class:`CodeRefused`."""
    refusal, codes = "", list[str]()
    with transaction.atomic():
        _refuse_second(user)
        device = unconfirmed(user, session).select_for_update().first()
        if device is None:
            raise CodeRefused("This code is too old. Begin again.")
        refusal = _refusal(device, code)
        if not refusal:
            device.confirmed = True
            device.created_at = timezone.now()
            device.save()
            codes = new_backup_codes(user)
    if refusal:
        raise CodeRefused(refusal)
    return device, codes


def verify(user: Any, code: str) -> tuple[TOTPDevice, int]:
    """Use a code of the app or a backup code; returns the user's device and the wrong codes before this one.

    Raises :class:`CodeRefused` if the code is wrong or was used before, or if the user must wait. A backup code is
    deleted. The device is locked, so that of two requests with one code one is refused.
    """
    model = StaticDevice if len(code) == BACKUP_DIGITS else TOTPDevice
    with transaction.atomic():
        device = model.objects.select_for_update().filter(user_id=user.pk, confirmed=True).first()
        failures = device.throttling_failure_count if device else 0
        refusal = _refusal(device, code) if device else WRONG[model]
    totp = device_of(user)
    if refusal or totp is None:
        raise CodeRefused(refusal or WRONG[model])
    return totp, failures


@transaction.atomic
def new_backup_codes(user: Any) -> list[str]:
    """Replace the user's backup codes, and return the new ones, which are shown once."""
    StaticDevice.objects.filter(user_id=user.pk).delete()
    device = StaticDevice.objects.create(user_id=user.pk, name="Backup codes")
    codes = sorted({f"{secrets.randbelow(10**BACKUP_DIGITS):0{BACKUP_DIGITS}d}" for _ in range(BACKUP_CODES)})
    StaticToken.objects.bulk_create([StaticToken(device=device, token=code) for code in codes])
    return codes


@transaction.atomic
def remove(user: Any) -> bool:
    """Remove the user's second factor; returns whether there was one."""
    removed, _ = TOTPDevice.objects.filter(user_id=user.pk).delete()
    StaticDevice.objects.filter(user_id=user.pk).delete()
    return bool(removed)


def _refusal(device: Any, code: str) -> str:
    """Return why the device refuses the code; blank if it accepts it. The caller has locked the device."""
    allowed, reason = device.verify_is_allowed()
    if not allowed:
        seconds = max(1, ceil((reason["locked_until"] - timezone.now()).total_seconds()))
        minutes = ceil(seconds / 60)
        wait = counted(minutes, "minute") if minutes > 1 else counted(seconds, "second")
        next_step = "try again" if isinstance(device, StaticDevice) else "enter a new code"
        wrong = counted(reason["failure_count"], "wrong code")
        return f"After {wrong}, wait {wait}. Then {next_step}."
    if device.verify_token(code):
        return ""
    if device.throttling_failure_count > MOST_FAILURES:
        device.throttling_failure_count = MOST_FAILURES
        device.save()
    return WRONG[type(device)]


def _refuse_second(user: Any) -> None:
    if device_of(user) is not None:
        raise CodeRefused("You already have a second factor. Remove it before you set up another one.")
