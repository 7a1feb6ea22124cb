from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from orders.entities import HistoryStep, Order, OrderItem
from orders.forms import WANTED_AHEAD, OrderIdField, StatusField, UsernameField
from orders.forms.placing import MAX_ITEMS, TOO_MANY, ItemForm
from orders.statuses import OPEN
from portal.forms.entity_forms import TEXT_LENGTH, RowForm
from portal.forms.fields import CurrencyField, HotelField, LineField, MomentField, NumberField
from portal.forms.numbers import amount_problem, number_text


class ObjectForm(RowForm):
    """A form for a JSON object, whose members are texts and numbers."""

    def check(self, data: Mapping[str, Any], **others: Any) -> bool:
        """Check an object's members, and its ``others``: members that are neither texts nor numbers."""
        found = {name: _text(data.get(name)) for name in self.fields if name not in others}
        valid = super().check({**found, **others})
        wrong = [name for name, text in found.items() if text is None]
        for name in wrong:
            self.errors[name] = self.error_class(["This must be a text or a number."])
        return valid and not wrong


class ItemRowForm(ObjectForm, ItemForm):
    """An item in a line of an order file."""


class ItemsField(forms.Field):
    """The items of an order in a file: a list of objects. The cleaned value is a tuple of :class:`OrderItem`."""

    def clean(self, value: Any) -> tuple[OrderItem, ...]:
        if not isinstance(value, list) or not all(isinstance(line, Mapping) for line in value):
            raise ValidationError("This must be a list of objects; [] means no items.")
        if len(value) > MAX_ITEMS:
            raise ValidationError(TOO_MANY)
        form, items, problems = ItemRowForm(), list[OrderItem](), list[str]()
        for number, line in enumerate(value, start=1):
            if form.check(line):
                items.append(form.new())
            problems += [f"Item {number}, {name}: {' '.join(map(str, texts))}" for name, texts in form.errors.items()]
        if problems:
            raise ValidationError(problems)
        return tuple(items)


class OrderRowForm(ObjectForm):
    order_id = OrderIdField()
    username = UsernameField()
    hotel_id = HotelField()
    room_number = NumberField(required=False)
    status = StatusField()
    placed_at = MomentField()
    status_at = MomentField()
    currency = CurrencyField()
    items = ItemsField(required=False)
    note = LineField(required=False, max_length=TEXT_LENGTH)
    wanted_at = MomentField(required=False, ahead=WANTED_AHEAD)

    def check(self, data: Mapping[str, Any], **others: Any) -> bool:
        return super().check(data, items=data.get("items"), **others)

    def clean_wanted_at(self) -> datetime | None:
        at: datetime | None = self.cleaned_data["wanted_at"]
        return at and at.replace(second=0)  # as forms have it

    def clean(self) -> dict[str, Any]:
        """Refuse a status that is older than the order, and prices with more decimals than the currency has."""
        data = super().clean() or self.cleaned_data
        placed_at, status_at = data.get("placed_at"), data.get("status_at")
        if placed_at and status_at and status_at < placed_at:
            self.add_error("status_at", "The status was entered before the order was placed.")
        for number, item in enumerate(data.get("items", ()), start=1):
            if problem := amount_problem(item.unit_price, data.get("currency")):
                self.add_error("items", f"Item {number}, unit_price: {problem}")
        return data

    def order(self, by: str) -> Order:
        """Return the order of a valid form. Its history has the steps in the file, entered by ``by``."""
        data = self.cleaned_data
        steps = [HistoryStep(data["status"], data["status_at"], by)]
        if data["status"] != OPEN:
            steps.insert(0, HistoryStep(OPEN, data["placed_at"], by))
        return Order(**data, history=tuple(steps)).with_items(data["items"])


def _text(value: Any) -> str | None:
    """Return a text or a number of a JSON object as a form takes it, blank for null; ``None`` for any other value."""
    if isinstance(value, bool) or not isinstance(value, str | int | Decimal | None):
        return None
    return "" if value is None else number_text(value) if isinstance(value, Decimal) else str(value)
