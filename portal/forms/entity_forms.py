"""Forms of entities. Labels and plain fields come from the entity, as those of a ModelForm come from its model."""

from collections.abc import Callable
from dataclasses import MISSING, replace
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from functools import partial
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ImproperlyConfigured
from django.forms.forms import DeclarativeFieldsMetaclass

from dynamodb_lists.schema import entities
from portal.forms.fields import DayField, TextField, TimeField, YesNoField
from portal.forms.numbers import AmountField, WholeField

TEXT_LENGTH = 200
"""The most characters of a plain text field: names, titles, labels."""

DIGITS = 38
"""The most digits of a number in DynamoDB."""


_PLAIN: dict[Any, Callable[..., forms.Field]] = {
    str: partial(TextField, max_length=TEXT_LENGTH),
    int: WholeField,
    Decimal: partial(AmountField, max_digits=DIGITS),
    datetime: TimeField,
    date: DayField,
    bool: YesNoField,
}


def form_field(field: entities.Field) -> forms.Field:
    """The form field of a field that is one value. A field that may be ``None`` may stay blank.

    Raises :class:`ImproperlyConfigured` for a type that has none, such as a list.
    """
    options: dict[str, Any] = {"label": field.label, "required": not (field.blank or field.may_be_none)}
    if field.type in _PLAIN:
        return _PLAIN[field.type](**options)
    if isinstance(field.type, type) and issubclass(field.type, StrEnum):
        choices = [("", "-"), *((member.value, member.value) for member in field.type)]
        return forms.TypedChoiceField(choices=choices, coerce=field.type, empty_value=None, **options)
    way = "Declare it in the form, or describe it with entered=False."
    raise ImproperlyConfigured(f"{field.name}: there is no form field for {field.hint!r}. {way}")


class EntityFormMetaclass(DeclarativeFieldsMetaclass):
    """Adds the entity's fields that the form does not declare itself, and gives every field its label."""

    def __new__(mcs, name: str, bases: tuple[type, ...], attrs: dict[str, Any]) -> Any:
        inherited = {field for base in bases for field in getattr(base, "base_fields", ())}
        described = entities.fields(attrs["entity"]) if "entity" in attrs else ()
        for field in described:
            if field.entered and field.name not in inherited and field.name not in attrs:
                attrs[field.name] = form_field(field)
            if isinstance(declared := attrs.get(field.name), forms.Field):
                declared.label = declared.label or field.label
        if described:
            attrs.setdefault("field_order", [field.name for field in described])
        return super().__new__(mcs, name, bases, attrs)


class EntityForm(forms.Form, metaclass=EntityFormMetaclass):
    """A form of an ``entity``. A field that needs more than its type says is declared in the form."""

    entity: ClassVar[type]

    def values(self) -> dict[str, Any]:
        """The cleaned values of the fields that people enter, once the form is valid.

        A blank field is ``None`` if its type allows it; otherwise it has the entity's default.
        """
        defaults = entities.defaults(self.entity)
        found = {}
        for field in entities.fields(self.entity):
            if not field.entered or field.name not in self.cleaned_data:
                continue
            value = self.cleaned_data[field.name]
            if field.may_be_none:
                found[field.name] = None if value == "" else value
            elif value is not None or defaults[field.name] is not MISSING:
                found[field.name] = defaults[field.name] if value is None else value
        return found

    def new(self, **others: Any) -> Any:
        """The entity that the form describes, with these values of the fields that nobody enters."""
        return self.entity(**self.values(), **others)

    def changed(self, stored: Any) -> Any:
        """The stored entity with the form's values."""
        return replace(stored, **self.values())
