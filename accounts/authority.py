"""Who may change whom: one table for the pages, forms, lists and links of accounts and roles.

A user who can set the password of an account can log in with this account. So user administrators change only accounts
below their own: accounts with no more permissions, no more hotels, and less of one of them. All other accounts are
below a superuser.
"""

from collections.abc import Collection
from typing import Any, NamedTuple, Self

from django.contrib.auth.models import Group, Permission, User
from django.db.models import Exists, OuterRef, Q, QuerySet

from hotels.staff_hotels import EVERY, StaffHotel, scope_of

MOST_NAMED = 5
"""The most permissions or hotels that a text names."""

CHANGE, CONTROL = "change", "control"
"""To control an account is to end or delete it, or to do what lets others log in as it."""

BELOW, OWN, NOT_BELOW = "below", "one's own", "not below"
"""How an account or a role stands to the user who looks at it."""

MAY: dict[str, set[str]] = {BELOW: {CHANGE, CONTROL}, OWN: {CHANGE}, NOT_BELOW: set()}
"""The table, which docs/portal.md shows. Besides, the user needs Django's permission, such as ``auth.change_user``."""


class Rights(NamedTuple):
    """The rights of an account: primary keys of permissions, and its hotels; ``None`` for every hotel.

    A superuser has all permissions, so no other account has more.
    """

    permissions: frozenset[int]
    hotel_ids: frozenset[str] | None

    @classmethod
    def of(cls, user: Any) -> Self:
        """Return the rights that an account has, also if it is deactivated."""
        return cls(_keys(permissions_of(user)), scope_of(user).hotel_ids)

    def why_not_above(self, theirs: "Rights") -> str:
        """Return why an account with these rights is not above one with rights ``theirs``; blank if it is above."""
        if missing := theirs.permissions - self.permissions:
            return f"This account has permissions that you do not have: {_names(missing)}."
        if self.hotel_ids is not None and (theirs.hotel_ids is None or theirs.hotel_ids - self.hotel_ids):
            return "This account sees hotels that you do not see."
        return "You can only change accounts that may do less than yours." if theirs == self else ""


def refusal(actor: Any, thing: Any, what: str = CHANGE) -> str:
    """Return why the actor may not do something to an account or a role; blank if the table allows it."""
    standing, reason = standing_of(actor, thing)
    return "" if what in MAY[standing] else reason


def standing_of(actor: Any, thing: Any) -> tuple[str, str]:
    """Return the relation of an account or a role to the actor and, if it is not below, the reason."""
    if thing == actor:
        return OWN, "You cannot do this to your own account. Ask another administrator."
    if actor.is_superuser:
        return BELOW, ""
    if not isinstance(thing, Group):
        reason = Rights.of(actor).why_not_above(Rights.of(thing))
    elif scope_of(actor).bound:  # a role has members at any hotel, whose rights change with it
        reason = "Roles have members at every hotel. Only users with all hotels can change a role."
    else:
        missing = _keys(thing.permissions.all()) - _keys(permissions_of(actor))
        reason = f"The role “{thing}” has permissions that you do not have: {_names(missing)}." if missing else ""
    return NOT_BELOW if reason else BELOW, reason


def accounts_seen(actor: Any, accounts: QuerySet[Any]) -> QuerySet[Any]:
    """Return the accounts that the actor sees: all except those that are bound to other hotels alone."""
    own, bound = scope_of(actor).hotel_ids, StaffHotel.objects.filter(user=OuterRef("pk"))
    if own is None:
        return accounts
    return accounts.filter(Q(is_superuser=True) | Exists(bound.filter(hotel_id__in={*own, EVERY})) | ~Exists(bound))


def is_hidden(actor: Any, username: str) -> bool:
    """Return whether there is an account with this name that the actor does not see."""
    named = User.objects.filter(username=username)
    return scope_of(actor).bound and named.exists() and not accounts_seen(actor, named).exists()


def permissions_of(user: Any) -> QuerySet[Permission]:
    """Return the permissions that an account has itself or through its roles, and may give."""
    if user.is_superuser:
        return Permission.objects.all()
    return Permission.objects.filter(Q(user=user) | Q(group__user=user)).distinct()


def roles_for(actor: Any) -> QuerySet[Group]:
    """Return the roles that the actor may give: with no permission that the actor lacks."""
    lacked = Permission.objects.exclude(pk__in=permissions_of(actor).values("pk"))
    return Group.objects.exclude(permissions__in=lacked)


def named(names: list[str]) -> str:
    """Return the first names of a list, and the number of further ones."""
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _names(keys: Collection[int]) -> str:
    return named([*Permission.objects.filter(pk__in=keys).order_by("name").values_list("name", flat=True)])


def _keys(permissions: QuerySet[Permission]) -> frozenset[int]:
    return frozenset(permissions.values_list("pk", flat=True))
