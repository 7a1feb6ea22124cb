"""Fields of forms from the description of an entity: every type that items hold, there and back."""

from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from dynamodb_lists.schema import entities
from dynamodb_lists.schema.attributes import _SIMPLE, attribute_for
from dynamodb_lists.schema.entities import Field
from dynamodb_lists.tests.helpers.soup import parsed
from portal.forms.entity_forms import EntityForm


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Thing:
    text: Annotated[str, Field("Text")]
    number: Annotated[int, Field("Number")]
    amount: Annotated[Decimal, Field("Amount")]
    at: Annotated[datetime, Field("At")]
    day: Annotated[date, Field("Day")]
    flag: Annotated[bool, Field("Flag")]
    colour: Annotated[Colour, Field("Colour")]
    other_text: Annotated[str | None, Field("Other text")] = "other"
    other_number: Annotated[int | None, Field("Other number")] = 7
    other_amount: Annotated[Decimal | None, Field("Other amount")] = Decimal(7)
    other_at: Annotated[datetime | None, Field("Other time")] = datetime(2020, 1, 1, tzinfo=UTC)
    other_day: Annotated[date | None, Field("Other day")] = date(2020, 1, 1)
    other_flag: Annotated[bool | None, Field("Other flag")] = True
    other_colour: Annotated[Colour | None, Field("Other colour")] = Colour.RED
    defaulted: Annotated[int, Field("Defaulted", blank=True)] = 5


class ThingForm(EntityForm):
    entity = Thing


AT, DAY = datetime(2031, 2, 3, 4, 5, 6, tzinfo=UTC), date(2031, 2, 3)
FIRST = Thing("a", -3, Decimal("1200.50"), AT, DAY, True, Colour.BLUE)
NONE: dict[str, Any] = dict.fromkeys((field.name for field in fields(Thing) if field.name.startswith("other_")), None)
SECOND = Thing("ü", 0, Decimal("1E+3"), AT, DAY, False, Colour.RED, **NONE, defaulted=0)


def sent(form: EntityForm) -> dict[str, str]:
    """What a browser sends if its user changes nothing."""
    page = parsed(str(form.as_p()))
    data = {str(field["name"]): str(field.get("value", "")) for field in page.select("input")}
    chosen = {str(menu["name"]): menu.select_one("option[selected]") for menu in page.select("select")}
    return data | {name: str(option["value"]) if option else "" for name, option in chosen.items()}


def read(data: dict[str, str]) -> Thing:
    form = ThingForm(data)
    assert form.is_valid(), form.errors
    thing: Thing = form.new()
    return thing


@pytest.mark.parametrize("thing", [FIRST, SECOND])
def test_every_type_comes_back_from_items_forms_and_files(thing: Thing) -> None:
    attributes = {field.name: attribute_for(field.hint) for field in entities.fields(Thing)}
    items = {
        name: attributes[name].serialize(value)
        for name, value in entities.stored_values(thing).items()
        if value is not None
    }
    stored = {name: attributes[name].deserialize(items[name]) if name in items else None for name in attributes}
    loaded = entities.build(Thing, stored)
    assert loaded == thing
    assert read(sent(ThingForm(initial=entities.stored_values(loaded)))) == thing
    assert read(dict(zip(entities.columns(Thing), map(entities.text, entities.cells(loaded)), strict=True))) == thing


def test_every_type_that_items_hold_is_in_this_test() -> None:
    assert {field.type for field in entities.fields(Thing)} == _SIMPLE.keys() | {Colour}


def test_what_may_be_none_may_stay_blank_and_what_has_a_default_gets_it() -> None:
    data = sent(ThingForm(initial=entities.stored_values(FIRST)))
    blank = read({**data, **dict.fromkeys(NONE, ""), "defaulted": ""})
    assert blank == replace(FIRST, **NONE, defaulted=5)
    form = ThingForm({})
    assert form.errors.keys() == {"text", "number", "amount", "at", "day", "flag", "colour"}


def test_a_wrong_text_is_refused() -> None:
    data = sent(ThingForm(initial=entities.stored_values(FIRST)))
    for name, text in {"flag": "no", "other_flag": "2", "colour": "green", "day": "1/2/2023", "at": "noon"}.items():
        assert ThingForm({**data, name: text}).errors.keys() == {name}


def test_a_field_without_a_form_field_is_named_when_the_form_is_declared() -> None:
    @dataclass(frozen=True)
    class Listing:
        things: Annotated[tuple[Thing, ...], Field("Things")]

    class Declared(EntityForm):
        entity = Listing
        things: Any = None

    assert Declared.base_fields == {}
    with pytest.raises(ImproperlyConfigured, match=r"things: there is no form field .* Declare it in the form"):

        class Undeclared(EntityForm):
            entity = Listing
