"""The forms of saved views."""

from collections.abc import Sequence

from django import forms

from portal.forms.fields import LineField
from saved_views.keys import NAME_LENGTH

ME = ":me"
"""The choice of a view for oneself. No hotel has this id."""


class RenameForm(forms.Form):
    """The name of a view."""

    name = LineField(max_length=NAME_LENGTH, widget=forms.TextInput(attrs={"autofocus": True, "dir": "auto"}))


class SaveForm(RenameForm):
    """A new view: its name, and who has it. ``hotels`` are those whose views the user may change: ids and names.

    ``first`` says that these are not all.
    """

    hotel = forms.ChoiceField(label="Who has it")

    def __init__(
        self, *args: object, hotels: Sequence[tuple[str, str]] = (), first: str = "", **options: object
    ) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        if hotels:
            everyone = [(hotel_id, f"Everyone at {name}") for hotel_id, name in hotels]
            self.fields["hotel"].choices = [(ME, "Only me"), *everyone]  # type: ignore[attr-defined]
            self.fields["hotel"].help_text = first and f"{first}. For another one, save a list of that hotel."
        else:
            del self.fields["hotel"]
