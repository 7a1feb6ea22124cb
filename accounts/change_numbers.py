"""The numbers of an account to which logins and password links are bound. They only grow, so ended logins stay ended.

A change and its reversal leave an account as it was. So a session or a link that depends on the account's state alone
would be valid again. Triggers of the database raise the numbers, because every writer passes them: forms, commands,
updates of many rows, and deletions that cascade.
"""

import time
from typing import Any, NamedTuple

from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.models import Group, User
from django.db import connections
from django.db.models import Model
from django.http import HttpRequest
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts.models import AccountChanges
from accounts.sessions import STARTED
from hotels.staff_hotels import StaffHotel

ACCESS = "_access"
"""The key in a session of the account's number at the login."""

COUNTS = AccountChanges._meta.db_table
OF_ROW = "SELECT {row}.user_id, 1, {access} WHERE true"
OF_ACCOUNT = "SELECT {row}.id, 1, {access} WHERE true"
OF_MEMBERS = (
    f"SELECT user_id, 1, {{access}} FROM {User.groups.through._meta.db_table}"
    " WHERE group_id = {row}.group_id ORDER BY user_id"  # in one order, so that two changes never wait for each other
)


class Watched(NamedTuple):
    """A table whose changes raise numbers: of which accounts, and whether sessions end.

    With ``columns``, an update counts only if one of these columns changes. ``counts`` says which rows count when they
    are added or deleted; without ``whole``, none do.
    """

    model: type[Model]
    accounts: str = OF_ROW
    access: int = 0
    columns: tuple[str, ...] = ()
    counts: str = "true"
    whole: bool = True


WATCHED = (
    Watched(User, OF_ACCOUNT, columns=("username", "email", "is_superuser"), whole=False),
    Watched(User, OF_ACCOUNT, access=1, columns=("password", "is_active", "is_staff"), whole=False),
    Watched(User.groups.through),
    Watched(User.user_permissions.through),
    Watched(Group.permissions.through, OF_MEMBERS),
    Watched(StaffHotel),
    Watched(TOTPDevice, access=1, columns=("confirmed", "key"), counts="{row}.confirmed"),
)


def changes_of(user: Any) -> AccountChanges:
    return AccountChanges.objects.filter(user_id=user.pk).first() or AccountChanges(rights=0, access=0)


def note_login(request: HttpRequest, user: Any, **_: Any) -> None:
    """Bind the session of a login to the account's number and to the time, from which it lasts a day at most."""
    request.session[ACCESS] = changes_of(user).access
    request.session[STARTED] = int(time.time())


def keep_session(request: HttpRequest, user: Any) -> None:
    """Keep the session of a user who has just changed the own password or second factor. Others of the user end.

    The session gets a new key, because a copy of the old item that is behind would end it.
    """
    update_session_auth_hash(request, user)
    request.session[ACCESS] = changes_of(user).access


def make_triggers(using: str, **_: Any) -> None:
    """Make the triggers anew after each ``migrate``: SQLite drops those of a table that a migration rebuilds."""
    connection = connections[using]
    if COUNTS not in connection.introspection.table_names():  # only a part of the migrations was run
        return
    numbers = f"rights = {COUNTS}.rights + 1, access = {COUNTS}.access + excluded.access"
    with connection.cursor() as cursor:
        for number, watched in enumerate(WATCHED):
            # The events that count, each with the row that names the account, and the condition.
            changed = " OR ".join(f"OLD.{each} <> NEW.{each}" for each in watched.columns) or "true"
            events = [("UPDATE", "NEW", changed)]
            for event, row in (("INSERT", "NEW"), ("DELETE", "OLD")) if watched.whole else ():
                events.append((event, row, watched.counts.format(row=row)))
            for event, row, when in events:
                name = f"accounts_changes_{number}_{event.lower()}"
                head = f"{name} AFTER {event} ON {watched.model._meta.db_table} FOR EACH ROW WHEN ({when})"
                accounts = watched.accounts.format(row=row, access=watched.access)
                raised = f"INSERT INTO {COUNTS} (user_id, rights, access) {accounts}"
                raised += f" ON CONFLICT (user_id) DO UPDATE SET {numbers}"
                for statement in STATEMENTS[connection.vendor]:
                    cursor.execute(statement.format(name=name, head=head, raised=raised))


STATEMENTS = {
    "sqlite": ("DROP TRIGGER IF EXISTS {name}", "CREATE TRIGGER {head} BEGIN {raised}; END"),
    "postgresql": (
        "CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN {raised}; RETURN NULL; END $$",
        "CREATE OR REPLACE TRIGGER {head} EXECUTE FUNCTION {name}()",
    ),
}
"""How each database makes a trigger."""
