"""The import of orders, and of the guests that they belong to."""

from hotelapp.portal.imports.json_rows import JsonLines
from hotels.imports import AnyHotelImport
from orders import commands
from orders.entities import Order
from orders.forms.rows import OrderRowForm


class OrderImport(AnyHotelImport[Order]):
    """Writes orders with their items and their guests' counts, in transactions. Importing twice changes nothing."""

    format = JsonLines()
    form_class = OrderRowForm
    noun = "order"
    id_fields = ("order_id",)
    lane_field = "username"
    save_entities = staticmethod(commands.save_orders)
    plan_entities = staticmethod(commands.planned_orders)
    batch_size = 300
    permission = "orders.add_order"
    to_change = ("orders.move_order", "orders.cancel_order")
    list_name = "orders:hotel_orders"
    example = {
        "order_id": "o-2023-0001",
        "username": "alex",
        "hotel_id": "seaside",
        "status": "PLACED",
        "placed_at": "2023-01-15T10:22:31Z",
        "status_at": "2023-01-15T10:22:31Z",
        "currency": "GBP",
        "items": [{"sku": "breakfast", "name": "Breakfast", "quantity": 2, "unit_price": "12.50"}],
    }

    def entity_of(self, form: OrderRowForm) -> Order:
        return form.order(self.actor.username)
