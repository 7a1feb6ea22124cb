"""Who may change which account: user administrators change the accounts below them, and make no other one their equal.

Superusers may do everything. Whoever could set the password of an account can log in as it. So an account is off limits
for a user administrator who lacks one of its permissions or does not see one of its hotels, or who has no more than it.
"""

from collections.abc import Collection, Iterable
from typing import Any

from django.contrib.auth.models import Group, Permission
from django.db.models import Exists, OuterRef, Q, QuerySet

from portal.access import scope_of
from portal.models import StaffHotel

MOST_NAMED = 5
"""The most permissions that a message names."""


def permissions_of(user: Any) -> QuerySet[Permission]:
    """The permissions that an account has itself or through its groups, also if it is deactivated."""
    if user.is_superuser:
        return Permission.objects.all()
    return Permission.objects.filter(Q(user=user) | Q(group__user=user)).distinct()


def lacking(actor: Any, permissions: Iterable[Permission]) -> list[str]:
    """The names of those permissions that the actor does not have, such as ``Can see rooms``."""
    if actor.is_superuser:
        return []
    own = set(permissions_of(actor).values_list("pk", flat=True))
    return sorted(permission.name for permission in permissions if permission.pk not in own)


def refusal(actor: Any, thing: Any) -> str:
    """Why the actor may not change, delete or take over an account or a group; blank if he may."""
    return refusal_of_group_change(actor, thing) if isinstance(thing, Group) else _refusal_of_account(actor, thing)


def accounts_near(actor: Any, accounts: QuerySet[Any]) -> QuerySet[Any]:
    """Those of the accounts that the actor sees: all but those that are bound to other hotels alone."""
    own, bound = scope_of(actor).hotel_ids, StaffHotel.objects.filter(user=OuterRef("pk"))
    if own is None:
        return accounts
    everywhere = Q(is_superuser=True) | Q(every_hotel__isnull=False)
    return accounts.filter(everywhere | Exists(bound.filter(hotel_id__in=own)) | ~Exists(bound))


def is_below(actor: Any, permissions: Iterable[Permission], hotel_ids: Collection[str] | None) -> bool:
    """Whether an account with no more than the actor has has less: a permission, or a hotel."""
    given = {permission.pk for permission in permissions}
    fewer = not given.issuperset(permissions_of(actor).values_list("pk", flat=True))
    own = scope_of(actor).hotel_ids
    return actor.is_superuser or fewer or (None if hotel_ids is None else {*hotel_ids}) != own


def _refusal_of_account(actor: Any, user: Any) -> str:
    if user.is_superuser and not actor.is_superuser:
        return "Only a superuser may change a superuser."
    if missing := lacking(actor, permissions_of(user)):
        return f"This account has permissions that you lack: {named(missing)}."
    own, theirs = scope_of(actor).hotel_ids, scope_of(user).hotel_ids
    if own is not None and theirs is None:
        return "This account sees every hotel. You see only some."
    if own is not None and theirs is not None and theirs - own:
        return "This account sees hotels that you do not see."
    is_equal = user != actor and not is_below(actor, permissions_of(user), theirs)
    return (
        "This account may do all that you may, at the same hotels. Only who has more may change it." if is_equal else ""
    )


def refusal_of_group(actor: Any, group: Group) -> str:
    """Why the actor may not give a group; blank if he may."""
    missing = lacking(actor, group.permissions.all())
    return f"The group “{group}” has permissions that you lack: {named(missing)}." if missing else ""


def refusal_of_group_change(actor: Any, group: Group | None = None) -> str:
    """Why the actor may not change or delete a group, or add one; blank if he may.

    A group has members at any hotel, whose rights change with it.
    """
    if scope_of(actor).bound:
        return "Groups have members at every hotel. Only who sees every hotel may change them."
    return refusal_of_group(actor, group) if group else ""


def named(names: list[str]) -> str:
    """The first names of a list, and how many more there are."""
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
