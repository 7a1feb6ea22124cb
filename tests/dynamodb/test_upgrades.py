"""``upgrade_items``: items of earlier releases come forward, beside a running portal, and once."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from io import StringIO
from typing import Any

import pytest
from botocore.awsrequest import AWSPreparedRequest
from django.core.management import CommandError, call_command

from dynamodb_lists.connection.client import client
from dynamodb_lists.maintenance import scans
from dynamodb_lists.maintenance.upgrades import upgraded
from dynamodb_lists.schema.models import ItemModel, RawItem, Step
from dynamodb_lists.tests.helpers.answers import answering, refusal
from hotels.models import HotelModel, HotelWordModel
from orders import commands as order_commands
from orders import queries as orders
from orders.models import GuestWordModel, OrderModel
from orders.queries import newest_of_room
from portal.history.models import HistoryModel
from reviews.models import ReviewModel
from rooms import commands, queries
from rooms.commands import set_status
from rooms.entities import RoomQuery, StatusChange
from rooms.models import RoomCountModel, RoomModel, RoomNumberModel
from rooms.queries import repairs_of_room
from rooms.queries.rooms import stored_counts
from rooms.statuses import Housekeeping, Service
from tests.dynamodb.test_stored_data import assert_only_statistics_are_missing, put_items
from tests.helpers.contents import empty
from tests.helpers.faults import settle_in, verify
from tests.helpers.kinds import Item, all_items, assert_all_kinds, items_of, key_of, key_texts, strip
from tests.helpers.orders import assert_orders_in_step, make_order, words
from tests.helpers.orders import store as store_orders
from tests.helpers.reviews import assert_reviews_in_step, make_review
from tests.helpers.reviews import store as store_reviews
from tests.helpers.rooms import ABC, assert_in_step, make_hotel, make_room, rooms_page
from tests.helpers.sessions import saved

pytestmark = pytest.mark.usefixtures("empty_tables")
HOTEL_APP = HotelModel.Meta.table_name
ORDERS = OrderModel.Meta.table_name


def fill() -> None:
    make_hotel([make_room(str(number), view=f"View {number % 3}") for number in range(12)])
    store_orders([make_order(f"o-{number}", f"guest-{number % 4}", total=990 + number) for number in range(9)])
    store_reviews([make_review(f"r-{number}") for number in range(4)])
    saved(cat="dog")


def run(**options: Any) -> str:
    out = StringIO()
    call_command("upgrade_items", stdout=out, **options)
    return out.getvalue()


def contents() -> list[str]:
    return sorted(json.dumps([table, item], sort_keys=True, default=repr) for table, item in all_items())


def assert_all_in_step() -> None:
    assert_in_step()
    assert_orders_in_step()
    assert_reviews_in_step()


@contextmanager
def a_release(model: type[ItemModel], version: int, **steps: Step) -> Iterator[None]:
    """A release whose model has a later version; ``from_1`` is the step from version 1."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model, "version", version)
        patch.setattr(model, "upgrades", {int(name.removeprefix("from_")): step for name, step in steps.items()})
        yield


def of_kind(model: type[ItemModel]) -> list[Item]:
    return [item for item in items_of(model.Meta.table_name) if item["kind"]["S"] == model.kind]


def with_stars(item: RawItem) -> RawItem:
    return {**item, "stars": {"N": "4"}}


# --- From no version ------------------------------------------------------------------------------------


def test_items_without_a_kind_get_what_a_new_item_has_and_a_second_run_finds_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever the segments are, and on every page of each of them."""
    monkeypatch.setattr(scans, "PAGE", 3)
    before = contents()
    stripped = strip("kind", "version", "room_key", "guest_shard")
    assert stripped == len(before)
    out = run(segments=7)
    assert sum(int(line.split()[1]) for line in out.splitlines()) == stripped
    assert all(line.endswith("0 left.") for line in out.splitlines())
    assert contents() == before
    assert_all_kinds()
    assert_all_in_step()
    with answering(lambda **_: pytest.fail("something was written"), "UpdateItem"):
        assert {line.split(": ")[1] for line in run().splitlines()} == {"0 upgraded, 0 left."}


def test_one_table_is_upgraded_by_its_name() -> None:
    strip("kind", "version")
    assert run(table=ORDERS) == f"{ORDERS}: 35 upgraded, 0 left.\n"
    assert all("kind" in item for item in items_of(ORDERS))
    assert not any("kind" in item for item in items_of(HOTEL_APP))
    with pytest.raises(CommandError, match="no table nowhere. The tables are: "):
        run(table="nowhere")


# --- To words ------------------------------------------------------------------------------------------


def without_words() -> None:
    """Make guests and hotels those of the release before word items, and room numbers those before their indexes."""
    for table, item in list(all_items()):
        kind = item["kind"]["S"]
        if kind in {"guest-word", "hotel-word"}:
            model = GuestWordModel if kind == "guest-word" else HotelWordModel
            client().delete_item(TableName=table, Key=key_of(model, item))
        elif kind in {"guest", "hotel", "room-number"}:
            earlier = {name: value for name, value in item.items() if name not in {"terms", "any_hotel", "lsi1sk"}}
            client().put_item(TableName=table, Item={**earlier, "version": {"N": "1"}})


def test_guests_and_hotels_of_an_earlier_release_get_their_words() -> None:
    before = contents()
    without_words()
    assert f"{HOTEL_APP}: 13 upgraded, 0 left." in run()
    assert contents() == before
    assert_all_in_step()


def test_hotels_of_an_earlier_release_move_into_partitions_of_their_own() -> None:
    before = contents()
    (hotel,) = of_kind(HotelModel)
    shared = {"pk": {"S": "hotels"}, "sk": {"S": f"hotel#{ABC}"}, "version": {"N": "2"}}
    earlier = {name: value for name, value in hotel.items() if name != "hotel_list"} | shared
    client().delete_item(TableName=HOTEL_APP, Key=key_of(HotelModel, hotel))
    client().put_item(TableName=HOTEL_APP, Item=earlier)
    assert "hotel abc has wrong pk, sk, hotel_list" in verify()[0]
    assert f"{HOTEL_APP}: 1 upgraded, 0 left." in run()
    assert contents() == before


def test_a_guest_who_is_edited_before_the_upgrade_has_the_words_of_the_edit() -> None:
    without_words()
    guest = orders.guest("guest-1", consistent=True)
    order_commands.edit_guest(guest, replace(guest, name="Émile Leroux"), "alice")
    order_commands.erase_guest(orders.guest("guest-2", consistent=True), "alice")
    run()
    assert_all_in_step()
    found = orders.guests_found(words("leroux")).stream()
    assert [guest.username for guest in found] == ["guest-1"]


def test_orders_are_found_by_their_room_and_repairs_in_the_history_of_earlier_releases() -> None:
    store_orders([make_order("o-room", room_number="1")])
    set_status(ABC, "1", StatusChange(service=Service.OUT_OF_ORDER, reason="Leak"), "anna")
    set_status(ABC, "1", StatusChange(Housekeeping.DIRTY), "anna")
    before = contents()
    for model, version, key in ((OrderModel, "4", "order_room"), (HistoryModel, "1", "marked_thing")):
        for item in of_kind(model):
            earlier = {name: value for name, value in item.items() if name != key} | {"version": {"N": version}}
            client().put_item(TableName=model.Meta.table_name, Item=earlier)
    run()
    assert contents() == before
    assert [order.order_id for order in newest_of_room(ABC, "1")] == ["o-room"]
    assert len(repairs_of_room(ABC, "1")) == 1


# --- From version to version ----------------------------------------------------------------------------


def test_an_item_takes_each_step_from_its_version() -> None:
    def with_rating(item: RawItem) -> RawItem:
        return {name: value for name, value in item.items() if name != "stars"} | {"rating": item["stars"]}

    with a_release(HotelModel, 5, from_3=with_stars, from_4=with_rating):
        assert f"{HOTEL_APP}: 1 upgraded, 0 left." in run()
        (hotel,) = of_kind(HotelModel)
        assert (hotel["rating"], hotel["version"], "stars" in hotel) == ({"N": "4"}, {"N": "5"}, False)
        assert f"{HOTEL_APP}: 0 upgraded, 0 left." in run()
    assert f"{HOTEL_APP}: 0 upgraded, 0 left." in run()
    assert of_kind(HotelModel) == [hotel], "an earlier release leaves items of a later one alone"


def test_rooms_of_an_earlier_release_are_listed_and_changed_before_the_upgrade(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their keys and those of their guards have numbers as texts. Their hotels are upgraded."""
    empty()
    put_items()
    for hotel in of_kind(HotelModel):
        client().put_item(TableName=HOTEL_APP, Item=upgraded(HotelModel, hotel))
        client().delete_item(TableName=HOTEL_APP, Key=key_of(HotelModel, hotel))
    page = rooms_page(ABC, RoomQuery(sort="view", page_size=10))
    assert len(page.rows) == page.total
    room = queries.room(ABC, page.rows[0].number, consistent=True)
    commands.edit_room(room, replace(room, size=99), "alice")
    assert "0 left" in run()
    assert queries.room(ABC, room.number).size == 99
    settle_in(monkeypatch, 0.05)
    assert_only_statistics_are_missing()


def test_a_write_of_an_older_item_does_not_pass_for_an_upgrade() -> None:
    """An update keeps the version: the item's other attributes are still those of the earlier release."""
    with a_release(HotelModel, 4, from_3=with_stars):
        commands.create_room(make_room("900"), "alice")
        (hotel,) = of_kind(HotelModel)
        assert hotel["version"] == {"N": "3"}
        run()
        (hotel,) = of_kind(HotelModel)
        assert (hotel["version"], hotel["stars"], hotel["rooms"]) == ({"N": "4"}, {"N": "4"}, {"N": "13"})


def test_a_step_may_move_an_item_to_another_key() -> None:
    before = of_kind(ReviewModel)
    with a_release(ReviewModel, 4, from_3=lambda item: {**item, "pk": {"S": item["pk"]["S"] + "-2"}}):
        assert "4 upgraded, 0 left." in run(table=ReviewModel.Meta.table_name)
    after = of_kind(ReviewModel)
    assert {item["pk"]["S"] for item in after} == {item["pk"]["S"] + "-2" for item in before}
    assert {item["version"]["N"] for item in after} == {"4"}


def test_an_item_does_not_move_to_a_key_that_is_in_use() -> None:
    before = of_kind(ReviewModel)
    one_key = {"S": before[0]["pk"]["S"]}
    with (
        a_release(ReviewModel, 4, from_3=lambda item: {**item, "pk": one_key}),
        pytest.raises(CommandError, match="3 left"),
    ):
        run(table=ReviewModel.Meta.table_name)
    assert len(of_kind(ReviewModel)) == 4


# --- Beside the portal ----------------------------------------------------------------------------------


@contextmanager
def before_each(operation: str, act: Any) -> Iterator[None]:
    """``act`` runs once, just before the first such request goes out."""
    left = [act]

    def respond(request: AWSPreparedRequest, **_: Any) -> None:
        if left:
            left.pop()()

    with answering(respond, operation):
        yield
    assert not left


def test_a_change_that_was_quicker_is_kept_and_the_item_left_for_the_next_run() -> None:

    def edit() -> None:
        for model in (RoomModel, RoomNumberModel):
            for item in of_kind(model):
                client().put_item(TableName=HOTEL_APP, Item={**item, "rate": {"N": "1"}})

    with a_release(RoomNumberModel, 4, from_3=with_stars):
        with before_each("UpdateItem", edit), pytest.raises(CommandError, match=r"\d+ left. Run the command again"):
            run(table=HOTEL_APP, segments=1)
        assert {item["rate"]["N"] for item in of_kind(RoomNumberModel)} == {"1"}
        assert not any("stars" in item for item in of_kind(RoomNumberModel))
        assert run(table=HOTEL_APP) == f"{HOTEL_APP}: 12 upgraded, 0 left.\n"
        assert {item["rate"]["N"] for item in of_kind(RoomNumberModel)} == {"1"}


def test_an_item_that_is_deleted_meanwhile_does_not_come_back() -> None:
    strip("kind", "version")
    deleted = [(HotelModel, item) for item in items_of(HOTEL_APP)]

    def delete() -> None:
        for model, item in deleted:
            client().delete_item(TableName=HOTEL_APP, Key=key_of(model, item))

    with before_each("UpdateItem", delete), pytest.raises(CommandError, match="left"):
        run(table=HOTEL_APP)
    assert items_of(HOTEL_APP) == []
    assert run(table=HOTEL_APP) == f"{HOTEL_APP}: 0 upgraded, 0 left.\n"


def test_a_count_that_changes_meanwhile_gets_its_version_and_keeps_the_change() -> None:
    """A new kind and version derive nothing from the item, so a change of an earlier release is not in the way."""
    strip("kind", "version")
    counts = [item for item in items_of(HOTEL_APP) if RoomCountModel.owns(*key_texts(RoomCountModel, item))]

    def add() -> None:
        for item in counts:
            client().update_item(
                TableName=HOTEL_APP,
                Key=key_of(RoomCountModel, item),
                UpdateExpression="ADD rooms :added",
                ExpressionAttributeValues={":added": {"N": "5"}},
            )

    with before_each("UpdateItem", add):
        run()
    assert sum(count.number for count in stored_counts(ABC).values()) == 12 + 5 * len(counts)
    assert_all_kinds()


# --- What cannot be upgraded ----------------------------------------------------------------------------


def test_a_database_that_fails_half_way_is_said_and_the_next_run_goes_on() -> None:
    strip("kind", "version")
    sent = 0

    def fail(**_: Any) -> Any:
        nonlocal sent
        sent += 1
        return refusal("AccessDeniedException") if sent > 7 else None

    with answering(fail, "UpdateItem"), pytest.raises(CommandError, match="Run the same command again: it goes on"):
        run(table=ORDERS, segments=1)
    assert sum("kind" in item for item in items_of(ORDERS)) == 7
    assert run(table=ORDERS) == f"{ORDERS}: 28 upgraded, 0 left.\n"
    run()
    assert_orders_in_step()


def test_an_item_that_no_step_fits_is_named_and_the_others_are_upgraded(capsys: pytest.CaptureFixture[str]) -> None:
    (item,) = (item for item in of_kind(RoomNumberModel) if item["number"]["S"] == "7")
    broken = {name: value for name, value in item.items() if name not in {"kind", "version", "view", "room_key"}}
    strip("kind", "version", "room_key", "guest_shard")
    client().put_item(TableName=HOTEL_APP, Item=broken)
    with pytest.raises(CommandError, match="1 left"):
        run(table=HOTEL_APP)
    reason = capsys.readouterr().err
    assert item["pk"]["S"] in reason
    assert "the step from version 0 of room-number: KeyError('view')" in reason
    assert sum("kind" not in item for item in items_of(HOTEL_APP)) == 1


def test_a_kind_that_no_model_has_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    hotel = items_of(HOTEL_APP)[0]
    client().put_item(TableName=HOTEL_APP, Item={**hotel, "kind": {"S": "robot"}})
    with pytest.raises(CommandError, match="1 left"):
        run()
    assert "no model for the kind 'robot'" in capsys.readouterr().err
