"""Guests by words, against plain Python: any names, any beginnings, pages both ways; and words of changed guests."""

from dataclasses import replace

import pytest

from dynamodb_lists import ledger
from dynamodb_lists.schema.entities import listed
from orders import commands, queries
from orders.entities import Guest
from portal.people import HotelScope
from tests.helpers.orders import (
    all_items,
    assert_orders_in_step,
    ids,
    make_guest,
    make_order,
    store,
    words,
)
from tests.helpers.rooms import make_hotel
from tests.helpers.writes import create_guest

pytestmark = pytest.mark.usefixtures("empty_tables")


def test_one_field_finds_names_addresses_and_usernames() -> None:
    create_guest(make_guest("xyz80", "Émile Leroux", email="Mail.Me@example.com"), "alice")
    for text in ("leroux", "LÉR", "emile", "ler emi", "mail.me", "mail.me@example.com", "xyz", "xyz80"):
        assert ids(queries.guests_found(words(text)).stream()) == ["xyz80"], text
    for text in ("eroux", "me@example.com", "example", "emile zola", "80"):
        assert ids(queries.guests_found(words(text)).stream()) == [], text


def test_the_last_digits_of_a_phone_number_find_the_guest() -> None:
    guest = create_guest(make_guest("ann", "Ann", phone="+43 (0)660 123-4567"), "alice")
    commands.add_missing_guests(
        [make_guest("2023bea", phone="0911 4568"), make_guest("carl", "C 4711", phone="4567 x")]
    )

    def found(text: str) -> list[str]:
        return sorted(ids(queries.guests_found(words(text)).stream()))

    assert [found(text) for text in ("4567", "34567", "660/123 45 67", "0043660-1234567", "١٢٣٤٥٦٧")] == [
        ["ann", "carl"], ["ann"], ["ann"], ["ann"], ["ann"],
    ]  # fmt: skip
    commands.add_missing_guests(
        [make_guest("dora", phone="+41 44 987 65 43 ext. 12"), make_guest("eve", phone="044 765 43 21 / 079 111 22 33")]
    )
    assert [found(text) for text in ("+41 44 987 65 43 ext. 12", "4321", "079 111 22 33", "2233")] == [
        ["dora"], ["eve"], ["eve"], ["eve"],
    ]  # fmt: skip
    assert found("2023") + found("4711") == ["2023bea", "carl"], "words that begin with digits"
    assert found("567") + found("4567 ann") + found("6601") == []
    assert_orders_in_step()
    guest = commands.edit_guest(guest, replace(guest, phone="0660 7654322"), "alice")
    assert (found("4567"), found("4322")) == (["carl"], ["ann"])
    commands.erase_guest(guest, "mary")
    assert found("4322") == []
    assert_orders_in_step()


def test_a_changed_guest_is_found_by_the_new_words_alone() -> None:
    guest = create_guest(make_guest("bea", "Bea Miller", email="bm@example.com"), "alice")
    guest = commands.edit_guest(guest, replace(guest, name="Bea Smith", email="bs@example.com"), "alice")
    assert ids(queries.guests_found(words("miller")).stream()) == []
    assert ids(queries.guests_found(words("bm@")).stream()) == []
    assert [found.email for found in queries.guests_found(words("bea")).stream()] == ["bs@example.com"]
    before = [item for item in all_items() if "words" in item]
    commands.edit_guest(guest, replace(guest, phone="1"), "alice")
    assert [item for item in all_items() if "words" in item] == before
    assert_orders_in_step()


def test_a_guest_from_a_file_is_found_by_the_parts_of_the_username() -> None:
    make_hotel()
    store([make_order(username="emile.leroux")])
    assert ids(queries.guests_found(words("leroux")).stream()) == ["emile.leroux"]
    store([make_order("o-2", username="emile.leroux")])
    assert_orders_in_step()


# --- Numbers of orders ----------------------------------------------------------------------------------


def test_orders_are_found_by_the_number_that_is_read_aloud() -> None:
    make_hotel()
    store([make_order("7K0M1QTX", "bea"), make_order("o-1"), make_order("7k0m1qtx", "carl")])
    assert [hit.username for hit in queries.orders_by_number("7K0M-1QTX")] == ["bea"]
    for text in ("7kom-iqtx", "7K0M lQTX", " 7kOm1qtx "):
        assert [hit.order_id for hit in queries.orders_by_number(text)] == ["7K0M1QTX"], text
    both = queries.orders_by_number("7k0m1qtx")
    assert [hit.order_id for hit in both] == ["7k0m1qtx", "7K0M1QTX"], "as written comes first"
    assert [hit.order_id for hit in queries.orders_by_number("o-1")] == ["o-1"]
    for text in ("7K0M", "no such", "#", "7K0M1QTU"):
        assert queries.orders_by_number(text) == [], text


def test_orders_are_found_by_the_end_of_the_number() -> None:
    make_hotel()
    make_hotel(hotel_id="xyz")
    store([make_order("7K0M1QTX", "bea"), make_order("ZZZZ1QTY", "carl")])
    store([make_order("99KOM-IQTX", "dora", hotel_id="xyz", items=())])
    for text in ("1qtx", "IQTX", "m1qtx", "0m-1qtx", "iqtx "):
        with ledger.recording() as calls:
            hits = queries.orders_by_number(text)
        assert {(hit.order_id, hit.username) for hit in hits} == {("7K0M1QTX", "bea"), ("99KOM-IQTX", "dora")}, text
        assert calls.waves == 2, "the index has their keys"
        assert [hit.order_id for hit in queries.orders_by_number(text, HotelScope(frozenset({"xyz"})))] == [
            "99KOM-IQTX"
        ]
        assert queries.orders_by_number(text, HotelScope(frozenset())) == []
    commands.correct_order(queries.order("7K0M1QTX"), (), "alice")
    assert len(queries.orders_by_number("1qtx")) == 2


def test_word_items_have_all_that_lists_show_of_a_guest() -> None:
    assert {*listed(Guest)} == {"username", "name", "email", "note"}, (
        "give `guests_found` a `refine` that reads what is more"
    )
