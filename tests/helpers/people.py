"""Who may what in tests: the permissions of a user, groups of staff, and the hotels that a user is bound to."""

from importlib import import_module

from django.apps import apps
from django.contrib.auth.models import Group, Permission, User
from django.db import connection

from accounts.roles import grant
from hotels.staff_hotels import EVERY, StaffHotel
from tests.helpers.pages import PAGES

ROLES = import_module("accounts.migrations.0001_initial")
PORTAL_APPS = {access.permission.partition(".")[0] for access in PAGES.values() if "." in access.permission}
DAILY_WORK = (
    *ROLES.VIEW,
    *ROLES.WRITE_NOTES,
    "orders.add_guest",
    "orders.change_guest",
    "orders.add_order",
    "orders.move_order",
    "orders.cancel_order",
    "portal.export_data",
)
"""What alice may do: see and export everything, and work with guests and orders."""


def permit(user: User, *permissions: str) -> None:
    """Give a user these permissions, and take away all others."""
    found = {name: key for name, key in _permissions().items() if name in permissions}
    assert found.keys() == set(permissions)
    user.user_permissions.set(found.values())


def portal_permissions() -> set[str]:
    """Return every permission of the portal."""
    return set(_permissions())


def join(user: User, group: str) -> None:
    """Put a user into a group of staff."""
    if not (found := Group.objects.filter(name=group).first()):  # tests with a live server empty the SQL tables
        make_groups()
        found = Group.objects.get(name=group)
    user.groups.add(found)


def make_groups() -> None:
    """Do what the migration does."""
    grant(ROLES.GRANTED, apps, connection.schema_editor())


def bind(user: User, *hotel_ids: str) -> None:
    """Bind a user to these hotels alone, or to none."""
    StaffHotel.objects.filter(user=user).delete()
    StaffHotel.objects.bulk_create([StaffHotel(user=user, hotel_id=hotel_id) for hotel_id in hotel_ids])


def show_every_hotel(user: User) -> User:
    """Let a user see every hotel; returns the user."""
    StaffHotel.objects.get_or_create(user=user, hotel_id=EVERY)
    return user


def _permissions() -> dict[str, int]:
    """Return the key of each permission of the portal."""
    found = Permission.objects.filter(content_type__app_label__in=PORTAL_APPS)
    return {f"{app}.{name}": key for app, name, key in found.values_list("content_type__app_label", "codename", "pk")}
