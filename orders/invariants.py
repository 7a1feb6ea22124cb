"""What must agree in the table ``users-and-orders``: orders, their items, the counts of guests, and index keys."""

from collections import Counter
from collections.abc import Iterator, Mapping

from hotelapp.dynamodb.connection.errors import NotFound
from hotelapp.dynamodb.maintenance.invariants import (
    Entry,
    GroupRule,
    Identity,
    ItemRule,
    Observation,
    different,
    register,
    text,
)
from hotelapp.dynamodb.maintenance.word_rules import Owner, WordsRule
from hotelapp.dynamodb.reading.items import get_item, get_items, read_partition
from hotelapp.dynamodb.schema.entities import build
from hotelapp.dynamodb.schema.models import RawItem
from hotelapp.dynamodb.schema.words import Term, parsed
from hotelapp.dynamodb.writing.transactions import MAX_WRITES
from hotelapp.history.commands import has_values
from orders import commands, keys, queries
from orders.commands.changes import order_item
from orders.entities import Guest, Order
from orders.models import (
    BIG_ORDER_KEYS,
    UNFINISHED_KEYS,
    CatalogueEntryModel,
    GuestModel,
    GuestWordModel,
    OrderItemModel,
    OrderModel,
    order_counter,
    word_items,
)
from orders.statuses import Status

INDEX_KEYS = ("order_placed_date", "order_status_date", *UNFINISHED_KEYS, *BIG_ORDER_KEYS)
PROFILE = "profile"
"""A detail of the stored counts, always zero, that is there if there is a profile."""


def _is_order(item: RawItem) -> bool:
    partition = text(item, "PK")
    return not keys.is_item(partition) and not keys.is_word(partition) and keys.is_order(text(item, "SK"))


def _is_profile(item: RawItem) -> bool:
    return text(item, "SK") == keys.PROFILE


def _order(item: RawItem) -> Order:
    """The order that an item is. Raises :class:`KeyError` if an attribute is missing."""
    for name in ("order_id", "username", "hotel_id", "status", "placed_at", "status_at", "currency", "total"):
        text(item, name)
    return build(Order, OrderModel.decoded(item), item_count=int(text(item, "item_count")))


@register
class OrderKeysRule(ItemRule):
    """An order has the keys of what it is, sparse ones included; its history ends with its status."""

    model = OrderModel

    def wrong(self, item: RawItem) -> str:
        if not _is_order(item):
            return ""
        order = _order(item)
        wrong = _wrong_keys(item, order)
        if not _has_its_history(order):
            wrong.append("history")
        return f"order {order.order_id} of {order.username} has wrong {', '.join(wrong)}" if wrong else ""

    def repair(self, item: RawItem) -> bool:
        order = _order(item)
        wrong = _wrong_keys(item, order)
        if not wrong or not set(wrong) <= set(INDEX_KEYS):
            return False
        commands.mend_keys(order, wrong)
        return _has_its_history(order)


def _has_its_history(order: Order) -> bool:
    """Whether the history ends with the order's status."""
    return bool(order.history) and (order.history[-1].status, order.history[-1].at) == (order.status, order.status_at)


def _wrong_keys(item: RawItem, order: Order) -> list[str]:
    return different(item, order_item(order).to_dynamodb_dict(), ("PK", "SK", *INDEX_KEYS))


@register
class CatalogueKeysRule(ItemRule):
    """An item that a hotel has sold has the key of its SKU."""

    model = CatalogueEntryModel

    def wrong(self, item: RawItem) -> str:
        if not keys.is_catalogue(text(item, "PK")) or text(item, "SK") == keys.sku(text(item, "sku")):
            return ""
        return f"item {text(item, 'sku')} of {keys.parse_catalogue(text(item, 'PK'))} has the key {text(item, 'SK')}"


@register
class GuestKeysRule(ItemRule):
    """A guest's profile has the guest's key, and its partition in the list of guests."""

    model = GuestModel

    def wrong(self, item: RawItem) -> str:
        if not _is_profile(item):
            return ""
        partition, username = text(item, "PK"), text(item, "username")
        if partition != keys.guest(username):
            return f"profile {partition} has the username {username}"
        in_list = item.get("guest_shard") == {"S": keys.guest_shard(username)}
        return "" if in_list else f"the profile of {username} has wrong guest_shard"

    def repair(self, item: RawItem) -> bool:
        username = text(item, "username")
        if text(item, "PK") != keys.guest(username):
            return False
        commands.mend_guest_shard(username)
        return True


@register
class GuestWordsRule(WordsRule):
    """A guest is found by each word of the name, the e-mail address and the username. An erased guest has no words."""

    model = GuestModel
    word_model = GuestWordModel

    def owner(self, item: RawItem) -> Owner | None:
        if not _is_profile(item):
            return None
        terms = parsed(text(item, "terms")) if "terms" in item else frozenset()
        return _owner(build(Guest, GuestModel.decoded(item), terms=terms))

    def stored_owner(self, owner_id: str) -> Owner:
        return _owner(queries.guest(owner_id, consistent=True))

    def word(self, item: RawItem) -> tuple[str, Term] | None:
        partition, sort_key = text(item, "PK"), text(item, "SK")
        return (keys.username_of_word(sort_key), keys.term(partition, sort_key)) if keys.is_word(partition) else None

    def key(self, owner_id: str, term: Term) -> tuple[str, str]:
        return keys.word(owner_id, term)

    def mend(self, owner_id: str, surplus: Term) -> None:
        commands.mend_words(owner_id, surplus)

    def delete(self, owner_id: str, term: Term) -> None:
        commands.delete_word(owner_id, term)


def _owner(guest: Guest) -> Owner:
    items = {keys.term(item.pk, item.sk): item for item in word_items(guest)}
    return Owner(guest.username, guest.terms, items)


@register
class GuestErasureRule(ItemRule):
    """The history of an erased guest has no values, and the profile does not say that it still has some."""

    model = GuestModel

    def wrong(self, item: RawItem) -> str:
        if not _is_profile(item) or not {"erased_at", "erasing_by"} & item.keys():
            return ""
        username = text(item, "username")
        unfinished = "erasing_by" in item or has_values(GuestModel.kind, username)
        return f"the erasure of {username} is not complete" if unfinished else ""

    def repair(self, item: RawItem) -> bool:
        guest = queries.guest(text(item, "username"), consistent=True)
        if guest.erased_at or guest.erasing_by:
            commands.finish_erasure(guest)
        return True


@register
class GuestCountsRule(GroupRule):
    """A guest's profile counts the orders of each status. A group is a guest."""

    model = OrderModel

    def entries(self, item: RawItem) -> Iterator[Entry]:
        if _is_profile(item):
            identity = (keys.parse_guest(text(item, "PK")),)
            for status in Status:
                if (name := order_counter(status)) in item:
                    yield Entry(identity, status, -int(text(item, name)))
        elif _is_order(item):
            yield Entry((keys.parse_guest(text(item, "PK")),), text(item, "status"), 1)

    def stored(self, identity: Identity) -> Mapping[str, int]:
        try:
            profile = get_item(GuestModel, keys.guest(identity[0]), keys.PROFILE, consistent=True)
        except NotFound:
            return {}
        names = {status: order_counter(status) for status in Status}
        return {PROFILE: 0} | {str(status): profile[name] for status, name in names.items() if name in profile}

    def counted(self, identity: Identity) -> Mapping[str, int]:
        items = read_partition(OrderModel, keys.guest(identity[0]), ("SK", "status"), consistent=True)
        return Counter(str(item["status"]) for item in items if "status" in item)

    def wrong(self, identity: Identity, seen: Observation) -> str:
        (username,) = identity
        if PROFILE not in seen.stored:
            return f"guest {username} has {sum(seen.counted.values())} orders and no profile"
        differences = (
            f"{status} {seen.stored.get(status, 0)} instead of {seen.counted.get(status, 0)}"
            for status in seen.differences
        )
        return f"the profile of {username} counts {', '.join(differences)}"

    def repair(self, identity: Identity, seen: Observation) -> bool:
        """Set the counts. A missing profile must be added by somebody who knows the guest."""
        if PROFILE not in seen.stored:
            return False
        commands.mend_counts(identity[0], seen.stored, seen.counted)
        return True


@register
class OrderLinesRule(GroupRule):
    """An order has as many items as it says, and every item has its order. A group is an order's id.

    An order without items has one that stands in their place. No two guests have an order of the same id.
    """

    model = OrderModel
    settle_seconds = 2.0  # a GSI finds the order by its id

    def entries(self, item: RawItem) -> Iterator[Entry]:
        if keys.is_item(text(item, "PK")):
            order_id, number = keys.parse_item(text(item, "PK"))
            yield Entry((order_id,), str(number), -1)
        elif _is_order(item):
            for number in range(1, max(int(text(item, "item_count")), 1) + 1):
                yield Entry((text(item, "order_id"),), str(number), 1)

    def stored(self, identity: Identity) -> Mapping[str, int]:
        (order_id,) = identity
        places = {keys.item(order_id, number) for number in range(1, MAX_WRITES + 1)}
        places |= set(filter(keys.is_item, _partitions(order_id)))
        lines = get_items(OrderItemModel, ((place, keys.order(order_id)) for place in sorted(places)))
        return Counter(str(keys.parse_item(line["pk"])[1]) for line in lines)

    def counted(self, identity: Identity) -> Mapping[str, int]:
        """The items that the order should have. The index finds the order, which is then read consistently."""
        (order_id,) = identity
        guests = (place for place in _partitions(order_id) if not keys.is_item(place))
        orders = get_items(OrderModel, ((place, keys.order(order_id)) for place in guests))
        return Counter(str(number) for order in orders for number in range(1, max(order["item_count"], 1) + 1))

    def wrong(self, identity: Identity, seen: Observation) -> str:
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
    """The partitions of an order and of its items."""
    found = read_partition(OrderModel, keys.order(order_id), ("PK",), index=keys.BY_ORDER)
    return [str(item["pk"]) for item in found]
