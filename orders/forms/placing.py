"""The forms to place an order with its items, and to correct one."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from decimal import Decimal
from typing import Any, ClassVar, Self, cast

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BaseFormSet, formset_factory
from django.http import QueryDict
from django.utils import timezone

from dynamodb_lists import MAX_WRITES
from orders import keys
from orders.entities import Order, OrderItem
from orders.forms import OrderIdField, WantedField
from orders.statuses import OPEN
from portal.forms.entity_forms import TEXT_LENGTH, EntityForm
from portal.forms.fields import PART_LENGTH, LineField, RevisionField
from portal.forms.numbers import AmountField, WholeField, amount_problem
from portal.forms.parameters import rewrite
from portal.forms.pickers import Pick, PickerField, PickerForm
from portal.money import amount_text

MAX_ITEMS = MAX_WRITES - 10
"""The most items of an order. With the order and its guest, they fit into one transaction."""

MAX_QUANTITY = 9999
BLANK_LINES = 5
MORE_LINES = 10
NO_DISCOUNTS = "Enter a price of 0 or more. For a discount, lower the prices of the other items."
TOO_MANY = f"An order has at most {MAX_ITEMS} items. Place a second order for the others."


class PriceField(AmountField):
    """A price in the currency of an order. A discount is a lower price."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=Decimal(0), max_digits=14, in_currency=True, **options)
        self.error_messages["min_value"] = NO_DISCOUNTS


class ItemForm(EntityForm):
    entity = OrderItem
    sku = LineField(max_length=PART_LENGTH)
    quantity = WholeField(min_value=1, max_value=MAX_QUANTITY)
    unit_price = PriceField()


class PickedItemForm(PickerForm, ItemForm):
    """A line of an order on a page: an item that the hotel has sold, found by its name, or a new one with its price.

    A price that is left blank is that of the last sale, if it was in the ``currency`` of the order.
    """

    sku = PickerField("item", new=True, label="Item")  # type: ignore[assignment]
    name = None
    unit_price = PriceField(required=False)
    currency = ""

    def clean_sku(self) -> str:
        return str(ItemForm.base_fields["sku"].clean(sku)) if (sku := self.cleaned_data["sku"]) else ""

    def clean(self) -> dict[str, Any]:
        data, picked = super().clean() or self.cleaned_data, self.picker("sku").picked
        if picked and data.get("unit_price") is None and "unit_price" not in self.errors:
            known = self.picker("sku").read(picked.id)
            if known and known.facts["currency"] == self.currency:
                data["unit_price"] = Decimal(known.facts["unit_price"])
                rewrite(self, "unit_price", known.facts["unit_price"])
            else:
                self.add_error("unit_price", "Enter the price: this hotel has not sold this item before.")
        if problem := amount_problem(data.get("unit_price"), self.currency):
            self.add_error("unit_price", problem)
        return data

    def new(self, **others: Any) -> Any:
        """Return the item. A new one gets a SKU that the hotel has not used."""
        picked = self.picker("sku").picked
        assert picked, "a line that is not valid"
        sku = picked.id or next(sku for sku in keys.new_skus(picked.name) if not self.picker("sku").read(sku))
        return replace(super().new(name=picked.name, **others), sku=sku)


class BaseLines(BaseFormSet):  # type: ignore[type-arg]
    no_items = "An order needs at least one item."
    default_error_messages = {
        "too_many_forms": TOO_MANY,
        "missing_management_form": "Some items were lost on the way. Load the page again.",
    }

    def initial_form_count(self) -> int:
        return 0

    def clean(self) -> None:
        if not self.filled():
            raise ValidationError(self.no_items)

    def filled(self) -> list[ItemForm]:
        return [form for form in self.forms if form.has_changed()]


def formset(form: type[ItemForm], lines: type[BaseLines], extra: int) -> type[BaseLines]:
    options: dict[str, Any] = {"max_num": MAX_ITEMS, "absolute_max": MAX_ITEMS + MORE_LINES, "validate_max": True}
    return cast(type[BaseLines], formset_factory(form, formset=lines, extra=extra, **options))


Lines = formset(PickedItemForm, BaseLines, BLANK_LINES)


class LinesForm(PickerForm):
    formset: ClassVar[type[BaseLines]] = Lines

    @property
    def currency(self) -> str:
        """The currency of the order; blank if it is not known yet."""
        raise NotImplementedError

    def __init__(self, data: QueryDict | None = None, **options: Any) -> None:
        super().__init__(data, **options)
        self.lines = self.formset(data, prefix="items", form_kwargs={"finder": self.finder})

    def write(self, written: Sequence[Mapping[str, Any]], lines: int) -> None:
        """Fill in the lines of a form that was not sent, and add blank ones up to this number."""
        self.lines = self.formset(initial=written, prefix="items", form_kwargs={"finder": self.finder})
        self.lines.extra = min(lines, MAX_ITEMS)

    @classmethod
    def unchecked(cls, data: QueryDict, more: int = 0, **options: Any) -> Self:
        """Return the same form without problems, with ``more`` blank lines. The first blank line has the focus."""
        sent = cls(data, **options)
        sent.is_valid()
        form = cls(**{**options, "initial": {name: sent.shown(name) for name in sent.fields}})
        sent_lines = cast(list[PickedItemForm], sent.lines.forms)
        lines = [{name: line.shown(name) for name in line.fields} for line in sent_lines]
        form.write(lines, len(lines) + more)
        for line in form.lines.forms[len(lines) : len(lines) + 1] if more else ():
            line.fields["sku"].widget.attrs["autofocus"] = True
        return form

    @property
    def running_total(self) -> Decimal:
        """The price of the lines so far, without lines whose quantity or price cannot be read."""
        total, currency = Decimal(0), self.currency
        for line in self.lines:
            with suppress(ValidationError):
                quantity, price = (line.fields[each].clean(line[each].value()) for each in ("quantity", "unit_price"))
                total += 0 if amount_problem(price, currency) else quantity * (price or 0)
        return total

    def check_lines(self, hotel_id: str, currency: str) -> None:
        for line in cast(list[PickedItemForm], self.lines.forms):
            line.currency, line.picker("sku").widget.hotel_id = currency, hotel_id
        if not self.lines.is_valid():
            raise ValidationError("Some items have errors, shown beside each item.")

    def items(self) -> tuple[OrderItem, ...]:
        return tuple(form.new() for form in self.lines.filled())


class PlaceOrderForm(LinesForm):
    """An order to place. The form has the order's id, so that sending it twice places only one order."""

    order_id = OrderIdField(widget=forms.HiddenInput)
    username = PickerField(
        "guest", label="Guest", reads=True, help_text="Name, e-mail address, username or end of the phone."
    )
    hotel_id = PickerField("hotel", label="Hotel", reads=True, help_text="Name or city.")
    room_number = PickerField("room", label="Room", required=False, help_text="If the order is for a room.")
    wanted_at = WantedField()
    note = LineField(required=False, max_length=TEXT_LENGTH, label="Remark", help_text="A wish or an allergy.")

    def clean_hotel_id(self) -> str:
        hotel_id: str = self.cleaned_data["hotel_id"]
        self.picker("room_number").widget.hotel_id = hotel_id
        picked = self.picker("hotel_id").picked
        self.fields["wanted_at"].zone = picked.facts.get("time_zone", "") if picked else ""  # type: ignore[attr-defined]
        return hotel_id

    @property
    def currency(self) -> str:
        """The currency of the hotel; if the hotel has none yet, the currency of its sold items; blank if neither is
        known.
        """
        hotel = self.picker("hotel_id").picked or self.initial.get("hotel_id")
        if not isinstance(hotel, Pick) or not self.finder:
            return ""
        if currency := hotel.facts.get("currency", ""):
            return currency
        return next((item.facts["currency"] for item in self.finder.choices("item", "", hotel.id)[0]), "")

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if "hotel_id" not in data:  # the items are those of a hotel
            return data
        if not self.currency:
            self.add_error("hotel_id", "This hotel has no currency yet. A manager can set one with “Edit hotel”.")
        self.check_lines(data.get("hotel_id", ""), self.currency)
        return data

    def order(self) -> Order:
        now = timezone.now()
        order = Order(**self.cleaned_data, currency=self.currency, status=OPEN, placed_at=now, status_at=now)
        return order.with_items(self.items())


CORRECTED = "room_number", "wanted_at"
"""The fields of an order, beside its items, that a correction may change."""


class CorrectedItemForm(PickedItemForm):
    """A line of an order that is corrected. A quantity of 0 removes it."""

    quantity = WholeField(min_value=0, max_value=MAX_QUANTITY)


class CorrectedLines(BaseLines):
    no_items = "An order needs at least one item. To remove all of them, cancel the order instead."

    def filled(self) -> list[ItemForm]:
        return [form for form in super().filled() if form.cleaned_data.get("quantity") != 0]


class CorrectOrderForm(LinesForm):
    """The items, the room and the time of an order to correct, and the revision that the editor saw. All else stays."""

    formset = formset(CorrectedItemForm, CorrectedLines, 1)
    room_number = PickerField("room", label="Room", required=False)
    wanted_at = WantedField()
    revision = RevisionField()

    def __init__(self, data: QueryDict | None = None, *, order: Order, time_zone: str = "", **options: Any) -> None:
        super().__init__(data, hotel_id=order.hotel_id, **options)
        self._order = order
        wanted = cast(WantedField, self.fields["wanted_at"])
        wanted.zone, wanted.stored = time_zone, order.wanted_at
        if data is None:
            self.write_items(order.items)

    def write_items(self, items: Sequence[OrderItem]) -> None:
        written = []
        for item in items:
            price = amount_text(item.unit_price, self.currency)
            written.append({**asdict(item), "sku": Pick(item.sku, item.name), "unit_price": price})
        self.write(written, len(written) + BLANK_LINES)

    @property
    def currency(self) -> str:
        return self._order.currency

    def changed(self, order: Order) -> Order:
        entered = {name: self.cleaned_data[name] for name in CORRECTED}
        return replace(order.with_items(self.items()), **entered)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        self.check_lines(self._order.hotel_id, self.currency)
        return data
