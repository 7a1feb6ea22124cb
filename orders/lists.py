"""The app's lists, which read and write its items. Each list declares what is written with an item."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain, groupby
from operator import attrgetter
from typing import Any

from pynamodb.expressions.update import Action

from dynamodb_lists import (
    Change,
    Delete,
    ItemModel,
    List,
    Put,
    Update,
    Writer,
    deltas,
    errors,
    get_items,
    in_parallel,
    ledger,
    shard,
)
from hotels.commands import statistics_changed
from orders import keys
from orders.entities import ERASED_NAME, CatalogueEntry, Guest, HistoryStep, Order
from orders.models import (
    CatalogueEntryModel,
    GuestModel,
    GuestWordModel,
    OrderItemModel,
    OrderModel,
    OrderShardsModel,
    order_counter,
)
from orders.statuses import Status
from portal.history.commands import recorded
from portal.history.entities import Actor, How
from portal.people import ByAuthor
from portal.shards import Sharding
from portal.times import now
from rooms.queries import rooms_as_stored

logger = logging.getLogger(__name__)

GUESTS = recorded(
    List(Guest, table=GuestModel, name="guests", words=GuestWordModel, entry_bytes=keys.GUEST_BYTES),
    {"changed": "orders.change_guest"},
)
"""All guests are listed by username: four shards, merged. Their writes do not change the counts of orders."""


# --- What hotels have sold ------------------------------------------------------------------------------

CATALOGUE = List(CatalogueEntry, table=CatalogueEntryModel, name="catalogue")
"""A12: the items that each hotel has sold, by SKU, so that staff choose them when they place an order.

An entry is written beside the order, not in its transaction. Many orders of a hotel have the same item: in their
transactions they would wait for each other, and an order of 90 items would need 90 more writes, more than a transaction
takes. In return, an entry may be missing for a while. Whoever places an order then types the name and the price.

Only a new item, or one with another name or price, is written. The condition is that the stored entry is from an
earlier order. So writes may come in any order, at the same time or twice, and the entry of the latest one stays. Only a
file of orders that lie between two sales at the same price can leave an older price, until the next sale.
"""


def collect_items(orders: Iterable[Order]) -> int:
    """Add the items of these orders to the catalogues of their hotels, and return how many were new or different."""
    latest: dict[tuple[str, str], CatalogueEntry] = {}
    for order in orders:
        sale = keys.sale(order.placed_at, order.order_id, order.revision)
        for item in order.items:
            key = order.hotel_id, item.sku
            if key not in latest or latest[key].last_sale <= sale:
                latest[key] = CatalogueEntry(*key, item.name, item.unit_price, order.currency, sale)
    with ledger.purpose("catalogue"):  # half a read unit for an entry
        places = ({"hotel_id": hotel_id, "sku": sku} for hotel_id, sku in latest)
        found = CATALOGUE.get_many(places, consistent=False)
    stored, news = {(entry.hotel_id, entry.sku): entry for entry in found}, list[CatalogueEntry]()
    for key, entry in latest.items():
        known = stored.get(key)
        differs = known is None or replace(known, last_sale=entry.last_sale) != entry
        if differs and (known is None or known.last_sale < entry.last_sale):
            news.append(entry)
    in_parallel([partial(_put, entry) for entry in news])
    return len(news)


def drop_items(before: Order, after: Order) -> None:
    """Remove from the catalogue the items that a correction removed, if their entry is from this order.

    An item that was sold before at the same price keeps its entry, which names an earlier order.
    """
    both = replace(before, revision=0), after
    first, last = (keys.sale(order.placed_at, order.order_id, order.revision) for order in both)
    from_this_order = CatalogueEntryModel.attribute("last_sale").between(first, last)
    for sku in sorted({item.sku for item in before.items} - {item.sku for item in after.items}):
        with suppress(errors.Conflict):  # the entry is of another order, or there is none
            Delete(CatalogueEntryModel.keyed(hotel_id=after.hotel_id, sku=sku), from_this_order).send()


def join_catalogue(order: Order, before: Order | None = None) -> None:
    """Add the order's items to its hotel's catalogue, and remove those that only the order ``before`` a correction had.

    The order is placed or corrected, even if the catalogue cannot be written.
    """
    try:
        collect_items([order])
        if before:
            drop_items(before, order)
    except errors.Unavailable as error:
        logger.warning("The items of order %s are not in the catalogue of its hotel yet: %s", order.order_id, error)


def _put(entry: CatalogueEntry) -> None:
    item = CatalogueEntryModel.item(entry)
    earlier = CatalogueEntryModel.attribute("last_sale") < entry.last_sale
    with suppress(errors.Conflict):  # somebody has just sold the item
        Put(item, CatalogueEntryModel.pk.does_not_exist() | earlier).send()


# --- Orders ---------------------------------------------------------------------------------------------


SHARDS = Sharding("Each list of the orders of all hotels", OrderShardsModel, fewest=1, most=8)
"""At most 8, because a page of all unfinished orders sends three requests for each shard."""


class MovedOn(ByAuthor, errors.ChangedMeanwhile):
    """Somebody else took a step of the order first. ``stored`` is the order now; the message says who took the step."""

    def __init__(self, order: Order, by: str) -> None:
        last = order.history[-1]
        who, first = ("You have already changed it", "") if last.by == by else ("{} was first", last.by)
        super().__init__(f"{who}: the order is now {last.status.words.lower()}.", first)
        self.stored = order


class OrderWriter(Writer[Order]):
    """Writes new orders, their steps and corrections. An order has an item, and one for each line.

    The key of a new line holds the order's id alone: no other guest can use the id.
    """

    ids = ("order_id",)

    def items(self, order: Order) -> Sequence[ItemModel]:
        return [order_item(order), *OrderItemModel.of(order)]

    def whole(self, seen: Order) -> Order:
        """Return the order with its history, which lists leave out."""
        return seen if seen.history else order_as_stored(seen.username, seen.order_id)

    def as_stored(self, before: Order | None, after: Order) -> Order:
        return replace(after, revision=before.revision + 1 if before else 0)

    def change(self, before: Order | None, after: Order) -> list[Change[Order]]:
        """Return the changes of an order. A step is a change, too, although statuses are not compared."""
        is_step = before and before.status != after.status
        return [Change(before, self.made(before, after))] if is_step else super().change(before, after)

    def stored(self, refusal: errors.Conflict) -> Order | None:
        """Return the order as it was when it refused a write. Steps write no lines, so these are read."""
        order = super().stored(refusal)
        lines = tuple(map(OrderItemModel.entity_of, filter(OrderItemModel.made, refusal.items)))
        if order is None or len(lines) >= order.item_count:
            return order and replace(order, items=lines[: order.item_count])
        return order_as_stored(order.username, order.order_id)

    def taken(self, new: Order, stored: Order | None) -> errors.AlreadyExists:
        """Return the error for an id in use: the form was sent before. An order of another hotel is not named."""
        named = stored and stored.hotel_id == new.hotel_id
        which = f"order {new.order_id}" if named else "an order of another guest or hotel"
        return errors.AlreadyExists(f"This form has already placed {which}. Send it again to place another order.")

    def moved(self, stored: Order | None, seen: Mapping[str, Any]) -> errors.ChangedMeanwhile:
        has_moved = stored and stored.status != seen.get("status", stored.status)
        return MovedOn(stored, self.actor.username) if stored and has_moved else super().moved(stored, seen)

    def group(self, change: Change[Order]) -> Any:
        """Return the hotel and day of an order, because orders of one hotel and day share the most statistics."""
        return change.entity.hotel_id, change.entity.placed_at


def _guests_counts(changes: Sequence[Change[Order]], by: Actor) -> Iterator[Update]:
    """Yield the counts of each guest, which a correction does not change.

    The guest must exist, and have the name that new orders have.
    """
    counted = [change for change in changes if not change.before or change.before.status != change.entity.status]
    by_username: Callable[[Any], str] = attrgetter("entity.username")
    for username, group in groupby(sorted(counted, key=by_username), key=by_username):
        of_guest, exists = list(group), GuestModel.pk.exists()
        added = deltas(((each.before.status,) if each.before else None, (each.entity.status,)) for each in of_guest)
        for name in {change.entity.guest_name for change in of_guest if change.before is None}:
            # An order must not bring back the name of a guest who is erased, nor be placed for one who was.
            exists &= (GuestModel.attribute("name") == name) & GuestModel.attribute("erased_at").does_not_exist()
        counts = ((GuestModel.attribute(order_counter(Status(name))), number) for (name,), number in added.items())
        actions: list[Action] = [count.add(number) for count, number in counts]
        yield Update(GuestModel.keyed(username=username), exists, actions)


def _notes_of_guests(changes: Sequence[Change[Order]], by: Actor) -> Iterator[Update]:
    """Yield the condition that the guest was not erased, if a note changes, because a note may name the guest."""
    for before, after in ((each.before, each.after) for each in changes):
        if before and after and before.note != after.note:
            key = OrderModel.keyed(username=after.username, order_id=after.order_id)
            yield Update(key, OrderModel.attribute("guest_name") != ERASED_NAME)


def _catalogue(changes: Sequence[Change[Order]], by: Actor) -> None:
    """Update the catalogue by orders that are placed or corrected. An import does so for its whole file."""
    for before, after in ((each.before, each.after) for each in changes if by.how is not How.IMPORT):
        if after and (before is None or before.items != after.items):
            join_catalogue(after, before)


def _restored(before: Order, after: Order, by: str) -> Order:
    """Undo a correction or the newest step of an order. The undo of a step is a step, too: the history has both."""
    if after.status != before.status:
        return replace(before, note=after.note).with_step(
            HistoryStep(after.status, max(now(), before.status_at), by, undo=True)
        )
    if after.room_number != before.room_number and unknown_rooms([after]):
        raise errors.Conflict(f"Room {after.room_number} does not exist any more.")
    return after.with_items(after.items)


def unknown_rooms(orders: Iterable[Order]) -> set[tuple[str, str]]:
    """Return the rooms that these orders name and that do not exist: hotel id and number. Costs: no request if no order
    names a room.
    """
    named = {(order.hotel_id, order.room_number) for order in orders if order.room_number}
    return named - rooms_as_stored(named).keys()


def order_item(order: Order, shards: int = 0) -> OrderModel:
    """Return an order's item. By default, its shard is one of those that are written now."""
    return OrderModel.item(order, shard=shard(order.order_id, shards or SHARDS.numbers().written))


def order_as_stored(username: str, order_id: str) -> Order:
    """Return a guest's order with its items, as the table has it now. Raises :class:`NotFound`."""
    with ledger.purpose("list"):
        (order,) = with_items([ORDERS.get(username=username, order_id=order_id, consistent=True)])
    return order


def with_items(orders: Sequence[Order], *, consistent: bool = True) -> list[Order]:
    """Return these orders with their items. Costs: a request for each 100 items, a unit for each, or half."""
    line, found = OrderItemModel.place_of, list[Order]()
    wanted = [[line(order_id=order.order_id, number=n + 1) for n in range(order.item_count)] for order in orders]
    read = get_items(OrderItemModel, chain.from_iterable(wanted), consistent=consistent)
    lines = {values["pk"]: OrderItemModel.built(values) for values in read}
    for order, places in zip(orders, wanted, strict=True):
        found.append(replace(order, items=tuple(lines[pk] for pk, _ in places if consistent or pk in lines)))
    return found


def stored_order(order_id: str) -> Order:
    """Return an order by its id alone, as :func:`order_as_stored` reads it; the first item tells the guest."""
    first = [OrderItemModel.place_of(order_id=order_id, number=1)] if keys.is_order_id(order_id) else []
    for line in get_items(OrderItemModel, first):
        return order_as_stored(line["username"], order_id)
    raise errors.NotFound(f"There is no order {order_id}.")


ORDERS = recorded(
    List(
        Order,
        table=OrderModel,
        name="orders",
        id="order_id",
        entry_bytes=keys.ENTRY_BYTES,
        shards=lambda: SHARDS.numbers().read,
        writer=OrderWriter(),
    )
    .with_writes(_guests_counts, _notes_of_guests, statistics_changed)
    .after_writes(_catalogue),
    {
        "changed": "orders.add_order",
        "note": "orders.move_order",
        "own note": "orders.add_order",  # the reason why they cancelled their own order
        "status": "orders.move_order",
        "status=CANCELLED": "orders.cancel_order",
        "own status=CANCELLED": "orders.add_order",
    },
    load=stored_order,
    restored=_restored,
    serial=lambda order: order.revision + len(order.history),  # so that the placing has a number, too
)
