"""Fields of forms from the description of an entity: its texts, there and back, and its labels."""

from dataclasses import dataclass, replace
from typing import Annotated, Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from dynamodb_lists import Field
from portal.forms.entity_forms import EntityForm
from portal.forms.numbers import WholeField


@dataclass(frozen=True)
class Thing:
    text: Annotated[str, Field("First text")]
    number: Annotated[int | None, Field("How many")]
    blank: Annotated[str, Field("Blank text", blank=True)] = "other"
    kept: Annotated[str, Field("Kept", entered=False)] = "kept"


class ThingForm(EntityForm):
    entity = Thing
    number = WholeField(required=False)


def read(data: dict[str, Any]) -> Thing:
    form = ThingForm(data)
    assert form.is_valid(), form.errors
    thing: Thing = form.new()
    return thing


def test_a_form_has_the_fields_and_labels_of_its_entity_in_their_order() -> None:
    labels = [(bound.name, bound.label) for bound in ThingForm()]
    assert labels == [("text", "First text"), ("number", "How many"), ("blank", "Blank text")]
    assert read({"text": " a  b ", "number": "7", "blank": "c"}) == Thing("a b", 7, "c")
    assert ThingForm({"text": "a" * 201}).errors.keys() == {"text"}
    assert ThingForm({}).errors.keys() == {"text"}


def test_what_may_be_blank_is_none_or_blank() -> None:
    blank = read({"text": "a", "number": "", "blank": ""})
    assert blank == Thing("a", None, "")
    form = ThingForm({"text": "b"})
    assert form.is_valid()
    assert form.changed(replace(blank, kept="as it was")) == Thing("b", None, "", "as it was")


def test_a_field_that_is_no_text_must_be_declared() -> None:
    with pytest.raises(ImproperlyConfigured, match=r"Undeclared declares no field for number"):

        class Undeclared(EntityForm):
            entity = Thing
