"""Create the groups of staff with their permissions.

A migration runs once, so what an administrator changes later stays. Django creates permissions only after all
migrations, so this one creates those that it grants. A later migration that adds a permission can grant it with the
same function: see docs/permissions.md.
"""

from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

VIEW = ("hotels.view_hotel", "rooms.view_room", "orders.view_guest", "orders.view_order", "reviews.view_review")
FRONT_DESK = (
    *VIEW,
    "rooms.change_room_status",
    "orders.add_guest",
    "orders.change_guest",
    "orders.add_order",
    "orders.move_order",
)
AUDITOR = (*VIEW, "portal.export_data", "portal.view_history")
MANAGER = (
    *FRONT_DESK,
    "hotels.add_hotel",
    "hotels.change_hotel",
    "rooms.add_room",
    "rooms.change_room",
    "rooms.delete_room",
    "orders.erase_guest",
    "orders.cancel_order",
    "reviews.add_review",
    "reviews.change_review",
    "reviews.delete_review",
    "reviews.reply_review",
    "portal.export_data",
    "portal.view_history",
)
GROUPS: Mapping[str, Collection[str]] = {
    "Front desk": FRONT_DESK,
    "Housekeeping": ("hotels.view_hotel", "rooms.view_room", "rooms.change_room_status"),
    "Manager": MANAGER,
    "Auditor": AUDITOR,
}
MODELS = {
    "hotels": "hotelpermissions",
    "rooms": "roompermissions",
    "orders": "orderpermissions",
    "reviews": "auditedreview",
    "portal": "portalpermissions",
}
"""The model of each app that declares its permissions."""


def grant(groups: Mapping[str, Collection[str]], apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Add permissions to groups. Missing groups and permissions are created."""
    database = schema_editor.connection.alias
    all_groups = apps.get_model("auth", "Group").objects.using(database)
    for name, permissions in groups.items():
        group, _ = all_groups.get_or_create(name=name)
        group.permissions.add(*[_permission(apps, database, permission) for permission in permissions])


def _permission(apps: Apps, database: str, permission: str) -> Any:
    app, _, codename = permission.partition(".")
    content_types = apps.get_model("contenttypes", "ContentType").objects.using(database)
    content_type, _ = content_types.get_or_create(app_label=app, model=MODELS[app])
    names = dict(apps.get_model(app, MODELS[app])._meta.permissions)
    return (
        apps.get_model("auth", "Permission")
        .objects.using(database)
        .get_or_create(content_type=content_type, codename=codename, defaults={"name": names[codename]})[0]
    )


class Migration(migrations.Migration):
    dependencies = [
        ("portal", "0001_initial"),
        ("hotels", "0002_permissions"),
        ("rooms", "0002_permissions"),
        ("orders", "0001_initial"),
        ("reviews", "0003_permissions"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [migrations.RunPython(partial(grant, GROUPS), migrations.RunPython.noop)]
