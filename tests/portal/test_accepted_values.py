"""Keys can hold each value that a row of a file or a form accepts, and the item gives the same value back.

The rows of files have every field of every entity, and use the fields of the forms.
"""

from collections.abc import Callable
from decimal import Decimal
from functools import cache
from typing import Any

import pytest
from django import forms
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from dynamodb_lists.schema import entities
from dynamodb_lists.tests.helpers.examples import examples
from hotels import models as hotels
from hotels.entities import Hotel
from orders import models as orders
from orders.entities import Guest, Order, OrderItem
from orders.forms import NewGuestForm
from orders.forms.rows import ItemRowForm, OrderRowForm
from orders.lists import order_item
from portal.history.entities import IMPORT
from reviews.entities import Review
from reviews.forms import ReviewRowForm
from reviews.imports import ReviewImport
from reviews.models import ReviewModel
from rooms.entities import Room
from rooms.forms.rooms import RoomRowForm
from rooms.lists import ROOMS

NUMBERS = ["-0", "-0.00", "0", "1.250", "1,25", "99999999999999.99", "1e30", "0.00001", "१२", "-1", "9" * 18]
TEXTS = ["#", "a#b", "\u200b", "\u202e", " x ", "add", "switcher", "é" * 64, "\U0001f3f4" * 16, "Groß", "İ", "ς", "."]
wild = st.one_of(st.sampled_from([*NUMBERS, *TEXTS]), st.text(max_size=70), st.decimals(allow_nan=True).map(str))

ROOM = {"hotel_id": "h", "hotel_name": "H", "city": "C", "number": "1", "view": "v", "size": "20", "type": "t"}
ROOM |= {"rate": "1", "currency": "EUR", "service": "out-of-order", "reason": "r", "out_of_order_until": "2026-01-01"}
TIME = "2023-01-15T10:22:31Z"
ORDER: dict[str, Any] = {"order_id": "o", "username": "u", "hotel_id": "h", "status": "PLACED", "placed_at": TIME}
ORDER |= {"status_at": TIME, "currency": "EUR", "room_number": "1", "note": "n"}
ITEM = {"sku": "s", "name": "n", "quantity": "1", "unit_price": "1.50"}
REVIEW = {"review_id": "r", "hotel_id": "h", "room_number": "1", "language": "en", "rating": "5", "author": "a"}
REVIEW |= {"created_at": TIME, "title": "t", "body": "b"}
GUEST = {"username": "u", "name": "N", "email": "a@example.org", "phone": "0123456"}


KEYS = ("hotel_id", "review_id", "created_at", "order_id", "username")
"""Fields that an item may have in its keys alone."""


@cache
def kept(form_class: Any) -> Any:
    """Return the form that checks all rows, as in an import."""
    return form_class()


@st.composite
def rows(draw: st.DrawFn, good: dict[str, str]) -> dict[str, str]:
    """Return a good row with these values in place of its own."""
    names = draw(st.lists(st.sampled_from([*good]), min_size=1, max_size=2))
    return {**good, **{name: draw(wild) for name in names}}


def room_items(form: Any) -> list[tuple[type, Any, Any]]:
    (change,) = ROOMS.by(IMPORT).change(None, form.new(hotel_id=form.cleaned_data["hotel_id"]))
    room = change.entity
    hotel = form.hotel()
    word_items = hotels.HotelWordModel.of(hotel)
    assert all(item.serialize() for item in [ROOMS.model.item(room), *word_items])
    return [(Room, room, ROOMS.model.item(room)), (Hotel, hotel, hotels.HotelModel.item(hotel))]


def order_items(form: Any) -> list[tuple[type, Any, Any]]:
    order = form.order("alice")
    return [(Order, order, order_item(order, shards=1))]


def review_items(form: Any) -> list[tuple[type, Any, Any]]:
    review = ReviewImport(IMPORT).entity_of(form)
    return [(Review, review, ReviewModel.item(review))]


def guest_items(form: Any) -> list[tuple[type, Any, Any]]:
    guest = form.new(username=form.cleaned_data["username"] or "u")
    assert all(item.serialize() for item in orders.GuestWordModel.of(guest))
    return [(Guest, guest, orders.GuestModel.item(guest))]


def check(form: forms.Form, items_of: Callable[[Any], list[tuple[type, Any, Any]]]) -> None:
    """If the form accepts its values, compose all keys, and read the entity from its item."""
    assume(form.is_valid())  # hypothesis fails if nearly all are refused
    for entity, wanted, item in items_of(form):
        values = item.decoded(item.serialize())
        in_keys = {name: getattr(wanted, name) for name in KEYS if hasattr(wanted, name) and name not in values}
        read = entities.build(entity, values, **in_keys)
        for field in entities.fields(entity):
            if field.stored and field.entered:
                value = getattr(wanted, field.name)
                assert getattr(read, field.name) == value
                assert not (isinstance(value, Decimal) and value.is_zero() and value.is_signed())


@pytest.mark.parametrize(
    ("form_class", "good", "items_of"),
    [
        (RoomRowForm, ROOM, room_items),
        (OrderRowForm, ORDER, order_items),
        (ReviewRowForm, REVIEW, review_items),
        (NewGuestForm, GUEST, guest_items),
    ],
)
@given(data=st.data())
@settings(max_examples=examples(12), suppress_health_check=[*HealthCheck])  # of the orders, one in six is accepted
def test_what_is_accepted_is_stored_as_it_is(
    form_class: Any, good: dict[str, str], items_of: Callable[[Any], Any], data: st.DataObject
) -> None:
    row: dict[str, Any] = data.draw(rows(good))
    if form_class is OrderRowForm:
        row["items"] = [data.draw(rows(ITEM))]
    if form_class is NewGuestForm:
        form = form_class(row)
    else:
        form = kept(form_class)
        form.check(row)
    check(form, items_of)


@pytest.mark.parametrize(
    ("form", "described"),
    [(RoomRowForm, (Hotel, Room)), (OrderRowForm, (Order,)), (ItemRowForm, (OrderItem,)), (ReviewRowForm, (Review,))],
)
def test_an_import_takes_each_column_that_people_enter(form: Any, described: tuple[type, ...]) -> None:
    """One that no field of the form takes would be dropped without a word."""
    entered = {each.column for entity in described for each in entities.fields(entity) if not each.computed}
    assert entered - {None, "item_count"} <= form.base_fields.keys() | {"items"}
