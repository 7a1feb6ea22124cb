"""Grants permissions to roles, which are Django's groups, in migrations. The first one has the roles of the portal."""

from collections.abc import Collection, Mapping
from typing import Any

from django.apps import apps as apps_now
from django.apps.registry import Apps
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def grant(groups: Mapping[str, Collection[str]], apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Add permissions, such as ``orders.view_order``, to groups. Missing groups and permissions are created.

    Django creates permissions only after all migrations, so a migration cannot expect them.
    """
    database = schema_editor.connection.alias
    all_groups = apps.get_model("auth", "Group").objects.using(database)
    for name, permissions in groups.items():
        group, _ = all_groups.get_or_create(name=name)
        group.permissions.add(*[_permission(apps, database, permission) for permission in permissions])


def _permission(apps: Apps, database: str, permission: str) -> Any:
    """The permission. Raises ``LookupError`` if no model of the app declares it."""
    app, _, codename = permission.partition(".")
    for model in apps.get_app_config(app).get_models():
        name = dict(model._meta.permissions).get(codename)
        action, _, thing = codename.partition("_")
        if thing == model._meta.model_name and action in model._meta.default_permissions:
            name = f"Can {action} {apps_now.get_model(app, thing)._meta.verbose_name}"  # as Django names its own
        if name is not None:
            content_types = apps.get_model("contenttypes", "ContentType").objects.using(database)
            content_type, _ = content_types.get_or_create(app_label=app, model=model._meta.model_name)
            permissions = apps.get_model("auth", "Permission").objects.using(database)
            values = {"content_type": content_type, "codename": codename}
            return permissions.get_or_create(**values, defaults={"name": name})[0]
    raise LookupError(f"No model declares the permission {permission}.")
