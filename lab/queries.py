"""A list read in four ways, one after the other, each with its own ledger. The requests of each way are bounded."""

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from typing import Any

from accounts.sessions.models import SessionModel
from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import Refused
from dynamodb_lists.reading.items import scan_page
from dynamodb_lists.reading.lists import Listing
from dynamodb_lists.reading.pages import read_page
from dynamodb_lists.reading.unplanned import Found, Unplanned
from dynamodb_lists.schema.tables import size_of
from lab.entities import Way, way
from orders import queries as orders
from orders.entities import OrderQuery
from portal.lists.page_sizes import DEFAULT_PAGE_SIZE
from reviews import queries as reviews
from reviews.entities import ReviewQuery
from rooms import queries as rooms
from rooms.entities import RoomQuery

READS: dict[type, tuple[Callable[..., Listing[Any]], Callable[..., Unplanned[Any]]]] = {
    RoomQuery: (
        lambda hotel_id, query: rooms.rooms(hotel_id, query, rooms.hotel_and_counts(hotel_id)[1]),
        lambda hotel_id, query: rooms.unplanned_rooms(hotel_id, query, rooms.room_counts(hotel_id)),
    ),
    OrderQuery: (orders.hotel_orders, orders.unplanned_orders),
    ReviewQuery: (
        lambda hotel_id, query: reviews.reviews(hotel_id, query, reviews.review_counts(hotel_id)),
        lambda hotel_id, query: reviews.unplanned_reviews(hotel_id, query, reviews.review_counts(hotel_id)),
    ),
}
"""The lists of a hotel by the kind of their query: each as the portal reads it, and without the planner."""


def ways(hotel_id: str, query: Any, requests: int) -> Iterator[Way]:
    """A page of a list as the portal reads it, and the whole list by a filter, in memory and by a Scan.

    Each of the last three sends so many requests at most. Raises
    :class:`~dynamodb_lists.connection.errors.UnknownValue`.
    """
    planned, unplanned = READS[type(query)]
    yield _way("Key conditions", "One page of 25, as the portal reads it.", lambda: _page(planned(hotel_id, query)))
    other = unplanned(hotel_id, query)
    words = "Queries of the whole partition; DynamoDB drops what does not match."
    yield _way("FilterExpression", words, partial(other.filtered, requests), other.items)
    yield _way("In memory", "The same Queries; Python selects and sorts.", partial(other.whole, requests), other.items)
    table = size_of(other.model.Meta.table_name)
    yield _way("Scan", "The whole table, with the selection as a filter.", partial(other.scanned, requests), table)


def live_sessions() -> Way:
    """Sessions that have not expired: one request. TTL deletes expired ones late, so readers filter them."""

    def read() -> Found[Any]:
        keep = SessionModel.expires_at > datetime.now(UTC)
        answer = scan_page(SessionModel, keep=keep, attributes=[SessionModel.expires_at.attr_name])
        return answer["Items"], "LastEvaluatedKey" in answer

    return _way("Expired sessions", "Sessions that are still there, without those that have expired.", read)


def small_share(hotel_id: str) -> Iterator[Way]:
    """A page of reviews without the rarest rating: from one partition with a filter, and merged from exact ones."""
    filtered, exact = reviews.without_the_rarest(hotel_id, reviews.review_counts(hotel_id))
    yield _way("One partition, filtered", "25 reviews; the filter drops the rarest rating.", lambda: _page(filtered))
    yield _way("Partitions merged", "The same 25; nothing is read that is not wanted.", lambda: _page(exact))


def _page(listing: Listing[Any]) -> Found[Any]:
    return read_page(listing, DEFAULT_PAGE_SIZE).rows, False


def _way(name: str, words: str, read: Callable[[], Found[Any]], items: int | None = None) -> Way:
    """What a read costs. The role of a portal in production may not scan: then there are no rows."""
    rows, stopped, start = None, False, time.perf_counter()
    with ledger.recording() as calls, ledger.purpose("lab"):
        try:
            found, stopped = read()
            rows = len(found)
        except Refused as error:
            words = f"{words} {error.hint}"
    return way(name, words, calls, 1000 * (time.perf_counter() - start), (rows, stopped, items))
