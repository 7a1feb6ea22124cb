"""Attributes of an ``AppConfig`` by which an app declares something for others."""

from collections.abc import Sequence
from itertools import chain
from typing import Any, TypeVar

from django.apps import apps

from dynamodb_lists.lists.list import List, lists_by_name
from dynamodb_lists.maintenance.list_rules import rules as of_list
from dynamodb_lists.maintenance.rules import GroupRule, ItemRule

AppT = TypeVar("AppT")


class HasRules:
    """The ``AppConfig`` of an app that declares rules for ``verify_data``, beside those of its lists."""

    rules: Sequence[ItemRule | GroupRule | List[Any]] = ()


def own_lists() -> list[List[Any]]:
    """Return the lists whose tables the program creates and fills."""
    return [each for each in lists_by_name.values() if each.reader.shape_model]


def rules() -> Sequence[ItemRule | GroupRule]:
    """Return the rules of all apps, and of all other lists that compose their keys."""
    given = (each for app in declaring(HasRules) for each in app.rules)
    found = [rule for each in given for rule in (of_list(each) if isinstance(each, List) else [each])]
    named = {rule.model for rule in found}
    others = (each for each in own_lists() if each.declaration.counts_anew and each.model not in named)
    return [*found, *chain.from_iterable(map(of_list, others))]


def declaring(kind: type[AppT]) -> list[AppT]:
    """Return the apps whose ``AppConfig`` is of this class, in the order of ``INSTALLED_APPS``."""
    return [config for config in apps.get_app_configs() if isinstance(config, kind)]
