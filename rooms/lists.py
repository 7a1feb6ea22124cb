"""The list of rooms: its facets, orders and sparse lists, and what is written with a room."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from operator import attrgetter

from pynamodb.expressions.operand import Path

from dynamodb_lists import Change, KeptOrder, KeyAttribute, List, Update, Write, errors, global_index
from hotels import commands as hotels
from hotels.keys import TABLE
from hotels.models import ALL_HOTELS
from hotels.queries import stored_hotel, zone_of
from portal.history.commands import recorded
from portal.history.entities import Actor
from portal.times import in_zone, now
from rooms import keys
from rooms.entities import Room, currency_problem
from rooms.entities.cleanings import Cleaning
from rooms.entities.rooms import STATUS_FIELDS, Steps
from rooms.keys import NUMBER, RATE, SINCE, SIZE, TYPE, VIEW
from rooms.models import CleaningsModel
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
    is_other = after and (before is None or before.currency != after.currency)
    if after and is_other and (problem := currency_problem(stored_hotel(after.hotel_id), after.currency)):
        raise errors.Conflict(problem)
    return after


def cleanings_logged(changes: Iterable[Change[Room]], by: Actor) -> Iterator[Write]:
    """Yield the writes of the log of cleanings: one for each person and day.

    A room that becomes dirty again stays in the log. Only an undo of the cleaning takes the cleaning out.
    """
    found: dict[tuple[str, str, str], list[list[Cleaning]]] = defaultdict(lambda: [[], []])
    for before, after in ((change.before, change.after) for change in changes):
        if before is None or after is None or before.cleaned_at == after.cleaned_at:
            continue
        for undone, (room, other) in enumerate([(after, before), (before, after)][: 1 + by.takes_back]):
            if room.cleaned_at:
                at, began = in_zone(room.cleaned_at, zone_of(room.hotel_id)), other.steps.started_at
                minutes = max(round((at - began).total_seconds() / 60), 1) if began else 0
                cleaning = Cleaning(at, room.number, minutes)
                found[room.hotel_id, str(at.date()), room.steps.cleaned_by][undone].append(cleaning)
    for key in sorted(found):
        yield logged(*key, *found[key])


def logged(
    hotel_id: str, day: str, person: str, cleanings: Iterable[Cleaning], undone: Iterable[Cleaning] = ()
) -> Update:
    """Return the write that adds cleanings to the log of a person's day, and takes out those that are undone.

    A cleaning that the log has keeps its minutes: it comes again if somebody undoes what came after it.
    """
    added = [(path := Path([each.name])).set(path | each.minutes) for each in cleanings]
    removed = [Path([each.name]).remove() for each in undone]
    return Update(CleaningsModel.keyed(hotel_id=hotel_id, day=day, person=person), None, [*added, *removed])


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
    ).with_writes(hotels.rooms_changed, hotels.statistics_changed, cleanings_logged),
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
