"""The list of rooms: its facets, orders and sparse lists, and what is written with a room."""

from dataclasses import replace
from operator import attrgetter

from dynamodb_lists import KeptOrder, KeyAttribute, List, errors, global_index
from hotels import commands as hotels
from hotels.keys import TABLE
from hotels.models import ALL_HOTELS
from hotels.queries import stored_hotel
from portal.history.commands import recorded
from portal.history.entities import Actor
from portal.times import now
from rooms import keys
from rooms.entities import Room, currency_problem
from rooms.entities.rooms import STATUS_FIELDS, Steps
from rooms.keys import NUMBER, RATE, SINCE, SIZE, TYPE, VIEW
from rooms.statuses import Housekeeping

LOCAL = (NUMBER,), (SIZE, VIEW, TYPE), (VIEW, SIZE, TYPE), (TYPE, SIZE, VIEW), (VIEW, TYPE, SIZE)
"""The orders in LSIs, of which a table can have five.

Any filter by facets leaves each sort one of them, and of the six sorts by two facets two have none: by size, then type,
and by type, then view. These are merged from a range for each type, or view.
"""


def with_times(before: Room | None, after: Room, actor: Actor | None) -> Room:
    """The room with the time since when it needs attention, and with the step of housekeeping that the actor takes.

    One that begins to need attention, goes out of order or comes back into service gets the present time; a new one
    may have another time. A room that becomes dirty begins anew; one that becomes clean or inspected is so by the
    actor. An undo is no step: it writes those of before, and since when the room had needed attention then.
    """
    turned = before is not None and before.service != after.service
    since = None if turned else (before or after).attention_since
    steps, at, by = after.steps, now(), str(actor or "")
    if actor and actor.takes_back:
        since = since or (before.steps.dirty_since if before else None)
    elif before and before.housekeeping != after.housekeeping:
        if after.housekeeping == Housekeeping.DIRTY:
            steps = Steps(rejected=steps.rejected)
        elif after.housekeeping == Housekeeping.INSPECTED:
            steps = replace(steps, started_at=None, started_by="", rejected="", inspected_at=at, inspected_by=by)
            steps = replace(steps, dirty_since=before.attention_since or steps.dirty_since)
        elif before.housekeeping == Housekeeping.DIRTY:
            steps = Steps(at, by, dirty_since=before.attention_since)
        else:
            steps = replace(steps, inspected_at=None, inspected_by="")
    if steps.started_at and not steps.started_by:
        steps = replace(steps, started_by=by)
    attention = (since or at) if after.needs_attention else None
    return replace(after, steps=steps, cleaned_at=steps.cleaned_at, attention_since=attention)


def _restored(before: Room | None, after: Room | None, by: str) -> Room | None:
    """No room in a currency that the form would refuse."""
    if (
        after
        and (before is None or before.currency != after.currency)
        and (problem := currency_problem(stored_hotel(after.hotel_id), after.currency))
    ):
        raise errors.Conflict(problem)
    return after


ROOMS = recorded(
    List(
        Room,
        id=NUMBER,
        owner="hotel_id",
        facets=keys.FACETS,
        orders=(
            *(
                KeptOrder(*order, index=f"lsi{n}", attribute=f"lsi{n}sk", words=f"rooms by {', '.join(order)}")
                for n, order in enumerate(LOCAL, 1)
            ),
            KeptOrder(RATE, index=keys.BY_RATE, on_gsi=True, words="rooms by rate: `EUR#03120.5#03101#101`"),
        ),
        sparse={
            keys.NEEDING_ATTENTION: KeptOrder(
                "service",  # else, rooms that are out of order for weeks come before each that is dirty
                SINCE,
                when=attrgetter(SINCE),
                words="rooms that are dirty, and then those out of order, the longest first",
                shows=("steps",),
            ),
            keys.ASSIGNED: KeptOrder(
                "plan",
                when=lambda room: bool(room.plan and room.plan.is_set),
                words="rooms by day and person: `2026-11-27#7#1#03101#101`",
                shows=("responsible", SINCE, "steps"),
            ),
            keys.CLEANED: KeptOrder(
                "housekeeping",
                "cleaned_at",
                when=lambda room: bool(room.cleaned_at) and room.housekeeping != Housekeeping.DIRTY,
                words="rooms that are clean, and then those that are inspected, the longest first",
                shows=("responsible", SINCE, "steps"),
            ),
            keys.REPAIRS: KeptOrder(
                "until",
                when=attrgetter("out_of_order"),
                words="rooms that are out of order, by the day until when",
                shows=("responsible", SINCE),
            ),
        },
        moves=("currency", RATE),
        table=TABLE,
        home=keys.ROOMS_OF_HOTEL,
        others={  # the list of one number at all hotels has no rate, so a change of that costs it no write
            "any_hotel": KeyAttribute("{number:folded}"),
            "by_number": global_index(
                keys.BY_NUMBER, "any_hotel", "pk", projected=[VIEW, TYPE], words="the rooms of a number, by hotel"
            ),
            "all_hotels": ALL_HOTELS,
        },
        entry_bytes=keys.ENTRY_BYTES,
        derive=with_times,
    ).with_writes(hotels.rooms_changed, hotels.statistics_changed),
    {
        "created": "rooms.delete_room",
        "changed": "rooms.change_room",
        "deleted": "rooms.add_room",
        **dict.fromkeys(STATUS_FIELDS, "rooms.change_room_status"),
        "plan": "rooms.plan_room",
        f"housekeeping={Housekeeping.INSPECTED}": "rooms.inspect_room",
    },
    restored=_restored,
)
