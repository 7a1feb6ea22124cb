"""The import of orders, and of the guests that they belong to."""

from collections.abc import Mapping
from typing import Any

from dynamodb_lists import Change
from hotels.imports import HotelRowsImport
from orders import commands
from orders.entities import Order
from orders.forms.rows import OrderRowForm
from orders.statuses import OPEN, Status
from portal.imports.json_rows import JsonLines


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

    def needs(self, change: Change[Any]) -> Mapping[str, str]:
        """Return the permissions for a change. The author of an order may cancel it until somebody processes it."""
        before, after, found = change.before, change.entity, dict[str, str]()
        if before is None and not after.guest_name:
            found["orders.add_guest"] = f"add the guest {after.username}"
        own = before and before.status == OPEN and before.history[:1] and before.history[0].by == self.actor.username
        if after.status == Status.CANCELLED and not own:
            found["orders.cancel_order"] = "cancel orders"
        elif after.status not in {OPEN, Status.CANCELLED}:
            found["orders.move_order"] = "move orders on"
        return found

    def entity_of(self, form: OrderRowForm) -> Order:
        return form.order(self.actor.username)
