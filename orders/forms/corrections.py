"""The form to correct the items and the room of an order that is only placed."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from django.http import QueryDict

from orders.entities import Order, OrderItem
from orders.forms.placing import BLANK_LINES, MAX_QUANTITY, BaseLines, ItemForm, LinesForm, PickedItemForm, formset
from portal.forms.fields import RevisionField
from portal.forms.numbers import WholeField
from portal.forms.pickers import Pick, PickerField
from portal.money import amount_text


class CorrectedItemForm(PickedItemForm):
    """A line of an order that is corrected. A quantity of 0 removes it."""

    quantity = WholeField(min_value=0, max_value=MAX_QUANTITY)


class CorrectedLines(BaseLines):
    no_items = "An order needs at least one item. You may cancel the order instead."

    def filled(self) -> list[ItemForm]:
        return [form for form in super().filled() if form.cleaned_data.get("quantity") != 0]


class CorrectOrderForm(LinesForm):
    """The items and the room of an order to correct, and the revision that the editor saw. All else stays."""

    formset = formset(CorrectedItemForm, CorrectedLines, 1)
    room_number = PickerField("room", label="Room", required=False)
    revision = RevisionField()

    def __init__(self, data: QueryDict | None = None, *, order: Order, **options: Any) -> None:
        super().__init__(data, hotel_id=order.hotel_id, **options)
        self._order = order
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
        return replace(order.with_items(self.items()), room_number=self.cleaned_data["room_number"])

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        self.check_lines(self._order.hotel_id, self.currency)
        return data
