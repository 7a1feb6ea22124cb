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

from dynamodb_lists.maintenance.invariants import Entry, GroupRule, Identity, Observation
from dynamodb_lists.maintenance.rules import KeysRule, WordsRule
from dynamodb_lists.reading.items import get_items
from dynamodb_lists.schema.models import KIND, ItemModel, RawItem
from dynamodb_lists.writing.transactions import commit
from hotels import queries
from hotels.commands import HotelWriter, statistic_update
from hotels.entities import Statistic, kept
from hotels.models import GroupStatisticsModel, HotelModel, StatisticsModel, parse_statistic, statistic_key
from portal.history.entities import REPAIR

WRITER = HotelWriter(REPAIR)
SCALE = 10**4
"""Rules count in ten-thousandths, because amounts of money have decimals, and at most four."""

Amounts = Mapping[str, int]


@dataclass(eq=False, kw_only=True)
class StatisticsRule(GroupRule):
    """The statistics of each hotel whose first part is ``what`` are what the entities of an app add to them.

    Those of the group are the sums of those of its hotels. A group of the rule is the key of a statistic's item.
    """

    model: type[ItemModel]
    """The model of the entities, which have ``statistics``."""
    what: str
    read: Callable[[str, Statistic], Iterable[Any]]
    """Reads a hotel's entities that a statistic counts, or more of them, again."""
    settle_seconds: float = 0.2
    beside = StatisticsModel

    def entries(self, item: RawItem) -> Iterator[Entry]:
        if item.get(KIND) == {"S": StatisticsModel.kind}:
            key, numbers = StatisticsModel.key_of(item), StatisticsModel.decoded(item)["numbers"]
            hotel_id, what = parse_statistic(*key)
            for _ in kept({what: numbers}) if what[0] == self.what else ():
                yield from _entries(key, numbers, -1)
                if hotel_id:
                    yield from _entries(statistic_key(GroupStatisticsModel, hotel_id, what), numbers, 1)
        elif self.model.holds(item):
            entity = self.model.entity_of(item)
            for what, numbers in kept(entity.statistics):
                yield from _entries(statistic_key(StatisticsModel, entity.hotel_id, what), numbers, 1)

    def stored(self, identity: Identity) -> Amounts:
        return _stored([(identity[0], identity[1])])

    def counted(self, identity: Identity) -> Amounts:
        hotel_id, what = parse_statistic(*identity)
        if hotel_id:
            return _sum(entity.statistics.get(what, {}) for entity in self.read(hotel_id, what))
        hotel_ids = (hotel.hotel_id for hotel in queries.hotels().stream())
        return _stored(
            statistic_key(StatisticsModel, each, what)
            for each in hotel_ids
            if statistic_key(GroupStatisticsModel, each, what) == identity
        )

    def wrong(self, identity: Identity, seen: Observation) -> str:
        whose = parse_statistic(*identity)[0] or "the group"
        differences = (f"{name} {stored} instead of {right}" for name, stored, right in _differing(seen))
        return f"the statistics {identity[1]} of {whose} count {', '.join(differences)}"

    def repair(self, identity: Identity, seen: Observation) -> bool:
        """Add what is missing, if the wrong numbers are as seen; to the group, too, so that it stays the sum."""
        added = {name: right - stored for name, stored, right in _differing(seen)}
        as_seen: list[Condition] = [
            Path([name]) == {"N": f"{stored:f}"} if name in seen.stored else Path([name]).does_not_exist()
            for name, stored, _ in _differing(seen)
        ]
        hotel_id, what = parse_statistic(*identity)
        of_group = [statistic_update(statistic_key(GroupStatisticsModel, hotel_id, what), added)] if hotel_id else []
        commit([statistic_update(identity, added, reduce(and_, as_seen)), *of_group])
        return True


def _stored(all_keys: Iterable[tuple[str, str]]) -> Amounts:
    return _sum(values["numbers"] for values in get_items(StatisticsModel, all_keys))


def _entries(key: tuple[str, str], numbers: Mapping[str, Decimal], sign: int) -> Iterator[Entry]:
    return (Entry(key, name, sign * int(number * SCALE)) for name, number in numbers.items())


def _sum(all_numbers: Iterable[Mapping[str, Decimal]]) -> Amounts:
    total: Counter[str] = Counter()
    for numbers in all_numbers:
        total.update({name: int(number * SCALE) for name, number in numbers.items()})
    return total


def _differing(seen: Observation) -> list[tuple[str, Decimal, Decimal]]:
    """The numbers that are wrong: each with its name, as it is stored, and as it should be."""
    return [
        (name, Decimal(seen.stored.get(name, 0)) / SCALE, Decimal(seen.counted.get(name, 0)) / SCALE)
        for name in seen.differences
    ]


RULES = (
    KeysRule(model=HotelModel),
    WordsRule(writer=WRITER, stored_entity=queries.stored_hotel),
)
