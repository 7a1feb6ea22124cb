"""Every model declares what its items are, and every item that is written says so."""

import re
from decimal import Decimal
from typing import Any

import pytest

from accounts.sessions import SessionStore
from dynamodb_lists import ItemModel
from dynamodb_lists.lists.files import Csv
from dynamodb_lists.schema import tables
from dynamodb_lists.schema.keys import now
from hotels import commands as hotels
from hotels import queries as hotel_queries
from hotels.entities import Hotel
from orders import commands as orders
from orders.entities import Guest
from orders.lists import SHARDS
from orders.statuses import Status
from portal.uploads.models import Upload
from portal.uploads.steps import keep
from reviews import commands as reviews
from rooms import commands as rooms
from rooms.entities import BulkChange, RoomAction, StatusChange
from rooms.statuses import Housekeeping
from tests.helpers.kinds import assert_all_kinds, by_kind, handwritten
from tests.helpers.orders import make_guest, make_order
from tests.helpers.reviews import make_review, make_standard
from tests.helpers.rooms import ABC, make_room
from tests.helpers.writes import create_guest, edit_review, edit_room

KINDS = {model.kind for model in handwritten()}


def subclasses(base: type[ItemModel]) -> set[type[ItemModel]]:
    return set(base.__subclasses__()).union(*(subclasses(model) for model in base.__subclasses__()))


def test_each_kind_belongs_to_one_model() -> None:
    models = by_kind()
    kinds = [model.kind for model in models]
    assert len(kinds) == len(set(kinds))
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)?", kind) for kind in kinds)
    assert {model.Meta.table_name for model in models} == set(tables.names())


OTHERS = "dynamodb_lists.", "tests."  # the models of the package are bases, and those of tests no part of the portal


def test_no_model_is_left_out() -> None:
    """The items of a model that names no kind are of the kind that it inherits: a kind may have keys of two forms."""
    models = [model for model in subclasses(ItemModel) if not model.__module__.startswith(OTHERS)]
    bases = {base for model in models for base in model.mro()[1:]}
    with_items = {next(base for base in model.mro() if "kind" in vars(base)) for model in models if model not in bases}
    assert set(handwritten()) == with_items


@pytest.mark.parametrize(
    ("declared", "refusal"),
    [
        ({"kind": ""}, "needs a kind"),
        ({"kind": "room"}, "needs a kind"),
    ],
    ids=str,
)
def test_a_model_without_a_kind_is_refused(declared: dict[str, Any], refusal: str) -> None:
    meta = type("Meta", (), {"table_name": "robots"})
    with pytest.raises(TypeError, match=refusal):
        type("RobotModel", (ItemModel,), {"Meta": meta, **declared})
    assert "robot" not in {model.kind for model in by_kind()}


@pytest.mark.usefixtures("empty_tables")
def test_every_command_writes_kinds() -> None:
    """Updates create counts, hotels, and the profiles of guests whom a file of orders names."""
    hotels.save_hotels([Hotel(ABC, "Hotel ABC")])
    hotels.add_missing_hotel(Hotel("other", "Other"))
    room = rooms.create_room(make_room("101"), "alice")
    edit_room(room, make_room("102", view="Garden"), "alice")
    rooms.save_rooms([make_room("201"), make_room("202", hotel_id="other")])
    change = BulkChange(
        "01ARZ3NDEKTSV4RRFFQ69G5FAV", RoomAction.RATE_TO, "201", "alice", now(), Decimal(9), currency="EUR"
    )
    rooms.ask_for(ABC, change)
    rooms.take_step_of(ABC, change)
    for status in (Housekeeping.DIRTY, Housekeeping.CLEAN):
        rooms.set_status(ABC, "201", StatusChange(status), "alice")
    guest = create_guest(make_guest(), "alice")
    orders.edit_guest(guest, Guest("alex", "Other name", revision=guest.revision), "alice")
    order = orders.place_order(make_order(), "alice")
    orders.take_step(order, Status.PROCESSING, "alice")
    orders.save_orders([make_order("o-2", "imported"), make_order("o-3", items=())])
    orders.add_missing_guests([make_guest("third")])
    next(SHARDS.raise_to(2))
    next(hotel_queries.GROUP_SHARDS.raise_to(9))
    review = reviews.add_review(make_review("r-1"), "alice")
    edit_review(review, make_review("r-1", rating=1, language="fr"), "alice")
    reviews.save_reviews([make_review("r-2")])
    reviews.add_missing_replies([make_standard()])
    SessionStore().save()
    keep(Upload("", "rooms", "alice", "rooms.csv", 0, 0), [Csv([]).row(2, "", ["101"], ["number"])])
    assert assert_all_kinds() & KINDS == KINDS, "call the commands here that write the other kinds"
