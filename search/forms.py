"""The form of the search's query string."""

from django import forms

from hotelapp.portal.forms.fields import SearchField


class SearchForm(forms.Form):
    """The text to search for."""

    q = SearchField(label="Search")
