"""What a backup reads again as a whole: orders with their items, and the guests of orders."""

from collections.abc import Iterator, Sequence

from hotelapp.dynamodb.backups.aggregates import Aggregate, register
from hotelapp.dynamodb.maintenance.invariants import Entry, Identity, text
from hotelapp.dynamodb.schema.models import RawItem
from orders import keys, queries
from orders.invariants import GuestCountsRule, OrderLinesRule
from orders.models import GuestModel, OrderModel


@register
class OrderAggregate(Aggregate):
    """An order and its items. A thing is an order's id."""

    kind = OrderModel.kind
    model = OrderModel
    rule = OrderLinesRule()

    def entries(self, item: RawItem) -> Iterator[Entry]:
        """As in the rule: an order adds one for each item, and each item takes one away."""
        yield from self.rule.entries(item)

    def member(self, item: RawItem) -> Identity | None:
        """The order's id, of an order or of an order's item."""
        return next((entry.identity for entry in self.entries(item)), None)

    def keys(self, identity: Identity) -> Sequence[tuple[str, str]]:
        """The keys of the order and of its items. The first item names the guest."""
        (order_id,) = identity
        username = queries.guests_of([order_id]).get(order_id)
        order = queries.orders_as_stored([(username, order_id)]).get(order_id) if username else None
        if not username or not order:
            return []
        numbers = range(1, max(order.item_count, 1) + 1)
        places = [keys.guest(username), *(keys.item(order_id, number) for number in numbers)]
        return [(place, keys.order(order_id)) for place in places]


@register
class GuestAggregate(Aggregate):
    """A guest's profile. Every order has one."""

    kind = GuestModel.kind
    model = GuestModel
    is_owner = True
    rule = GuestCountsRule()

    def entries(self, item: RawItem) -> Iterator[Entry]:
        """As in the rule: orders and the counts of the profile. Without a profile they do not agree."""
        yield from self.rule.entries(item)

    def member(self, item: RawItem) -> Identity | None:
        """The username of a profile."""
        return (text(item, "username"),) if text(item, "SK") == keys.PROFILE else None

    def keys(self, identity: Identity) -> Sequence[tuple[str, str]]:
        """The key of the profile."""
        (username,) = identity
        return [(keys.guest(username), keys.PROFILE)]
