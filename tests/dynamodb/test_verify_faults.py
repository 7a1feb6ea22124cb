"""Faults of every invariant, made by hand: ``verify_data`` names each, and repairs it if it can."""

from collections import Counter
from collections.abc import Callable
from itertools import zip_longest
from zlib import crc32
from zoneinfo import ZoneInfo

import pytest

from dynamodb_lists.lists import counts as reading_counts
from dynamodb_lists.maintenance import verification
from tests.helpers.contents import forget_counts
from tests.helpers.faults import (
    COUNTS,
    DIRTY_ROOM,
    HOTELS,
    ORDER,
    ORDERS,
    RECENTLY,
    REVIEWS,
    ROOMS,
    Key,
    N,
    S,
    change,
    copy,
    delete,
    item,
    settle_in,
    verify,
)
from tests.helpers.faults import fill as fill_examples
from tests.helpers.kinds import Item, assert_all_in_step, items_of

Fault = tuple[Callable[[], None], str]
"""What breaks the data, and the words in which the command names it."""

ROOM_101 = (ROOMS, "101")
GARDEN, ABC = (COUNTS, "garden#0241#suite"), ("hotel#abc", "hotel")
ALEX, BO = ("USER#alex", "PROFILE"), ("USER#bo", "PROFILE")
BO_WORD, XYZ_WORD = ("WORD#b", "bo#bo"), ("hotel-words#x", "xyz#xyz")
LINE, NO_LINE = ("ORDER#lines#ITEM#003", "ORDER#lines"), ("ORDER#none#ITEM#001", "ORDER#none")
PACKED, PACKED_ABC = ("hotel#xyz#rooms#counts", " packed"), ("hotel#abc#rooms#counts", " packed")
ALSO = "the packed counts of rooms of abc are not its counts"
"""A wrong count of the hotel abc differs from its packed copy. The repair of the count packs them anew."""

PROCESSING, DELIVERED = ("USER#alex", "ORDER#o-007"), ("USER#alex", "ORDER#o-021")
REVIEW = ("REVIEW#r-1", "REVIEW")
DE_2 = ("hotel#abc#review-counts", "de#2")
STATISTICS, GROUP = "hotel#abc#statistics", "group#statistics"
DAY, MONTH = f"orders#{RECENTLY.astimezone(ZoneInfo('Europe/Paris')).date()}#EUR", "reviews#2023-01"
TODAY = (STATISTICS, DAY)
ABC_SHARD = crc32(b"abc") % 8
CHANGED_BY_REPAIRS = {
    DIRTY_ROOM,
    (ROOMS, "102"),
    (COUNTS, "cave#0241#suite"),
    PACKED_ABC,
    (STATISTICS, "rooms#total"),
    ("hotel#xyz#statistics", DAY),
}
"""A room whose time is lost gets a new one, and a count of nothing is set to 0. All else becomes what it was.

The room that is cleaned by hand stays clean. What the group lacks is added to its first item, so only sums come back.
"""


def fill() -> None:
    """The examples, whose counts are packed, although they are few."""
    forget_counts()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading_counts, "FEW_COUNTS", 0)
        fill_examples()


@pytest.fixture(autouse=True)
def _no_settling(empty_tables: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody writes beside the command, and the engine has no index that is behind."""
    settle_in(monkeypatch, 0)


def differing(before: dict[Key, Item], after: dict[Key, Item]) -> set[Key]:
    """Return the keys of the items that are not the same."""
    return {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}


def stored() -> dict[Key, Item]:
    """Return every item that the command checks, by its key, without the revisions that a repair raises."""
    names = {HOTELS: ("pk", "sk"), ORDERS: ("PK", "SK"), REVIEWS: ("pk", "sk")}
    return {
        (item[partition]["S"], item[sort_key]["S"]): _without_revisions(item)
        for table, (partition, sort_key) in names.items()
        for item in items_of(table)
    }


def _without_revisions(item: Item) -> Item:
    raised = {"counts_revision", "packings"}
    return {name: value for name, value in item.items() if name not in raised}


def rounds(faults: list[list[Fault]]) -> list[list[Fault]]:
    """Return the first fault of each thing, the second of each thing that has one, and so on."""
    return [[fault for fault in together if fault] for together in zip_longest(*faults)]


REPAIRABLE: list[list[Fault]] = [
    [  # the keys of a room
        (lambda: change(HOTELS, ROOM_101, lsi2sk=S("x")), f"the room {' '.join(ROOM_101)} has wrong lsi2sk"),
    ],
    [  # a room that needs attention
        (
            lambda: change(HOTELS, DIRTY_ROOM, attention_since=None, attention_key=None),
            "room 102 of abc needs attention, but has no time since when",
        ),
        (
            lambda: change(HOTELS, DIRTY_ROOM, housekeeping=None),
            "room 102 of abc needs no attention, but has a time since when\n"
            "the statistics rooms#total of abc count clean 19 instead of 20, dirty 1 instead of 0",
        ),
    ],
    [  # a count
        (
            lambda: change(HOTELS, GARDEN, number=N(9)),
            "the count of rooms abc garden 0241 suite is 9; the number of rooms is 4",
        ),
        (
            lambda: delete(HOTELS, GARDEN),
            "the count of rooms abc garden 0241 suite is missing; the number of rooms is 4",
        ),
    ],
    [  # the packed counts
        (
            lambda: change(HOTELS, PACKED, packed=item(HOTELS, PACKED_ABC)["packed"]),
            "the packed counts of rooms of xyz are not its counts",
        )
    ],
    [  # another count
        (
            lambda: copy(HOTELS, (COUNTS, "sea-view#0240#suite"), (COUNTS, "cave#0241#suite")),
            "the count of rooms abc cave 0241 suite is 4; the number of rooms is 0",
        )
    ],
    [  # the total of a hotel
        (lambda: change(HOTELS, ABC, rooms=N(21)), "the total of hotel abc is 21; the number of rooms is 20")
    ],
    [  # the number of a room
        (lambda: change(HOTELS, (ROOMS, "105"), any_hotel=None), f"the room {ROOMS} 105 has wrong any_hotel")
    ],
    [  # the words of a hotel
        (lambda: delete(HOTELS, XYZ_WORD), "the word item hotel-words#x xyz#xyz is missing"),
        (
            lambda: copy(HOTELS, XYZ_WORD, ("hotel-words#y", "yyy#nowhere")),
            "the word item hotel-words#y yyy#nowhere is surplus",
        ),
    ],
    [  # words of guests that are too many
        (lambda: copy(ORDERS, BO_WORD, ("WORD#b", "bo#nobody")), "the word item WORD#b bo#nobody is surplus"),
    ],
    [  # the words of a guest
        (lambda: change(ORDERS, BO_WORD, email=S("x@y.z")), "the word item WORD#b bo#bo is wrong"),
    ],
    [  # a placed order
        (
            lambda: change(ORDERS, ORDER, order_status_date=S("SHIPPED#2023")),
            "the order USER#alex ORDER#o-000 has wrong order_status_date",
        ),
        (
            lambda: change(ORDERS, ORDER, status_shard=None, placed_id=None),
            "the order USER#alex ORDER#o-000 has wrong status_shard, placed_id",
        ),
    ],
    [  # an order that is prepared
        (
            lambda: change(ORDERS, PROCESSING, status_shard=S("PLACED#0"), unfinished_hotel=S("abc#PLACED")),
            "the order USER#alex ORDER#o-007 has wrong status_shard, unfinished_hotel",
        ),
    ],
    [  # a line of an order
        (
            lambda: change(ORDERS, ("ORDER#o-000#ITEM#001", "ORDER#o-000"), order_id=None),
            "the order-item ORDER#o-000#ITEM#001 ORDER#o-000 has wrong order_id",
        )
    ],
    [  # a delivered order
        (
            lambda: change(ORDERS, DELIVERED, status_shard=S("SHIPPED#0"), placed_id=S("x"), unfinished_hotel=S("x")),
            "the order USER#alex ORDER#o-021 has wrong status_shard, placed_id, unfinished_hotel",
        )
    ],
    [  # the profile of a guest
        (
            lambda: change(ORDERS, ALEX, orders_placed=N(4), orders_shipped=None),
            "the profile of alex counts PLACED 4 instead of 5, SHIPPED 0 instead of 5",
        ),
        (lambda: change(ORDERS, ALEX, guest_shard=None), "the guest USER#alex PROFILE has wrong guest_shard"),
    ],
    [  # the keys of a review
        (
            lambda: change(REVIEWS, REVIEW, language_key=S("hotel#abc#en"), room_key=S("hotel#abc#room#1")),
            "the review REVIEW#r-1 REVIEW has wrong language_key, room_key",
        ),
    ],
    [  # the statistics of orders
        (
            lambda: change(HOTELS, TODAY, PLACED=N(7), revenue={"N": "12.5"}),
            f"the statistics {DAY} of abc count PLACED 7 instead of 1, revenue 12.5 instead of 99.5\n"
            f"the statistics {DAY} of the group count PLACED 1 instead of 7, revenue 99.5 instead of 12.5",
        ),
        (
            lambda: copy(HOTELS, TODAY, ("hotel#xyz#statistics", DAY)),
            f"the statistics {DAY} of xyz count PLACED 1 instead of 0, revenue 99.5 instead of 0\n"
            f"the statistics {DAY} of the group count PLACED 1 instead of 2, revenue 99.5 instead of 199",
        ),
    ],
    [  # the statistics of reviews
        (
            lambda: delete(HOTELS, (STATISTICS, MONTH)),
            f"the statistics {MONTH} of abc count 1 0 instead of 6, 2 0 instead of 6, 3 0 instead of 6, "
            "4 0 instead of 6, 5 0 instead of 7\n"
            f"the statistics {MONTH} of the group count 1 6 instead of 0, 2 6 instead of 0, "
            "3 6 instead of 0, 4 6 instead of 0, 5 7 instead of 0",
        )
    ],
    [  # the statistics of the group
        (
            lambda: delete(HOTELS, (GROUP, f"orders#total#{ABC_SHARD}")),
            "the statistics orders#total of the group count CANCELLED 0 instead of 5, "
            "DELIVERED 0 instead of 5, PLACED 0 instead of 8, PROCESSING 0 instead of 5, SHIPPED 0 instead of 5",
        ),
        (
            lambda: change(HOTELS, (GROUP, f"reviews#total#{ABC_SHARD}"), **{"5": N(1)}),
            "the statistics reviews#total of the group count 5 1 instead of 7",
        ),
    ],
    [  # a count of reviews
        (lambda: change(REVIEWS, DE_2, reviews=N(0)), "the count of de 2 of abc is 0; the number of reviews is 3"),
        (lambda: delete(REVIEWS, DE_2), "the count of de 2 of abc is missing; the number of reviews is 3"),
    ],
]
"""The faults of each thing. Those of different things are there at the same time. Some faults have two lines."""


@pytest.mark.parametrize("faults", rounds(REPAIRABLE), ids=["first", "second"])
def test_what_is_broken_is_named_and_repaired(faults: list[Fault], monkeypatch: pytest.MonkeyPatch) -> None:
    """All at once, however few groups are confirmed together."""
    monkeypatch.setattr(verification, "SUSPECTS", 2)
    before = stored()
    for breaking, _ in faults:
        breaking()
    found, passed = verify()
    assert not passed
    lines = {line for _, words in faults for line in words.splitlines()}
    expected = lines | {ALSO for _, words in faults if words.endswith("rooms is 4")}
    assert sorted(line.partition(": ")[2] for line in found.splitlines()) == sorted(f"{words}." for words in expected)
    found, passed = verify("--repair")
    assert passed
    assert not [line for line in lines if f"{line}. Repaired." not in found]
    assert {key for key in differing(before, stored()) if key[0] != GROUP} <= CHANGED_BY_REPAIRS
    assert_all_in_step()


def test_packed_counts_that_no_page_uses_are_no_fault_and_are_packed_by_a_repair() -> None:
    before = stored()
    change(HOTELS, PACKED, packed={"B": b"of another release"})
    changed = stored()
    assert verify() == ("", True)
    assert stored() == changed
    assert verify("--repair") == ("", True)
    assert stored()[PACKED] == before[PACKED]


def give_last_step_another_time(order: Key) -> None:
    *steps, last = item(ORDERS, order)["history"]["L"]
    change(ORDERS, order, history={"L": [*steps, {"M": {**last["M"], "at": steps[0]["M"]["at"]}}]})


LEFT: list[list[Fault]] = [
    [  # a room
        (lambda: change(HOTELS, (ROOMS, "103"), number=S("999")), f"the room {ROOMS} 103 has wrong sk"),
    ],
    [  # a hotel
        (lambda: delete(HOTELS, ("hotel#xyz", "hotel")), "there is no hotel xyz, but there are 1 rooms of it"),
        (lambda: change(HOTELS, ABC, name=None), "hotel#abc hotel cannot be read: KeyError 'name'"),
    ],
    [  # the profile of a guest
        (lambda: delete(ORDERS, BO), "guest bo has 3 orders and no profile"),
        (lambda: change(ORDERS, BO, username=S("someone")), "the guest USER#bo PROFILE has wrong PK"),
    ],
    [  # an order
        (lambda: change(ORDERS, ORDER, history={"L": []}), "order o-000 of alex has wrong history"),
        (lambda: change(ORDERS, ORDER, username=S("bo")), "the order USER#alex ORDER#o-000 has wrong PK"),
    ],
    [  # other orders
        (lambda: give_last_step_another_time(PROCESSING), "order o-007 of alex has wrong history"),
        (
            lambda: copy(ORDERS, PROCESSING, ("USER#bo", "ORDER#o-007"), username=S("bo")),
            "two guests have an order o-007",
        ),
    ],
    [(lambda: change(ORDERS, DELIVERED, currency=None), "USER#alex ORDER#o-021 cannot be read: KeyError 'currency'")],
    [  # a catalogue entry
        (
            lambda: change(ORDERS, ("CATALOGUE#abc", "SKU#sku-0"), sku=S("sku-1")),
            "the catalogue-entry CATALOGUE#abc SKU#sku-0 has wrong SK",
        )
    ],
    [  # the lines of an order
        (lambda: delete(ORDERS, LINE), "order lines lacks item 3"),
        (lambda: copy(ORDERS, LINE, ("ORDER#lines#ITEM#007", "ORDER#lines")), "order lines has surplus item 7"),
    ],
    [  # the lines of an order without items
        (lambda: delete(ORDERS, NO_LINE), "order none lacks item 1"),
        (lambda: copy(ORDERS, NO_LINE, ("ORDER#lost#ITEM#001", "ORDER#lost")), "items of lost have no order"),
    ],
    [  # a review
        (lambda: change(REVIEWS, REVIEW, created_id=S("yesterday")), "REVIEW#r-1 REVIEW cannot be read: ValueError"),
        (lambda: copy(REVIEWS, REVIEW, ("REVIEW#r-x", "REVIEW")), "the review REVIEW#r-x REVIEW has wrong pk"),
    ],
]


@pytest.mark.parametrize("faults", rounds(LEFT), ids=["first", "second"])
def test_what_only_people_can_mend_is_named_and_left(faults: list[Fault]) -> None:
    for breaking, _ in faults:
        breaking()
    found, passed = verify("--repair")
    assert not passed
    assert not [words for _, words in faults if words not in found]
    assert not [words for _, words in faults if f"{words}. Repaired" in found]
    assert max(Counter(found.splitlines()).values()) == 1  # several rules say that an item cannot be read
