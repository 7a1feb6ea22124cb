"""What a list page gets from its lines, in a copy of the project that lists what guests of a hotel left behind."""

from datetime import date

import pytest
from django.contrib.auth.models import User
from django.test import Client

from dynamodb_lists.lists.list import lists_by_name
from portal.history.entities import IMPORT
from tests.conftest import logged_in
from tests.helpers.markup import get
from tests.helpers.people import bind, permit
from tests.helpers.rooms import ABC, make_hotel

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
PAGE = f"/hotels/{ABC}/lost/"


def test_a_list_page_is_read_turned_exported_and_kept_from_others(manager: Client, dana: User) -> None:
    make_hotel()
    assert "Nothing was left behind." in get(manager, PAGE).text("main")
    assert get(manager, f"/hotels/{ABC}/rooms/").soup.select(f'a[href="{PAGE}"]'), "a tab of the hotel leads there"
    lost, days = lists_by_name["lost-things"], [date(2026, 1 + n % 12, 1 + n % 28) for n in range(60)]
    entity = lost.declaration.entity
    lost.by(IMPORT).save(
        [entity(hotel_id=ABC, thing=f"T{n}", what=f"Umbrella {n}", found_on=day) for n, day in enumerate(days)]
    )
    page = get(manager, PAGE)
    assert page.total == len(days)
    shown = [str(cell) for cell in page.table.select("tbody tr")][0]
    assert all(text in shown for text in ("T23", "Umbrella 23", "24 Dec 2026")), shown
    second = get(manager, f"{PAGE}{page.link('next')}")
    assert not {*page.rows} & {*second.rows}
    exported = b"".join(manager.get(f"{PAGE}?format=csv")).decode().splitlines()
    assert exported[0] == "hotel_id,thing,what,found_on"
    assert len(exported) == 1 + len(days)
    permit(dana, "hotels.view_hotel")
    bind(dana, "xyz")
    assert logged_in(dana).get(PAGE).status_code == 404
