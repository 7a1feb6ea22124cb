"""The statistics of hotels and of the group, computed from the stored items in plain Python."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from itertools import chain
from typing import Any

from hotels import queries
from hotels.entities import KEPT_DAYS, HotelStatistics
from hotels.models import StatisticsModel
from tests.helpers.kinds import assert_kind, items_of

Item = Mapping[str, Any]
Numbers = dict[tuple[str, str, str], Decimal]
"""Numbers by hotel, statistic and name."""


def together(hotel_ids: Collection[str], today: date) -> HotelStatistics:
    """The stored statistics of some hotels together."""
    return HotelStatistics.of(chain.from_iterable(queries.stored_statistics(hotel_ids, today).values()), today)


def of_rooms(items: Iterable[Item]) -> Numbers:
    """What these items of rooms should have added."""
    found = Counter[Any]()
    for item in items:
        hotel_id = item["pk"]["S"].split("#")[1]
        service = item.get("service", {"S": "in-service"})["S"]
        housekeeping = item.get("housekeeping", {"S": "clean"})["S"]
        found.update([(hotel_id, "rooms#total", service), (hotel_id, "rooms#total", housekeeping)])
    return dict(found)


def of_orders(items: Iterable[Item]) -> Numbers:
    """What these items of orders should have added. Days that nobody reads any more have no statistics."""
    found = defaultdict[Any, Decimal](Decimal)
    first = str((datetime.now(UTC) - timedelta(days=KEPT_DAYS)).date())
    for item in items:
        hotel_id, status, steps = item["hotel_id"]["S"], item["status"]["S"], item.get("history", {"L": []})["L"]
        local = next((step["M"]["day"]["S"] for step in steps[:1] if "day" in step["M"]), "")
        day = local or item["order_placed_date"]["S"][:10]  # of the hotel, if it is not that of UTC
        found[hotel_id, "orders#total", status] += 1
        if day >= first:
            key = f"orders#{day}#{item['currency']['S']}"
            found[hotel_id, key, status] += 1
            found[hotel_id, key, "revenue"] += Decimal(item["total"]["N"]) if status != "CANCELLED" else Decimal(0)
    return dict(found)


def of_reviews(items: Iterable[Item]) -> Numbers:
    """What these items of reviews should have added."""
    found = Counter[Any]()
    for item in items:
        for when in (item["created_id"]["S"][:7], "total"):
            found[item["hotel_id"]["S"], f"reviews#{when}", item["rating"]["N"]] += 1
        found[item["hotel_id"]["S"], "reviews#total", f"unanswered-{item['language']['S']}"] += "replied_at" not in item
    return dict(found)


def assert_statistics(what: str, wanted: Numbers) -> None:
    """Check that hotels have these statistics and no others, and that those of the group are their sums."""
    of_hotels, of_group, sums = (defaultdict[Any, Decimal](Decimal) for _ in range(3))
    for item in items_of(StatisticsModel.Meta.table_name):
        partition, sort_key = item["pk"]["S"], item["sk"]["S"]
        if "#statistics" not in partition or not sort_key.startswith(f"{what}#"):
            continue
        assert_kind(item, StatisticsModel)
        for name in item.keys() - {"pk", "sk", "kind", "version"}:
            number = Decimal(item[name]["N"])
            if partition.startswith("group#"):
                statistic, _, shard = sort_key.rpartition("#")
                assert partition == f"group#statistics#{int(shard) // 8}".removesuffix("#0")
                of_group[statistic, name] += number
            else:
                of_hotels[partition.split("#")[1], sort_key, name] += number
    for (_, sort_key, name), number in wanted.items():
        sums[sort_key, name] += number
    assert _not_zero(of_hotels) == _not_zero(wanted)
    assert _not_zero(of_group) == _not_zero(sums)


def _not_zero(numbers: Mapping[Any, Decimal]) -> dict[Any, Decimal]:
    return {key: number for key, number in numbers.items() if number}
