"""What must agree about hotels in the table ``hotel-app``: hotels, their keys, the items of their words, statistics."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import reduce
from operator import and_
from typing import Any

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path

from dynamodb_lists import ItemModel, RawItem, commit, errors, get_items
from dynamodb_lists.maintenance import rules
from hotels import queries
from hotels.commands import group_key, statistic_update
from hotels.entities import Statistic, kept
from hotels.lists import HOTELS
from hotels.models import GroupStatisticsModel, StatisticsModel, parse_statistic, statistic_key

SCALE = 10**4
"""Rules count in ten-thousandths, because amounts of money have decimals, and at most four."""

Amounts = Mapping[str, int]


@dataclass(eq=False, kw_only=True)
class StatisticsRule(rules.GroupRule):
    """The statistics of each hotel whose first part is ``what`` are what the entities of an app add to them.

    The statistics of the group are the sums of those of its hotels, over all shards. After the number of shards grows,
    a hotel counts in another shard. A group of this rule is a hotel (blank for the group) and a statistic.
    """

    model: type[ItemModel]
    """The model of the entities, which have ``statistics``."""
    what: str
    read: Callable[[str, Statistic], Iterable[Any]]
    """Reads a hotel's entities that a statistic counts, or more of them, again."""
    settle_seconds: float = 0.2
    beside = StatisticsModel

    def entries(self, item: RawItem) -> Iterator[rules.Entry]:
        if StatisticsModel.made(item):
            hotel_id, what = parse_statistic(*StatisticsModel.key_of(item))
            numbers = StatisticsModel.decoded(item)["numbers"]
            for _ in kept({what: numbers}) if what[0] == self.what else ():
                yield from _entries((hotel_id, *what), numbers, -1)
                if hotel_id:
                    yield from _entries(("", *what), numbers, 1)
        elif self.model.holds(item):
            entity = self.model.entity_of(item)
            for what, numbers in kept(entity.statistics):
                yield from _entries((entity.hotel_id, *what), numbers, 1)

    def stored(self, identity: rules.Identity) -> Amounts:
        return _sum(_numbers(_keys(identity)).values())

    def counted(self, identity: rules.Identity) -> Amounts:
        hotel_id, *what = identity
        if hotel_id:
            return _sum(entity.statistics.get((*what,), {}) for entity in self.read(hotel_id, (*what,)))
        hotel_ids = (hotel.hotel_id for hotel in queries.hotels().stream())
        return _sum(_numbers(statistic_key(each, (*what,)) for each in hotel_ids).values())

    def wrong(self, identity: rules.Identity, seen: rules.Observation) -> str:
        hotel_id, *what = identity
        differences = (f"{name} {stored} instead of {right}" for name, stored, right in _differing(seen))
        return f"the statistics {'#'.join(what)} of {hotel_id or 'the group'} count {', '.join(differences)}"

    def repair(self, identity: rules.Identity, seen: rules.Observation) -> bool:
        """Add what is missing, if the numbers are as seen; to the group, too, so that it stays the sum.

        The first item of the group gets what all its shards lack. Other writes add the same numbers to hotel and group
        meanwhile. So the condition covers only that item, which another repair would change.
        """
        hotel_id, *what = identity
        added = {name: right - stored for name, stored, right in _differing(seen)}
        first, *others = _keys(identity)
        stored = _numbers([first, *others])
        if _sum(stored.values()) != seen.stored:
            raise errors.Conflict("The statistics are not as they were seen.")
        numbers = stored.get(first, {})
        as_seen: list[Condition] = [
            Path([name]) == {"N": f"{numbers[name]:f}"} if name in numbers else Path([name]).does_not_exist()
            for name in added
        ]
        of_group = [statistic_update(group_key(hotel_id, (*what,)), added)] if hotel_id else []
        commit([statistic_update(first, added, reduce(and_, as_seen)), *of_group])
        return True


def _keys(identity: rules.Identity) -> list[tuple[str, str]]:
    """Return the keys of a statistic's items: the item of a hotel, or those of the group, one in each shard."""
    hotel_id, *what = identity
    if hotel_id:
        return [statistic_key(hotel_id, (*what,))]
    return [GroupStatisticsModel.place((*what,), number) for number in range(queries.GROUP_SHARDS.numbers().read)]


def _numbers(all_keys: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Mapping[str, Decimal]]:
    """Return the numbers of the items with these keys that exist."""
    return {(each["pk"], each["sk"]): each["numbers"] for each in get_items(StatisticsModel, all_keys)}


def _entries(identity: rules.Identity, numbers: Mapping[str, Decimal], sign: int) -> Iterator[rules.Entry]:
    return (rules.Entry(identity, name, sign * int(number * SCALE)) for name, number in numbers.items())


def _sum(all_numbers: Iterable[Mapping[str, Decimal]]) -> Amounts:
    total: Counter[str] = Counter()
    for numbers in all_numbers:
        total.update({name: int(number * SCALE) for name, number in numbers.items()})
    return total


def _differing(seen: rules.Observation) -> list[tuple[str, Decimal, Decimal]]:
    """Return the numbers that are wrong: each with its name, its stored value, and its right value."""
    return [
        (name, Decimal(seen.stored.get(name, 0)) / SCALE, Decimal(seen.counted.get(name, 0)) / SCALE)
        for name in seen.differences
    ]


RULES = (HOTELS,)
