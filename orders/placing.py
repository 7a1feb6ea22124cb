"""An order with its items from outside: the form to place one, and a line of an order file."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BaseFormSet, formset_factory
from django.http import QueryDict
from django.utils import timezone

from hotelapp.dynamodb.keys import SLUG_LENGTH
from hotelapp.portal.fields import CurrencyField, HotelField, LineField, MomentField, precision_problem
from orders.forms import STATUSES, TEXT_LENGTH, OrderIdField, UsernameField
from orders.values import OPEN, Item, Order, Status, Step, total_of

MAX_ITEMS = 90  # with the order and its guest they fit into one transaction
MAX_QUANTITY = 9999
BLANK_LINES = 5
MORE_LINES = 10
DEFAULT_CURRENCY = "EUR"
TOO_MANY = f"An order holds at most {MAX_ITEMS} items. Place the others with a second order."
IMPORTED_BY = "import"


class ItemForm(forms.Form):
    """A line of an order."""

    sku = LineField(max_length=SLUG_LENGTH, label="SKU")
    name = LineField(max_length=TEXT_LENGTH)
    quantity = forms.IntegerField(min_value=1, max_value=MAX_QUANTITY)
    unit_price = forms.DecimalField(min_value=Decimal(0), max_digits=14)

    def item(self) -> Item:
        """The line, once the form is valid."""
        return Item(**self.cleaned_data)


class BaseLines(BaseFormSet):  # type: ignore[type-arg]
    """The lines of an order; blank ones are left out."""

    default_error_messages = {
        "too_many_forms": TOO_MANY,
        "missing_management_form": "The items did not come through whole. Load the page again.",
    }

    def clean(self) -> None:
        """An order without items is none."""
        if not any(form.has_changed() for form in self.forms):
            raise ValidationError("An order needs at least one item.")

    def filled(self) -> list[ItemForm]:
        """The lines that somebody wrote in."""
        return [form for form in self.forms if form.has_changed()]


Lines = cast(
    type[BaseLines],
    formset_factory(
        ItemForm,
        formset=BaseLines,
        extra=BLANK_LINES,
        max_num=MAX_ITEMS,
        absolute_max=MAX_ITEMS + MORE_LINES,
        validate_max=True,
    ),
)


class PlaceOrderForm(forms.Form):
    """An order to place. Its id is made with the form, so that sending it twice places one order."""

    order_id = OrderIdField(widget=forms.HiddenInput)
    username = UsernameField(label="Guest")
    hotel_id = HotelField(label="Hotel", widget=forms.TextInput(attrs={"list": "hotels"}))
    currency = CurrencyField()

    def __init__(self, data: QueryDict | None = None, *, lines: QueryDict | None = None, **options: Any) -> None:
        super().__init__(data, **options)
        self.lines = Lines(lines or data, prefix="items")

    @classmethod
    def with_more_lines(cls, data: QueryDict) -> "PlaceOrderForm":
        """The same form with more lines to fill in, not checked yet."""
        more = data.copy()
        more["items-TOTAL_FORMS"] = str(min(Lines(data, prefix="items").total_form_count() + MORE_LINES, MAX_ITEMS))
        more["items-INITIAL_FORMS"] = "0"
        return cls(lines=more, initial=data.dict())

    def clean(self) -> dict[str, Any]:
        """Check the lines, and their prices against the currency."""
        data = super().clean() or self.cleaned_data
        if not self.lines.is_valid():
            raise ValidationError("Something is wrong with the items; it stands beside them.")
        for form in self.lines.filled():
            if problem := precision_problem(form.cleaned_data["unit_price"], data.get("currency")):
                form.add_error("unit_price", problem)
        if any(form.errors for form in self.lines.filled()):
            raise ValidationError("Something is wrong with the items; it stands beside them.")
        return data

    def order(self) -> Order:
        """The order, once the form is valid."""
        items = tuple(form.item() for form in self.lines.filled())
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


class ItemsField(forms.Field):
    """The items of an order in a file: a list of objects, which may be empty. Gives a tuple of :class:`Item`."""

    def clean(self, value: Any) -> tuple[Item, ...]:
        """The items, each through its form."""
        if not isinstance(value, list) or not all(isinstance(one, Mapping) for one in value):
            raise ValidationError("This must be a list of objects, [] for none.")
        if len(value) > MAX_ITEMS:
            raise ValidationError(TOO_MANY)
        lines = [ItemForm(_texts(one)) for one in value]
        problems = [
            f"Item {place}, {name}: {' '.join(map(str, texts))}"
            for place, form in enumerate(lines, start=1)
            for name, texts in form.errors.items()
        ]
        if problems:
            raise ValidationError(problems)
        return tuple(form.item() for form in lines)


class OrderRowForm(forms.Form):
    """A line of an order file."""

    order_id = OrderIdField()
    username = UsernameField()
    hotel_id = HotelField()
    status = forms.ChoiceField(choices=STATUSES)
    placed_at = MomentField()
    status_at = MomentField()
    currency = CurrencyField()
    items = ItemsField(required=False)

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__({**_texts(data), "items": data.get("items")})

    def clean(self) -> dict[str, Any]:
        """Refuse a status from before the order, and prices with more decimals than their currency has."""
        data = super().clean() or self.cleaned_data
        placed_at, status_at = data.get("placed_at"), data.get("status_at")
        if placed_at and status_at and status_at < placed_at:
            self.add_error("status_at", "The status was entered before the order was placed.")
        for place, item in enumerate(data.get("items", ()), start=1):
            if problem := precision_problem(item.unit_price, data.get("currency")):
                self.add_error("items", f"Item {place}, unit_price: {problem}")
        return data

    def order(self) -> Order:
        """The order, once the form is valid; its history holds what the file tells of it."""
        data = self.cleaned_data
        status = Status(data["status"])
        steps = [Step(status, data["status_at"], IMPORTED_BY)]
        if status != OPEN:
            steps.insert(0, Step(OPEN, data["placed_at"], IMPORTED_BY))
        return Order(
            **{**data, "status": status},
            total=total_of(data["items"]),
            item_count=len(data["items"]),
            history=tuple(steps),
        )


def _texts(data: Mapping[str, Any]) -> dict[str, str]:
    """The texts and numbers of a JSON object as a form takes them; what is neither is as good as missing."""
    plain = (str, int, Decimal)
    return {
        name: str(value) for name, value in data.items() if isinstance(value, plain) and not isinstance(value, bool)
    }
