"""Reads of guests; docs/access-patterns.md shows the request of each function."""

from collections.abc import Iterable, Mapping
from typing import Any, cast

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import NotFound
from dynamodb_lists.reading.fetching import Ranges
from dynamodb_lists.reading.items import find_item, get_items
from dynamodb_lists.reading.word_lists import found_by_words
from dynamodb_lists.schema.models import Values, id_in
from dynamodb_lists.schema.words import WordQuery, numbers, typed, typed_number
from orders import keys
from orders.entities import Guest
from orders.models import GuestModel, GuestWordModel

MOST_NAMESAKES = 5
"""The most guests with the same e-mail address or phone that a form names."""


def guest(username: str, *, consistent: bool = False) -> Guest:
    """A1: a guest's profile, with the number of orders of each status. Raises :class:`NotFound`."""
    if not keys.is_username(username):
        raise NotFound("That is not a guest's username.")
    with ledger.purpose("guest"):
        values = find_item(GuestModel, *GuestModel.place_of(username=username), consistent=consistent)
    return cast(Guest, GuestModel.built(values))


def known_guest(username: str) -> Guest | None:
    """The guest of this username, if there is one."""
    try:
        return guest(username)
    except NotFound:
        return None


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


def guests_found(query: WordQuery) -> Ranges[Guest]:
    """A9: the guests with a word of the name that begins as typed, with such an e-mail address, username or phone.

    They are sorted by the word that is found. Several typed words are looked up in the name. Word items have all that
    lists and exports show of a guest.
    """
    return found_by_words(GuestWordModel, query, _found_guest, name="guests by words")


def guests_as_stored(usernames: Iterable[str]) -> dict[str, Guest]:
    """The guests who exist among these usernames, by username, read a hundred at a time."""
    pairs = (GuestModel.place_of(username=username) for username in usernames)
    return {guest.username: guest for guest in map(GuestModel.built, get_items(GuestModel, pairs))}


def _found_guest(values: Values) -> Guest:
    shown = {"name": values["guest_name"], "email": values["email"], "note": values.get("note", "")}
    return Guest(username=id_in(values["sk"]), **shown)
