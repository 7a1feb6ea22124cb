"""Lists on an admin site, and their permissions."""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from django.apps import apps as installed
from django.contrib.admin import sites
from django.contrib.auth import management
from django.core.exceptions import ImproperlyConfigured
from django.db import DEFAULT_DB_ALIAS, router

from dynamodb_lists.django.admin.options import ListAdmin
from dynamodb_lists.django.admin.rows import RowModel, model_of
from dynamodb_lists.lists.list import List

AdminT = TypeVar("AdminT", bound=type[ListAdmin])


def register(*lists: List[Any], site: sites.AdminSite | None = None) -> Callable[[AdminT], AdminT]:
    """Decorator: show lists by a subclass of :class:`ListAdmin`, on the default site or another one."""

    def registered(admin_class: AdminT) -> AdminT:
        for listed in lists:
            if not isinstance(listed, List):
                raise ImproperlyConfigured(f"register() takes lists, and {listed!r} is none: name a List of it.")
            (site or sites.site).register(model_of(listed, _app_of(admin_class)), admin_class)
        return admin_class

    return registered


def _app_of(admin_class: type[ListAdmin]) -> str:
    config = installed.get_containing_app_config(admin_class.__module__)
    if not admin_class.app_label and config is None:
        raise ImproperlyConfigured(
            f"{admin_class.__name__} is in {admin_class.__module__}, and no installed app has this module: set "
            'app_label = "..." to the app whose permissions it has.'
        )
    return admin_class.app_label or str(config and config.label)


def models() -> Iterator[type[RowModel]]:
    """The models of all lists that an admin site shows."""
    registered = [model for site in sites.all_sites for model in site._registry if issubclass(model, RowModel)]
    yield from dict.fromkeys(registered)


def create_permissions(app_config: Any, using: str = DEFAULT_DB_ALIAS, apps: Any = installed, **kwargs: Any) -> None:
    """After a migration, create the permissions to view, add, change and delete rows, and to see what pages cost."""
    try:
        content_types, permissions = apps.get_model("contenttypes", "ContentType"), apps.get_model("auth", "Permission")
    except LookupError:  # they are not installed, or not migrated yet
        return
    if not router.allow_migrate_model(using, permissions):
        return
    for model in models():
        if model._meta.app_label == app_config.label:
            names = {"app_label": model._meta.app_label, "model": model._meta.model_name}
            content_type, _ = content_types.objects.using(using).get_or_create(**names)
            for codename, name in management._get_all_permissions(model._meta):  # type: ignore[attr-defined]
                of_type = {"content_type": content_type, "codename": codename}
                permissions.objects.using(using).get_or_create(**of_type, defaults={"name": name})
