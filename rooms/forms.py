"""Query strings and rooms from outside, parsed and checked."""

from decimal import Decimal
from typing import Any

from django import forms
from django.core.validators import RegexValidator

from hotelapp.dynamodb.facets import Selection
from hotelapp.dynamodb.keys import SLUG_LENGTH
from hotelapp.portal.fields import CurrencyField, HotelField, precision_problem
from hotelapp.portal.forms import ListForm, ManyField
from rooms import keys
from rooms.values import Hotel, Room, RoomQuery

FILTERS = ("view", "type", "size", "size_min", "size_max", "sort")
NUMBER_LENGTH = 16
LABEL_LENGTH = 200
NUMBER_PATTERN = r"^\w[\w .\-]*\Z"
NUMBER_HELP = "A room number has up to 16 letters, digits, spaces, dots and dashes, and begins with a letter or digit."


class NumberField(forms.CharField):
    """A room number, or the beginning of one, as it stands in keys."""

    def __init__(self, *, required: bool = True) -> None:
        help_ = RegexValidator(NUMBER_PATTERN, NUMBER_HELP)
        super().__init__(required=required, max_length=NUMBER_LENGTH, validators=[help_])

    def to_python(self, value: Any) -> str:
        """The text normalised."""
        return keys.number(super().to_python(value) or "")


class SlugField(forms.CharField):
    """A view or a type as it stands in keys: ``sea-view``."""

    def __init__(self) -> None:
        super().__init__(
            max_length=SLUG_LENGTH, validators=[RegexValidator(r"^[\w-]+\Z", "Not a value of this filter.")]
        )


class SizeField(forms.IntegerField):
    """A size in whole square metres, 1 to 9999."""

    def __init__(self, *, required: bool = False) -> None:
        super().__init__(required=required, min_value=1, max_value=keys.MAX_SIZE)


class RoomsForm(ListForm):
    """The room list's query string."""

    view = ManyField(SlugField())
    type = ManyField(SlugField())
    size = ManyField(SizeField())
    size_min = SizeField()
    size_max = SizeField()
    sort = forms.ChoiceField(required=False, choices=[(way + name, name) for name in keys.FACETS for way in ("", "-")])
    then = forms.ChoiceField(required=False, choices=[(name, name) for name in keys.FACETS])
    number = NumberField(required=False)

    def clean(self) -> dict[str, Any]:
        """Refuse what contradicts itself, naming the field to change.

        A second sort without a first one, or equal to it, says nothing and is dropped: that is what the page's own
        controls send when the first one is changed.
        """
        data = super().clean() or self.cleaned_data
        low, high = data.get("size_min"), data.get("size_max")
        if low and high and low > high:
            self.add_error("size_min", f"The smallest size ({low} m²) is above the largest ({high} m²).")
        if "then" in data and data.get("sort", "").removeprefix("-") in {"", data["then"]}:
            data["then"] = ""
        if data.get("number") and any(name in self.params for name in FILTERS):
            self.add_error("number", "Searching by number cannot be combined with filters or a sort.")
        return data

    def query(self) -> RoomQuery:
        """What the reader asks for. Call it after :meth:`checked`."""
        data = self.cleaned_data
        return RoomQuery(
            selection=self._selection(),
            sort=data["sort"].removeprefix("-"),
            then=data["then"],
            descending=data["sort"].startswith("-"),
            page_size=data["page_size"],
            cursor=data["cursor"],
        )

    def _selection(self) -> Selection:
        data = self.cleaned_data
        values = {
            keys.VIEW: frozenset(data["view"]),
            keys.SIZE: frozenset(map(keys.size, data["size"])),
            keys.TYPE: frozenset(data["type"]),
        }
        bounds = {}
        if data["size_min"] or data["size_max"]:
            bounds[keys.SIZE] = keys.size(data["size_min"] or 0), keys.size(data["size_max"] or keys.MAX_SIZE)
        return Selection({facet: allowed for facet, allowed in values.items() if allowed}, bounds)


class RoomForm(forms.Form):
    """A room as somebody writes it: by hand, or as a row of a file."""

    number = NumberField()
    view = forms.CharField(required=False, max_length=LABEL_LENGTH)
    size = SizeField(required=True)
    type = forms.CharField(required=False, max_length=LABEL_LENGTH)
    rate = forms.DecimalField(min_value=Decimal(0), max_digits=18)
    currency = CurrencyField()

    def clean(self) -> dict[str, Any]:
        """Refuse a rate with more decimals than its currency has."""
        data = super().clean() or self.cleaned_data
        if problem := precision_problem(data.get("rate"), data.get("currency")):
            self.add_error("rate", problem)
        return data

    def room(self, hotel_id: str) -> Room:
        """The room, once the form is valid."""
        names = ("number", "view", "size", "type", "rate", "currency")
        return Room(hotel_id=hotel_id, **{name: self.cleaned_data[name] for name in names})


class RoomRowForm(RoomForm):
    """A line of a room file: the room and its hotel."""

    hotel_id = HotelField()
    hotel_name = forms.CharField(max_length=LABEL_LENGTH)
    city = forms.CharField(required=False, max_length=LABEL_LENGTH)

    def hotel(self) -> Hotel:
        """The hotel, once the form is valid."""
        return Hotel(self.cleaned_data["hotel_id"], self.cleaned_data["hotel_name"], self.cleaned_data["city"])
