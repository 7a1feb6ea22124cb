"""The items of the table ``history``."""

from pynamodb.attributes import UnicodeAttribute

from dynamodb_lists.schema.entities import listed
from dynamodb_lists.schema.indexes import global_index
from dynamodb_lists.schema.models import PortalModel
from dynamodb_lists.schema.tables import register, table_name
from portal.history import keys
from portal.history.entities import HistoryEntry

LISTED = listed(HistoryEntry)
"""The attributes of an entry that lists show."""


@register
class HistoryModel(PortalModel):
    """An entry of a thing's history.

    ``staff`` is the username of the member of staff who made the change, and ``staff_hotel`` the hotel that the thing
    belongs to. They are absent from the entries of machines, so that these are not in the indexes: a machine changes
    thousands of things, and all would be in one partition.
    """

    class Meta:
        table_name = table_name("history")
        table_class = "STANDARD_INFREQUENT_ACCESS"  # storage outweighs writes: docs/features.md

    kind = "history"
    entity = HistoryEntry
    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    staff = UnicodeAttribute(null=True)
    staff_hotel = UnicodeAttribute(null=True)
    by_staff = global_index(keys.BY_STAFF, "staff", "sk", projected=LISTED)
    in_hotel = global_index(keys.IN_HOTEL, "staff_hotel", "sk", projected=LISTED)
