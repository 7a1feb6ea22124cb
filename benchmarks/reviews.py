"""``python -m benchmarks.reviews``: one item a review in five indexes, against a copy for every combination.

With copies, one Query of one partition answers any filter. Each review is stored once for every set of ratings that
includes its own (16 of the 32 sets), in its language and in all languages: 32 items a review. This design exists only
in the benchmark, with the same engine and data. Its items are written 25 in a call, without counts.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any

from boto3.dynamodb.types import TypeSerializer

from benchmarks import common
from benchmarks.common import Target
from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.client import client
from dynamodb_lists.planning import partition_planner as partitions
from dynamodb_lists.planning.selection import Selection
from dynamodb_lists.reading.items import index_keys
from dynamodb_lists.reading.pages import read_page
from dynamodb_lists.schema.entities import listed
from hotels.commands import save_hotels
from hotels.entities import Hotel
from reviews import commands, keys, queries, seeding
from reviews.entities import Review, ReviewQuery
from reviews.models import TABLE, ReviewModel

HOTEL, COPIES, PAGE, MIDDLE = "seaside", "review-copies", 20, 5
Filter = tuple[tuple[str, ...], tuple[int, ...]]
FILTERS: dict[str, Filter] = {
    "everything": ((), ()),
    "one language": (("en",), ()),
    "five stars": ((), (5,)),
    "one star": ((), (1,)),
    "one and five stars": ((), (1, 5)),
    "one to three stars": ((), (1, 2, 3)),
    "all but five stars": ((), (1, 2, 3, 4)),
    "English, one and five stars": (("en",), (1, 5)),
    "German, one to three stars": (("de",), (1, 2, 3)),
}
TARGETS = tuple(
    Target(f"{what} a review, 32 copies", f"{what} a review, one item", 5, at_least=True)
    for what in ("write units", "bytes stored")
)
_wire = TypeSerializer().serialize


@dataclass(frozen=True)
class Written:
    """The cost of storing all reviews: seconds, write units, and stored bytes."""

    seconds: float
    units: float
    stored: int


def main() -> None:
    """Write the same reviews in both ways, then read the same filters in both ways, alternately."""
    options = common.options("Compare the portal's reviews with 32 copies each.", reviews=(3000, 60), repeat=(40, 1))
    # No review names a room, because the copies cannot list the reviews of a room.
    written = [replace(review, room_number="", revision=1) for review in seeding.reviews(1, HOTEL, options.reviews)]
    with common.fresh_tables():
        save_hotels([Hotel(HOTEL, "Seaside")])
        _create_copies_table()
        _report_writing(len(written), _write_ours(written), _write_copies(written))
        _report_reading(options.repeat)


# --- Writing --------------------------------------------------------------------------------------------


def _write_ours(reviews: Sequence[Review]) -> Written:
    """Write the reviews as an import does: in large transactions, with their counts."""
    start = time.perf_counter()
    with ledger.recording() as calls:
        for batch in common.batches(iter(reviews), 900):
            commands.save_reviews(batch)
    written = [call for call in calls.calls if call.operation == "TransactWriteItems"]
    units = float(sum(call.units for call in written))
    return Written(time.perf_counter() - start, units, _stored_in_table())


def _write_copies(reviews: Sequence[Review]) -> Written:
    items = [item for review in reviews for item in _copies(review)]
    start, units = time.perf_counter(), 0.0
    for batch in common.batches(iter(items), 25):
        puts: Any = [{"PutRequest": {"Item": item}} for item in batch]
        answer = client().batch_write_item(RequestItems={COPIES: puts}, ReturnConsumedCapacity="TOTAL")
        units += sum(float(used["CapacityUnits"]) for used in answer["ConsumedCapacity"])
    return Written(time.perf_counter() - start, units, sum(map(_size, items)))


def _copies(review: Review) -> Iterator[dict[str, Any]]:
    item = ReviewModel.item(review).serialize()
    fields = {name: item[name] for name in listed(Review) if name in item}
    others = [rating for rating in keys.RATINGS if rating != review.rating]
    for size in range(len(others) + 1):
        for chosen in combinations(others, size):
            for language in ("all", review.language):
                yield {
                    **fields,
                    "pk": _wire(_partition(language, (review.rating, *chosen))),
                    "sk": item["created_id"],
                }


def _partition(language: str, ratings: Sequence[int]) -> str:
    return f"{HOTEL}|{language}|{'-'.join(map(str, sorted(ratings)))}"


def _stored_in_table() -> int:
    """The bytes of all items in the portal's table and in its indexes."""
    total = 0
    for page in client().get_paginator("scan").paginate(TableName=TABLE):
        for item in page["Items"]:
            total += _size(item) + sum(_size_in(item, index.name) for index in keys.INDEXES)
    return total


def _size_in(item: Mapping[str, Any], index: str) -> int:
    """The bytes of an item in an index: its keys and the attributes that lists show; 0 if it is not in the index."""
    names = index_keys(ReviewModel, index)
    projected = {names.partition, names.sort, *names.table, *listed(Review)}
    return _size({name: item[name] for name in projected if name in item}) if names.partition in item else 0


def _size(item: Mapping[str, Any]) -> int:
    """The bytes of an item's names and values, about as DynamoDB counts them. A number counts as its digits."""
    return sum(len(name) + len(str(value).encode()) for name, typed in item.items() for value in typed.values())


def _create_copies_table() -> None:
    client().create_table(
        TableName=COPIES,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    )


def _report_writing(reviews: int, ours: Written, copies: Written) -> None:
    common.say(f"{reviews} reviews of one hotel")
    rows = [
        ("write units a review", ours.units / reviews, copies.units / reviews),
        ("bytes stored a review", ours.stored / reviews, copies.stored / reviews),
        ("milliseconds a review", ours.seconds * 1000 / reviews, copies.seconds * 1000 / reviews),
    ]
    header = ("writing", "one item", "32 copies", "times")
    common.print_table(header, [(what, f"{a:.2f}", f"{b:.2f}", f"{b / a:.1f}") for what, a, b in rows])
    figures = {f"{what}, {way}": cost for what, *costs in rows for way, cost in zip(header[1:], costs, strict=False)}
    common.print_targets(figures, TARGETS)
    common.say(
        "One item: transactions with counts. Copies: plain writes; in transactions they would cost twice as much."
    )


# --- Reading --------------------------------------------------------------------------------------------


def _report_reading(repeat: int) -> None:
    """Print the units and milliseconds of each page: the portal's with and without counts, and that of the copies."""
    ways = {"whole": _page_at, "list": _list_at, "copies": _copies_at}
    pages = [(name, depth) for name in FILTERS for depth in (0, MIDDLE)]
    calls = {(name, depth, way): read(FILTERS[name], depth) for name, depth in pages for way, read in ways.items()}
    timers = {"|".join(map(str, key)): partial(common.milliseconds, call) for key, call in calls.items()}
    medians = common.medians(common.interleaved(timers, repeat))
    rows = []
    for name, depth in pages:
        ms = {way: medians[f"{name}|{depth}|{way}"] for way in ways}
        ledgers = {way: _recorded(calls[name, depth, way]) for way in ways}
        units = (f"{ledgers[way].read_units:.1f}" for way in ("list", "copies", "whole"))
        times = (f"{ms['list']:.1f}", f"{ms['copies']:.1f}", f"{ms['whole']:.1f}", f"{ms['list'] / ms['copies']:.1f}")
        requests = str(ledgers["list"].requests)
        rows.append((f"{name}, page {depth + 1}", str(ledgers["list"].items_read("list")), requests, *units, *times))
    header = ("a page of 20", "items", "requests", "units", "copies", "+counts", "ms", "copies", "+counts", "times")
    common.print_table(header, rows)


def _recorded(call: Callable[[], object]) -> ledger.Ledger:
    with ledger.recording() as calls:
        call()
    return calls


def _page_at(wanted: Filter, depth: int) -> Callable[[], object]:
    """A call that reads the page at a depth with its counts; in a shorter list, the last page."""
    query = _query_at(wanted, depth)

    def read() -> object:
        listing = queries.reviews(HOTEL, query, queries.review_counts(HOTEL))
        return read_page(listing, PAGE, query.cursor)

    return read


def _list_at(wanted: Filter, depth: int) -> Callable[[], object]:
    """A call that reads the same rows without the counts, because the copies have no counts."""
    query = _query_at(wanted, depth)
    counts = queries.review_counts(HOTEL)
    plans = partitions.plans(counts, keys.FACETS, keys.INDEXES, query.selection)
    plan, exact = partitions.cheapest(plans, PAGE + 1), partitions.cheapest_exact(plans, PAGE + 1)
    return partial(read_page, queries.partitioned(HOTEL, query).by(plan, exact), PAGE, query.cursor)


def _query_at(wanted: Filter, depth: int) -> ReviewQuery:
    query, counts = ReviewQuery(_selection(wanted), page_size=PAGE), queries.review_counts(HOTEL)
    for _ in range(depth):
        page = read_page(queries.reviews(HOTEL, query, counts), PAGE, query.cursor)
        query = replace(query, cursor=page.next or query.cursor)
    return query


def _copies_at(wanted: Filter, depth: int) -> Callable[[], object]:
    languages, ratings = wanted
    partition = _partition(languages[0] if languages else "all", ratings or keys.RATINGS)
    request: dict[str, Any] = {
        "TableName": COPIES,
        "KeyConditionExpression": "pk = :pk",
        "ExpressionAttributeValues": {":pk": {"S": partition}},
        "ScanIndexForward": False,
        "Limit": PAGE + 1,
        "ReturnConsumedCapacity": "TOTAL",
    }
    for _ in range(depth):
        answer = client().query(**{**request, "Limit": PAGE})
        if "LastEvaluatedKey" in answer:
            request["ExclusiveStartKey"] = answer["LastEvaluatedKey"]
    return partial(client().query, **request)


def _selection(wanted: Filter) -> Selection:
    values = {keys.LANGUAGE: frozenset(wanted[0]), keys.RATING: frozenset(map(str, wanted[1]))}
    return Selection({facet: allowed for facet, allowed in values.items() if allowed})


if __name__ == "__main__":
    main()
