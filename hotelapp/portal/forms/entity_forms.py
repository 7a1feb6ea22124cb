"""Forms of entities. Labels and plain fields come from the entity, as those of a ModelForm come from its model."""

from decimal import Decimal
from typing import Any

from django import forms
from django.forms.forms import DeclarativeFieldsMetaclass

from hotelapp.dynamodb.schema import entities
from hotelapp.portal.forms.fields import TextField

TEXT_LENGTH = 200
"""The most characters of a plain text field: names, titles, labels."""


def form_field(field: entities.Field) -> forms.Field:
    """The form field of a plain field: text, a whole number or a decimal."""
    options: dict[str, Any] = {"label": field.label, "required": not field.blank}
    if field.hint is str:
        return TextField(max_length=TEXT_LENGTH, **options)
    plain: dict[Any, type[forms.Field]] = {int: forms.IntegerField, Decimal: forms.DecimalField}
    return plain[field.hint](**options)


class EntityFormMetaclass(DeclarativeFieldsMetaclass):
    """Adds the entity's fields that the form does not declare itself, and gives every field its label."""

    def __new__(mcs, name: str, bases: tuple[type, ...], attrs: dict[str, Any]) -> Any:
        """The form class."""
        inherited = {field for base in bases for field in getattr(base, "base_fields", ())}
        described = entities.fields(attrs["entity"]) if "entity" in attrs else ()
        for field in described:
            if field.entered and field.name not in inherited:
                attrs.setdefault(field.name, form_field(field))
            if isinstance(declared := attrs.get(field.name), forms.Field):
                declared.label = declared.label or field.label
        if described:
            attrs.setdefault("field_order", [field.name for field in described])
        return super().__new__(mcs, name, bases, attrs)


class EntityForm(forms.Form, metaclass=EntityFormMetaclass):
    """A form of an ``entity``. A field that needs more than its type says is declared in the form."""

    def values(self, entity: type) -> dict[str, Any]:
        """The cleaned values of an entity's fields, once the form is valid. Blank numbers get the entity's default."""
        names = [field.name for field in entities.fields(entity)]
        return {name: self.cleaned_data[name] for name in names if self.cleaned_data.get(name) is not None}
