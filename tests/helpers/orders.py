"""Helpers for tests of orders: orders and guests, walks through lists, and the invariant of the table."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import partial
from typing import Any
from urllib.parse import quote
from zlib import crc32

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import Conflict
from dynamodb_lists.connection.ledger import Ledger
from dynamodb_lists.reading.listing import Listing
from dynamodb_lists.reading.pages import Page, read_page
from dynamodb_lists.schema.entities import build
from dynamodb_lists.schema.words import WordQuery, parsed
from dynamodb_lists.tests.helpers.paging import NEXT, PREVIOUS, follow
from hotels.queries import forget_hotel
from orders import commands, models, queries
from orders.commands.changes import order_item
from orders.entities import Guest, HistoryStep, Order, OrderItem
from orders.statuses import OPEN, Status
from tests.helpers.contents import scanned
from tests.helpers.kinds import by_key, checked_items
from tests.helpers.rooms import ABC, Items
from tests.helpers.statistics import assert_statistics, of_orders

AT = datetime(2023, 1, 15, 10, 22, 31, tzinfo=UTC)
BATCH = 300


# --- Orders and guests ----------------------------------------------------------------------------------


def make_guest(username: str = "alex", name: str = "Alex Doe", **other: Any) -> Guest:
    """A guest who has no orders yet."""
    return Guest(username, name, **other)


def make_items(count: int, unit_price: Decimal = Decimal("12.50")) -> tuple[OrderItem, ...]:
    """Different lines: three of the first, one of each other."""
    return tuple(OrderItem(f"sku-{n}", f"Thing {n}", 1 if n else 3, unit_price) for n in range(count))


def make_order(
    order_id: str = "o-1",
    username: str = "alex",
    status: Status = OPEN,
    placed_at: datetime = AT,
    status_at: datetime | None = None,
    total: Decimal | int | str = 100,
    **other: Any,
) -> Order:
    """An order of the hotel ``abc`` with one item, and with the history that an import writes."""
    status_at = status_at or placed_at
    steps = [HistoryStep(OPEN, placed_at, "import"), HistoryStep(status, status_at, "import")]
    items = other.pop("items", (OrderItem("sku-0", "Thing", 1, Decimal(total)),))
    values: dict[str, Any] = {
        "hotel_id": ABC,
        "currency": "EUR",
        "items": items,
        "item_count": len(items),
        "history": tuple(steps[status == OPEN :]),
        **other,
    }
    return Order(
        order_id, username, status=status, placed_at=placed_at, status_at=status_at, total=Decimal(total), **values
    )


def orders_of_all_statuses(count: int, **other: str) -> list[Order]:
    """Orders in all statuses, four of them in each second. They entered their status in another sequence."""
    statuses = list(Status)
    return [
        make_order(
            f"o-{(n * 7) % count:03d}",
            status=statuses[n % 5],
            placed_at=AT + timedelta(seconds=n // 4),
            status_at=AT + timedelta(days=9, seconds=-(n // 6)) if n % 5 else None,
            total=["1000", "1000.50", "999", "2500"][n % 4],
            **other,
        )
        for n in range(count)
    ]


def by_placed(order: Order) -> tuple[datetime, str]:
    """The sort key of A2 and A7."""
    return order.placed_at, order.order_id


def by_entered(order: Order) -> tuple[datetime, str]:
    """The sort key of A4, A5 and A6."""
    return order.status_at, order.order_id


def store(orders: Sequence[Order]) -> None:
    """Store new orders. Their guests get profiles. The pages of a test read hotels anew."""
    for start in range(0, len(orders), BATCH):
        batch = orders[start : start + BATCH]
        assert commands.save_orders(batch) == (len(batch), {})
        for hotel_id in {order.hotel_id for order in batch}:
            forget_hotel(hotel_id)


def stored(order_id: str = "o-1", username: str = "alex") -> Order:
    """The order with its items, read consistently."""
    return queries.order_as_stored(username, order_id)


def words(text: str) -> WordQuery:
    """The query for what somebody types."""
    query = queries.typed_guest(text)
    assert query, f"{text!r} has no word"
    return query


def profile(username: str = "alex") -> Guest:
    """The guest, read consistently."""
    return queries.guest(username, consistent=True)


def at_once(calls: list[Callable[[], Order]]) -> list[Order | Conflict]:
    """The result or the refusal of each call, all run at the same time."""

    def result(call: Callable[[], Order]) -> Order | Conflict:
        try:
            return call()
        except Conflict as conflict:
            return conflict

    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(result, calls))


# --- Lists ----------------------------------------------------------------------------------------------


def ids(rows: Iterable[Order] | Iterable[Guest]) -> list[str]:
    """The ids of a list's rows."""
    return [row.order_id if isinstance(row, Order) else row.username for row in rows]


def read(listing: Listing[Any], size: int = 10, cursor: str | None = "") -> tuple[Page[Any], Ledger]:
    """A page, and its calls."""
    with ledger.recording() as calls:
        page = read_page(listing, size, cursor or "")
    return page, calls


def assert_pages(listing: Listing[Any], model: Sequence[str], size: int = 10) -> None:
    """Check a list against the model: forward, backward, backward from the last page, and streamed."""
    pages = list(follow(read_page(listing, size), NEXT, partial(read_page, listing, size), len(model) // size + 1))
    shown = [ids(page.rows) for page in pages]
    assert shown == [list(model[start : start + size]) for start in range(0, len(model), size)] or shown == [[]]
    assert sum(shown, []) == list(model)
    page = pages[-1]
    for earlier in pages[-2::-1]:
        assert page.previous
        page = read_page(listing, size, page.previous or "")
        assert ids(page.rows) == ids(earlier.rows)
    assert page.previous is None
    _assert_pages_from_the_last(listing, model, size, pages[0].last)
    assert ids(listing.stream()) == list(model)


def _assert_pages_from_the_last(listing: Listing[Any], model: Sequence[str], size: int, last: str | None) -> None:
    """Check the walk back from the last page. With a total, the last page may be short; otherwise, the first may be."""
    assert bool(last) == (len(model) > size)
    if not last:
        return
    page = read_page(listing, size, last)
    assert page.next is None
    start = len(model) - (size if listing.total is None else (len(model) - 1) % size + 1)
    assert ids(page.rows) == model[start:]
    for earlier in list(follow(page, PREVIOUS, partial(read_page, listing, size)))[1:]:
        end, start = start, max(start - size, 0)
        assert ids(earlier.rows) == model[start:end]
    assert start == 0


# --- The database ---------------------------------------------------------------------------------------


def line(order_id: str, number: int) -> str:
    """The partition of a line of an order."""
    return f"ORDER#{order_id}#ITEM#{number:03}"


def all_items() -> Iterator[Mapping[str, Any]]:
    """Every item of the table. Tests may scan; pages never do."""
    yield from scanned(models.TABLE)


def assert_orders_in_step() -> None:
    """Check that every order has the right keys and all its items, and that counts, words and statistics are right."""
    found = checked_items(models.TABLE)
    assert_guests(found)
    assert_lines(found)
    for entry in found[models.CatalogueEntryModel]:
        assert entry["SK"]["S"] == f"SKU#{quote(entry['sku']['S'], safe='')}"
    orders = found[models.OrderModel]
    for order in orders:
        assert_keys(order)
    assert len(orders) == len({order["order_id"]["S"] for order in orders}), "two guests have an order of one id"
    assert_statistics("orders", of_orders(orders))


def assert_guests(found: Items) -> None:
    """Check that each guest has the counts of their orders, and the items of their words."""
    placed = Counter((order["username"]["S"], order["status"]["S"]) for order in found[models.OrderModel])
    profiles, wanted_words = found[models.GuestModel], []
    for item in profiles:
        username, guest = item["username"]["S"], build(Guest, models.GuestModel.decoded(item))
        assert item["PK"]["S"] == f"USER#{username}"
        assert item["guest_shard"]["S"] == f"GUEST#{crc32(username.encode()) % 4}"
        assert min(counts_of(item).values()) >= 0
        assert counts_of(item) == Counter({status: placed[username, status] for status in Status})
        assert parsed(item["terms"]["S"]) == guest.words.terms()
        wanted_words += [word.to_dynamodb_dict() for word in models.word_items(guest)]
    assert by_key(found[models.GuestWordModel]) == by_key(wanted_words), "each guest has the items of its words"
    assert {username for username, _ in placed} <= {item["username"]["S"] for item in profiles}


def assert_lines(found: Items) -> None:
    """Check that each order has its items, of which the first names the guest. One of quantity 0 stands for none."""
    promised, owners = [], {}
    for order in found[models.OrderModel]:
        order_id = order["order_id"]["S"]
        promised += [(line(order_id, place), order_id) for place in range(1, max(int(order["item_count"]["N"]), 1) + 1)]
        owners[line(order_id, 1)] = order["username"]["S"]
    lines = found[models.OrderItemModel]
    assert all(item["SK"]["S"] == f"ORDER#{item['order_id']['S']}" for item in lines)
    assert sorted((item["PK"]["S"], item["order_id"]["S"]) for item in lines) == sorted(promised)
    assert {item["PK"]["S"]: item["username"]["S"] for item in lines if "username" in item} == owners


def counts_of(item: Mapping[str, Any]) -> Counter[str]:
    """The counts of orders in a profile, by status."""
    return Counter({status: int(item.get(f"orders_{status.lower()}", {"N": "0"})["N"]) for status in Status})


def assert_keys(item: Mapping[str, Any]) -> None:
    """Check that an order's item is the one that its model makes of the order, in a shard that is read."""
    order: Order = models.OrderModel.entity_of(item)
    made = order_item(order).to_dynamodb_dict()
    assert {name: item[name] for name in item.keys() - models.SHARD_KEYS} == {
        name: made[name] for name in made.keys() - models.SHARD_KEYS
    }
    numbers = range(queries.SHARDS.numbers().read)
    for name in models.SHARD_KEYS:
        assert item[name]["S"] in [models.OrderModel.key_for(name, status=order.status, shard=n) for n in numbers]
    assert (order.history[-1].status, order.history[-1].at) == (order.status, order.status_at)
