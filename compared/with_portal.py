"""The list with this project: its keys, planner, counts, pager and writer."""

from collections import Counter
from dataclasses import replace
from decimal import Decimal
from typing import Any

from django.core.cache import cache

from compared import contender
from compared.questions import HOTEL, PAGE_SIZE, Question
from compared.questions import Room as Values
from dynamodb_lists import Page, Query, between
from dynamodb_lists.connection.client import client
from dynamodb_lists.planning.selection import drill_down
from dynamodb_lists.schema import tables
from hotels import commands as hotels
from hotels.entities import Hotel
from portal.history.entities import Actor
from rooms import commands, queries
from rooms.entities import Room, plain_part
from rooms.lists import ROOMS
from tests.helpers.contents import forget_counts

BATCH = 90


class List:
    """The list of the rooms of a hotel, as the portal's pages read it. Each page finds a process without caches."""

    def fill(self, rooms: list[Values]) -> None:
        list(tables.migrate())
        hotels.save_hotels([Hotel(HOTEL, "Lakeview", "Geneva", currency="EUR", time_zone="Europe/Zurich")])
        for start in range(0, len(rooms), BATCH):
            commands.save_rooms([room(values) for values in rooms[start : start + BATCH]], packs=False)
        commands.pack_hotels([HOTEL])

    def page(self, question: Question, turn: str, seen: Page[Room] | None) -> Page[Room]:
        cursor = (getattr(seen, turn) or "") if seen else ""
        forget()
        return query_of(question).page(PAGE_SIZE, str(cursor))

    def numbers(self, page: Page[Room]) -> list[str]:
        return [room.number for room in page.rows]

    def facets(self, question: Question) -> dict[str, Any]:
        forget()
        counts, asked = queries.room_counts(HOTEL), query_of(question).asked.conditions
        total = sum(counts.counts[combination] for combination in counts.counts.allowed(asked))
        found = {
            facet: {plain_part(facet, part): number for part, number in numbers.items() if number}
            for facet, numbers in drill_down(counts.counts, asked).items()
        }
        return {"total": total, **found}

    def edit(self, values: Values) -> None:
        before = queries.room(HOTEL, values["number"])
        ROOMS.by(Actor("anna")).update(before, replace(before, view=values["view"]))


def room(values: Values) -> Room:
    return Room(hotel_id=HOTEL, **{**values, "rate": Decimal(values["rate"])})


def query_of(question: Question) -> Query[Room]:
    query = ROOMS.query(hotel_id=HOTEL).where(**question.values)
    if question.sizes:
        query = query.where(size=between(*question.sizes))
    return query.order_by(*question.sort, descending=question.descending) if question.sort else query


def forget() -> None:
    """Remove what this process has cached."""
    cache.clear()
    forget_counts()


# --- Measuring -------------------------------------------------------------------------------------------


def used() -> Counter[str]:
    return contender.metered(client().meta.events)
