"""Forms of rows, on their pages and in lists, with the values that were shown and those that the editor has changed."""

from collections.abc import Collection
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from django import forms
from django.utils.translation import gettext

from dynamodb_lists.connection.errors import Conflict, DynamoDBError, Unreadable, WrongValue
from dynamodb_lists.declared.told import Told, vars_of
from dynamodb_lists.django.admin.rows import KEY, as_seen, entity_value
from dynamodb_lists.lists.edits import Edit
from dynamodb_lists.schema.entities import build, by_name, fields

OUT_OF_SIGHT = "You may not see rows with this value, so it cannot be saved."
MEANWHILE = "Somebody else changed this to “%(stored)s” while you edited it. Save again to save what is here now."


class EditedField(NamedTuple):
    """A field that somebody else has changed. ``mine`` is the editor's value; ``None`` if it was not edited."""

    name: str
    label: str
    seen: str
    stored: str
    mine: str | None


def differences(stored: Any, edit: Edit, hidden: Collection[str]) -> list[EditedField]:
    """Return the fields in which the seen, the stored and the entered values differ, except ``hidden`` ones."""
    found = []
    for field in fields(stored.__class__):
        now, before = as_seen(getattr(stored, field.name)), edit.seen.get(field.name, "")
        mine = as_seen(edit.changes[field.name]) if field.name in edit.changes else None
        if field.compared and field.name not in hidden and (now != before or mine not in (None, now)):
            found.append(EditedField(field.name, field.label, before, now, mine))
    return found


class RowForm(forms.ModelForm):  # type: ignore[type-arg]
    """The form of a row, and the base of each ``form`` of a class.

    It refuses values that keys cannot hold, such as a longer number, and values that would hide the row from its user.
    """

    refused: ClassVar[DynamoDBError | None] = None
    """Why the write was refused that this form asked for: the id is in use, or DynamoDB takes no such item."""
    visible: ClassVar[Any] = None
    """The query of the rows that the user may see."""

    def clean(self) -> dict[str, Any]:
        """Check each value as it will be written."""
        super().clean()
        values, row = self.values(), self.instance
        declared, seen = row.listed.declaration, row.entity
        for name, value in values.items():
            try:
                declared.checked(name, value)
            except WrongValue as error:
                self.add_error(name, str(error))
        if not (self.errors or isinstance(declared, Told)):
            try:
                row.listed.checked(replace(seen, **values) if seen else build(declared.entity, values))
            except WrongValue as error:
                self.add_error(error.field if error.field in self.fields else None, str(error))
            except Unreadable:  # it lacks a value that a subclass sets
                pass
        if seen and not (self.errors or self.visible.matches(replace(seen, **values))):
            by = (name for name, value in values.items() if not self.visible.matches(replace(seen, **{name: value})))
            self.add_error(next(by, None), gettext(OUT_OF_SIGHT))
        if self.refused:
            of_id = isinstance(self.refused, Conflict) and declared.id_field in self.fields
            self.add_error(declared.id_field if of_id else None, str(self.refused))
        return self.cleaned_data

    def values(self) -> dict[str, Any]:
        """Return the values that are valid, as the entity has them."""
        described = by_name(self.instance.listed.declaration.entity)
        given = {name: value for name, value in self.cleaned_data.items() if name in described}
        return {name: entity_value(described[name], value) for name, value in given.items()}


class ListedForm(RowForm):
    """The form of a row in a list. It names the fields that somebody else has changed since the row was shown."""

    has_conflict = False
    not_saved: ClassVar[dict[str, str]] = {}
    """Why rows could not be written, by their keys."""

    @property
    def shown(self) -> str:
        """Return what the list sends about the row that it shows."""
        if self.is_bound:
            return str(self.data.get(self.add_prefix("seen"), ""))
        values = vars_of(self.instance.entity)
        return Edit.shown({name: values[name] for name in self.fields if name in values}, as_seen)

    @cached_property
    def edit(self) -> Edit:
        return Edit(vars_of(self.instance.entity), self.values(), Edit.read(self.shown), as_seen)

    def has_changed(self) -> bool:
        return bool(self.errors or self.edit.needed)

    def clean(self) -> dict[str, Any]:
        super().clean()
        if self.instance.pk in self.not_saved:
            self.add_error(None, self.not_saved[self.instance.pk])
        self.has_conflict = not (self.errors or self.edit.up_to_date) and bool(self.edit.needed)
        for each in differences(self.instance.entity, self.edit, ()) if self.has_conflict else ():
            if each.name in self.fields and each.stored != each.seen:
                self.add_error(each.name, gettext(MEANWHILE) % {"stored": each.stored or "-"})
        return self.cleaned_data

    def renew(self) -> None:
        """Take the stored values of fields that the editor has not changed, unless an entered value is wrong."""
        if self.has_conflict or not self.errors:
            self.is_bound, self.initial = False, {**self.initial, **self.edit.changes}


class RowFormSet(forms.BaseModelFormSet):  # type: ignore[type-arg]
    """The forms of the rows of a list, without rows that are deleted."""

    queryset: Any

    def get_queryset(self) -> Any:
        return self.queryset

    @cached_property
    def forms(self) -> list[Any]:
        return [form for form in super().forms if form.instance.entity]

    def add_fields(self, form: Any, index: int | None) -> None:
        form.fields[KEY] = forms.CharField(initial=form.instance.pk, widget=forms.HiddenInput())
