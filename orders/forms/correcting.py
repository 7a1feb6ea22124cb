"""The form to correct the items of an order that is only placed."""

from typing import Any, cast

from django import forms
from django.forms import formset_factory
from django.http import QueryDict

from hotelapp.portal.forms.fields import RevisionField
from orders.entities import Order
from orders.forms.placing import BLANK_LINES, MAX_ITEMS, MAX_QUANTITY, MORE_LINES, BaseLines, ItemForm, LinesForm


class CorrectedItemForm(ItemForm):
    """A line of an order that is corrected. A quantity of 0 removes it."""

    quantity = forms.IntegerField(min_value=0, max_value=MAX_QUANTITY)


class BaseCorrectedLines(BaseLines):
    """The lines of an order that is corrected. Blank lines and those of quantity 0 are left out."""

    def filled(self) -> list[ItemForm]:
        return [form for form in super().filled() if form.cleaned_data.get("quantity") != 0]

    def clean(self) -> None:
        """Refuse an order without items."""
        if not self.filled():
            raise forms.ValidationError("An order needs at least one item. You may cancel the order instead.")


class CorrectOrderForm(LinesForm):
    """The items of an order to correct, and the revision that the editor saw. All else of the order stays."""

    formset = cast(
        type[BaseLines],
        formset_factory(
            CorrectedItemForm,
            formset=BaseCorrectedLines,
            max_num=MAX_ITEMS,
            absolute_max=MAX_ITEMS + MORE_LINES,
            validate_max=True,
        ),
    )
    revision = RevisionField()

    def __init__(self, data: QueryDict | None = None, *, order: Order, **options: Any) -> None:
        super().__init__(data, **options)
        self._order = order
        if data is None:
            names = list(ItemForm.base_fields)
            written = [{name: getattr(item, name) for name in names} for item in order.items]
            self.write(written, len(written) + BLANK_LINES)

    def changed(self, order: Order) -> Order:
        """The order with the form's items."""
        return order.with_items(self.items())

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        self.check_lines(self._order.currency)
        return data
