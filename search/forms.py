from django import forms

from portal.forms.fields import HotelField, SearchField


class ChoicesForm(forms.Form):
    """What a picker asks for: things of a kind that a text finds, rooms and items of a hotel."""

    kind = forms.CharField(max_length=16, required=False)
    q = SearchField()
    hotel = HotelField(required=False)


class SearchForm(forms.Form):
    """The text to search for. The palette says on which hotel's page it is open, and that Enter opens the first hit."""

    q = SearchField(label="Search")
    hotel = HotelField(required=False)
    first = forms.BooleanField(required=False)
