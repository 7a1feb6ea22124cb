"""The form of the search's query string."""

from django import forms

from hotelapp.dynamodb.schema.words import WordQuery, typed
from hotelapp.portal.forms.fields import SearchField


class SearchForm(forms.Form):
    """What to search for."""

    q = SearchField(label="Search")

    @property
    def query(self) -> WordQuery | None:
        """The words to search for; ``None`` if nothing was typed. Call it once the form is valid."""
        return typed(self.cleaned_data["q"])
