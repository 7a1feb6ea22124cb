"""Lists of several hotels, one after the other: rooms that need attention, reviews without a reply, big orders."""

from datetime import timedelta
from itertools import chain

import pytest
from django.contrib.auth.models import User
from django.test import Client

from dynamodb_lists.tests.helpers.paging import linked
from rooms.statuses import Housekeeping
from tests.helpers.markup import ListMarkup, get
from tests.helpers.orders import make_order
from tests.helpers.orders import store as store_orders
from tests.helpers.people import bind
from tests.helpers.reviews import AT, make_review, store
from tests.helpers.rooms import make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
ATTENTION_PATH, UNANSWERED, BIG = "/attention/", "/reviews/unanswered/", "/orders/big/"
MANY = {f"h-{number:02}": 0 for number in range(40)} | {"abc": 3, "h-07": 30, "h-11": 1, "h-39": 2, "zzz": 0}
"""The hotels, and the numbers of their dirty rooms, of reviews without a reply, and of big orders."""
WITH_ROWS = ["abc", "h-07", "h-11", "h-39"]


def fill() -> None:
    for hotel_id, number in MANY.items():
        dirty = [
            make_room(str(100 + n), hotel_id=hotel_id, housekeeping=Housekeeping.DIRTY, attention_since=AT)
            for n in range(number)
        ]
        make_hotel([*dirty, make_room("1", hotel_id=hotel_id)], hotel_id, f"House {hotel_id}")
        store(
            [
                make_review(f"{hotel_id}-{n:02}", hotel_id=hotel_id, created_at=AT + timedelta(hours=n))
                for n in range(number)
            ]
        )
        store_orders(
            [make_order(f"{hotel_id}-{n:02}", "alex", hotel_id=hotel_id, total=str(1000 + n)) for n in range(number)]
        )


def hotels_on(page: ListMarkup) -> list[str]:
    """Return the hotels of the rows, as they are linked."""
    return [
        str(row["href"]).split("/")[2] for row in page.soup.select("tbody td[data-label=Hotel] a[href*='/hotels/']")
    ]


@pytest.mark.parametrize("path", [ATTENTION_PATH, UNANSWERED, BIG])
def test_a_list_shows_every_row_of_every_hotel_one_hotel_after_the_other(staff: Client, path: str) -> None:
    pages = linked(get(staff, f"{path}?page_size=10"), lambda link: get(staff, f"{path}{link}"))
    found = [*chain.from_iterable(map(hotels_on, pages))]
    assert found == [hotel_id for hotel_id in WITH_ROWS for _ in range(MANY[hotel_id])]
    last = get(staff, path + str(pages[0].link("last")))
    back = linked(last, lambda link: get(staff, f"{path}{link}"), "prev")
    assert [*chain.from_iterable(map(hotels_on, back[::-1]))] == found


def test_rows_are_sorted_as_in_the_hotel(staff: Client) -> None:
    assert get(staff, UNANSWERED).rows[:4] == ["abc-02", "abc-01", "abc-00", "h-07-29"], "the newest first"
    assert get(staff, f"{UNANSWERED}?sort=date").rows[:4] == ["abc-00", "abc-01", "abc-02", "h-07-00"]
    assert get(staff, BIG).rows[:4] == ["abc-02", "abc-01", "abc-00", "h-07-29"], "the largest first"


@pytest.mark.parametrize("path", [ATTENTION_PATH, UNANSWERED, BIG])
def test_some_hotels_can_be_chosen_and_others_are_not_seen(path: str, alice: User, staff: Client) -> None:
    order = -1 if path == UNANSWERED else 1  # the newest first
    assert hotels_on(get(staff, f"{path}?hotel=h-11&hotel=h-39"))[::order] == ["h-11", "h-39", "h-39"]
    assert staff.get(f"{path}?hotel=nowhere").status_code == 400
    bind(alice, "h-11", "abc")
    assert sorted(hotels_on(get(staff, path))) == ["abc"] * 3 + ["h-11"]
    assert staff.get(f"{path}?hotel=h-39").status_code == 400
    bind(alice, "zzz")
    assert get(staff, path).rows == []


@pytest.mark.parametrize(
    ("path", "other"), [(ATTENTION_PATH, "/repairs/"), (BIG, "/orders/unfinished/"), ("/orders/unfinished/", BIG)]
)
def test_other_lists_keep_the_hotels(staff: Client, path: str, other: str) -> None:
    assert get(staff, f"{path}?hotel=h-11&hotel=h-39").element(f'a[href="{other}?hotel=h-11&hotel=h-39"]')
    assert get(staff, path).element(f'a[href="{other}"]')
