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

from hotelapp.dynamodb.connection.errors import NotFound
from hotelapp.dynamodb.maintenance.invariants import Entry, GroupRule, Identity, Observation
from hotelapp.dynamodb.maintenance.rules import STORED, KeysRule, WordsRule
from hotelapp.dynamodb.reading.items import get_item, get_items
from hotelapp.dynamodb.schema.keys import now
from hotelapp.dynamodb.schema.models import PortalModel, RawItem
from hotelapp.dynamodb.writing.transactions import commit
from hotelapp.history.entities import REPAIR
from hotels import keys, queries
from hotels.commands import HotelWriter, statistic_items, statistic_update
from hotels.entities import Statistic, is_kept
from hotels.models import HotelModel, StatisticsModel

WRITER = HotelWriter(REPAIR)
SCALE = 10**4
"""Rules count in ten-thousandths, because amounts of money have decimals, and at most four."""

Amounts = Mapping[str, int]


class StatisticsRule(GroupRule):
    """The numbers of a statistic are right. A group is the key of its item."""

    model: type[PortalModel] = StatisticsModel

    def stored(self, identity: Identity) -> Amounts:
        try:
            values = get_item(StatisticsModel, *identity, consistent=True)
        except NotFound:
            return {}
        return {STORED: 0} | _amounts(values["numbers"])

    def wrong(self, identity: Identity, seen: Observation) -> str:
        partition, sort_key = identity
        differences = (
            f"{name} {_number(seen.stored.get(name, 0))} instead of {_number(seen.counted.get(name, 0))}"
            for name in seen.differences
        )
        whose = keys.counted_hotel(partition) or "the group"
        return f"the statistics {sort_key} of {whose} count {', '.join(differences)}"

    def repair(self, identity: Identity, seen: Observation) -> bool:
        """Add what is missing, to the group as well if the statistic is a hotel's, if the wrong numbers are as seen."""
        added = {name: _number(seen.counted.get(name, 0) - seen.stored.get(name, 0)) for name in seen.differences}
        conditions: list[Condition] = [
            StatisticsModel.pk.exists() if STORED in seen.stored else StatisticsModel.pk.does_not_exist()
        ]
        for name in seen.differences:
            number = seen.stored.get(name)
            conditions.append(
                Path([name]).does_not_exist() if number is None else Path([name]) == {"N": f"{_number(number):f}"}
            )
        commit(
            [statistic_update((identity[0], identity[1]), added, reduce(and_, conditions)), *self.also(identity, added)]
        )
        return True

    def also(self, identity: Identity, added: Mapping[str, Decimal]) -> list[Any]:
        """The other writes of a repair."""
        return []


@dataclass(eq=False, kw_only=True)
class HotelStatisticsRule(StatisticsRule):
    """The statistics of each hotel are what the entities of an app add to them: those whose first part is ``what``."""

    model: type[PortalModel]
    """The model of the entities, which have ``statistics``."""
    what: str
    read: Callable[[str, Statistic], Iterable[Any]]
    """Reads a hotel's entities that a statistic counts, or more of them, again."""
    settle_seconds: float = 0.2
    beside = StatisticsModel

    def entries(self, item: RawItem) -> Iterator[Entry]:
        today = now().date()
        if "pk" in item and keys.is_statistics(item["pk"]["S"]):
            key = StatisticsModel.key_of(item)
            what = keys.statistic_parts(*key)
            if keys.counted_hotel(key[0]) and what[0] == self.what and is_kept(what, today):
                yield from _entries(key, StatisticsModel.decoded(item)["numbers"], -1)
        elif self.model.holds(item):
            entity = self.model.entity_of(item)
            for what, numbers in entity.statistics.items():
                if is_kept(what, today):
                    yield from _entries((keys.statistics(entity.hotel_id), keys.statistic(what)), numbers, 1)

    def counted(self, identity: Identity) -> Amounts:
        partition, sort_key = identity
        hotel_id, what = keys.counted_hotel(partition), keys.statistic_parts(partition, sort_key)
        return _sum(entity.statistics.get(what, {}) for entity in self.read(hotel_id, what))

    def also(self, identity: Identity, added: Mapping[str, Decimal]) -> list[Any]:
        """The same for the group, so that it stays the sum of the hotels."""
        hotel_id, what = keys.counted_hotel(identity[0]), keys.statistic_parts(*identity)
        return [statistic_update(statistic_items(hotel_id, what)[1], added)]


class GroupStatisticsRule(StatisticsRule):
    """The statistics of the group are the sums of those of its hotels."""

    def entries(self, item: RawItem) -> Iterator[Entry]:
        if not StatisticsModel.holds(item):
            return
        partition, sort_key = StatisticsModel.key_of(item)
        numbers, hotel_id = StatisticsModel.decoded(item)["numbers"], keys.counted_hotel(partition)
        if hotel_id:
            key = statistic_items(hotel_id, keys.statistic_parts(partition, sort_key))[1]
            yield from _entries(key, numbers, 1)
        else:
            yield from _entries((partition, sort_key), numbers, -1)

    def counted(self, identity: Identity) -> Amounts:
        what = keys.statistic_parts(*identity)
        both = (statistic_items(hotel.hotel_id, what) for hotel in queries.hotels().stream())
        stored = get_items(StatisticsModel, (own for own, of_group in both if of_group == identity))
        return _sum(values["numbers"] for values in stored)


def _entries(key: tuple[str, str], numbers: Mapping[str, Decimal], sign: int) -> Iterator[Entry]:
    return (Entry(key, name, sign * amount) for name, amount in _amounts(numbers).items())


def _sum(all_numbers: Iterable[Mapping[str, Decimal]]) -> Amounts:
    total: Counter[str] = Counter()
    for numbers in all_numbers:
        total.update(_amounts(numbers))
    return total


def _amounts(numbers: Mapping[str, Decimal]) -> dict[str, int]:
    return {name: int(number * SCALE) for name, number in numbers.items()}


def _number(amount: int) -> Decimal:
    return Decimal(amount) / SCALE


RULES = (
    KeysRule(
        model=HotelModel,
        composed=WRITER.item,
        words="the hotel {0.hotel_id} has the key {keys[1]}",
    ),
    WordsRule(writer=WRITER, stored_entity=queries.stored_hotel),
    GroupStatisticsRule(),
)
"""A hotel can be read, has the key of its id, and is found by each of its words. The group has the sums of hotels."""
