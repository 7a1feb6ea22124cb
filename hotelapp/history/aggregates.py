"""The history tells a backup what changed while tables were being read."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from hotelapp.dynamodb.backups.aggregates import Changed, ChangeLog, register
from hotelapp.dynamodb.reading.items import read_partition
from hotelapp.dynamodb.schema.models import RawItem, Values
from hotelapp.history import keys
from hotelapp.history.models import HistoryModel

MARGIN = timedelta(minutes=5)
"""How much the clocks of two machines may differ, and how long a transaction may be repeated."""


@register
class HistoryLog(ChangeLog):
    """Every change of what exists has an entry. Creations by imports have none: nothing was there before."""

    model = HistoryModel

    def changed(self, item: RawItem, since: datetime) -> Iterator[Changed]:
        """The thing of an entry, and what it was before or became, unless the entry is too old.

        A room that gets another number has an entry under each. The backup may have seen only one of the two.
        """
        values = HistoryModel.decoded(item)
        if _is_since(values, since):
            yield from _things(values["pk"], values.get("moved_from"), values.get("moved_to"))

    def successors(self, thing: Changed, since: datetime) -> Iterator[Changed]:
        """What the thing's entries say it has become."""
        partition = keys.thing(thing.kind, *thing.identity)
        for values in read_partition(HistoryModel, partition, ("sk", "moved_to"), consistent=True):
            if _is_since(values, since):
                yield from _things(values.get("moved_to"))


def _is_since(entry: Values, since: datetime) -> bool:
    return keys.parse_entry(entry["sk"]) >= since - MARGIN


def _things(*partitions: str | None) -> Iterator[Changed]:
    return (Changed(*keys.parse_thing(partition)) for partition in partitions if partition)
