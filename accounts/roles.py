"""Grants permissions to roles, which are Django's groups, in migrations. The first one has the roles of the portal."""

from collections.abc import Collection, Mapping

from django.apps import apps as installed
from django.apps.registry import Apps
from django.contrib.auth.management import create_permissions
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def grant(roles: Mapping[str, Collection[str]], apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Add permissions, such as ``orders.view_order``, to roles. A missing role is created.

    Django creates permissions only after all migrations, so they are created before.
    """
    database = schema_editor.connection.alias
    for label in {permission.partition(".")[0] for permissions in roles.values() for permission in permissions}:
        create_permissions(installed.get_app_config(label), verbosity=0, using=database)
    declared = apps.get_model("auth", "Permission").objects.using(database)
    for name, permissions in roles.items():
        role, _ = apps.get_model("auth", "Group").objects.using(database).get_or_create(name=name)
        for permission in permissions:
            app, _, codename = permission.partition(".")
            role.permissions.add(declared.get(content_type__app_label=app, codename=codename))
