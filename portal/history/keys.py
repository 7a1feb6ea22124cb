"""Every key of the table ``history``, composed only here. docs/keys.md explains them.

=====  ====================  =============================================  ===============================
item   pk                    sk                                             keys of by-staff and in-hotel
=====  ====================  =============================================  ===============================
entry  ``room#abc#101``      ``2023-01-15T10:22:31.123456Z#5f2c91d0``       ``staff`` = ``alex``, sk;
                                                                            ``staff_hotel`` = ``abc``, sk
=====  ====================  =============================================  ===============================
"""

from datetime import UTC, datetime

from dynamodb_lists.schema import keys

BY_STAFF, IN_HOTEL = "by-staff", "in-hotel"
USERNAME_LENGTH = 150
"""The most characters of the username of a staff account, in Django."""


def thing(kind: str, *ids: str) -> str:
    """Partition of a thing's history: the kind of its item and its ids, such as ``room#abc#101``."""
    return keys.compose(kind, *ids)


def parse_thing(partition: str) -> tuple[str, tuple[str, ...]]:
    """The kind and the ids in a partition."""
    kind, *ids = keys.parse(partition)
    return kind, tuple(ids)


def entry(at: datetime, digest: str, bulk: str = "") -> str:
    """Sort key of an entry: its time in UTC, to the microsecond, a digest of its content, and the id of a bulk change.

    To the second, the order of quick changes would be lost. The index by staff has the key, so a list knows the id.
    """
    time = f"{at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"
    return keys.compose(time, digest, bulk) if bulk else keys.compose(time, digest)


def parse_entry(sort_key: str) -> tuple[datetime, str]:
    """The time in an entry's sort key, and the id of its bulk change, which is blank if it is not a part of one."""
    time, _, bulk = (*keys.parse(sort_key), "")[:3]
    return datetime.fromisoformat(time), bulk
