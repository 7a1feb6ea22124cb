"""The history tells a backup what changed while tables were being read."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from hotelapp.dynamodb.backups.aggregates import Changed, ChangeLog, register
from hotelapp.dynamodb.maintenance.invariants import text
from hotelapp.dynamodb.reading.items import read_partition
from hotelapp.dynamodb.schema.models import RawItem
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
        if keys.parse_entry(text(item, "sk")) >= since - MARGIN:
            values = HistoryModel.decoded(item)
            for thing in filter(None, (text(item, "pk"), values.get("moved_from"), values.get("moved_to"))):
                yield Changed(*keys.parse_thing(thing))

    def moved_to(self, thing: Changed) -> Changed | None:
        """What the newest entry of the thing says it has become."""
        partition = keys.thing(thing.kind, *thing.identity)
        entries = read_partition(HistoryModel, partition, ("sk", "moved_to"), consistent=True)
        newest = max(entries, key=lambda entry: str(entry["sk"]), default={"moved_to": ""})
        return Changed(*keys.parse_thing(newest["moved_to"])) if newest.get("moved_to") else None
