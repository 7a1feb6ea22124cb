"""Writes of hotels. People add and edit them; imports save what their files say."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path

from dynamodb_lists import Change, Update, Write, deltas, errors, shard
from hotels import queries
from hotels.entities import TOTAL, Hotel, Statistic, kept
from hotels.lists import HOTELS
from hotels.models import GroupStatisticsModel, HotelModel, StatisticsModel, statistic_key
from portal.history.entities import IMPORT, Actor


def create_hotel(hotel: Hotel, by: str) -> Hotel:
    """Add a hotel. If the same hotel was already added, return that hotel. Raises :class:`AlreadyExists`."""
    if twin := queries.twin_of(hotel.hotel_id):
        raise errors.AlreadyExists(f"There is already a hotel {twin}. Choose another code.")
    return HOTELS.by(Actor(by)).create(hotel)


def merged(stored: Hotel, hotel: Hotel) -> Hotel:
    """Return the stored hotel with a file's name and city, and with its currency and time zone if it had none.

    Staff may have entered the stored ones since.
    """
    currency, time_zone = stored.currency or hotel.currency, stored.time_zone or hotel.time_zone
    return replace(stored, name=hotel.name, city=hotel.city, currency=currency, time_zone=time_zone)


def save_hotels(hotels: Sequence[Hotel], merge: Callable[[Hotel, Hotel], Hotel] = merged) -> int:
    """Create the hotels that are missing, and change the others to ``merge(stored, new)``, as a file says.

    Returns the number of hotels that were new or different. The number of a hotel's rooms stays.
    """
    wanted = {hotel.hotel_id: hotel for hotel in hotels}

    def changes() -> Iterator[Change[Hotel]]:
        stored = queries.hotels_as_stored(wanted)
        for hotel_id, hotel in wanted.items():
            before = stored.get(hotel_id)
            yield from HOTELS.by(IMPORT).change(before, merge(before, hotel) if before else hotel)

    return HOTELS.by(IMPORT).save(changes)


def add_missing_hotel(hotel: Hotel) -> None:
    """Create a hotel unless a hotel with its id exists. An existing hotel stays as it is."""
    save_hotels([hotel], lambda stored, _: stored)


def rooms_changed(changes: Iterable[Change[Any]], by: Actor) -> Iterator[Write]:
    """Yield the writes that change the number of a hotel's rooms, for the transaction that adds or deletes rooms.

    Their condition is that the hotel exists.
    """
    pairs = ((each.before and (each.before.hotel_id,), each.after and (each.after.hotel_id,)) for each in changes)
    for (hotel_id,), number in deltas(pairs).items():
        added = [HotelModel.attribute("rooms").add(number)]
        yield Update(HotelModel.keyed(hotel_id=hotel_id), HotelModel.pk.exists(), added)


def statistics_changed(changes: Iterable[Change[Any]], by: Actor) -> list[Write]:
    """Yield the writes that change statistics, for the transaction that makes the changes.

    The entities have a ``hotel_id``, and ``statistics``, which they add. Each statistic of the hotel and of the group
    gets one write, unless its numbers stay the same.
    """
    sums: dict[tuple[str, Statistic], dict[str, Decimal]] = defaultdict(lambda: defaultdict(Decimal))
    for change in changes:
        for sign, each in ((-1, change.before), (1, change.after)):
            if each is None:
                continue
            for what, numbers in kept(each.statistics):
                for name, number in numbers.items():
                    sums[each.hotel_id, what][name] += sign * number
    # What stays the same is not written; what is left adds to an item of the hotel, and to one of the group.
    items: dict[tuple[str, str], dict[str, Decimal]] = defaultdict(lambda: defaultdict(Decimal))
    for at, numbers in sums.items():
        for key in (statistic_key(*at), group_key(*at)) if any(numbers.values()) else ():
            for name, number in numbers.items():
                items[key][name] += number
    return [statistic_update(key, added) for key, added in sorted(items.items()) if any(added.values())]


def group_key(hotel_id: str, what: Statistic) -> tuple[str, str]:
    """Return the key of the item of the group's statistic in which a hotel counts now.

    Days and months are many items that change less often than a total. So they use a quarter of the shards, some of
    each partition.
    """
    shards = queries.GROUP_SHARDS.numbers().written
    used = shards if what[-1] == TOTAL else max(shards // 4, queries.GROUP_SHARDS.fewest)
    return GroupStatisticsModel.place(what, shard(hotel_id, used) * shards // used)


def statistic_update(key: Sequence[Any], added: Mapping[str, Any], condition: Condition | None = None) -> Update:
    """Return the write that adds to the numbers of a statistic's item."""
    actions = [Path([name]).add({"N": f"{number:f}"}) for name, number in sorted(added.items()) if number]
    return Update(StatisticsModel(*key), condition, actions)
