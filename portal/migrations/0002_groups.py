"""Create the groups of staff with their permissions.

A migration runs once, so what an administrator changes later stays. docs/permissions.md says how a later migration
grants a new permission.
"""

from collections.abc import Collection, Mapping
from functools import partial

from django.db import migrations

from portal.groups import grant

VIEW = ("hotels.view_hotel", "rooms.view_room", "orders.view_guest", "orders.view_order", "reviews.view_review")
FRONT_DESK = (
    *VIEW,
    "rooms.change_room_status",
    "orders.add_guest",
    "orders.change_guest",
    "orders.add_order",
    "orders.move_order",
    "rooms.plan_room",
)
HOUSEKEEPING = ("hotels.view_hotel", "rooms.view_room", "rooms.change_room_status")
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
    "portal.export_data",
    "portal.view_history",
    "portal.share_views",
    "auth.view_user",  # accounts.authority says whom they add and end
    "auth.add_user",
    "auth.change_user",
    "rooms.inspect_room",
)
GRANTED: Mapping[str, Collection[str]] = {
    "Front desk": FRONT_DESK,
    "Housekeeping": HOUSEKEEPING,
    "Supervisor": (*HOUSEKEEPING, "rooms.plan_room", "rooms.inspect_room"),
    "Manager": MANAGER,
    "Auditor": AUDITOR,
}


class Migration(migrations.Migration):
    dependencies = [
        ("portal", "0001_initial"),
        ("hotels", "0001_initial"),
        ("rooms", "0001_initial"),
        ("orders", "0001_initial"),
        ("reviews", "0001_initial"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [migrations.RunPython(partial(grant, GRANTED), migrations.RunPython.noop)]
