"""The items of the table ``history``."""

from pynamodb.attributes import TTLAttribute, UnicodeAttribute

from dynamodb_lists import ItemModel, KeyAttribute, global_index, register, table_name
from dynamodb_lists.schema import entities
from portal.history import keys
from portal.history.entities import HistoryEntry, is_machine
from portal.history.subjects import thing_of

LISTED = entities.listed(HistoryEntry)


def of_a_person(entry: HistoryEntry) -> bool:
    """Return whether lists by author and hotel have an entry: if it is a person's, and once for a change of two things.

    A machine changes thousands of things, and all would be in one partition.
    """
    return not is_machine(entry.by) and not entry.moved_to


def is_marked(entry: HistoryEntry) -> bool:
    """Return whether an entry changes the field of its thing that has a list of its own, such as a room's repairs."""
    thing = thing_of(entry.thing)
    name = thing and thing.subject.marked
    return any(change.field == name and change.before and change.after for change in entry.changes)


@register
class HistoryModel(ItemModel):
    """An entry of a thing's history. Its time is to the microsecond, so that quick changes keep their order.

    The index by staff contains the key, so a list has the id of a bulk change. If ``HISTORY_DAYS`` is set, DynamoDB
    deletes an entry after so many days.
    """

    class Meta:
        table_name = table_name("history")
        table_class = "STANDARD_INFREQUENT_ACCESS"  # storage outweighs writes: docs/dynamodb.md

    kind = "history"
    entity = HistoryEntry
    key_templates = "{thing:parts}", "{at:microseconds}#{bulk?}"
    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    expires_at = TTLAttribute(null=True)
    staff = KeyAttribute("{by}", when=of_a_person)
    staff_hotel = KeyAttribute("{hotel_id}", when=lambda entry: of_a_person(entry) and bool(entry.hotel_id))
    marked_thing = KeyAttribute("{thing:parts}", when=is_marked)
    by_staff = global_index(keys.BY_STAFF, "staff", "sk", projected=LISTED, words="changes by a member of staff")
    in_hotel = global_index(
        keys.IN_HOTEL, "staff_hotel", "sk", projected=LISTED, words="changes in a hotel, by members of staff"
    )
    marked = global_index(
        keys.MARKED,
        "marked_thing",
        "sk",
        projected=["by", "how", "what", "changes"],
        words="what the page of a thing shows apart, such as a room's repairs",
    )
