"""The orders app: guests, their orders, and the items of each order."""

from django.apps import AppConfig

from dynamodb_lists.django.declaring import HasRules, Rules
from hotels.apps import Action, HasHotelPages, HotelPages, HotelTab
from lab.measured import HasMeasured, MeasuredList
from portal.frame import HasLinks, Links, SidebarLink
from portal.history.subjects import HasSubjects, Subject
from portal.sources import HasSources, Sources

VIEW_ORDERS = "orders.view_order"


class OrdersConfig(HasSubjects, HasRules, HasSources, HasMeasured, HasLinks, HasHotelPages, AppConfig):
    name = "orders"
    subjects = (
        Subject("guest", "Guest {0}", "orders:guest", "orders.view_guest"),
        Subject("order", "Order {0}", "orders:order", VIEW_ORDERS),
    )
    links = Links(
        sidebar=(
            SidebarLink("Guests", "Guests", "badge", "orders:guests"),
            SidebarLink("Guests", "Unfinished orders", "checklist", "orders:unfinished"),
            SidebarLink("Guests", "All orders", "receipt_long", "orders:orders", alone=True),
            SidebarLink("Guests", "Place an order", "add_shopping_cart", "orders:place"),
        ),
        palette=(SidebarLink("", "Big orders of all hotels", "", "orders:group_big"),),
    )

    @property
    def hotel_pages(self) -> HotelPages:
        from orders.queries import orders_of_room
        from orders.views.orders import OF_ROOM

        return HotelPages(
            tabs=(HotelTab(40, "Orders", "orders:hotel_orders", VIEW_ORDERS),),
            actions=(
                Action("Unfinished orders", "orders:hotel_unfinished", VIEW_ORDERS),
                Action("Big orders", "orders:big", VIEW_ORDERS),
                Action("Place an order", "orders:place", "orders.add_order", "?hotel_id={hotel}"),
            ),
            room_actions=(
                Action("Place an order", "orders:place", "orders.add_order", "?hotel_id={hotel}&room_number={room}"),
                Action("Orders of the room", "orders:hotel_orders", VIEW_ORDERS, "?room={room}"),
            ),
            room_parts=(OF_ROOM,),
            naming=orders_of_room,
        )

    @property
    def rules(self) -> Rules:
        from orders.invariants import RULES

        return RULES

    @property
    def sources(self) -> Sources:
        from orders.imports import OrderImport
        from orders.seeding import OrderSeeder

        return Sources(OrderSeeder, OrderImport)

    @property
    def measured(self) -> MeasuredList:
        from orders.lab import ORDERS

        return ORDERS
