from collections.abc import Sequence
from typing import Any

from django import forms

from portal.forms.fields import LineField
from saved_views.models import NAME_LENGTH

ME = ":me"
"""The choice of a view for oneself. No hotel has this id."""


class RenameForm(forms.Form):
    name = LineField(max_length=NAME_LENGTH, widget=forms.TextInput(attrs={"autofocus": True, "dir": "auto"}))


class SaveForm(RenameForm):
    """A new view: its name, and who has it: oneself, or everyone at the hotel of the list, if the user may share it."""

    hotel = forms.ChoiceField(label="For whom")

    def __init__(self, *args: Any, everyone: Sequence[tuple[str, str]] = (), **options: Any) -> None:
        super().__init__(*args, **options)
        if everyone:
            self.fields["hotel"].choices = [(ME, "Only me"), *everyone]  # type: ignore[attr-defined]
        else:
            del self.fields["hotel"]
