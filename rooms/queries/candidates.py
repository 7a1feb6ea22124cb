"""The ways to read a page of a hotel's rooms that the planner compared, in words."""

from collections.abc import Iterator
from math import ceil
from typing import TYPE_CHECKING

from hotelapp.dynamodb.planning import walk_planner
from hotelapp.dynamodb.planning.request_cost import Charge, query_cost
from hotelapp.dynamodb.planning.waves import wave_cost
from hotelapp.dynamodb.reading.lists import Candidate
from rooms import keys

if TYPE_CHECKING:
    from rooms.queries.plans import RoomList

IN_ORDER, IN_MEMORY, SMALL_RANGE, WHOLE_HOTEL = "in order", "in memory", "small range", "whole hotel"
"""The kinds of ways. A :class:`~rooms.queries.plans.RoomList` knows of which kind the one is that it chose."""


def candidates(room_list: "RoomList") -> tuple[Candidate, ...]:
    """Every way to read this page, the chosen one first and then the cheapest. It sends no request."""
    found = [*_in_order(room_list), *_in_memory(room_list), *_small_ranges(room_list)]
    return tuple(sorted(found, key=lambda way: (not way.chosen, Charge(way.units, way.requests).weight)))


def _in_order(rooms: "RoomList") -> Iterator[Candidate]:
    """The indexes that have the order of the list: a page is read from the cursor on."""
    chosen = rooms.chosen == IN_ORDER
    if rooms.query.walked:
        words = f"Walks the rooms by {rooms.query.sort} and drops those that do not match."
        yield _candidate(keys.BY_RATE if rooms.query.by_rate else "", words, rooms.page_cost, chosen)
        return
    for index in rooms.orders:
        plan, own = rooms.plans[index.name], index.name == rooms.order
        needed = ceil(rooms.rows / rooms.density)
        cost = rooms.page_cost if own else wave_cost(plan, needed, ascending=not rooms.query.descending)
        words = f"Reads one page in the order of the list ({', '.join(index.order)}), from {_ranges(len(plan.groups))}."
        yield _candidate(index.name, words, cost, chosen and own)


def _in_memory(rooms: "RoomList") -> Iterator[Candidate]:
    """Every index: all rooms that the facets allow are read, and sorted in memory."""
    for plan in rooms.plans.values():
        words = (
            f"Reads all {plan.total:,} rooms that the facets allow, from {_ranges(len(plan.groups))}, and sorts them."
        )
        yield _candidate(plan.index.name, words, plan.cost, rooms.chosen == IN_MEMORY and plan is rooms.whole)
    if rooms.chosen == WHOLE_HOTEL:
        words = "The counts and the rooms differ, so this reads the whole hotel and sorts the rooms that match."
        size = min(index.item_bytes for index in keys.INDEXES)
        yield _candidate("", words, query_cost([rooms.items], size), True)


def _small_ranges(rooms: "RoomList") -> Iterator[Candidate]:
    """The sparse or sorted ranges that hold every room of the list, if they are small."""
    if rooms.query.counted:
        return
    items = walk_planner.look(rooms.items, rooms.rows)
    for number, (index, _) in enumerate(rooms.sources()):
        chosen = rooms.chosen == f"{SMALL_RANGE} {number}"
        words = f"Reads up to {items} entries. If that is the whole range, sorts those that match."
        if rooms.matching is not None and not chosen:
            words += " It is not: this page, or one in the last minute, looked."
        yield _candidate(index, words, query_cost([items], rooms.size(index, keys.ENTRY_BYTES)), chosen)


def _candidate(index: str, words: str, cost: Charge, chosen: bool) -> Candidate:
    sources = {"": "base table", keys.NUMBERS: "number guards"}
    return Candidate(sources.get(index, f"index {index}"), words, cost.requests, cost.units, chosen)


def _ranges(count: int) -> str:
    return "1 range" if count == 1 else f"{count} ranges"
