"""``manage.py import_orders FILE.jsonl``: orders, and the guests that they belong to, from a file."""

from hotelapp.dynamodb.schema.entities import columns
from hotelapp.portal.imports.json_rows import JsonLines
from hotels.imports import HotelRowsCommand
from orders import commands
from orders.entities import Order, OrderItem
from orders.forms.rows import OrderRowForm


class Command(HotelRowsCommand[Order]):
    """Writes orders with their items and their guests' counts, in transactions. Importing twice changes nothing."""

    help = (
        f"Import orders: {', '.join(columns(Order, computed=False))}; one JSON object a line. An item has "
        f"{', '.join(columns(OrderItem))}. An order that already exists only moves on to a later status. Missing "
        "guests and hotels are created. Transactions cost twice the write units on AWS."
    )
    format = JsonLines()
    form_class = OrderRowForm
    noun = "order"
    id_field = "order_id"
    lane_field = "username"
    save_entities = staticmethod(commands.save_orders)
    batch_size = 300

    def entity_of(self, form: OrderRowForm) -> Order:
        return form.order()
