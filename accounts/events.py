"""The log of events of accounts: one line for each event, with only the username and the address."""

import logging
from typing import Literal

from django.http import HttpRequest

from accounts.logins.clients import address_of

Event = Literal[
    "login",
    "code asked",
    "logout",
    "failed login",
    "lockout",
    "password change",
    "password link",
    "second factor enabled",
    "second factor disabled",
    "second factor failed",
    "backup codes changed",
]
WARNINGS: frozenset[Event] = frozenset({"failed login", "lockout", "second factor failed"})
"""Events that an attack would cause."""

logger = logging.getLogger("accounts")


def record(event: Event, request: HttpRequest, by: str, of: str = "") -> None:
    """Log an event. ``by`` is the username of the author, ``of`` the account if it is another one."""
    fields = {"by": by, "address": address_of(request), **({"of": of} if of else {})}
    logger.log(logging.WARNING if event in WARNINGS else logging.INFO, event, extra={"fields": fields})
