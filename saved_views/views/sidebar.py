"""The saved views that a user may open, and what the sidebar and the search show of them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from operator import itemgetter
from typing import Any
from urllib.parse import parse_qsl, unquote

from django.core.cache import cache
from django.db.models import Q
from django.http import HttpRequest

from dynamodb_lists.schema import keys
from hotels import queries as hotels
from portal.access import scope_in
from portal.frame import address, current
from portal.lists.forms import ListForm
from portal.lists.origins import Origin, list_at
from saved_views.models import EVERYONE, SavedView

CACHE_SECONDS = 60
MARK = "saved_views"
"""The key in the session of the time when its user last changed a view, so that all processes read it again."""

SEEN = {"has_permission": True}
"""Says to django-unfold that the user may open a link."""

FEW_HOTELS = 3
"""The most hotels of a user whose views are in the sidebar on every page."""


def shown_views(request: HttpRequest, hotel_ids: Iterable[str]) -> Iterator[tuple[Any, Origin]]:
    """Yield the views of the user, of these hotels, and of the group that lead to lists that the user may open."""
    shared = [*filter(scope_in(request).allows, hotel_ids), EVERYONE]
    for view in SavedView.objects.filter(Q(user=request.user.pk) | Q(hotel_id__in=shared)):
        if origin := list_at(request, view.address):
            yield view, origin


def known_views(request: HttpRequest, hotel_id: str) -> Sequence[tuple[str, str, str]]:
    """Return the views for the user's sidebar on the pages of a hotel, or of none: name, address, and hotel id.

    Users who see only a few hotels have the views of these hotels on every page. Views are cached for a minute, except
    after the user's own changes.
    """

    def read() -> list[tuple[str, str, str]]:
        own = scope_in(request).hotel_ids or ()
        beside = sorted({hotel_id, *(own if len(own) <= FEW_HOTELS else ())} - {""})
        found = shown_views(request, filter(keys.is_part, beside))
        return [(view.name, view.address, view.hotel_id) for view, _ in found]

    whose = repr((request.user.pk, request.session.get(MARK), hotel_id))  # an address may name a hotel with any text
    key = f"saved-views:{sha256(whose.encode()).hexdigest()}"
    return cache.get_or_set(key, read, CACHE_SECONDS) or ()


def sidebar_group(request: HttpRequest) -> dict[str, Any]:
    """Return the group of the sidebar. The view whose list is open is marked."""
    match, here = request.resolver_match, _essence(request.get_full_path())
    known = known_views(request, match.kwargs.get("hotel_id", "") if match else "")
    times, items = Counter(map(itemgetter(0), known)), []
    for name, link, hotel_id in known:
        if times[name] > 1 and hotel_id not in {"", EVERYONE}:  # views of several hotels have this name
            name = f"{name}, {hotels.hotel_name(hotel_id, read=False)}"  # noqa: PLW2901
        marked = "page" if _essence(link) == here else ""
        icon = "hotel" if hotel_id else "person"
        items.append({**SEEN, "title": name, "icon": icon, "link": link, "active": marked, "view": True})
    if items:
        page = "saved_views:views"
        link, marked = address(page), current(page, request)
        items.append({**SEEN, "title": "All saved views", "icon": "checklist", "link": link, "active": marked})
    return {"title": "Saved views", "items": items}


def _essence(list_address: str) -> tuple[str, list[tuple[str, str]]]:
    """Return what identifies the list at an address: its path and its parameters, without those of a single visit."""
    path, _, query = list_address.partition("?")
    asked = []
    for name, value in parse_qsl(query):
        if name != "list" and name not in ListForm.transient:
            asked.append((name, value))
    return unquote(path), sorted(asked)
