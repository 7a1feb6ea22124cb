"""The handover: what the next shift of a hotel must know, on one page."""

from collections import Counter
from collections.abc import Iterable
from datetime import timedelta
from functools import partial
from typing import Any

from django import forms

from dynamodb_lists import Listing, Page, at_least, in_parallel, read_page
from hotels.app_config import HOME_PERMISSION
from hotels.views import HotelMixin
from notes.apps import VIEW_NOTES
from notes.queries import open_notes
from orders import queries as orders
from orders.apps import VIEW_ORDERS
from orders.statuses import UNFINISHED
from portal.access import StaffPage
from portal.forms.parameters import read
from portal.history import keys
from portal.history import queries as history
from portal.history.entities import HistoryEntry
from portal.history.views import grouped, seen_by
from portal.times import now, today_in
from rooms import queries as rooms
from rooms.apps import VIEW_ROOMS
from rooms.entities import Room
from rooms.statuses import Priority
from rooms.views.rooms import names_in

SHIFT = timedelta(hours=12)
MOST = {"changes": 100, "open_notes": 25, "repairs": 20, "assigned": 250, "dirty": 100, "orders": 8}
"""How many of each list the page reads. It shows fewer, so that it is one page on paper."""
ROOMS, SHOWN = ("assigned", "dirty", "repairs"), {"open_notes": 8, "notes": 10, "repairs": 8, "rush": 8, "changes": 8}


class HandoverPage(HotelMixin, StaffPage):
    """The page of the handover. All parts are read at the same time, and each part needs its permission."""

    title = "Handover of {page.hotel.name}"
    permission = HOME_PERMISSION
    template_name = "overview/handover.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        zone, at, pages = self.hotel.time_zone, now(), self._pages()
        entries = seen_by(self, pages["changes"]).rows
        groups = grouped(entries)
        found = [room for name in ROOMS if name in pages for room in pages[name].rows]
        listed = {room.number: room for room in found}.values()
        rush = [room for room in listed if room.planned_on(today_in(zone)).priority == Priority.RUSH]
        planned = [room for room in listed if room.planned_on(today_in(zone)).left_alone]
        self.shows_times = True
        is_whole = read(self.request.GET, all=forms.BooleanField(required=False))["all"]  # and not one page on paper
        return super().get_context_data(
            **kwargs,
            pages=pages,
            notes=notes_of(entries, listed),
            changes=groups[: SHOWN["changes"]],
            changes_words=f"Changes: {len(groups)}{'+' * bool(pages['changes'].next)}",
            rush=rush,
            alone=Counter(room.planned_on(today_in(zone)).priority for room in planned),
            names=names_in(rush, self.hotel),
            times=(at - SHIFT, at),
            shown=dict.fromkeys(SHOWN) if is_whole else SHOWN,
        )

    def _pages(self) -> dict[str, Page[Any]]:
        """Return the pages of the lists that the user may see, by name."""
        hotel_id = self.hotel.hotel_id
        changes = history.changes_in(hotel_id).where(at=at_least(now() - SHIFT))
        lists: dict[str, Listing[Any]] = {"changes": changes.listing()}
        if self.may(VIEW_NOTES):
            lists["open_notes"] = open_notes(hotel_id)
        if self.may(VIEW_ROOMS):
            lists["repairs"] = rooms.repairs(hotel_id)
            lists["assigned"] = rooms.rooms_of_day(hotel_id, today_in(self.hotel.time_zone))
            lists["dirty"] = rooms.rooms_to_clean(hotel_id).listing()
        if self.may(VIEW_ORDERS):
            lists["orders"] = orders.placed(UNFINISHED, hotel_id=hotel_id).order_by("placed_at", "order_id").listing()
        read = in_parallel([partial(read_page, each, MOST[name]) for name, each in lists.items()])
        return dict(zip(lists, read, strict=True))


def notes_of(entries: Iterable[HistoryEntry], listed: Iterable[Room]) -> list[tuple[str, str, HistoryEntry | None]]:
    """Return the notes that entries set, the newest first, then those of listed rooms: thing, text, and entry."""
    changes = ((entry, change) for entry in entries for change in entry.changes if change.field == "note")
    newest: dict[str, tuple[str, HistoryEntry | None]] = {}
    for entry, change in changes:
        newest.setdefault(entry.thing, (change.after, entry))
    for room in listed:
        newest.setdefault(keys.thing("room", room.hotel_id, room.number), (room.note, None))
    return [(thing, text, entry) for thing, (text, entry) in newest.items() if text]
