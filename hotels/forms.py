from functools import cache
from typing import Any
from zoneinfo import available_timezones

from django import forms

from hotels.entities import Hotel
from portal.forms.entity_forms import EntityForm
from portal.forms.fields import CurrencyField, HotelField, RevisionField, SearchField
from portal.forms.parameters import ManyField
from portal.lists.forms import LinkedField, ListForm


@cache
def time_zone_choices() -> list[tuple[str, str]]:
    """Return the time zones for a menu: UTC, then every place.

    Asking the machine for their names takes 10 ms, and each form and each file of rooms needs them.
    """
    places = sorted(name for name in available_timezones() if "/" in name and not name.startswith("Etc/"))
    return [("", "choose"), *((name, name.replace("_", " ")) for name in ("UTC", *places))]


class HotelsForm(ListForm):
    always_shown = ("q",)
    q = SearchField(label="Name, city or id begins with")


class OfHotelsForm(ListForm):
    """A list of some hotels; without a choice, of all hotels that the user sees."""

    hotel = ManyField(HotelField())
    choices = LinkedField({"hotel": "hotel"})


class TimeZoneField(forms.ChoiceField):
    def __init__(self, **options: Any) -> None:
        super().__init__(choices=time_zone_choices, **options)


class HotelForm(EntityForm):
    entity = Hotel
    currency = CurrencyField(help_text="Three letters, for example: EUR. All prices of the hotel are in it.")
    time_zone = TimeZoneField(help_text="For example: Europe/Paris. Figures of earlier orders do not change.")


class EditHotelForm(HotelForm):
    revision = RevisionField()


class NewHotelForm(HotelForm):
    """A hotel to add. Its id is a part of addresses and keys, and cannot be changed later."""

    hotel_id = HotelField(help_text="For example: seaside. It is in links and files, and cannot be changed.")
