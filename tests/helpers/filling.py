"""Fill a list with thousands of rows in seconds: with the items that the portal's own commands would have written."""

from collections.abc import Iterable
from typing import Any

from dynamodb_lists import MAX_WRITES, List, Put, commit
from portal.history.entities import IMPORT
from tests.helpers import contents


def fill_list(listed: List[Any], entities: Iterable[Any]) -> None:
    """Store new entities. Their items are written in batches; what they share, such as counts, at the end."""
    writer = listed.by(IMPORT)._writer
    changes = [change for entity in entities for change in writer.change(None, entity)]
    items = [write.item for change in changes for write in writer.item_writes(change) if isinstance(write, Put)]
    for start in range(0, len(items), contents.BATCH):
        batch = items[start : start + contents.BATCH]
        puts = [{"PutRequest": {"Item": item.to_dynamodb_dict()}} for item in batch]
        contents.send("BatchWriteItem", RequestItems={batch[0].Meta.table_name: puts})
    shared = writer.shared(changes)
    for start in range(0, len(shared), MAX_WRITES):
        commit(shared[start : start + MAX_WRITES])
