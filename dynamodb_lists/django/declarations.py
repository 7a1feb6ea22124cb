"""What apps declare for others to read: attributes of their ``AppConfig``, each a sequence."""

from collections.abc import Iterator
from itertools import chain
from typing import Any, TypeVar

from django.apps import apps
from django.utils.module_loading import import_string

from dynamodb_lists.lists.lists import lists_by_name
from dynamodb_lists.maintenance.lists import rules as of_list

AppT = TypeVar("AppT")


def rules() -> list[Any]:
    """The rules of all apps, which name them in ``rules`` of their ``AppConfig``, and of all other lists."""
    found = list(chain.from_iterable(declared("rules")))
    named = {rule.model for rule in found}
    others = (each for each in lists_by_name.values() if each.models.item not in named)
    return [*found, *chain.from_iterable(map(of_list, others))]


def declaring(kind: type[AppT]) -> list[AppT]:
    """The apps whose ``AppConfig`` is of this class, in the order of ``INSTALLED_APPS``: it says what they declare."""
    return [config for config in apps.get_app_configs() if isinstance(config, kind)]


def declared(name: str) -> Iterator[Any]:
    """All declarations of a name, in the order of ``INSTALLED_APPS``.

    A text is the dotted name of an object, which is imported only now, so that Django starts without it.
    """
    for config in apps.get_app_configs():
        for value in getattr(config, name, ()):
            yield import_string(value) if isinstance(value, str) else value
