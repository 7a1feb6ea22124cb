"""Forms of rooms: the query string of the list, and rooms in files."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator

from hotelapp.dynamodb.planning.selection import Selection
from hotelapp.dynamodb.schema import entities
from hotelapp.dynamodb.schema.keys import SLUG_LENGTH
from hotelapp.portal.forms.entity_forms import TEXT_LENGTH, EntityForm, form_field
from hotelapp.portal.forms.fields import (
    CurrencyField,
    DayField,
    HotelField,
    LineField,
    RevisionField,
    precision_problem,
)
from hotelapp.portal.forms.parameters import ManyField
from hotelapp.portal.lists.forms import ListForm
from hotelapp.portal.lists.sorting import SortColumn
from hotels.entities import Hotel
from hotels.forms import TimeZoneField
from rooms import keys
from rooms.entities import RateRange, Room, RoomQuery, StatusChange
from rooms.statuses import STATUSES, Housekeeping, Service, status_words

FILTERS = (*keys.FACETS, "size_min", "size_max", "rate_min", "rate_max", "status")
NUMBER_LENGTH = 16
MAX_QUERY = 8190  # of an address, as the server takes it
NUMBER_PATTERN = r"^\w[\w .\-]*\Z"
RESERVED_NUMBERS = {"add", "change"}  # words in addresses below /hotels/<hotel>/rooms/
NUMBER_HELP = "A room number has up to 16 letters, digits, spaces, dots and dashes, and begins with a letter or digit."


def _words(statuses: type[Service] | type[Housekeeping]) -> list[tuple[str, str]]:
    """The values of a status and their words: "Out of order"."""
    return [(status.value, status_words(status)) for status in statuses]


def _status_change(data: Mapping[str, Any], until: date | None) -> StatusChange:
    return StatusChange(
        Housekeeping(data["housekeeping"]) if data["housekeeping"] else None,
        Service(data["service"]) if data["service"] else None,
        data["reason"] or None,
        until,
    )


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


class RateField(forms.DecimalField):
    """A rate for a night, in major units of the hotel's currency."""

    def __init__(self, **options: Any) -> None:
        widget = forms.NumberInput(attrs={"inputmode": "decimal", "step": "any"})
        super().__init__(min_value=Decimal(0), max_digits=keys.RATE_DIGITS, widget=widget, **options)


class NumberSearchForm(forms.Form):
    """The search for rooms by the beginning of their number."""

    number = NumberField(
        required=False,
        label="Room number begins with",
        widget=forms.TextInput(attrs={"type": "search", "placeholder": "Room number", "autocomplete": "off"}),
    )


class RoomsForm(NumberSearchForm, ListForm):
    """The room list's query string."""

    sort_columns = (
        *(SortColumn(name, entities.field(Room, name).label) for name in keys.FACETS),
        SortColumn(keys.RATE, "Rate", "lowest first", "highest first", second=False),
    )
    second_sort = True

    view = ManyField(SlugField())
    type = ManyField(SlugField())
    size = ManyField(SizeField())
    size_min = SizeField(required=False, label="From m²")
    size_max = SizeField(required=False, label="to m²")
    rate_min = RateField(required=False, label="Rate from")
    rate_max = RateField(required=False, label="to")
    status = ManyField(forms.ChoiceField(choices=[(status.value, status.value) for status in STATUSES]))

    def clean(self) -> dict[str, Any]:
        """Refuse values that contradict each other, and name the field to change."""
        data = super().clean()
        low, high = data.get("size_min"), data.get("size_max")
        if low and high and low > high:
            self.add_error("size_min", f"The smallest size ({low} m²) is above the largest ({high} m²).")
        cheapest, dearest = data.get("rate_min"), data.get("rate_max")
        if cheapest is not None and dearest is not None and cheapest > dearest:
            self.add_error("rate_min", f"The lowest rate ({cheapest}) is above the highest ({dearest}).")
        if data.get("number") and any(name in self.params for name in FILTERS):
            self.add_error("number", "A search by number cannot be combined with filters.")
        elif data.get("number") and data.get("sort"):
            self.add_error("sort", "Rooms found by number are in the order of their numbers.")
        return data

    @property
    def sortable(self) -> bool:
        """Rooms found by number are in the order of their numbers."""
        return not self.cleaned_data["number"]

    def query(self, currency: str) -> RoomQuery:
        """What the reader asks for. Rates are in ``currency``, which is the hotel's. Call it after :meth:`checked`.

        Raises :class:`BadParameters` for rates in a hotel whose currency is unknown.
        """
        return RoomQuery(
            selection=self._selection(),
            sort=self.order.column,
            then=self.order.then,
            descending=self.order.descending,
            page_size=self.cleaned_data["page_size"],
            cursor=self.cleaned_data["cursor"],
            rates=self._rates(currency),
            statuses=frozenset(status for status in STATUSES if status in self.cleaned_data["status"]),
        )

    def _rates(self, currency: str) -> RateRange | None:
        low, high = self.cleaned_data["rate_min"], self.cleaned_data["rate_max"]
        if low is None and high is None:
            return None
        if not currency:
            name = "rate_max" if low is None else "rate_min"
            text = "The currency of this hotel is unknown. Edit the hotel, and enter it."
            raise self.refuse(name, text, str(self.cleaned_data[name]))
        return RateRange(currency, low, high)

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


class StatusForm(forms.Form):
    """A change of a room's status. What is blank stays as it is."""

    housekeeping = forms.ChoiceField(choices=[("", "keep"), *_words(Housekeeping)], required=False)
    service = forms.ChoiceField(choices=[("", "keep"), *_words(Service)], required=False)
    reason = LineField(required=False, max_length=TEXT_LENGTH, help_text="Why the room is out of order.")
    until = DayField(label="Until", help_text="The last day on which it is expected to be out of order, if known.")
    list = forms.CharField(required=False, max_length=MAX_QUERY, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        """A room that is out of order has a reason; one in service has neither a reason nor a day."""
        data = super().clean() or self.cleaned_data
        if data.get("service") == Service.OUT_OF_ORDER and not data.get("reason"):
            self.add_error("reason", "Say why the room is out of order.")
        return data

    def change(self) -> StatusChange:
        """The change, once the form is valid."""
        return _status_change(self.cleaned_data, self.cleaned_data["until"])


class AttentionForm(ListForm):
    """The query string of the rooms that need attention."""

    sort_columns = (SortColumn("date", "Since", "oldest first", "newest first"),)
    default_sort = "date"


class RoomForm(EntityForm):
    """A room that a person or a file describes."""

    entity = Room
    number = NumberField(help_text=NUMBER_HELP)
    size = SizeField(help_text="In whole square metres.")
    rate = RateField()
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
        values = {name: self.cleaned_data[name] for name in entities.entered(Room)}
        return Room(hotel_id=hotel_id, **values)


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
    """A line of a room file: the room and its hotel. The columns of the status and the time zone may be missing."""

    hotel_id = HotelField()
    hotel_name = form_field(entities.field(Hotel, "name"))
    city = form_field(entities.field(Hotel, "city"))
    time_zone = TimeZoneField(required=False)
    housekeeping = forms.ChoiceField(choices=_words(Housekeeping), required=False)
    service = forms.ChoiceField(choices=_words(Service), required=False)
    reason = LineField(required=False, max_length=TEXT_LENGTH)
    out_of_order_until = DayField()

    def hotel(self) -> Hotel:
        """The hotel, once the form is valid. The currency of its rooms is that of the hotel."""
        data = self.cleaned_data
        return Hotel(
            data["hotel_id"],
            data["hotel_name"],
            data["city"],
            currency=data["currency"],
            time_zone=data["time_zone"],
        )

    def status(self) -> StatusChange:
        """What the row says of the room's status, once the form is valid."""
        data = self.cleaned_data
        return _status_change(data, data["out_of_order_until"])
