from django.apps import AppConfig

from hotels.app_config import HotelPagesConfig, HotelTab
from portal.app_config import SidebarLink, Subject

VIEW_ORDERS = "orders.view_order"


class OrdersConfig(HotelPagesConfig, AppConfig):
    name = "orders"
    subjects = (
        Subject("guest", "Guest {0}", "orders:guest", "orders.view_guest"),
        Subject("order", "Order {0}", "orders:order", VIEW_ORDERS),
    )
    sidebar = (
        SidebarLink("Guests", "Guests", "badge", "orders:guests"),
        SidebarLink("Guests", "Unfinished orders", "checklist", "orders:unfinished"),
        SidebarLink("Guests", "All orders", "receipt_long", "orders:orders", alone=True),
        SidebarLink("Guests", "Place an order", "add_shopping_cart", "orders:place"),
        SidebarLink("", "Big orders of all hotels", "", "orders:big_of_hotels"),
    )
    tabs = (HotelTab(40, "Orders", "orders:hotel_orders", VIEW_ORDERS),)

    def ready(self) -> None:
        from orders import imports, invariants, queries
        from orders.views.orders import OF_ROOM

        self.rules = invariants.RULES
        self.importer = imports.OrderImport
        self.room_parts = (OF_ROOM,)
        self.naming = queries.orders_of_room
