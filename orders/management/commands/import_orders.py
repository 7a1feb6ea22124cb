"""``manage.py import_orders FILE.jsonl``: orders, and the guests that they belong to, from a file."""

from collections.abc import Hashable, Sequence
from typing import Any

from hotelapp.portal.importing import ImportCommand, Saved
from hotelapp.portal.json_rows import JsonLines
from orders import commands
from orders.placing import OrderRowForm
from rooms import commands as rooms
from rooms.values import Hotel


class Command(ImportCommand):
    """Every order with its items and its guest's counts, in transactions; the same file twice leaves the same data."""

    help = (
        "Import orders: order_id, username, hotel_id, status, placed_at, status_at, currency, items: [sku, name, "
        "quantity, unit_price]; one JSON object a line. An order that is stored already only moves on to a later "
        "status. Guests and hotels that are not there yet are made. Transactions cost twice the write units on AWS."
    )
    format = JsonLines()
    form_class = OrderRowForm
    noun = "order"
    batch_size = 300

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._hotels: set[str] = set()

    def identity(self, form: OrderRowForm) -> Hashable:
        """An order's id is unique."""
        return str(form.cleaned_data["order_id"])

    def save(self, batch: Sequence[OrderRowForm]) -> Saved:
        """Write the orders, then make the hotels that they are of, where these are missing."""
        orders = [form.order() for form in batch]
        written, refused = commands.save_orders(orders)
        for hotel_id in {order.hotel_id for order in orders if order.order_id not in refused} - self._hotels:
            rooms.add_missing_hotel(Hotel(hotel_id, hotel_id))
            self._hotels.add(hotel_id)
        places = {order.order_id: place for place, order in enumerate(orders)}
        return Saved(written, {places[order_id]: reason for order_id, reason in refused.items()})
