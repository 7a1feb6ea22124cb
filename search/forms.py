"""The form of the search's query string."""

from django import forms

from hotelapp.portal.forms.fields import HotelField, SearchField


class SearchForm(forms.Form):
    """The text to search for. The palette says on which hotel's page it is open, and that Enter opens the first hit."""

    q = SearchField(label="Search")
    hotel = HotelField(required=False)
    first = forms.BooleanField(required=False)
