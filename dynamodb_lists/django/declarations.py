"""What apps declare for others to read: attributes of their ``AppConfig``, each a sequence."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from django.apps import apps
from django.utils.module_loading import import_string


def rules() -> list[Any]:
    """The rules of all apps. Each app names them in ``rules`` of its ``AppConfig``."""
    return list(chain.from_iterable(declared("rules")))


def declared(name: str) -> Iterator[Any]:
    """All declarations of a name, in the order of ``INSTALLED_APPS``.

    A text is the dotted name of an object, which is imported only now, so that Django starts without it.
    """
    for config in apps.get_app_configs():
        for value in getattr(config, name, ()):
            yield import_string(value) if isinstance(value, str) else value
