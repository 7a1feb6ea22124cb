"""The forms to place an order with its items, and to correct the items of one that is only placed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, ClassVar, Self, cast

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BaseFormSet, formset_factory
from django.http import QueryDict
from django.utils import timezone

from hotelapp.dynamodb.schema.keys import SLUG_LENGTH
from hotelapp.dynamodb.writing.transactions import MAX_WRITES
from hotelapp.portal.forms.entity_forms import TEXT_LENGTH, EntityForm
from hotelapp.portal.forms.fields import (
    CurrencyField,
    HotelField,
    LineField,
    NumberField,
    RevisionField,
    precision_problem,
)
from orders.entities import CatalogueEntry, Order, OrderItem, total_of
from orders.forms.fields import OrderIdField, UsernameField
from orders.statuses import OPEN

MAX_ITEMS = MAX_WRITES - 10
"""The most items of an order. With the order and its guest, they fit into one transaction."""

MAX_QUANTITY = 9999
BLANK_LINES = 5
MORE_LINES = 10
TOO_MANY = f"An order has at most {MAX_ITEMS} items. Place a second order for the others."


FROM_CATALOGUE = ("name", "unit_price")
"""The fields of a line that may stay blank if the hotel has sold the item before."""


class ItemForm(EntityForm):
    """A line of an order."""

    entity = OrderItem
    sku = LineField(max_length=SLUG_LENGTH, widget=forms.TextInput(attrs={"list": "catalogue-items"}))
    name = LineField(max_length=TEXT_LENGTH)
    quantity = forms.IntegerField(min_value=1, max_value=MAX_QUANTITY)
    unit_price = forms.DecimalField(min_value=Decimal(0), max_digits=14)


class BaseLines(BaseFormSet):  # type: ignore[type-arg]
    """The lines of an order. Blank lines are left out."""

    no_items = "An order needs at least one item."
    default_error_messages = {
        "too_many_forms": TOO_MANY,
        "missing_management_form": "Some of the items did not arrive. Load the page again.",
    }

    def initial_form_count(self) -> int:
        return 0

    def clean(self) -> None:
        """Refuse an order without items."""
        if not self.filled():
            raise ValidationError(self.no_items)

    def filled(self) -> list[ItemForm]:
        """The lines that are not blank."""
        return [form for form in self.forms if form.has_changed()]


def _formset(form: type[ItemForm], lines: type[BaseLines], extra: int) -> type[BaseLines]:
    options: dict[str, Any] = {"max_num": MAX_ITEMS, "absolute_max": MAX_ITEMS + MORE_LINES, "validate_max": True}
    return cast(type[BaseLines], formset_factory(form, formset=lines, extra=extra, **options))


Lines = _formset(ItemForm, BaseLines, BLANK_LINES)


class LinesForm(forms.Form):
    """A form with the lines of an order."""

    formset: ClassVar[type[BaseLines]] = Lines

    def __init__(self, data: QueryDict | None = None, **options: Any) -> None:
        super().__init__(data, **options)
        self.lines = self.formset(data, prefix="items")

    def write(self, written: Sequence[Mapping[str, Any]], lines: int) -> None:
        """Fill in the lines of a form that was not sent, and add blank ones up to this number."""
        self.lines = self.formset(initial=written, prefix="items")
        self.lines.extra = min(lines, MAX_ITEMS)

    @classmethod
    def unchecked(cls, data: QueryDict, more: int = 0, **options: Any) -> Self:
        """The same form with ``more`` blank lines, the first of which has the focus. It is not validated yet."""
        sent = cls.formset(data, prefix="items").total_form_count()
        form = cls(initial=data.dict(), **options)
        form.write(
            [{name: data.get(f"items-{n}-{name}") for name in ItemForm.base_fields} for n in range(sent)], sent + more
        )
        for line in form.lines.forms[sent : sent + 1] if more else ():
            line.fields["sku"].widget.attrs["autofocus"] = True
        return form

    @property
    def running_total(self) -> Decimal:
        """The price of the lines so far. Lines without a readable quantity and price are left out."""
        return sum((_price(line) for line in self.lines), Decimal(0))

    def check_lines(self, currency: str | None) -> None:
        """Check the lines, and their prices against the currency. Raises :class:`ValidationError`."""
        if self.lines.is_valid():
            for form in self.lines.filled():
                if problem := precision_problem(form.cleaned_data["unit_price"], currency):
                    form.add_error("unit_price", problem)
        if not self.lines.is_valid() or any(form.errors for form in self.lines.filled()):
            raise ValidationError("Some items have errors. They are shown beside the items.")

    def items(self) -> tuple[OrderItem, ...]:
        """The lines, once the form is valid."""
        return tuple(form.new() for form in self.lines.filled())


class PlaceOrderForm(LinesForm):
    """An order to place. The form has the order's id, so that sending it twice places only one order."""

    order_id = OrderIdField(widget=forms.HiddenInput)
    username = UsernameField(label="Guest", help_text="The guest's username. The search at the top finds it by name.")
    hotel_id = HotelField(label="Hotel", widget=forms.TextInput(attrs={"list": "hotels"}))
    room_number = NumberField(label="Room", required=False)
    currency = CurrencyField(required=False, help_text="Blank: the hotel's.")

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("currency") == "":
            self.add_error("currency", "Enter the currency. The portal does not know that of the hotel.")
        self.check_lines(data.get("currency"))
        return data

    def order(self) -> Order:
        """The order, once the form is valid."""
        items = self.items()
        now = timezone.now()
        return Order(
            **self.cleaned_data,
            status=OPEN,
            placed_at=now,
            status_at=now,
            total=total_of(items),
            item_count=len(items),
            items=items,
        )


class CorrectedItemForm(ItemForm):
    """A line of an order that is corrected. A quantity of 0 removes it."""

    quantity = forms.IntegerField(min_value=0, max_value=MAX_QUANTITY)


class CorrectedLines(BaseLines):
    """The lines of an order that is corrected. Blank lines and those of quantity 0 are left out."""

    no_items = "An order needs at least one item. You may cancel the order instead."

    def filled(self) -> list[ItemForm]:
        return [form for form in super().filled() if form.cleaned_data.get("quantity") != 0]


class CorrectOrderForm(LinesForm):
    """The items and the room of an order to correct, and the revision that the editor saw. All else stays."""

    formset = _formset(CorrectedItemForm, CorrectedLines, 1)
    room_number = NumberField(label="Room", required=False)
    revision = RevisionField()

    def __init__(self, data: QueryDict | None = None, *, order: Order, **options: Any) -> None:
        super().__init__(data, **options)
        self._order = order
        if data is None:
            names = list(ItemForm.base_fields)
            written = [{name: getattr(item, name) for name in names} for item in order.items]
            self.write(written, len(written) + BLANK_LINES)

    def changed(self, order: Order) -> Order:
        return replace(order.with_items(self.items()), room_number=self.cleaned_data["room_number"])

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        self.check_lines(self._order.currency)
        return data


class HotelSoughtForm(forms.Form):
    """The query string of the part with a hotel's items: the hotel's id, or another text that its user has typed."""

    hotel_id = LineField(label="Hotel", required=False, max_length=TEXT_LENGTH)


class PlaceForForm(forms.Form):
    """The query string of the form's page: the guest, the hotel and its room, and the id of the order."""

    username = UsernameField(required=False)
    hotel_id = HotelField(required=False)
    room_number = NumberField(required=False)
    order_id = OrderIdField(required=False)


def _price(line: ItemForm) -> Decimal:
    try:
        quantity = line.fields["quantity"].clean(line["quantity"].value())
        unit_price = line.fields["unit_price"].clean(line["unit_price"].value())
    except ValidationError:
        return Decimal(0)
    return Decimal(quantity * unit_price)


def blank_skus(data: QueryDict) -> dict[int, str]:
    """The SKU of each line, by number, whose name or price is blank. A SKU that is too long is left out."""
    blank = {}
    for number in range(Lines(data, prefix="items").total_form_count()):
        sku = " ".join(_sent(data, number, "sku").split())
        if 0 < len(sku) <= SLUG_LENGTH and not all(_sent(data, number, name).strip() for name in FROM_CATALOGUE):
            blank[number] = sku
    return blank


def completed(data: QueryDict, currency: str, entries: Mapping[str, CatalogueEntry]) -> QueryDict:
    """Fill in the blanks of the sent data: the hotel's currency, and the names and prices of ``entries``, by SKU.

    A price in another currency than the order's is left blank.
    """
    filled = data.copy()
    if not filled.get("currency"):
        filled["currency"] = currency
    ordered_in = data.get("currency", "").strip().upper() or currency
    for number, sku in blank_skus(data).items():
        if entry := entries.get(sku):
            known = {"name": entry.name, "unit_price": f"{entry.unit_price:f}" if entry.currency == ordered_in else ""}
            for name in FROM_CATALOGUE:
                if not _sent(data, number, name).strip():
                    filled[f"items-{number}-{name}"] = known[name]
    return filled


def _sent(data: QueryDict, number: int, name: str) -> str:
    return str(data.get(f"items-{number}-{name}", ""))
