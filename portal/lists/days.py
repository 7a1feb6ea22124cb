"""The days of a list: one range, or a preset such as "yesterday", in the time zone of what the list is about."""

from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from typing import Any, ClassVar, NamedTuple, TypeVar

from django import forms
from django.core.exceptions import ValidationError

from dynamodb_lists import Days, Query, on_days, on_days_of
from portal.forms.fields import DayField
from portal.lists.forms import ListForm, SortColumn, SortField
from portal.times import day, is_zone, midnight, today_in

T = TypeVar("T")


class Preset(NamedTuple):
    """Days that are named by their distance from today: its words, and its first and its last day, if any."""

    label: str
    days: Callable[[date], tuple[date | None, date | None]]


def month_days(of: date) -> tuple[date, date]:
    """Return the first and the last day of a day's month."""
    first = of.replace(day=1)
    return first, (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)


PRESETS: Mapping[str, Preset] = {
    "tomorrow": Preset("Tomorrow", lambda today: (today + timedelta(days=1),) * 2),
    "today": Preset("Today", lambda today: (today, today)),
    "yesterday": Preset("Yesterday", lambda today: (today - timedelta(days=1),) * 2),
    "last-7-days": Preset("Last 7 days", lambda today: (today - timedelta(days=6), today)),
    "last-30-days": Preset("Last 30 days", lambda today: (today - timedelta(days=29), today)),
    "this-month": Preset("This month", month_days),
    "last-month": Preset("Last month", lambda today: month_days(today.replace(day=1) - timedelta(days=1))),
    "older-than-7-days": Preset("Older than 7 days", lambda today: (None, today - timedelta(days=7))),
    "older-than-30-days": Preset("Older than 30 days", lambda today: (None, today - timedelta(days=30))),
}


class DaysForm(ListForm):
    """A list by time, of all days, of a preset, or of whole days from ``from`` to ``to``, both included.

    A typed day takes the place of a preset. The newest come first.
    """

    offered: ClassVar = tuple(PRESETS)[1:]
    """The presets that the list offers."""
    sort = SortField([SortColumn("date", "Date", "oldest first", "newest first")], "-date")
    days = forms.ChoiceField(choices=[(name, preset.label) for name, preset in PRESETS.items()], required=False)
    zone = forms.CharField(required=False, max_length=64, label="Time zone", widget=forms.HiddenInput)
    """Links from figures that count UTC days set it."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name in ("from", "to"):  # "from" is a keyword of Python, so it cannot be an attribute
            self.fields[name] = DayField(label=name)

    def clean_zone(self) -> str:
        name: str = self.cleaned_data["zone"]
        if name and not is_zone(name):
            raise ValidationError("Enter a time zone, for example: Europe/Paris.")
        return name

    def clean(self) -> dict[str, Any]:
        """Refuse a range that has no days, with an error on the field to change."""
        data = super().clean()
        first, last = data.get("from"), data.get("to")
        if first and last and first > last:
            self.add_error("from", f"The first day ({day(first)}) is after the last one ({day(last)}).")
        if first or last:
            data["days"] = ""
        return data

    def span(self, time_zone: str = "") -> Days:
        """Return when the days begin, and when the day after them begins, in a zone or in that of the address."""
        zone = self.cleaned_data["zone"] or time_zone
        preset = PRESETS.get(self.cleaned_data["days"])
        first, last = preset.days(today_in(zone)) if preset else (self.cleaned_data["from"], self.cleaned_data["to"])
        return first and midnight(first, zone), last and midnight(last + date.resolution, zone)

    def asked(self, query: Query[T], *sort: str, zones: str | Mapping[str, str] = "") -> Query[T]:
        """Return a query in the order of the form, on its days. The days are those of the first sort field.

        The days are in one time zone or, for things of hotels, in the zone of each hotel, by its id.
        """
        if isinstance(zones, str):
            days = on_days(self.span(zones))
        else:
            days = on_days_of("hotel_id", {hotel_id: self.span(zone) for hotel_id, zone in zones.items()})
        chosen = query.where(**{sort[0]: days}) if self.days_set else query
        return chosen.order_by(*sort, descending=self.order.descending)

    @property
    def days_set(self) -> list[str]:
        """The names of the fields that limit the days."""
        return [name for name in ("days", "from", "to") if self.cleaned_data.get(name)]

    @property
    def days_words(self) -> str:
        """Return the days as people read them, with the zone if the address names one."""
        data = self.cleaned_data
        if data["days"]:
            return PRESETS[data["days"]].label
        first, last = (data[name] and day(data[name]) for name in ("from", "to"))
        words = " – ".join(dict.fromkeys(filter(None, (first, last))))
        return f"{'' if first and last else 'from ' if first else 'until '}{words} {data['zone']}".rstrip()

    @property
    def presets(self) -> Iterator[tuple[str, str, bool]]:
        """The presets: their names, their words, and whether one is set."""
        return ((name, PRESETS[name].label, name == self.cleaned_data["days"]) for name in self.offered)
