"""Hotels by words: whoever writes a hotel, it is found by the words that it has, and by no others."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from dynamodb_lists import ChangedMeanwhile
from hotels import commands, queries
from hotels.entities import Hotel
from tests.helpers.orders import words
from tests.helpers.rooms import all_items, assert_in_step
from tests.helpers.writes import edit_hotel

SEA = Hotel("sea", "Grand Hôtel am Meer", "Kiel", currency="EUR", time_zone="Europe/Berlin")


@pytest.fixture(autouse=True)
def in_step(empty_tables: None) -> Iterator[None]:
    """Check after each test that each hotel has the items of its words, and no others."""
    yield
    assert_in_step()


def found(text: str) -> list[str]:
    return [hotel.hotel_id for hotel in queries.hotels_found(words(text)).stream()]


def test_an_edited_hotel_is_found_by_the_new_words_alone() -> None:
    created = commands.create_hotel(SEA, "alice")
    edited = edit_hotel(created, replace(SEA, name="Kleines Haus"), "alice")
    assert (found("grand"), found("klei kiel")) == ([], ["sea"])
    before = list(all_items())
    assert edit_hotel(created, replace(SEA, name="Kleines Haus"), "alice") == edited, "sent twice is done once"
    assert list(all_items()) == before
    with pytest.raises(ChangedMeanwhile):
        edit_hotel(created, replace(SEA, name="Other"), "alice")


def test_an_import_names_a_hotel_that_orders_named_by_its_id() -> None:
    commands.add_missing_hotel(Hotel("sea", "sea"))
    commands.add_missing_hotel(Hotel("sea", "other"))
    assert commands.save_hotels([SEA]) == 1
    assert commands.save_hotels([SEA]) == 0
    assert found("grand") == ["sea"]
    kept = queries.stored_hotel("sea")
    commands.save_hotels([replace(SEA, currency="CHF", city="Lübeck")])
    assert queries.stored_hotel("sea") == replace(kept, city="Lübeck", revision=kept.revision + 1)
    assert (found("kiel"), found("lubeck")) == ([], ["sea"])
