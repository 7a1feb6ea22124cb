"""The orders app: guests, their orders, and the items of each order."""

from django.apps import AppConfig

from hotelapp.history.subjects import Subject
from hotels.apps import HotelTab, RoomPart

VIEW_ORDERS = "orders.view_order"
PLACE_ORDERS = "orders.add_order"
UNDOING = {
    "changed": PLACE_ORDERS,
    "status": "orders.move_order",
    "status=CANCELLED": "orders.cancel_order",
    "own status=CANCELLED": PLACE_ORDERS,
}
"""The permissions to undo a change of an order: a correction, a step, and a cancellation, which one's own is not."""


class OrdersConfig(AppConfig):
    """The orders app."""

    name = "orders"
    subjects = (
        Subject(
            "guest",
            "Guest {0}",
            "orders:guest",
            "orders.view_guest",
            writer="orders.commands.guests.GuestWriter",
            undoing={"changed": "orders.change_guest"},
        ),
        Subject(
            "order",
            "Order {0}",
            "orders:order",
            VIEW_ORDERS,
            writer="orders.commands.changes.OrderWriter",
            undoing=UNDOING,
        ),
    )
    room_parts = (RoomPart("orders/_of_room.html", "orders.add_order", lambda hotel_id, number: None),)
    hotel_tabs = (HotelTab(40, "Orders", "orders:hotel_orders", VIEW_ORDERS),)
    rules = ("orders.invariants.RULES",)
    seeders = ("orders.seeding.OrderSeeder",)
