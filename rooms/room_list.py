"""The list of rooms as it is declared: its facets, the orders that are kept, and its sparse lists."""

from operator import attrgetter

from dynamodb_lists.declared.declaration import Declaration
from dynamodb_lists.declared.kept_orders import KeptOrder
from dynamodb_lists.schema.keys import HIGHEST, KeyRange, prefix
from rooms import keys
from rooms.entities import RateRange, Room
from rooms.keys import NUMBER, RATE, SINCE, SIZE, TYPE, VIEW

LOCAL = (NUMBER,), (SIZE, VIEW, TYPE), (VIEW, SIZE, TYPE), (TYPE, SIZE, VIEW), (VIEW, TYPE, SIZE)
"""The orders in LSIs, of which a table can have five.

Any filter by facets leaves each sort one of them, and of the six sorts by two facets two have none: by size, then type,
and by type, then view. These are merged from a range for each type, or view.
"""

ROOMS = Declaration(
    name="rooms",
    kind="room",
    entity=Room,
    id_field=NUMBER,
    owner=("hotel_id",),
    home=keys.ROOMS_OF_HOTEL,
    facets=keys.FACETS,
    row_bytes=(keys.ITEM_BYTES, keys.ENTRY_BYTES),
    kept=(
        *(
            KeptOrder(*order, index=f"lsi{n}", attribute=f"lsi{n}sk", words=f"rooms by {', '.join(order)}")
            for n, order in enumerate(LOCAL, 1)
        ),
        KeptOrder(RATE, index=keys.BY_RATE, on_gsi=True, words="rooms by rate: `EUR#03120.5#03101#101`"),
    ),
    sparse={
        keys.NEEDING_ATTENTION: KeptOrder(
            SINCE,
            when=attrgetter(SINCE),
            words="rooms that are dirty or out of order, the longest first",
        ),
        keys.ASSIGNED: KeptOrder(
            "plan",
            when=lambda room: bool(room.plan and room.plan.is_set),
            words="rooms by day and person: `2026-11-27#7#1#03101#101`",
            whole=True,
        ),
        keys.REPAIRS: KeptOrder(
            "until",
            when=attrgetter("out_of_order"),
            words="rooms that are out of order, by the day until when",
            whole=True,
        ),
    },
)


def rates(wanted: RateRange) -> KeyRange:
    """The rates of a range as parts of keys."""
    ends = (wanted.low, wanted.high)
    low, high = (None if end is None else ROOMS.part(RATE, end, wanted.currency) for end in ends)
    currency = prefix(wanted.currency)
    return KeyRange(low or currency, high or f"{currency}{HIGHEST}")
