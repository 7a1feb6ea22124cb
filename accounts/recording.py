"""Changes of accounts and groups in the portal's history, which stays when the account of its author is deleted.

SQL and DynamoDB have no common transaction. So the entry is first written to SQL, in the transaction of the change
(:class:`~accounts.models.PendingEntry`, a transactional outbox): both are kept, or neither is. When the
transaction is committed, :func:`send` moves entries to the history. An entry that DynamoDB does not take waits, which
is logged, and is sent with the next change or login. Its key is fixed, so it is in the history once however often it is
sent.
"""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from django.contrib.auth.hashers import is_password_usable
from django.contrib.auth.models import Group, User
from django.db.transaction import atomic, on_commit
from django.utils import timezone

from accounts.models import PendingEntry
from accounts.second_factor import devices
from dynamodb_lists.connection.errors import Conflict, Refused, Unavailable
from dynamodb_lists.writing import single_items
from portal.access import scope_of
from portal.history import keys
from portal.history.commands import entry_put
from portal.history.entities import FieldChange, HistoryEntry, How, What
from portal.history.subjects import Subject

State = Mapping[str, frozenset[str]]
"""A snapshot of an account or a group: the texts of each field. A field of one value has one text, or none."""

GONE: State = {}
PASSWORD = "password"
ACCOUNT, GROUP = "account", "group"
LABELS = {
    "username": "Username",
    "first_name": "First name",
    "last_name": "Last name",
    "email": "E-mail address",
    "is_active": "Active",
    "is_staff": "Staff status",
    "is_superuser": "Superuser",
    "name": "Name",
    "groups": "Role",
    "permissions": "Permission",
    "hotels": "Hotel",
    "second_factor": "Second factor",
    PASSWORD: "Password",
}
ACCOUNTS = Subject(ACCOUNT, "Account {0}", "admin:auth_user_named", "auth.view_user", field_labels=LABELS)
GROUPS = Subject(GROUP, "Role {0}", "admin:auth_group_change", "auth.view_group", field_labels=LABELS)
LISTS = {"groups", "permissions", "hotels"}
"""Fields of many values. Each value that was given or taken away is a line of its own."""

logger = logging.getLogger(__name__)


def state_of(thing: User | Group) -> State:
    """A snapshot of an account or a group as it is now. The hash of the password is in it, to detect a new one."""
    if isinstance(thing, Group):
        return {"name": _one(thing.name), "permissions": frozenset(str(each.name) for each in thing.permissions.all())}
    hotels = frozenset({"every hotel"} if (own := scope_of(thing).hotel_ids) is None else own)
    plain = {name: _one(getattr(thing, name)) for name in ("username", "first_name", "last_name", "email")}
    switches = {name: _one(getattr(thing, name) and "yes") for name in ("is_active", "is_staff", "is_superuser")}
    return {
        **plain,
        **switches,
        "groups": frozenset(thing.groups.values_list("name", flat=True)),
        "permissions": frozenset(thing.user_permissions.values_list("name", flat=True)),
        "hotels": hotels,
        "second_factor": _one("on" if devices.device_of(thing) else ""),
        PASSWORD: _one(thing.password),
    }


@contextmanager
def recorded(account: User, by: str) -> Iterator[None]:
    """Record what the block changes of an account, in one transaction with it."""
    with atomic():
        before = state_of(account)
        yield
        note(account, before, state_of(User.objects.get(pk=account.pk)), by)


def note(thing: User | Group, before: State, after: State, by: str) -> None:
    """Write down a change, in its transaction, and send it afterwards. Without a difference, nothing is written."""
    changes = tuple(_differences(before, after))
    if not changes:
        return
    if isinstance(thing, Group) and before.get("name") == after.get("name"):  # its key is only a number
        changes = (FieldChange("name", thing.name, thing.name), *changes)
    what = What.CHANGED if before and after else What.CREATED if after else What.DELETED
    old, new = (_key(thing, state) for state in (before or after, after or before))
    entry = HistoryEntry(thing=new, at=timezone.now(), by=by, how=How.PORTAL, what=what, changes=changes)
    entries = [entry]
    if old != new:
        entries = [replace(entry, moved_from=old), replace(entry, thing=old, moved_to=new)]
    PendingEntry.objects.bulk_create(
        PendingEntry(entry={**asdict(each), "at": each.at.isoformat()}) for each in entries
    )
    on_commit(send)


def send() -> None:
    """Move every entry that waits to the history, after the transaction of the change.

    If DynamoDB does not take an entry, it stays in SQL, and the log says so. The change of the account stands.
    """
    for pending in PendingEntry.objects.order_by("pk"):
        put = entry_put(_entry(pending.entry))
        try:
            single_items.put(put.item, put.condition)
        except Conflict:  # it is in the history: an answer was lost, or another process has sent it
            pending.delete()
        except Unavailable as error:
            logger.error("Changes of accounts wait in SQL for the history: %s", error)
            if not isinstance(error, Refused):  # only this entry is refused; the others must not wait for it
                return
        else:
            pending.delete()


def _differences(before: State, after: State) -> Iterator[FieldChange]:
    for field in LABELS:
        old, new = before.get(field, frozenset()), after.get(field, frozenset())
        if field == PASSWORD:
            if after and old != new and (before or _is_usable(new)):
                yield FieldChange(field, "", "set" if _is_usable(new) else "removed")
        elif field in LISTS:
            yield from (FieldChange(field, text, "") for text in sorted(old - new))
            yield from (FieldChange(field, "", text) for text in sorted(new - old))
        elif old != new:
            yield FieldChange(field, next(iter(old), ""), next(iter(new), ""))


def _entry(stored: dict[str, Any]) -> HistoryEntry:
    changes = tuple(FieldChange(**change) for change in stored["changes"])
    how, what, at = How(stored["how"]), What(stored["what"]), datetime.fromisoformat(stored["at"])
    return HistoryEntry(**{**stored, "changes": changes, "how": how, "what": what, "at": at})


def key_of(thing: User | Group) -> str:
    """The key of the history of an account or a group."""
    return _key(thing, state_of(thing))


def _key(thing: User | Group, state: State) -> str:
    """The key of the history: an account's username, as it was; a group's number, because its name may be any text."""
    return keys.thing(ACCOUNT, *state["username"]) if isinstance(thing, User) else keys.thing(GROUP, str(thing.pk))


def _is_usable(password: frozenset[str]) -> bool:
    return any(map(is_password_usable, password))


def _one(text: Any) -> frozenset[str]:
    return frozenset({str(text)} if text else ())
