"""Forms of rooms: the query string of the list, and rooms in files."""

from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator

from hotelapp.dynamodb.planning.selection import Selection
from hotelapp.dynamodb.schema import entities
from hotelapp.dynamodb.schema.keys import SLUG_LENGTH
from hotelapp.portal.forms.entity_forms import TEXT_LENGTH, EntityForm, form_field
from hotelapp.portal.forms.fields import CurrencyField, HotelField, LineField, RevisionField, precision_problem
from hotelapp.portal.forms.parameters import ManyField
from hotelapp.portal.lists.forms import ListForm
from hotelapp.portal.lists.sorting import SortColumn
from hotels.entities import Hotel
from rooms import keys
from rooms.entities import Room, RoomQuery

FILTERS = (*keys.FACETS, "size_min", "size_max")
NUMBER_LENGTH = 16
NUMBER_PATTERN = r"^\w[\w .\-]*\Z"
RESERVED_NUMBERS = {"add"}  # /hotels/<hotel>/rooms/add/ is another page
NUMBER_HELP = "A room number has up to 16 letters, digits, spaces, dots and dashes, and begins with a letter or digit."


class NumberField(forms.CharField):
    """A room number, or the beginning of one, as keys hold it."""

    def __init__(self, **options: Any) -> None:
        pattern = RegexValidator(NUMBER_PATTERN, NUMBER_HELP)
        super().__init__(max_length=NUMBER_LENGTH, validators=[pattern], **options)

    def to_python(self, value: Any) -> str:
        """The text, normalised."""
        return keys.number(super().to_python(value) or "")


class SlugField(forms.CharField):
    """A view or a type as keys hold it: ``sea-view``."""

    def __init__(self) -> None:
        super().__init__(
            max_length=SLUG_LENGTH, validators=[RegexValidator(r"^[\w-]+\Z", "Not a value of this filter.")]
        )


class SizeField(forms.IntegerField):
    """A size in whole square metres, 1 to 9999."""

    def __init__(self, **options: Any) -> None:
        widget = forms.NumberInput(attrs={"inputmode": "numeric"})
        super().__init__(min_value=1, max_value=keys.MAX_SIZE, widget=widget, **options)


class NumberSearchForm(forms.Form):
    """The search for rooms by the beginning of their number."""

    number = NumberField(
        required=False,
        label="Room number begins with",
        widget=forms.TextInput(attrs={"type": "search", "placeholder": "Room number", "autocomplete": "off"}),
    )


class RoomsForm(NumberSearchForm, ListForm):
    """The room list's query string."""

    sort_columns = tuple(SortColumn(name, entities.field(Room, name).label) for name in keys.FACETS)
    second_sort = True
    always_shown = frozenset({"number"})

    view = ManyField(SlugField())
    type = ManyField(SlugField())
    size = ManyField(SizeField())
    size_min = SizeField(required=False, label="From m²")
    size_max = SizeField(required=False, label="to m²")

    def clean(self) -> dict[str, Any]:
        """Refuse values that contradict each other, and name the field to change."""
        data = super().clean()
        low, high = data.get("size_min"), data.get("size_max")
        if low and high and low > high:
            self.add_error("size_min", f"The smallest size ({low} m²) is above the largest ({high} m²).")
        if data.get("number") and any(name in self.params for name in FILTERS):
            self.add_error("number", "A search by number cannot be combined with filters.")
        elif data.get("number") and data.get("sort"):
            self.add_error("sort", "Rooms found by number are in the order of their numbers.")
        return data

    @property
    def sortable(self) -> bool:
        """Rooms found by number are in the order of their numbers."""
        return not self.cleaned_data["number"]

    @property
    def filterable(self) -> bool:
        """A search by number cannot be combined with filters."""
        return not self.cleaned_data["number"]

    def query(self) -> RoomQuery:
        """What the reader asks for. Call it after :meth:`checked`."""
        return RoomQuery(
            selection=self._selection(),
            sort=self.order.column,
            then=self.order.then,
            descending=self.order.descending,
            page_size=self.cleaned_data["page_size"],
            cursor=self.cleaned_data["cursor"],
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


class RoomForm(EntityForm):
    """A room that a person or a file describes."""

    entity = Room
    number = NumberField(help_text=NUMBER_HELP)
    size = SizeField(help_text="In whole square metres.")
    rate = forms.DecimalField(min_value=Decimal(0), max_digits=18)
    currency = CurrencyField()

    def clean_number(self) -> str:
        """Refuse a number that is a word in the portal's addresses."""
        number: str = self.cleaned_data["number"]
        if number in RESERVED_NUMBERS:
            raise ValidationError(f"“{number}” cannot be a room's number. Choose another one.")
        return number

    def clean(self) -> dict[str, Any]:
        """Refuse a rate with more decimals than its currency has."""
        data = super().clean() or self.cleaned_data
        if problem := precision_problem(data.get("rate"), data.get("currency")):
            self.add_error("rate", problem)
        return data

    def room(self, hotel_id: str) -> Room:
        """The room, once the form is valid."""
        return Room(**{**self.values(Room), "hotel_id": hotel_id})


class NewRoomForm(RoomForm):
    """A room that a person adds. Menus suggest the views and types of the hotel's other rooms."""

    hotel: Hotel | None = None
    room_before: Room | None = None
    view = LineField(required=False, max_length=TEXT_LENGTH, widget=forms.TextInput(attrs={"list": "views"}))
    type = LineField(required=False, max_length=TEXT_LENGTH, widget=forms.TextInput(attrs={"list": "types"}))

    def clean_currency(self) -> str:
        """Refuse a currency that is not the hotel's. A room keeps the currency that it has."""
        currency: str = self.cleaned_data["currency"]
        allowed = {self.hotel.currency if self.hotel else "", self.room_before.currency if self.room_before else ""}
        if self.hotel and self.hotel.currency and currency not in allowed:
            raise ValidationError(f"The prices of {self.hotel.name} are in {self.hotel.currency}.")
        return currency


class EditRoomForm(NewRoomForm):
    """A room to change, and the revision that the editor saw."""

    revision = RevisionField()


class RoomRowForm(RoomForm):
    """A line of a room file: the room and its hotel."""

    hotel_id = HotelField()
    hotel_name = form_field(entities.field(Hotel, "name"))
    city = form_field(entities.field(Hotel, "city"))

    def hotel(self) -> Hotel:
        """The hotel, once the form is valid. The currency of its rooms is that of the hotel."""
        data = self.cleaned_data
        return Hotel(data["hotel_id"], data["hotel_name"], data["city"], currency=data["currency"])
