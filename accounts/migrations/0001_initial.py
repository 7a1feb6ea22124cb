"""The numbers of accounts that only grow, usernames that nobody gets again, and the roles with their permissions.

Triggers raise the numbers, which :mod:`accounts.change_numbers` makes after the migrations. A migration runs once, so what an
administrator changes in a role stays. CONTRIBUTING.md says how a later one grants a permission.
"""

from collections.abc import Collection, Mapping
from functools import partial

from django.conf import settings
from django.db import migrations, models

from accounts.roles import grant

WRITE_NOTES = ("notes.add_note", "notes.change_note")
VIEW = (
    *("hotels.view_hotel", "rooms.view_room", "orders.view_guest", "orders.view_order", "reviews.view_review"),
    "notes.view_note",
)
FRONT_DESK = (
    *VIEW,
    *WRITE_NOTES,
    "rooms.change_room_status",
    "orders.add_guest",
    "orders.change_guest",
    "orders.add_order",
    "orders.move_order",
    "rooms.plan_room",
)
HOUSEKEEPING = ("hotels.view_hotel", "rooms.view_room", "rooms.change_room_status", "notes.view_note", *WRITE_NOTES)
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
    "reviews.keep_replies",
    "portal.export_data",
    "portal.view_history",
    "portal.share_views",
    "auth.view_user",  # accounts.authority says whom they add and end
    "auth.add_user",
    "auth.change_user",
    "rooms.inspect_room",
    "notes.delete_note",
)
GRANTED: Mapping[str, Collection[str]] = {
    "Front desk": FRONT_DESK,
    "Housekeeping": HOUSEKEEPING,
    "Supervisor": (*HOUSEKEEPING, "rooms.plan_room", "rooms.inspect_room"),
    "Manager": MANAGER,
    "Auditor": AUDITOR,
}


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("otp_totp", "0003_add_timestamps"),
        ("hotels", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="AccountChanges",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        settings.AUTH_USER_MODEL,
                        models.DO_NOTHING,
                        primary_key=True,
                        db_constraint=False,
                        related_name="changes",
                        serialize=False,
                    ),
                ),
                ("rights", models.PositiveBigIntegerField()),
                ("access", models.PositiveBigIntegerField()),
            ],
            options={"default_permissions": (), "verbose_name_plural": "account changes"},
        ),
        migrations.CreateModel(
            name="FormerUsername",
            fields=[
                ("folded", models.CharField(max_length=600, primary_key=True, serialize=False)),
                ("user_id", models.BigIntegerField()),
            ],
            options={"default_permissions": ()},
        ),
        migrations.RunPython(partial(grant, GRANTED), migrations.RunPython.noop),
    ]
