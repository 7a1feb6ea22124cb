"""``upgrade_items``: items of an earlier version come forward, beside a running portal, and once."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from typing import Any

import pytest
from botocore.awsrequest import AWSPreparedRequest
from django.core.management import CommandError, call_command

from dynamodb_lists.connection.client import client
from dynamodb_lists.maintenance import scans
from dynamodb_lists.schema.models import ItemModel, RawItem, Step
from dynamodb_lists.tests.helpers.answers import answering, refusal
from hotels.models import HotelModel
from orders.models import OrderModel
from reviews.models import ReviewModel
from rooms import commands
from rooms.models import RoomModel, RoomNumberModel
from tests.helpers.kinds import Item, items_of, key_of
from tests.helpers.orders import make_order
from tests.helpers.orders import store as store_orders
from tests.helpers.reviews import make_review
from tests.helpers.reviews import store as store_reviews
from tests.helpers.rooms import make_hotel, make_room
from tests.helpers.sessions import saved

pytestmark = pytest.mark.usefixtures("empty_tables")
HOTEL_APP = HotelModel.Meta.table_name
ORDERS = OrderModel.Meta.table_name


def fill() -> None:
    make_hotel([make_room(str(number), view=f"View {number % 3}") for number in range(12)])
    store_orders([make_order(f"o-{number}", f"guest-{number % 4}", total=990 + number) for number in range(9)])
    store_reviews([make_review(f"r-{number}") for number in range(4)])
    saved(cat="dog")


def run() -> str:
    out = StringIO()
    call_command("upgrade_items", stdout=out)
    return out.getvalue()


@contextmanager
def a_release(model: type[ItemModel], version: int, **steps: Step) -> Iterator[pytest.MonkeyPatch]:
    """A release whose model has a later version; ``from_1`` is the step from version 1."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model, "version", version)
        patch.setattr(model, "upgrades", {int(name.removeprefix("from_")): step for name, step in steps.items()})
        yield patch


def of_kind(model: type[ItemModel]) -> list[Item]:
    return [item for item in items_of(model.Meta.table_name) if item["kind"]["S"] == model.kind]


def with_stars(item: RawItem) -> RawItem:
    return {**item, "stars": {"N": "4"}}


# --- From version to version ----------------------------------------------------------------------------


def test_an_item_takes_each_step_from_its_version() -> None:
    def with_rating(item: RawItem) -> RawItem:
        return {name: value for name, value in item.items() if name != "stars"} | {"rating": item["stars"]}

    with a_release(HotelModel, 3, from_1=with_stars, from_2=with_rating):
        assert f"{HOTEL_APP}: 1 upgraded, 0 left." in run()
        (hotel,) = of_kind(HotelModel)
        assert (hotel["rating"], hotel["version"], "stars" in hotel) == ({"N": "4"}, {"N": "3"}, False)
        assert f"{HOTEL_APP}: 0 upgraded, 0 left." in run()
    assert f"{HOTEL_APP}: 0 upgraded, 0 left." in run()
    assert of_kind(HotelModel) == [hotel], "an earlier release leaves items of a later one alone"


def test_every_page_of_each_segment_is_upgraded_and_a_second_run_finds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scans, "PAGE", 3)
    with a_release(OrderModel, 2, from_1=with_stars), a_release(RoomModel, 2, from_1=with_stars):
        said = run().splitlines()
        assert {f"{ORDERS}: 9 upgraded, 0 left.", f"{HOTEL_APP}: 12 upgraded, 0 left."} <= {*said}
        assert all("stars" in item for model in (OrderModel, RoomModel) for item in of_kind(model))
        with answering(lambda **_: pytest.fail("something was written"), "UpdateItem"):
            assert {line.split(": ")[1] for line in run().splitlines()} == {"0 upgraded, 0 left."}


def test_a_write_of_an_older_item_does_not_pass_for_an_upgrade() -> None:
    """An update keeps the version: the item's other attributes are still those of the earlier release."""
    with a_release(HotelModel, 2, from_1=with_stars):
        commands.create_room(make_room("900"), "alice")
        (hotel,) = of_kind(HotelModel)
        assert hotel["version"] == {"N": "1"}
        run()
        (hotel,) = of_kind(HotelModel)
        assert (hotel["version"], hotel["stars"], hotel["rooms"]) == ({"N": "2"}, {"N": "4"}, {"N": "13"})


def test_a_step_may_move_an_item_to_another_key_which_is_not_in_use() -> None:
    before = of_kind(ReviewModel)
    with a_release(ReviewModel, 2, from_1=lambda item: {**item, "pk": {"S": item["pk"]["S"] + "-2"}}):
        assert "4 upgraded, 0 left." in run()
    after = of_kind(ReviewModel)
    assert {item["pk"]["S"] for item in after} == {item["pk"]["S"] + "-2" for item in before}
    assert {item["version"]["N"] for item in after} == {"2"}
    with (
        a_release(ReviewModel, 3, from_2=lambda item: {**item, "pk": after[0]["pk"]}),
        pytest.raises(CommandError, match="3 left"),
    ):
        run()
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


def test_a_change_that_was_quicker_is_kept_and_what_is_deleted_meanwhile_does_not_come_back() -> None:
    def change() -> None:
        deleted, *edited = of_kind(RoomNumberModel)
        client().delete_item(TableName=HOTEL_APP, Key=key_of(RoomNumberModel, deleted))
        for item in edited:
            client().put_item(TableName=HOTEL_APP, Item={**item, "rate": {"N": "1"}})

    with a_release(RoomNumberModel, 2, from_1=with_stars):
        with before_each("UpdateItem", change), pytest.raises(CommandError, match=r"\d+ left. Run the command again"):
            run()
        assert {item["rate"]["N"] for item in of_kind(RoomNumberModel)} == {"1"}
        assert not any("stars" in item for item in of_kind(RoomNumberModel))
        assert f"{HOTEL_APP}: 11 upgraded, 0 left.\n" in run()
        assert [item["rate"]["N"] for item in of_kind(RoomNumberModel)] == ["1"] * 11


# --- What cannot be upgraded ----------------------------------------------------------------------------


def test_a_database_that_fails_half_way_is_said_and_the_next_run_goes_on() -> None:
    sent = 0

    def fail(**_: Any) -> Any:
        nonlocal sent
        sent += 1
        return refusal("AccessDeniedException") if sent > 7 else None

    with a_release(OrderModel, 2, from_1=with_stars):
        with answering(fail, "UpdateItem"), pytest.raises(CommandError, match="Run the same command again: it goes on"):
            run()
        assert sum("stars" in item for item in of_kind(OrderModel)) == 7
        assert f"{ORDERS}: 2 upgraded, 0 left.\n" in run()


def test_what_cannot_be_upgraded_is_named_and_the_others_are_upgraded(capsys: pytest.CaptureFixture[str]) -> None:
    """An item that a step does not fit, and one of a kind that no model has."""
    (item,) = (item for item in of_kind(RoomNumberModel) if item["number"]["S"] == "7")
    client().put_item(TableName=HOTEL_APP, Item={name: value for name, value in item.items() if name != "view"})
    client().put_item(TableName=HOTEL_APP, Item={**of_kind(HotelModel)[0], "kind": {"S": "robot"}})
    with (
        a_release(RoomNumberModel, 2, from_1=lambda guard: {**guard, "stars": guard["view"]}),
        pytest.raises(CommandError, match="2 left"),
    ):
        run()
    said = capsys.readouterr().err
    assert item["pk"]["S"] in said
    assert "a room-number of version 1: KeyError('view')" in said
    assert "no model for the kind 'robot'" in said
    assert sum("stars" in guard for guard in of_kind(RoomNumberModel)) == 11
