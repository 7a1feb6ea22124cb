"""Pages of the portal's room list, as somebody who is logged in reads them: the first, the middle and the last."""

import re
from collections import defaultdict
from dataclasses import replace
from html import unescape
from itertools import chain, islice

from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from benchmarks import data
from dynamodb_lists.reading.cursors import Cursor
from dynamodb_lists.reading.pages import read_page
from rooms import queries
from rooms.entities import RoomQuery
from rooms.room_list import ROOMS

PAGE = 25
LAST_LINK = re.compile(r'<a\b[^>]*\brel="last"[^>]*>')


def logged_in(username: str = "staff") -> Client:
    """The browser of a superuser, who is created if need be."""
    call_command("migrate", verbosity=0)
    model = get_user_model()
    user = model.objects.filter(username=username).first() or model.objects.create_superuser(username)
    client = Client(SERVER_NAME="localhost")
    client.force_login(user)
    return client


def rooms_of(hotel_id: str = data.HOTEL.hotel_id, query: str = "") -> str:
    """The address of a hotel's list of rooms."""
    return f"{reverse('rooms:rooms', args=[hotel_id])}?{query}".removesuffix("?")


def markup(client: Client, address: str) -> str:
    """A page of a list. Ends the benchmark if it shows no rows."""
    response = client.get(address)
    text = response.content.decode()
    if response.status_code != 200 or "data-row=" not in text:
        raise SystemExit(f"{address} answered {response.status_code} and shows no rows.")
    return text


def last_of(client: Client, address: str) -> str:
    """The address of a list's last page; the first page if there is no other."""
    link = LAST_LINK.search(markup(client, address))
    target = link and re.search(r'href="([^"]*)"', link[0])
    return address.partition("?")[0] + unescape(target[1])[unescape(target[1]).index("?") :] if target else address


def middle_of(hotel_id: str, rooms: int) -> str:
    """The address of the page in the middle of a hotel's rooms, composed without reading the pages before it."""
    rank = (rooms // PAGE // 2 - 1) * PAGE - 1  # of the last row of the page before the page before
    if rank < 0:
        return rooms_of(hotel_id)
    listing = queries.rooms(hotel_id, RoomQuery(page_size=PAGE), queries.room_counts(hotel_id))
    index = listing.index or ""
    combinations = defaultdict(list)
    for room in data.rooms(rooms, hotel_id):
        combinations[room.view, room.size, room.type].append(room)
    groups = sorted(combinations.values(), key=lambda group: ROOMS.position(group[0], index))
    before = next(islice(chain.from_iterable(groups), rank, None))
    start = replace(listing, cursor=Cursor(ROOMS.position(before, index), rank=rank, index=index))
    return rooms_of(hotel_id, f"cursor={read_page(start, PAGE).next}")
