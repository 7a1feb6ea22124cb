"""What a facet of rooms gets from its lines, in a copy of the project whose rooms have a bath."""

import pytest
from django.test import Client

from tests.helpers.markup import get
from tests.helpers.rooms import ABC, assert_in_step, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
BATHS = ("Tub", "Shower", "")


def test_a_facet_is_counted_filtered_and_sorted(manager: Client) -> None:
    rooms = [(str(100 + n), ("Sea", "City")[n % 2], BATHS[n % 3]) for n in range(60)]
    make_hotel([make_room(number, view, bath=bath) for number, view, bath in rooms])
    for query, wanted in (
        ("bath=tub", {number for number, _, bath in rooms if bath == "Tub"}),
        ("bath=tub&view=sea", {number for number, view, bath in rooms if (view, bath) == ("Sea", "Tub")}),
        ("bath=unspecified&sort=rate", {number for number, _, bath in rooms if not bath}),
    ):
        page = get(manager, f"/hotels/{ABC}/rooms/?page_size=50&{query}")
        assert ({*page.rows}, page.total) == (wanted, len(wanted)), query
    page = get(manager, f"/hotels/{ABC}/rooms/?bath=tub&page_size=100&sort=bath")
    assert (page.count("bath", "shower"), page.count("view", "sea")) == (20, 10)
    bath_of = {number: bath.lower() or "unspecified" for number, _, bath in rooms}
    page = get(manager, f"/hotels/{ABC}/rooms/?page_size=100&sort=bath")
    assert [bath_of[number] for number in page.rows] == sorted(bath_of.values())
    cells = [cell.get_text().strip().lower() for cell in page.table.select('td[data-label="Bath"]')]
    assert cells == sorted(bath_of.values())
    assert_in_step()
