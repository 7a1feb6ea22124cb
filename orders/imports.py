"""The import of orders, and of the guests that they belong to."""

from hotelapp.portal.imports.json_rows import JsonLines
from hotels.imports import HotelRowsImport
from orders import commands
from orders.entities import Order
from orders.forms.rows import OrderRowForm


class OrderImport(HotelRowsImport[Order]):
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

    def entity_of(self, form: OrderRowForm) -> Order:
        return form.order(self.actor.username)
