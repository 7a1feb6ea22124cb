"""Reads of guests; docs/access-patterns.md shows the request of each function."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import NotFound
from dynamodb_lists.planning.request_cost import items_paid
from dynamodb_lists.reading.fetching import fetcher
from dynamodb_lists.reading.items import find_item, get_items
from dynamodb_lists.reading.lists import Grounds, Listing
from dynamodb_lists.reading.merging import Merged, Part
from dynamodb_lists.reading.word_lists import found_by_words
from dynamodb_lists.schema.entities import build, listed
from dynamodb_lists.schema.models import Values
from dynamodb_lists.schema.words import WordQuery, numbers, parsed, typed, typed_number
from orders import keys
from orders.entities import Guest
from orders.models import GuestModel, GuestWordModel, order_counter
from orders.statuses import Status

MOST_NAMESAKES = 5
"""The most guests with the same e-mail address or phone that a form names."""


def guest(username: str, *, consistent: bool = False) -> Guest:
    """A1: a guest's profile, with the number of orders of each status. Raises :class:`NotFound`."""
    if not keys.is_username(username):
        raise NotFound("That is not a guest's username.")
    with ledger.purpose("guest"):
        return _guest(find_item(GuestModel, keys.guest(username), keys.PROFILE, consistent=consistent))


def guests(*, descending: bool = False) -> Listing[Guest]:
    """All guests by username: four shards, merged."""
    read = partial(fetcher, GuestModel, build=partial(build, Guest), attributes=listed(Guest), index=keys.GUESTS)
    return Merged(
        name="guests",
        selected=repr(descending),
        index=keys.GUESTS,
        descending=descending,
        parts=[Part(read(partition=shard)) for shard in keys.guest_shards()],
        span=keys.usernames(),
        grounds=Grounds(why="An index by username has four shards. A page is merged from all of them."),
        minimum=items_paid(keys.GUEST_BYTES),
    )


def has_guest(username: str, *, erased: bool = True) -> bool:
    """Whether there is a guest of this username; without ``erased``, one whose personal data was not erased."""
    try:
        return not guest(username).erased_at or erased
    except NotFound:
        return False


def typed_guest(text: str) -> WordQuery | None:
    """The query for what a reader typed: the last four or more digits of a phone number, or the beginnings of words."""
    return typed_number(text) or typed(text)


def namesakes(entered: Mapping[str, Any]) -> list[Guest]:
    """Other guests with an e-mail or a phone that somebody enters: one request each, and those found by it."""
    by_mail, *by_phones = (
        guests_found(query).take(MOST_NAMESAKES, None, backward=False) if query else ()
        for query in (typed(entered["email"]), *(typed_number(number[:0:-1]) for number in numbers(entered["phone"])))
    )
    guests = [row.value for row in by_mail if row.value.email.casefold() == entered["email"].casefold()]
    guests += [row.value for rows in by_phones for row in rows]
    return list({guest.username: guest for guest in guests if guest.username != entered["username"]}.values())


def guests_found(query: WordQuery) -> Merged[Guest]:
    """A9: the guests with a word of the name that begins as typed, with such an e-mail address, username or phone.

    They are sorted by the word that is found. Several typed words are looked up in the name. Word items have all that
    lists and exports show of a guest.
    """
    return found_by_words(GuestWordModel, query, _found_guest, name="guests by words")


def guests_as_stored(usernames: Iterable[str]) -> dict[str, Guest]:
    """The guests who exist among these usernames, by username, read a hundred at a time."""
    pairs = ((keys.guest(username), keys.PROFILE) for username in usernames)
    return {guest.username: guest for guest in map(_guest, get_items(GuestModel, pairs))}


def _guest(values: Values) -> Guest:
    orders = {status: values.get(order_counter(status), 0) for status in Status}
    return build(Guest, values, orders=orders, terms=parsed(values.get("terms", "")))


def _found_guest(values: Values) -> Guest:
    return Guest(username=keys.WORDS.entity_id(values["sk"]), name=values["guest_name"], email=values["email"])
