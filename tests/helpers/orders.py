"""Helpers for tests of orders: orders and guests, walks through lists, and the invariant of the table."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import partial
from typing import Any

from dynamodb_lists import (
    EVER,
    Conflict,
    Days,
    Ledger,
    Listing,
    Page,
    Query,
    WordQuery,
    ledger,
    on_days,
    on_days_of,
    read_page,
)
from dynamodb_lists.tests.helpers.paging import every_page, rows_of
from hotels.lists import forget_hotel
from orders import commands, models, queries
from orders.entities import Guest, HistoryStep, Order, OrderItem
from orders.statuses import OPEN, Status
from tests.helpers.contents import scanned
from tests.helpers.kinds import faults_of
from tests.helpers.rooms import ABC

AT = datetime(2023, 1, 15, 10, 22, 31, tzinfo=UTC)
BATCH = 300


# --- Orders and guests ----------------------------------------------------------------------------------


def make_guest(username: str = "alex", name: str = "Alex Doe", **other: Any) -> Guest:
    """Return a guest who has no orders yet."""
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
    """Return an order of the hotel ``abc`` with one item, and with the history that an import writes."""
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
    """Return orders in all statuses, four placed in each second. They entered their status in another sequence."""
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
    """Return the sort key of A2 and A7."""
    return order.placed_at, order.order_id


def by_entered(order: Order) -> tuple[datetime, str]:
    """Return the sort key of A4, A5 and A6."""
    return order.status_at, order.order_id


def store(orders: Sequence[Order]) -> None:
    """Store new orders. Their guests get profiles. The pages of a test read hotels anew."""
    for start in range(0, len(orders), BATCH):
        batch = orders[start : start + BATCH]
        assert commands.save_orders(batch) == (len(batch), {})
        for hotel_id in {order.hotel_id for order in batch}:
            forget_hotel(hotel_id)


def dated(
    found: Query[Order],
    days: Days | Mapping[str, Days] = EVER,
    status: Status | None = None,
    *,
    descending: bool = True,
) -> Query[Order]:
    """Orders on some days, or on those of each hotel, as a page asks for them: by their time in the status, if any."""
    moment, *then = queries.sort_of(status)
    asked = on_days_of("hotel_id", days) if isinstance(days, Mapping) else on_days(days)
    return found.where(**{moment: asked}).order_by(moment, *then, descending=descending)


def stored(order_id: str = "o-1", username: str = "alex") -> Order:
    """Return the order with its items, read consistently."""
    return queries.order_as_stored(username, order_id)


def words(text: str) -> WordQuery:
    """Return the query for what somebody types."""
    query = queries.typed_guest(text)
    assert query, f"{text!r} has no word"
    return query


def profile(username: str = "alex") -> Guest:
    """Return the guest, read consistently."""
    return queries.guest(username, consistent=True)


def at_once(calls: list[Callable[[], Order]]) -> list[Order | Conflict]:
    """Return the result or the refusal of each call, all run at the same time."""

    def result(call: Callable[[], Order]) -> Order | Conflict:
        try:
            return call()
        except Conflict as conflict:
            return conflict

    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(result, calls))


# --- Lists ----------------------------------------------------------------------------------------------


def ids(rows: Iterable[Order] | Iterable[Guest]) -> list[str]:
    """Return the ids of a list's rows."""
    return [row.order_id if isinstance(row, Order) else row.username for row in rows]


def read(listing: Listing[Any], size: int = 10, cursor: str | None = "") -> tuple[Page[Any], Ledger]:
    """Return a page, and its calls."""
    with ledger.recording() as calls:
        page = read_page(listing, size, cursor or "")
    return page, calls


def assert_pages(listing: Listing[Any], model: Sequence[str], size: int = 10) -> None:
    """Check a list against the model: page by page, from both ends, and streamed."""
    streamed = list(listing.stream())
    assert ids(streamed) == list(model)
    pages = every_page(partial(read_page, listing, size), streamed)
    assert ids(rows_of(pages)) == list(model)
    assert {len(page.rows) for page in pages[:-1]} <= {size}


# --- The database ---------------------------------------------------------------------------------------


def all_items() -> Iterator[Mapping[str, Any]]:
    """Yield every item of the table. Tests may scan; pages never do."""
    yield from scanned(models.TABLE)


def assert_orders_in_step() -> None:
    """Check that every order has the right keys and all its items, and that counts, words and statistics are right."""
    assert faults_of(models.TABLE) == []
