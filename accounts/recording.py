"""Changes of accounts and groups in the portal's history, which stays when the account of its author is deleted.

SQL and DynamoDB have no common transaction. So the entry is written last in the SQL transaction of the change: if
DynamoDB does not take it, the change is rolled back. If the answer is lost, or the process is killed before SQL
commits, there is an entry of a change that was not made, but no change is without its entry. If the form is sent again,
the change has this entry.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import timedelta

from django.contrib.auth.hashers import is_password_usable
from django.contrib.auth.models import Group, User
from django.db.transaction import atomic
from django.utils import timezone

from accounts.authority import is_hidden
from accounts.change_numbers import changes_of
from accounts.second_factor import devices
from dynamodb_lists import Field, errors
from hotels.staff_hotels import scope_of
from portal.app_config import Subject
from portal.history import keys, queries
from portal.history.commands import entry_put
from portal.history.entities import FieldChange, HistoryEntry, How, What

State = Mapping[str, str | frozenset[str]]
"""A snapshot of an account or a group: the text of each field, or its texts. What is off is blank."""

GONE: State = {}
SENT_AGAIN = timedelta(hours=1)
"""A change that was rolled back before, and is made later than this, has an entry of its own, with the right time."""

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
FIELDS = {name: Field(label, type=str) for name, label in LABELS.items()}
ACCOUNTS = Subject(
    ACCOUNT, "Account {0}", "admin:auth_user_named", "auth.view_user", described=FIELDS, hidden=is_hidden
)
GROUPS = Subject(GROUP, "Role {0}", "admin:auth_group_change", "auth.view_group", described=FIELDS)
LISTS = {"groups", "permissions", "hotels"}
"""Fields of many values. Each value that was given or taken away is a line of its own."""


def state_of(thing: User | Group) -> State:
    """Return a snapshot of a stored account or group, with the hash of the password, to detect a new password."""
    if isinstance(thing, Group):
        return {"name": thing.name, "permissions": frozenset(thing.permissions.values_list("name", flat=True))}
    own = scope_of(thing).hotel_ids
    return {
        **{name: getattr(thing, name) for name in ("username", "first_name", "last_name", "email")},
        **{name: "yes" if getattr(thing, name) else "" for name in ("is_active", "is_staff", "is_superuser")},
        "groups": frozenset(thing.groups.values_list("name", flat=True)),
        "permissions": frozenset(thing.user_permissions.values_list("name", flat=True)),
        "hotels": frozenset({"every hotel"}) if own is None else own,
        "second_factor": "on" if devices.device_of(thing) else "",
        PASSWORD: thing.password,
    }


@contextmanager
def recorded(account: User, by: str) -> Iterator[User]:
    """Record the changes that the block makes to an account, in their transaction. The block gets the stored account.

    The row of the account is locked, so that the second of two forms at once sees the changes of the first.
    """
    with atomic():
        stored = User.objects.select_for_update(no_key=True).get(pk=account.pk)
        before = state_of(stored)
        yield stored
        note(account, before, state_of(User.objects.get(pk=account.pk)), by)


def note(thing: User | Group, before: State, after: State, by: str) -> None:
    """Write a change to the history, last in its SQL transaction. Without a difference, write nothing.

    Raises: :class:`~dynamodb_lists.connection.errors.Unavailable`.
    """
    changes = tuple(_differences(before, after))
    if not changes:
        return
    if isinstance(thing, Group) and before.get("name") == after.get("name"):  # its key is only a number
        changes = (FieldChange("name", thing.name, thing.name), *changes)
    what = What.CHANGED if before and after else What.CREATED if after else What.DELETED
    old, new = (_key(thing, state) for state in (before or after, after or before))
    serial = changes_of(thing).rights if isinstance(thing, User) else 0
    entry = HistoryEntry(thing=new, at=timezone.now(), by=by, how=How.PORTAL, what=what, changes=changes, serial=serial)
    entries = [entry]
    if old != new:
        entries = [replace(entry, moved_from=old), replace(entry, thing=old, moved_to=new)]
    for each in entries:
        # If the newest entry says the same, its change was rolled back: otherwise, nothing would differ now. Passwords
        # are not in entries, but of another password the account has counted another change.
        newest = queries.history(each.thing).consistently().first()
        if newest is None or each.at - newest.at > SENT_AGAIN or replace(newest, at=each.at) != each:
            with suppress(errors.Conflict):  # the entry is there: the answer to an earlier attempt was lost
                entry_put(each).send()


def _differences(before: State, after: State) -> Iterator[FieldChange]:
    for field in LABELS:
        old, new = before.get(field, ""), after.get(field, "")
        if field in LISTS:
            yield from (FieldChange(field, text, "") for text in sorted({*old} - {*new}))
            yield from (FieldChange(field, "", text) for text in sorted({*new} - {*old}))
        elif field == PASSWORD:
            is_usable = bool(new) and is_password_usable(str(new))
            if after and old != new and (before or is_usable):
                yield FieldChange(field, "", "set" if is_usable else "removed")
        elif old != new:
            yield FieldChange(field, str(old), str(new))


def _key(thing: User | Group, state: State) -> str:
    """Return the key of the history: an account's former username, or a group's number, as its name may be any text."""
    return keys.thing(ACCOUNT, str(state["username"])) if isinstance(thing, User) else keys.thing(GROUP, str(thing.pk))
