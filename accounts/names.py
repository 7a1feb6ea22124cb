"""Usernames that no account may have: those of the history's own authors, and dots that lead out of an address."""

import unicodedata
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db.models.signals import pre_save

from portal.history.entities import AUTHORS


def check_username(username: str) -> None:
    """Raise :class:`ValidationError` for the name of one of the history's own authors, in any case or Unicode form.

    Neither may a name be ``.`` or ``..``, because browsers take them out of the address of the account's history.
    """
    if username in {".", ".."}:
        raise ValidationError("A username needs a letter or a digit.")
    if _folded(username) in AUTHORS:
        raise ValidationError(f"No account can be called “{username}”: the history has an author of this name.")


def refuse_authors() -> None:
    """Let every form and every command that adds or renames an account check its name.

    ``createsuperuser --noinput`` validates nothing, so a new account is also checked when it is saved.
    """
    User._meta.get_field("username").validators.append(check_username)
    pre_save.connect(_check_new, User, dispatch_uid="names of the history's authors")


def _check_new(instance: User, **_: Any) -> None:
    if instance._state.adding:
        check_username(instance.username)


def _folded(text: str) -> str:
    """A text without differences of case, width and accents."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    return "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))
