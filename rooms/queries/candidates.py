"""The ways to read a page of a hotel's rooms that the planner compared, in words."""

from collections.abc import Callable, Iterator
from functools import partial
from math import ceil
from typing import TYPE_CHECKING

from dynamodb_lists.planning.request_cost import Charge, query_cost
from dynamodb_lists.planning.selection import Selection
from dynamodb_lists.planning.waves import wave_cost
from dynamodb_lists.planning.wording import counted, source_name
from dynamodb_lists.reading.lists import Candidate, Listing
from rooms import keys
from rooms.entities import Room

if TYPE_CHECKING:
    from rooms.queries.plans import RoomList

IN_ORDER, IN_MEMORY, SMALL_RANGE, WHOLE_HOTEL = "in order", "in memory", "small range", "whole hotel"
"""The kinds of ways. A :class:`~rooms.queries.plans.RoomList` knows of which kind the one is that it chose."""

KEPT_ORDER = "all pages of a list keep the order of the index with the cheapest first page of 25 rows"
FEW_ROOMS = "the facets leave so few rooms that looking at another range is not worth a request"
LOOKED = "a look, for this page or one in the last minute, did not reach its end"
FOUND = "A look at this range reached its end, so every room of the list is known."
DIFFER = "The counts and the rooms differ, so no plan can rely on the counts."
_GUARDS = {keys.NUMBERS: "", keys.NUMBERED: keys.NUMBERED_INDEX}
"""Where the number guards are read, in the order of the table and in that of numbers."""
SENT_AHEAD = "Without a filter, this request needs no plan. It goes out together with the one for the counts."


def candidates(room_list: "RoomList") -> tuple[Candidate, ...]:
    """Every way to read this page, the chosen one first and then the cheapest. It sends no request."""
    found = [*_in_order(room_list), *_in_memory(room_list), *_small_ranges(room_list)]
    return tuple(sorted(found, key=lambda way: (not way.chosen, way.cost.weight)))


def _in_order(rooms: "RoomList") -> Iterator[Candidate]:
    """The indexes that have the order of the list: a page is read from the cursor on."""
    chosen = rooms.chosen == IN_ORDER
    whole = rooms.query.selection == Selection() and rooms.query.counted
    why = SENT_AHEAD if chosen and whole else ""
    if rooms.query.walk:
        page, walk = "Reads one page in the order of the list", "Walks the rooms and drops those that do not match"
        words = f"{page if whole else walk} (by {rooms.query.walk})."
        yield _candidate(rooms.order, words, rooms.page_cost, chosen, why, rooms.in_order_of(rooms.order).streaming)
        return
    for index in rooms.orders:
        plan, own = rooms.plans[index.name], index.name == rooms.order
        needed = ceil(rooms.rows / rooms.density)
        cost = rooms.page_cost if own else wave_cost(plan, needed, ascending=not rooms.query.descending)
        ranges = counted(len(plan.groups), "range")
        words = f"Reads one page in the order of the list ({', '.join(index.order)}), from {ranges}."
        listing = rooms.in_order_of(index.name).streaming
        yield _candidate(index.name, words, cost, chosen and own, why if own else KEPT_ORDER, listing)


def _in_memory(rooms: "RoomList") -> Iterator[Candidate]:
    """Every index: all rooms that the facets allow are read, and sorted in memory."""
    for plan in rooms.plans.values():
        ranges = counted(len(plan.groups), "range")
        words = f"Reads all {plan.total:,} rooms that the facets allow, from {ranges}, and sorts them."
        chosen, listing = rooms.chosen == IN_MEMORY and plan is rooms.whole, partial(rooms.sorted_by_plan, plan)
        yield _candidate(plan.index.name, words, plan.cost, chosen, "", listing)
    if rooms.chosen == WHOLE_HOTEL:
        words = "The counts and the rooms differ, so this reads the whole hotel and sorts the rooms that match."
        size = min(index.item_bytes for index in keys.INDEXES)
        yield _candidate("", words, query_cost([rooms.items], size), True, DIFFER, rooms.without_counts)


def _small_ranges(rooms: "RoomList") -> Iterator[Candidate]:
    """The sparse or sorted ranges that hold every room of the list, if they are small."""
    if rooms.query.counted:
        return
    for number, source in enumerate(rooms.sources()):
        index, chosen = source[0], rooms.chosen == f"{SMALL_RANGE} {number}"
        words = f"Reads up to {rooms.look} entries. If that is the whole range, sorts those that match."
        if rooms.matching is not None and not chosen:
            words += " It is not: this page, or one in the last minute, looked."
        why = FOUND if chosen else FEW_ROOMS if rooms.matching is None else LOOKED
        cost, listing = query_cost([rooms.look], rooms.size(index, keys.ENTRY_BYTES)), partial(rooms.of_few, *source)
        yield _candidate(index, words, cost, chosen, why, listing)


def _candidate(
    index: str, words: str, cost: Charge, chosen: bool, why: str, listing: Callable[[], Listing[Room] | None]
) -> Candidate:
    return Candidate(source_name(_GUARDS.get(index, index)), words, cost, listing, chosen, why)
