"""Form fields of rooms, and the query strings of their lists and of the cost lab."""

from collections.abc import Iterable
from decimal import Decimal
from enum import StrEnum
from typing import Any

from django import forms
from django.core.validators import RegexValidator

from dynamodb_lists import Query, begins, between
from dynamodb_lists.schema import entities
from hotels.forms import OfHotelsForm
from portal.forms.fields import PART_LENGTH, HotelField, NumberField
from portal.forms.numbers import AmountField, WholeField, amount_problem
from portal.forms.parameters import ManyField
from portal.lists.days import DaysForm
from portal.lists.forms import LinkedField, ListForm, PageSizeField, SortColumn, SortField
from rooms import keys
from rooms.entities import Room, with_status
from rooms.statuses import ATTENTION, STATUSES, Housekeeping, Service, status_words


def words_of(statuses: Iterable[StrEnum]) -> list[tuple[str, str]]:
    """Return the values of a status and their words: "Out of order"."""
    return [(status.value, status_words(status)) for status in statuses]


class SlugField(forms.CharField):
    """A view or a type as keys hold it: ``sea-view``."""

    def __init__(self) -> None:
        is_slug = RegexValidator(r"^[\w-]+\Z", "This filter has no such value.")
        super().__init__(max_length=PART_LENGTH, validators=[is_slug])


class SizeField(WholeField):
    """A size in whole square metres, 1 to 9999."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=1, max_value=keys.MAX_SIZE, **options)


class RateField(AmountField):
    """A rate for a night, in major units of the hotel's currency."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=Decimal(0), max_digits=keys.RATE_DIGITS, in_currency=True, **options)


NUMBER_SORT = SortColumn(keys.NUMBER, "Number")
HOUSEKEEPING = (Housekeeping.DIRTY, Housekeeping.CLEAN, Housekeeping.INSPECTED)
NEED_ATTENTION = "attention"
"""The tab of the housekeeping list that shows rooms with any of the statuses in :data:`ATTENTION`."""
TABS = {
    **{str(status): status_words(status) for status in (*HOUSEKEEPING, Service.OUT_OF_ORDER)},
    NEED_ATTENTION: "Dirty or out of order",
}
"""The tabs of the housekeeping list: values and words. The first one is the default."""
DRAWN_TABS = {tab: words for tab, words in TABS.items() if tab != Service.OUT_OF_ORDER}
"""Rooms out of order have a list of their own, that of repairs."""
FIRST_TAB = str(Housekeeping.DIRTY)
TABS_OF_HOTELS = {tab: words for tab, words in TABS.items() if tab == NEED_ATTENTION or tab in ATTENTION}
"""Those of the list of several hotels, whose statuses have a sparse list in each hotel."""
REPAIR_TABS = {"": "All", "overdue": "Overdue"}
BEGIN = "new-first", ["assign"]
"""What a bulk change begins with, from lists of housekeeping."""
FACET_SORTS = [SortColumn(name, entities.field(Room, name).label) for name in keys.FACETS]


class NumberedForm(ListForm):
    """The query string of a list that is narrowed by the beginning of a number, together with its other filters."""

    always_shown = ("number",)
    set_elsewhere = frozenset({"number"})  # its search is a form of its own

    number = NumberField(
        required=False,
        label="Room number begins with",
        widget=forms.TextInput(attrs={"type": "search", "placeholder": "Room number", "autocomplete": "off"}),
    )

    def full_clean(self) -> None:
        super().full_clean()
        self.searched = ""  # what the number finds is filtered and sorted, too


class RoomsForm(NumberedForm):
    set_elsewhere = NumberedForm.set_elsewhere | {keys.SIZE}  # single sizes are set by links alone

    choices = LinkedField({name: name for name in keys.LABELLED})
    sort = SortField([NUMBER_SORT, *FACET_SORTS, SortColumn(keys.RATE, "Rate", "lowest first", "highest first")])
    then = LinkedField({column.name: column.label for column in FACET_SORTS})
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
        return data

    @property
    def statuses(self) -> frozenset[Service | Housekeeping]:
        return frozenset(STATUSES).intersection(self.cleaned_data["status"])

    def narrowed(self, query: Query[Room], currency: str) -> Query[Room]:
        """The query with what the form asks. Rates are in ``currency``, the hotel's. Call it once the form is checked.

        A list without a sort is by number if numbers are found, or without a filter by a facet: no index of facets
        reads it for less. Raises :class:`BadParameters` for rates that the currency cannot have, and if it is unknown.
        """
        data, order = self.cleaned_data, self.order
        if data["number"]:
            query = query.where(number=begins(data["number"]))
        for name in keys.FACETS:
            if data[name]:
                query = query.where(**{name: data[name]})
        if data["size_min"] or data["size_max"]:
            query = query.where(size=between(data["size_min"], data["size_max"]))
        of_facets = [*query.asked.conditions] != ([keys.NUMBER] if data["number"] else [])
        if rates := self.rates(currency):
            query = query.where(currency=rates[0], rate=between(*rates[1:]))
        query = with_status(query, self.statuses) if self.statuses else query
        if order.column:
            then = [order.then] if order.then and order.column in keys.FACETS else []
            return query.order_by(order.column, *then, descending=order.descending)
        return query.order_by(keys.NUMBER) if data["number"] or not of_facets else query

    def rates(self, currency: str) -> tuple[str, Decimal | None, Decimal | None] | None:
        """Return the currency, the lowest and the highest rate; ``None`` for no limit. Raises:
        :class:`BadParameters`.
        """
        low, high = self.cleaned_data["rate_min"], self.cleaned_data["rate_max"]
        if low is None and high is None:
            return None
        if not currency:
            name = "rate_max" if low is None else "rate_min"
            text = "This hotel has no currency yet, so rates cannot be filtered. Edit the hotel to set one."
            raise self.refuse(name, text, str(self.cleaned_data[name]))
        for name, amount in (("rate_min", low), ("rate_max", high)):
            if problem := amount_problem(amount, currency):
                raise self.refuse(name, problem, str(self.cleaned_data[name]))
        return currency, low, high


def statuses_of(tab: str) -> frozenset[Service | Housekeeping]:
    return ATTENTION if tab == NEED_ATTENTION else frozenset(STATUSES).intersection({tab})


class AttentionOfHotelsForm(OfHotelsForm, DaysForm):
    """Rooms of several hotels that need attention, hotel by hotel.

    Within a hotel, the room that waits longest is first, and rooms that are out of order are last.
    """

    page_size = PageSizeField(50)  # as the list of a hotel
    status = LinkedField(TABS_OF_HOTELS, FIRST_TAB)
    sort = SortField([SortColumn("date", "Since", "oldest first", "newest first")], "date")


class RepairsForm(OfHotelsForm):
    """The rooms that are out of order, or only those that are for longer than expected; of several hotels, by hotel."""

    page_size = PageSizeField(50)
    status = LinkedField(REPAIR_TABS)


class AttentionForm(NumberedForm, DaysForm):
    """The query string of the housekeeping list: rooms by status, by number or by the time since when they have it.

    The days are those since when.
    """

    page_size = PageSizeField(50)  # about what one person cleans or checks in a day, so that nobody turns pages
    status = LinkedField(TABS, FIRST_TAB)
    sort = SortField([NUMBER_SORT, SortColumn("date", "Since", "oldest first", "newest first")], keys.NUMBER)

    def clean(self) -> dict[str, Any]:
        """Refuse the sort by time, and days, for rooms that have no such time."""
        data = super().clean()
        by_time = ["sort"] if data.get("sort", "").endswith("date") else self.days_set
        if not self.sortable:
            for name in by_time[:1]:
                self.add_error(name, "Only dirty rooms, and rooms out of order, have a “Since”.")
        return data

    @property
    def sortable(self) -> bool:
        return self.statuses <= ATTENTION

    @property
    def statuses(self) -> frozenset[Service | Housekeeping]:
        return statuses_of(self.cleaned_data.get("status", FIRST_TAB))

    @property
    def kept(self) -> list[tuple[str, list[str]]]:
        """The parameters that select the same rooms in the list of all rooms."""
        number = self.cleaned_data["number"]
        return [("status", sorted(self.statuses)), ("number", [number] if number else []), BEGIN]

    @property
    def filterable(self) -> bool:
        return self.sortable

    def narrowed(self, query: Query[Room]) -> Query[Room]:
        number = self.cleaned_data["number"]
        return query.where(number=begins(number)) if number else query


DRAWN = ("hotel", "view", "type", "size_min", "size_max", "rate_min", "rate_max", "sort")


class SeveralTexts(forms.TextInput):
    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        return [part.strip() for text in data.getlist(name) for part in text.split(",")]

    def format_value(self, value: Any) -> str:
        return ", ".join(value or ())


class LabForm(RoomsForm):
    """The selection, the hotel, and whether to run now.

    Fields that links set on the page of the list are visible here.
    """

    hotel = HotelField(required=False, label="Id of the hotel")
    run = forms.ChoiceField(choices=[("1", "Run")], required=False)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name in DRAWN:
            field = self.fields[name]
            if isinstance(field, SortField):
                field.widget = forms.Select(choices=field.offered)
            elif isinstance(field, ManyField):
                field.widget = SeveralTexts()  # type: ignore[assignment]

    def check_run(self) -> None:
        """Raise :class:`BadParameters` for filters that the lab does not compare, and for a run without a hotel."""
        for name in ("number", "status"):
            if self.cleaned_data[name]:
                raise self.refuse(name, "The lab does not compare this filter.")
        if self.cleaned_data["run"] and not self.cleaned_data["hotel"]:
            raise self.refuse("hotel", "Enter the id of a hotel.")
