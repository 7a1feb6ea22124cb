"""The admin of django-dynamodb-backend 1.0.0, as its README says: a model, a ``DynamoDBAdmin``.

So that pages can be asked at all, the set-up differs: accounts are in SQLite, settings have the names that the package
reads, and the table is created with PynamoDB.
"""

import os
import subprocess
import sys
import warnings

from django.conf import settings

from compared import admins, contender
from compared.questions import Room as Values

if not settings.configured:
    admins.start(
        INSTALLED_APPS=["django_dynamodb_backend"],
        DATABASES={
            "default": {
                "ENGINE": "django_dynamodb_backend.db",
                "REGION": os.environ["AWS_REGION"],
                "LOCAL_ENDPOINT": os.environ["DYNAMODB_ENDPOINT_URL"],
            },
            "accounts": admins.SQLITE,
        },
    )

from django.contrib import admin
from django.core.management import call_command
from django.db import models
from django_dynamodb_backend.admin import DynamoDBAdmin
from django_dynamodb_backend.models import DynamoDBModel


class Room(DynamoDBModel):  # type: ignore[misc]
    """A room under its number."""

    number = models.CharField(primary_key=True, max_length=16)
    view = models.CharField(max_length=64)
    size = models.IntegerField()
    type = models.CharField(max_length=64)
    rate = models.IntegerField()
    currency = models.CharField(max_length=3)

    class Meta:
        app_label = "compared"
        db_table = "admin-rooms"

    def __str__(self) -> str:
        return str(self.number)


class RoomAdmin(DynamoDBAdmin):  # type: ignore[misc]
    """The list, and its forms."""

    list_display = ("number", "view", "size", "type", "rate")
    list_filter = ("view", "type")
    search_fields = ("number",)
    ordering = ("size",)


class Router:
    """Rooms are in DynamoDB, accounts in SQLite."""

    def db_for_read(self, model: type, **_: object) -> str:
        return "default" if issubclass(model, DynamoDBModel) else "accounts"

    db_for_write = db_for_read


class Admin:
    """The list of rooms on the stock site."""

    delete_action = "delete_selected_optimized"

    def __init__(self) -> None:
        self.table = Room._get_pynamodb_model()

    def fill(self, rooms: list[Values]) -> None:
        """``bulk_create`` raises ``TypeError`` for a model with numbers."""
        if self.table.exists():
            self.table.delete_table()
        self.table.create_table(billing_mode="PAY_PER_REQUEST", wait=True)
        for values in rooms:
            Room.objects.create(**values)

    def stored(self) -> dict[str, str]:
        return {room.number: room.view for room in self.table.scan()}

    def delete(self, number: str) -> None:
        Room.objects.filter(number=number).delete()


# --- Measuring -------------------------------------------------------------------------------------------


README = """
import django
from django.conf import settings

settings.configure(
    INSTALLED_APPS=[
        "django.contrib.admin",
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "django.contrib.messages",
        "django.contrib.staticfiles",
        "django_dynamodb_backend",
        "django_dynamodb_backend.contrib.auth_dynamo",
    ],
    DATABASES={
        "default": {
            "ENGINE": "django_dynamodb_backend.db",
            "NAME": "my_app",
            "OPTIONS": {"region_name": "us-east-1"},
        }
    },
    SESSION_ENGINE="django_dynamodb_backend.sessions",
    AUTH_USER_MODEL="auth_dynamo.DynamoUser",
    AUTHENTICATION_BACKENDS=["django_dynamodb_backend.contrib.auth_dynamo.backends.DynamoAuthBackend"],
)
django.setup()
"""
"""A program that starts with the settings of the README, in its mode "DynamoDB only"."""


def started() -> str:
    """Whether a program starts with the settings of the README; otherwise the error that ends it."""
    done = subprocess.run([sys.executable, "-c", README], capture_output=True, text=True, check=False)
    return done.stderr.splitlines()[-1].partition(":")[0] if done.returncode else "done"


def measure(admin_class: type[DynamoDBAdmin]) -> None:
    settings.DATABASE_ROUTERS = [Router()]
    warnings.simplefilter("ignore")  # of Django, about pages without an order
    admin.site.register(Room, admin_class)
    call_command("migrate", database="accounts", verbosity=0)
    created = admins.outcome(lambda: call_command("dynamodb_migrate", verbosity=0))
    rooms, meter = Admin(), contender.Meter()
    meter.watch(rooms.table._get_connection().connection.client.meta.events)
    admins.run(rooms, meter.read, {admins.START: started(), admins.CREATE: created})


if __name__ == "__main__":
    measure(RoomAdmin)
