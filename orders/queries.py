"""Reads of guests and orders, one function for each access pattern; docs/requests.md shows the requests.

Lists are queries, so that a page narrows them to the hotels that its reader sees, and to days.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from itertools import chain, islice
from typing import Any, cast

from dynamodb_lists import (
    Listing,
    Query,
    Values,
    WordQuery,
    at_least,
    begins,
    counted,
    errors,
    get_items,
    in_parallel,
    ledger,
    read_partition,
)
from dynamodb_lists.reading.word_lists import found_by_words
from hotels import queries as hotels
from hotels.queries import HotelByHotel
from orders import keys
from orders.entities import Guest, Order
from orders.lists import GUESTS, ORDERS, order_as_stored
from orders.models import GuestWordModel, OrderItemModel, OrderModel
from orders.statuses import UNFINISHED, Status
from portal.people import EVERY_HOTEL, HotelScope

# --- Guests ---------------------------------------------------------------------------------------------


MOST_NAMESAKES = 5
"""The most guests with the same e-mail address or phone that a form names."""


def guest(username: str, *, consistent: bool = False) -> Guest:
    """A1: a guest's profile, with the number of orders of each status. Raises :class:`NotFound`."""
    if not keys.is_username(username):
        raise errors.NotFound("That is not a guest's username.")
    with ledger.purpose("guest"):
        return GUESTS.get(username=username, consistent=consistent)


def known_guest(username: str) -> Guest | None:
    try:
        return guest(username)
    except errors.NotFound:
        return None


def typed_guest(text: str) -> WordQuery | None:
    """Return the search for a typed text: at least four last digits of a phone number, or beginnings of words."""
    return WordQuery.of_number(text) or WordQuery.of(text)


def namesakes(entered: Mapping[str, Any]) -> list[Guest]:
    """Return other guests who have the entered e-mail address or phone number.

    Costs: one request for each of the two.
    """
    by_mail, *by_phones = (
        guests_found(query).first(MOST_NAMESAKES) if query else ()
        for query in (WordQuery.of(entered["email"]), *WordQuery.of_numbers(entered["phone"]))
    )
    guests = [guest for guest in by_mail if guest.email.casefold() == entered["email"].casefold()]
    others = (guest for guest in chain(guests, *by_phones) if guest.username != entered["username"])
    return list({guest.username: guest for guest in others}.values())


def guests_found(query: WordQuery) -> Listing[Guest]:
    """A9: the guests with a word of the name that begins as typed, with such an e-mail address, username or phone.

    They are sorted by the word that is found. Several typed words are looked up in the name. Word items have all that
    lists and exports show of a guest.
    """
    return found_by_words(GuestWordModel, query, _found_guest, name="guests by words")


def guests_as_stored(usernames: Iterable[str]) -> dict[str, Guest]:
    """Return the guests who exist among these usernames, by username, read a hundred at a time."""
    wanted = ({"username": username} for username in usernames)
    return {guest.username: guest for guest in GUESTS.get_many(wanted)}


def _found_guest(values: Values) -> Guest:
    shown = {"name": values["guest_name"], "email": values["email"], "note": values.get("note", "")}
    return Guest(username=GuestWordModel.id_in(values["sk"]), **shown)


MOST_COUNTED, NEWEST = 50, 10
"""The most unfinished orders of a room that are counted, and how many orders of either state its page shows."""

MOST_UNITS = 90
"""The most read units of the entries of all hotels on a page of some hotels, before it ends: about 5,000 entries."""

MOST_MERGED, DEAR = 24, 0.5
"""How many hotels are merged at once; and what each of more hotels costs if they are merged.

Entries of all hotels may take as many read units before that.
"""

# --- Lists of a guest, a hotel or the group -------------------------------------------------------------


def sort_of(status: Status | None) -> tuple[str, str]:
    """Return the field that sorts orders: the time of entering ``status``, or without a status that of placing."""
    return "status_at" if status else "placed_at", "order_id"


def orders_in(status: Status | None = None, **of: Any) -> Query[Order]:
    """A10: return the orders of a hotel or others (``of``) in a status, or in any, the newest first."""
    found = ORDERS.query(**({"status": status} if status else {}), **of)
    return found.order_by(*sort_of(status), descending=True)


def guest_orders(guest: Guest, status: Status | None = None) -> Query[Order]:
    """A2, A4, A5 and A6: a guest's orders, the newest first.

    The local indexes do not have the name in an order, so the rows have the guest's name of today.
    """
    index = keys.BY_STATUS_DATE if status else keys.BY_PLACED
    return orders_in(status, username=guest.username).only(index).knowing(guest_name=guest.name)


def placed(statuses: Iterable[Status], **of: Any) -> Query[Order]:
    """A7 and A15: the orders ``of`` a hotel, a room or all in some statuses, by the time of placing, the newest first.

    For a few hotels, unfinished orders are merged from a partition for each hotel and status. For the group and for
    many hotels, they are read from the shards of the statuses; orders of other hotels are dropped.
    """
    return ORDERS.query(status={*statuses}, **of).order_by("placed_at", "order_id", descending=True)


def wanted(statuses: Iterable[Status], **of: Any) -> Query[Order]:
    """A16: the orders of a hotel in some unfinished statuses that are wanted for a time, the next first."""
    found = ORDERS.query(status={*statuses}, **of).only(keys.HOTEL_WANTED)
    return found.order_by("wanted_at", "order_id")


def big_orders(hotel_id: str, *, descending: bool = True) -> Listing[Order]:
    """A8: a hotel's orders of at least :data:`keys.BIG_TOTAL`, by their total."""
    big = ORDERS.query(hotel_id=hotel_id, total=at_least(keys.BIG_TOTAL))
    return big.order_by("total", descending=descending).listing()


def big_of_hotels(scope: HotelScope, *, descending: bool = True) -> Listing[Order]:
    """A14: the big orders of several hotels, hotel by hotel, of each as A8."""
    return HotelByHotel(
        name="big orders by hotel",
        selected=f"{descending} of {scope}",
        index=keys.HOTEL_BIG_ORDERS,
        descending=descending,
        scope=scope,
        of=partial(big_orders, descending=descending),
    )


def orders_of_hotels(
    found: Query[Order],
    named: Collection[str],
    status: Status | None = None,
    *,
    known: bool = True,
    whole: bool = False,
) -> Listing[Order]:
    """A10g and A13: a query of :func:`orders_in` whose rows belong to several hotels, perhaps to others than ``named``.

    A few hotels (for the ``whole`` list, a hundred) are merged from the partition of each hotel. More hotels are read
    from the index of all hotels, and orders of other hotels are dropped. Once this has cost as much as a merge, the
    rest is merged, if all hotels are ``known``: then they are those named.
    """
    index = keys.HOTEL_ORDERS_BY_STATUS if status else keys.HOTEL_ORDERS
    merged = found.where(hotel_id={*named}).only(index).listing
    if known and (whole or len(named) <= MOST_MERGED):
        return merged()
    # The page shows the names of the hotels of the entries that it reads.
    names = lambda entries: hotels.known_hotels(  # noqa: E731
        {OrderModel.decoded(entry)["hotel_id"] for entry in entries}.difference(named)
    )
    if known:
        return found.listing(bounded=True).at_most(len(named) * DEAR, otherwise=merged, beside=names)
    return found.listing(bounded=True).at_most(MOST_UNITS, beside=names)


def newest_of_room(hotel_id: str, number: str) -> list[Order]:
    """Return the newest orders for a room, the unfinished ones first; at most :data:`NEWEST` of either."""
    states = UNFINISHED, [status for status in Status if status not in UNFINISHED]
    lists = [placed(statuses, hotel_id=hotel_id, room_number=number) for statuses in states]
    return [order for found in in_parallel([partial(each.take, NEWEST) for each in lists]) for order in found]


def orders_of_room(hotel_id: str, number: str) -> str:
    """Return how many unfinished orders are for a room, in words; blank if none is."""
    found = len(placed(UNFINISHED, hotel_id=hotel_id, room_number=number).take(MOST_COUNTED + 1))
    if not found:
        return ""
    return ("at least " if found > MOST_COUNTED else "") + counted(min(found, MOST_COUNTED), "unfinished order")


# --- Single orders --------------------------------------------------------------------------------------


def order(order_id: str) -> Order:
    """A3: an order with its items and its history, in one Query. Raises :class:`NotFound`.

    Eventually consistent, as every read of a global index: after a write, use :func:`order_as_stored`. If the index has
    not every line, the order is read from the table.
    """
    if not keys.is_order_id(order_id):
        raise errors.NotFound("That is not an order's id.")
    header: Values | None = None
    items = []
    with ledger.purpose("list"):
        decode = lambda item: (OrderItemModel if "sku" in item else OrderModel).decoded(item)  # noqa: E731
        for values in read_partition(OrderModel, order_id, index=keys.BY_ID, decode=decode):
            if "sku" not in values:
                header = values
            elif values["quantity"]:  # 0 is the placeholder of an order without items
                items.append(OrderItemModel.built(values))
    if header is None:
        raise errors.NotFound(f"There is no order {order_id}.")
    if len(items) != header["item_count"]:
        return order_as_stored(header["username"], order_id)
    return cast(Order, OrderModel.built(header, items=tuple(items)))


def orders_as_stored(wanted: Iterable[tuple[str, str]]) -> dict[str, Order]:
    """Return the orders that exist among these pairs of username and order id, by id, without their items."""
    places = ({"username": username, "order_id": order_id} for username, order_id in wanted)
    return {order.order_id: order for order in ORDERS.get_many(places)}


# --- Orders by their numbers, or by the end of one ------------------------------------------------------


FOUND = 8
"""The most orders that a part of a number finds."""


def orders_by_number(text: str, scope: HotelScope = EVERY_HOTEL) -> list[Order]:
    """A11: the orders that match a typed number, or at least the last four characters of one; at most :data:`FOUND`.

    Each id of :func:`keys.order_ids` takes a Query of half a unit. A text that is no whole number of this portal may be
    the end of one: a Query of another index finds it, also in other capitals. For a whole number, this Query follows if
    no order has the number.
    """
    wanted = keys.order_ids(text)
    reads: list[Callable[[], list[Order]]] = [partial(scope.of(ORDERS.query(order_id=each)).take, 1) for each in wanted]
    if not keys.is_number(text):
        reads.append(partial(orders_by_end, text, scope))
    with ledger.purpose("list"):
        found = {order.order_id: order for orders in in_parallel(reads) for order in orders}
        if keys.is_number(text) and not found:
            return orders_by_end(text, scope)
    return [*{each: found[each] for each in (*wanted, *found) if each in found}.values()][:FOUND]


def orders_by_end(text: str, scope: HotelScope = EVERY_HOTEL) -> list[Order]:
    """A11: the orders whose number ends with a text of at least four characters, sorted by the characters before it.

    The index has only the keys of orders. The orders are read by these keys, for half a unit each.
    """
    end = keys.number_end(text.strip()) if keys.is_order_id(text.strip()) else None
    if end is None:
        return []
    partition, backwards = end
    asked = ("PK", "username", "hotel_id")
    read = read_partition(OrderModel, partition, asked, span=begins(backwards), index=keys.BY_END, most=FOUND)
    named = (_named(item) for item in read if scope.allows(item["hotel_id"]))
    wanted = ({name: each[name] for name in ("username", "order_id")} for each in islice(named, FOUND))
    return ORDERS.get_many(wanted, consistent=False)


def guests_of(order_ids: Iterable[str]) -> dict[str, str]:
    """Return the username of each existing order's guest, from the orders' first items, a hundred at a time."""
    wanted = (OrderItemModel.place_of(order_id=order_id, number=1) for order_id in order_ids)
    return {each["order_id"]: each["username"] for each in map(_named, get_items(OrderItemModel, wanted))}


def _named(first_item: Values) -> Values:
    """Return what the first item of an order contains: the order's guest and id."""
    return {**first_item, **OrderItemModel.values_in(first_item["pk"])}
