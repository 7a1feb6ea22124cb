"""What the tests of orders share: orders and guests, walks through lists, and the invariant of the table."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from botocore.awsrequest import AWSPreparedRequest
from botocore.httpsession import URLLib3Session

from hotelapp.dynamodb import ledger
from hotelapp.dynamodb.client import client
from hotelapp.dynamodb.errors import Conflict
from hotelapp.dynamodb.ledger import Ledger
from hotelapp.dynamodb.pages import Page, read_page
from hotelapp.dynamodb.reading import Listing
from orders import commands, keys, models, queries
from orders.values import OPEN, Guest, Item, Order, Status, Step
from tests.support import ABC, answering, refusal

AT = datetime(2023, 1, 15, 10, 22, 31, tzinfo=UTC)
OTHER_KEYS = (
    "order_placed_date",
    "order_status_date",
    "placed_shard",
    "placed_id",
    "big_order_hotel",
    "big_order_total",
)
BATCH = 300


# --- Orders and guests ----------------------------------------------------------------------------------


def make_guest(username: str = "alex", name: str = "Alex Doe", **other: Any) -> Guest:
    """A guest who has no orders yet."""
    return Guest(username, name, **other)


def make_items(count: int, unit_price: Decimal = Decimal("12.50")) -> tuple[Item, ...]:
    """Different lines: three of the first, one of each other."""
    return tuple(Item(f"sku-{n}", f"Thing {n}", 1 if n else 3, unit_price) for n in range(count))


def make_order(
    order_id: str = "o-1",
    username: str = "alex",
    status: Status = OPEN,
    placed_at: datetime = AT,
    status_at: datetime | None = None,
    total: Decimal | int | str = 100,
    **other: Any,
) -> Order:
    """An order of the hotel ``abc`` with one item, in the history what an import knows of it."""
    status_at = status_at or placed_at
    steps = [Step(OPEN, placed_at, "import"), Step(status, status_at, "import")]
    items = other.pop("items", (Item("sku-0", "Thing", 1, Decimal(total)),))
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
    """Orders of which four share each second, in all statuses, entered in another order than they were placed."""
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
    """How A2 and A7 are sorted."""
    return order.placed_at, order.order_id


def by_entered(order: Order) -> tuple[datetime, str]:
    """How A4, A5 and A6 are sorted."""
    return order.status_at, order.order_id


def store(orders: Sequence[Order]) -> None:
    """Put the orders in, none of which is there; guests get a profile."""
    for start in range(0, len(orders), BATCH):
        batch = orders[start : start + BATCH]
        assert commands.save_orders(batch) == (len(batch), {})


def stored(order_id: str = "o-1", username: str = "alex") -> Order:
    """The order with its items as the table has it."""
    return queries.order_as_stored(username, order_id)


def profile(username: str = "alex") -> Guest:
    """The guest as the table has it."""
    return queries.guest(username, consistent=True)


def at_once(calls: list[Callable[[], Order]]) -> list[Order | Conflict]:
    """What many calls gave that were made at the same time, or why they were refused."""

    def result(call: Callable[[], Order]) -> Order | Conflict:
        try:
            return call()
        except Conflict as conflict:
            return conflict

    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(result, calls))


# --- Lists ----------------------------------------------------------------------------------------------


def ids(rows: Iterable[Order] | Iterable[Guest]) -> list[str]:
    """What the rows of a list are called."""
    return [row.order_id if isinstance(row, Order) else row.username for row in rows]


def read(listing: Listing[Any], size: int = 10, cursor: str | None = "") -> tuple[Page[Any], Ledger]:
    """A page, and the calls that it took."""
    with ledger.recording() as calls:
        page = read_page(listing, size, cursor or "")
    return page, calls


def assert_pages(listing: Listing[Any], model: Sequence[str], size: int = 10) -> None:
    """The list is the model on every page: walking on, back again, and back from the last page; and streamed."""
    pages = [read_page(listing, size)]
    while pages[-1].next:
        pages.append(read_page(listing, size, pages[-1].next))
    shown = [ids(page.rows) for page in pages]
    assert shown == [list(model[start : start + size]) for start in range(0, len(model), size)] or shown == [[]]
    assert sum(shown, []) == list(model)
    page = pages[-1]
    for earlier in pages[-2::-1]:
        assert page.has_previous
        page = read_page(listing, size, page.previous or "")
        assert ids(page.rows) == ids(earlier.rows)
    assert (page.has_previous, page.previous) == (False, None)
    _assert_pages_from_the_last(listing, model, size, pages[0].last)
    assert ids(listing.stream()) == list(model)


def _assert_pages_from_the_last(listing: Listing[Any], model: Sequence[str], size: int, last: str | None) -> None:
    """Where the total is known the last page holds the rest and the first is full; else it is the other way round."""
    assert bool(last) == (len(model) > size)
    if not last:
        return
    page = read_page(listing, size, last)
    assert page.next is None
    start = len(model) - (size if listing.total is None else (len(model) - 1) % size + 1)
    assert ids(page.rows) == model[start:]
    while page.previous:
        page = read_page(listing, size, page.previous)
        end, start = start, max(start - size, 0)
        assert ids(page.rows) == model[start:end]
    assert start == 0


# --- The database ---------------------------------------------------------------------------------------


@contextmanager
def losing_an_answer(code: str) -> Iterator[None]:
    """The engine runs the next transaction, but what comes back is an error: its answer got lost on the way."""
    lost: list[str] = []

    def respond(request: AWSPreparedRequest, **_: Any) -> Any:
        if lost:
            return None
        assert URLLib3Session().send(request).status_code == 200
        lost.append(code)
        return refusal(code)

    with answering(respond):
        yield
    assert lost


def all_items() -> Iterator[Mapping[str, Any]]:
    """Every item of guests and orders. Tests may scan; pages never do."""
    for page in client().get_paginator("scan").paginate(TableName=models.TABLE, ConsistentRead=True):
        yield from page["Items"]


def assert_orders_in_step() -> None:
    """Orders have the keys of what they are, their items are all there, and their guests count them."""
    found, lines = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    promised = Counter[tuple[str, str]]()
    profiles: dict[str, Counter[str]] = {}
    order_ids: list[str] = []
    for item in all_items():
        pk, sk = item["PK"]["S"], item["SK"]["S"]
        if sk == keys.PROFILE:
            assert pk == keys.guest(item["username"]["S"])
            profiles[item["username"]["S"]] = counts_of(item)
        elif keys.is_item(pk):
            lines[pk, sk] += 1  # one of quantity 0 holds the place where an order has none
        else:
            assert_keys(item)
            order_id, count = item["order_id"]["S"], int(item["item_count"]["N"])
            order_ids.append(order_id)
            found[item["username"]["S"], item["status"]["S"]] += 1
            promised.update((keys.item(order_id, place), keys.order(order_id)) for place in range(1, max(count, 1) + 1))
    assert len(order_ids) == len(set(order_ids)), "two guests have an order of one id"
    assert lines == promised
    assert {name for name, _ in found} <= set(profiles)
    for username, counts in profiles.items():
        assert min(counts.values()) >= 0
        assert counts == Counter({status: found[username, status] for status in Status})


def counts_of(item: Mapping[str, Any]) -> Counter[str]:
    """How many orders of each status a profile counts."""
    return Counter({status: int(item.get(f"orders_{status.lower()}", {"N": "0"})["N"]) for status in Status})


def assert_keys(item: Mapping[str, Any]) -> None:
    """An order's keys are those of its status, times and total; and its history ends with its status."""
    order_id, status, total = item["order_id"]["S"], item["status"]["S"], Decimal(item["total"]["N"])
    placed_at, status_at = (datetime.fromisoformat(item[name]["S"]) for name in ("placed_at", "status_at"))
    wanted: dict[str, Any] = {
        "order_placed_date": {"S": keys.placed(placed_at, order_id)},
        "order_status_date": {"S": keys.entered(status, status_at, order_id)},
    }
    if status == OPEN:
        wanted["placed_shard"] = {"S": keys.shard(order_id)}
        wanted["placed_id"] = {"S": keys.placed(placed_at, order_id)}
    if total >= keys.BIG_TOTAL:
        wanted["big_order_hotel"] = {"S": item["hotel_id"]["S"]}
        wanted["big_order_total"] = item["total"]
    assert {name: item[name] for name in OTHER_KEYS if name in item} == wanted
    assert (item["PK"]["S"], item["SK"]["S"]) == (keys.guest(item["username"]["S"]), keys.order(order_id))
    last = item["history"]["L"][-1]["M"]
    assert (last["status"]["S"], last["at"]["S"]) == (status, item["status_at"]["S"])
