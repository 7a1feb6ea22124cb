"""Pages that add and edit hotels: permissions, errors in the form, forms sent twice or at the same time."""

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from hotels import queries
from hotels.commands import add_missing_hotel, save_hotels
from hotels.entities import Hotel
from tests.helpers.markup import ListMarkup, entry_of, errors
from tests.helpers.rooms import ABC, assert_in_step, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
ADD, EDIT = "/hotels/add/", f"/hotels/{ABC}/edit/"
ENTRY = {"hotel_id": "neu", "name": "Hôtel Neu", "city": "Köln", "currency": "eur", "time_zone": "Europe/Berlin"}
NEW = Hotel("neu", "Hôtel Neu", "Köln", currency="EUR", time_zone="Europe/Berlin", revision=1)


def shown(client: Client) -> dict[str, str]:
    """Return what the form of the hotel ``abc`` shows."""
    return entry_of(ListMarkup(client.get(EDIT).content))


def test_a_hotel_is_added(manager: Client) -> None:
    response = manager.post(ADD, ENTRY, follow=True)
    assert response.redirect_chain == [("/hotels/neu/", 302)]
    assert "Hôtel Neu was added" in response.content.decode()
    assert "Once the hotel has rooms" in response.content.decode()
    assert queries.stored_hotel("neu") == NEW
    assert manager.post(ADD, ENTRY).status_code == 302, "sent twice, it is added once"
    assert manager.post(ADD, {**ENTRY, "hotel_id": "ｎｅｕ"}).status_code == 302, "what looks alike is one id"
    assert queries.stored_hotel("neu") == NEW
    assert [hotel.hotel_id for hotel in queries.hotels().first(2)] == ["neu"]


def test_an_id_that_is_taken_is_refused_and_the_entry_is_kept(manager: Client) -> None:
    make_hotel()
    response = manager.post(ADD, {**ENTRY, "hotel_id": ABC})
    assert "already a hotel abc. Choose another id" in errors(response)
    assert entry_of(ListMarkup(response.content))["name"] == "Hôtel Neu"
    assert queries.stored_hotel(ABC).name == "Hotel ABC"


WRONG: list[tuple[dict[str, str], str]] = [
    ({"hotel_id": "a#b"}, "only letters, digits, hyphens and underscores"),
    ({"hotel_id": "add"}, "cannot be a hotel's id"),
    ({"hotel_id": "switcher"}, "cannot be a hotel's id"),
    ({"name": ""}, "required"),
    ({"currency": "XYZ"}, "not a currency code"),
    ({"time_zone": "Mars/Olympus"}, "valid choice"),
]


def test_what_is_wrong_stands_in_the_form(manager: Client) -> None:
    for change, complaint in WRONG:
        response = manager.post(ADD, {**ENTRY, **change})
        assert complaint in errors(response), change
        assert entry_of(ListMarkup(response.content))["city"] == "Köln", change
        assert not queries.hotels().first(1), change


def test_a_hotel_is_changed_and_keeps_its_rooms(manager: Client) -> None:
    make_hotel([make_room("101")])
    before = queries.stored_hotel(ABC)
    assert queries.hotel(ABC).name == "Hotel ABC"
    response = manager.post(EDIT, {**shown(manager), "name": "Hotel XYZ", "city": ""}, follow=True)
    assert "The change was saved" in response.content.decode()
    assert "Hotel XYZ" in response.content.decode(), "the cache has forgotten the old name"
    assert queries.stored_hotel(ABC) == replace(before, name="Hotel XYZ", city="", revision=2)
    assert_in_step()


def test_the_form_shows_what_is_stored_now(manager: Client) -> None:
    make_hotel()
    calls: Any = manager.get(EDIT).wsgi_request
    assert [call.request["ConsistentRead"] for call in calls.ledger.of("list")] == [True]


def test_the_currency_stays_while_rooms_have_prices_in_it(manager: Client) -> None:
    make_hotel()
    assert manager.post(EDIT, {**shown(manager), "currency": "CHF"}).status_code == 302
    make_hotel([make_room("101")])
    assert "are in CHF" in errors(manager.post(EDIT, {**shown(manager), "currency": "EUR"}))
    assert queries.stored_hotel(ABC).currency == "CHF"


def test_a_hotel_of_an_import_gets_its_currency_once(manager: Client) -> None:
    add_missing_hotel(Hotel(ABC, ABC))
    assert queries.stored_hotel(ABC) == Hotel(ABC, ABC, revision=1)
    assert save_hotels([Hotel(ABC, "Hotel ABC", currency="EUR")]) == 1
    assert save_hotels([Hotel(ABC, "Hotel ABC", currency="GBP")]) == 0
    manager.post(EDIT, {**shown(manager), "time_zone": "Asia/Tokyo"})
    save_hotels([Hotel(ABC, "Hotel ABC", "Tokyo", currency="JPY")])
    assert queries.stored_hotel(ABC) == Hotel(
        ABC, "Hotel ABC", "Tokyo", currency="EUR", time_zone="Asia/Tokyo", revision=4
    )
