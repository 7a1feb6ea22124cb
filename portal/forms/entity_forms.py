"""Forms of entities, and of the rows of files. Labels, and lines of text, come from the entity, as in a ModelForm."""

from collections.abc import Mapping
from dataclasses import MISSING, replace
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ImproperlyConfigured
from django.forms.forms import DeclarativeFieldsMetaclass
from django.utils.choices import flatten_choices

from dynamodb_lists.schema import entities
from portal.forms.fields import LineField

TEXT_LENGTH = 200
"""The most characters of a plain text field: names, titles, labels."""

MOST_NAMED = 10
"""The most choices that a message names. Of more, it names one as an example."""


class EntityFormMetaclass(DeclarativeFieldsMetaclass):
    """Gives every field its label, and adds the texts of the entity that the form does not declare itself."""

    def __new__(mcs, name: str, bases: tuple[type, ...], attrs: dict[str, Any]) -> Any:
        described = entities.fields(attrs["entity"]) if "entity" in attrs else ()
        for field in described:
            if field.entered and field.name not in attrs:
                if field.type is not str:
                    raise ImproperlyConfigured(f"{name} declares no field for {field.name}, which is {field.hint!r}.")
                optional = field.blank or field.may_be_none
                attrs[field.name] = LineField(required=not optional, max_length=TEXT_LENGTH)
            if isinstance(declared := attrs.get(field.name), forms.Field):
                declared.label = declared.label or field.label
        if described:
            attrs.setdefault("field_order", [field.name for field in described])
        return super().__new__(mcs, name, bases, attrs)


class EntityForm(forms.Form, metaclass=EntityFormMetaclass):
    """A form of an ``entity``. Fields that need more than their type says are declared in the form."""

    entity: ClassVar[type]

    def values(self) -> dict[str, Any]:
        """Return the cleaned values of the fields that people enter, once the form is valid.

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
        """Return the entity that the form describes; the arguments are the fields that nobody enters."""
        return self.entity(**self.values(), **others)

    def changed(self, stored: Any) -> Any:
        return replace(stored, **self.values())


class RowForm(forms.Form):
    """One form checks all rows of a file, one after another.

    A new form copies each of its fields, which takes more time than to check a row.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for field in self.fields.values():
            if isinstance(field, forms.ChoiceField):
                named = [str(value) for value, _ in flatten_choices(field.choices) if value]  # type: ignore[arg-type]
                if len(named) > MOST_NAMED:
                    named = [f"the values of this column, such as {named[-1]}"]
                text = f"“%(value)s” is not possible here. Choose one of: {', '.join(named)}."
                field.error_messages["invalid_choice"] = text

    def check(self, data: Mapping[str, Any]) -> bool:
        """Check the next row, and return whether it is valid. ``cleaned_data`` and ``errors`` are those of this row."""
        self.is_bound, self.data = True, data
        self.full_clean()
        return self.is_valid()
