"""The package as a Django app. Its settings configure the package, and ``manage.py`` has its commands."""

import sys
from typing import Any

from django.apps import AppConfig
from django.apps import apps as installed
from django.conf import settings
from django.core import checks
from django.core.exceptions import ImproperlyConfigured
from django.db.models.signals import post_migrate
from django.utils.encoding import force_str
from django.utils.module_loading import autodiscover_modules

from dynamodb_lists.connection.configuration import Configuration, begin_tests, prefix_of_tests, read_from


def _configuration() -> Configuration:
    """Return the configuration from Django's settings. Each setting has a default."""
    endpoint = getattr(settings, "DYNAMODB_ENDPOINT_URL", None)
    usual = Configuration()
    return Configuration(
        endpoint_url=endpoint,
        region=getattr(settings, "AWS_REGION", None) or (endpoint and "us-east-1"),
        on_aws=settings.DYNAMODB_ENGINE == "aws" if hasattr(settings, "DYNAMODB_ENGINE") else None,
        table_prefix=getattr(settings, "DYNAMODB_TABLE_PREFIX", ""),
        table_names=getattr(settings, "DYNAMODB_TABLE_NAMES", {}),
        secret=settings.SECRET_KEY,
        former_secrets=[*map(force_str, settings.SECRET_KEY_FALLBACKS)],
        connect_timeout=getattr(settings, "DYNAMODB_CONNECT_TIMEOUT", usual.connect_timeout),
        read_timeout=getattr(settings, "DYNAMODB_READ_TIMEOUT", usual.read_timeout),
        connections=2 * getattr(settings, "SERVER_THREADS", usual.connections // 2),
        waiting_calls=getattr(settings, "WAITING_CALLS", usual.waiting_calls),
        protected=getattr(settings, "DYNAMODB_PROTECTED", False),
    )


if sys.argv[1:2] == ["test"]:
    begin_tests()
read_from(_configuration)  # now, because models of other apps name their tables when they are imported


class DynamoDBConfig(AppConfig):
    """The app of the package. It configures the package and has its commands, but no ORM models."""

    name = "dynamodb_lists.django"
    label = "dynamodb"

    def ready(self) -> None:
        """Import the module ``lists`` of each app, so that commands and checks know all lists.

        A configured table name that no model uses is refused, because a misspelt name would leave the old table in use.
        After each migration, the permissions of lists on an admin site are created.
        """
        from dynamodb_lists.schema import tables

        autodiscover_modules("lists")
        checks.register(_left_out)
        if installed.is_installed("django.contrib.admin"):
            from dynamodb_lists.django.admin.options import create_permissions

            post_migrate.connect(create_permissions, dispatch_uid="dynamodb_lists")
        unused = {*getattr(settings, "DYNAMODB_TABLE_NAMES", {}).values()} - {*tables.names()}
        if unused and not prefix_of_tests():
            raise ImproperlyConfigured(f"DYNAMODB_TABLE_NAMES names {min(unused)}, but for no table of the project.")


def _left_out(**kwargs: Any) -> list[checks.CheckMessage]:
    """Return a warning for each list without ``orders`` that leaves some out, because such pages cost more."""
    from dynamodb_lists.declared.declaration import MOST_PROJECTED
    from dynamodb_lists.lists.list import lists_by_name

    found: list[checks.CheckMessage] = []
    for name, listed in lists_by_name.items():
        orders = " or ".join(", ".join(order.fields) for order in listed.left_out)
        text = (
            f"{listed.declaration.title} keep no index by {orders}, because all indexes together project at most "
            f"{MOST_PROJECTED} attributes. A page in such an order may read many rows that it does not show."
        )
        hint = "Name the `orders` that pages need, or declare fields `listed=False` that lists need not show."
        if orders:
            found.append(checks.Warning(text, hint, obj=name, id="dynamodb_lists.W003"))
    return found
