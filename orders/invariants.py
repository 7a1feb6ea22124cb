"""What must agree in the table ``users-and-orders``: orders, their items, the counts of guests, and index keys."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta

from dynamodb_lists import MAX_WRITES, RawItem, get_items, on_days, read_partition
from dynamodb_lists.maintenance import rules
from hotels.entities import ORDERS, TOTAL, Statistic
from hotels.invariants import StatisticsRule
from orders import commands, keys, lists, queries
from orders.entities import Order, OrderItem
from orders.models import GuestModel, OrderItemModel, OrderModel, order_counter
from orders.statuses import Status


class OrderHistoryRule(rules.ItemRule):
    model = OrderModel

    def wrong(self, item: RawItem) -> str:
        order: Order = OrderModel.entity_of(item)
        last = [(step.status, step.at) for step in order.history[-1:]]
        if last == [(order.status, order.status_at)]:
            return ""
        return f"order {order.order_id} of {order.username} has wrong history"


class LineKeysRule(rules.KeysRule):
    """A line of an order has the keys by which indexes find it: the order's id, and the end of the order's number."""

    def composed(self, entity: OrderItem, item: RawItem) -> OrderItemModel:
        return OrderItemModel.line(entity, *OrderItemModel.place_in(item))


class GuestErasureRule(rules.ItemRule):
    """A rule: history and orders of an erased guest have no values, and the profile has no note that some are left."""

    model = GuestModel

    def wrong(self, item: RawItem) -> str:
        if not {"erased_at", "erasing_by"} & item.keys():
            return ""
        username = item["username"]["S"]
        unfinished = "erasing_by" in item or commands.erasure_is_incomplete(username)
        return f"the erasure of {username} is not complete" if unfinished else ""

    def repair(self, item: RawItem) -> bool:
        guest = queries.guest(item["username"]["S"], consistent=True)
        if guest.erased_at or guest.erasing_by:
            commands.finish_erasure(guest)
        return True


def _orders_of(username: str) -> Mapping[str, int]:
    items = read_partition(OrderModel, OrderModel.partition_of(username=username), ("SK", "status"), consistent=True)
    return Counter(str(item["status"]) for item in items if "status" in item)


class OrderLinesRule(rules.GroupRule):
    """An order has ``item_count`` items, and every item has its order. A group is an order's id.

    An order without items has one placeholder. No two guests have an order of the same id.
    """

    model = OrderModel
    settle_seconds = 2.0  # a GSI finds the order by its id

    def entries(self, item: RawItem) -> Iterator[rules.Entry]:
        if OrderItemModel.holds(item):
            order_id, number = OrderItemModel.place_in(item)
            yield rules.Entry((order_id,), str(number), -1)
        elif OrderModel.holds(item):
            for number in range(1, max(int(item["item_count"]["N"]), 1) + 1):
                yield rules.Entry((item["order_id"]["S"],), str(number), 1)

    def stored(self, identity: rules.Identity) -> Mapping[str, int]:
        (order_id,) = identity
        numbers = {*range(1, MAX_WRITES + 1)}
        numbers |= {OrderItemModel.values_in(each)["number"] for each in _partitions(order_id) if _is_line(each)}
        places = (OrderItemModel.place_of(order_id=order_id, number=number) for number in sorted(numbers))
        lines = get_items(OrderItemModel, places)
        return Counter(str(OrderItemModel.values_in(line["pk"])["number"]) for line in lines)

    def counted(self, identity: rules.Identity) -> Mapping[str, int]:
        """Return the items that the order should have. The index finds the order, which is then read consistently."""
        (order_id,) = identity
        guests = (each for each in _partitions(order_id) if not _is_line(each))
        wanted = (OrderModel.place_of(order_id=order_id, **OrderModel.values_in(each)) for each in guests)
        orders = get_items(OrderModel, wanted)
        return Counter(str(number) for order in orders for number in range(1, max(order["item_count"], 1) + 1))

    def wrong(self, identity: rules.Identity, seen: rules.Observation) -> str:
        (order_id,) = identity
        if not seen.counted:
            return f"items of {order_id} have no order"
        if max(seen.counted.values()) > 1:
            return f"two guests have an order {order_id}"
        missing = [number for number in seen.differences if number in seen.counted]
        surplus = [number for number in seen.differences if number not in seen.counted]
        parts = [f"lacks item {', '.join(missing)}"] if missing else []
        parts += [f"has surplus item {', '.join(surplus)}"] if surplus else []
        return f"order {order_id} {' and '.join(parts)}"


def _partitions(order_id: str) -> list[str]:
    return [str(item["pk"]) for item in read_partition(OrderModel, order_id, ("PK",), index=keys.BY_ID)]


def _is_line(partition: str) -> bool:
    return OrderItemModel.table_templates()["pk"].fits(partition)


def _orders_counted(hotel_id: str, what: Statistic) -> Iterable[Order]:
    """Return the orders of a hotel that a statistic counts: those around a day, or all."""
    if what[1] == TOTAL:
        return queries.orders_in(hotel_id=hotel_id).all()
    day, near = date.fromisoformat(what[1]), timedelta(days=1)  # a hotel's day is a part of two days in UTC
    found = queries.orders_in(hotel_id=hotel_id).where(placed_at=on_days((day - near, day + 2 * near)))
    return queries.orders_as_stored((order.username, order.order_id) for order in found).values()


RULES = (
    lists.ORDERS,
    OrderHistoryRule(),
    LineKeysRule(model=OrderItemModel, others=("order_id", "number_end", "number_reversed")),
    lists.CATALOGUE,
    lists.GUESTS,
    GuestErasureRule(),
    rules.CountRule(
        model=OrderModel,
        numbers={str(status): order_counter(status) for status in Status},
        counter_model=GuestModel,
        group=lambda item: (OrderModel.values_in(item["PK"]["S"])["username"],),
        detail=lambda item: item["status"]["S"],
        count=_orders_of,
        name="the profile of {0}",
        noun="orders",
        without="guest {0} has {number} orders and no profile",
    ),
    OrderLinesRule(),
    StatisticsRule(
        model=OrderModel,
        what=ORDERS,
        read=_orders_counted,
        settle_seconds=2.0,  # a GSI finds the orders
    ),
)
