"""Registration points: a package keeps a list, and a module of each app adds to it."""

from collections.abc import Iterable
from typing import TypeVar

from django.apps import AppConfig, apps
from django.utils.module_loading import autodiscover_modules

T = TypeVar("T")


def in_app_order(module: str, registered: Iterable[T]) -> list[T]:
    """Import this module of each app, and sort what these modules have registered in the order of ``INSTALLED_APPS``.

    So the order does not depend on which module was imported first.
    """
    autodiscover_modules(module)
    configs: list[AppConfig | None] = [*apps.get_app_configs()]
    return sorted(registered, key=lambda each: configs.index(apps.get_containing_app_config(type(each).__module__)))
