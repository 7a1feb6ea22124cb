"""The big orders of several hotels, hotel by hotel."""

from collections.abc import Mapping
from typing import Any, ClassVar

from dynamodb_lists.reading.listing import Listing
from dynamodb_lists.reading.pages import Page
from hotels.views import ByHotelPage
from orders import keys, queries
from orders.entities import Order
from orders.forms.orders import GroupBigForm
from orders.views.order_lists import OrderListPage, Tab


class GroupBigPage(ByHotelPage[GroupBigForm], OrderListPage[GroupBigForm]):
    title = "Big orders"
    form_class = GroupBigForm
    template_name = "orders/big_orders.html"
    others: ClassVar[Mapping[str, str]] = {"orders:orders": "By day", "orders:unfinished": "Unfinished"}
    empty_template = "orders/_no_big_orders.html"
    csv_name = "big-orders"

    def listing(self, form: GroupBigForm) -> Listing[Order]:
        return queries.big_of_hotels(self.hotel_ids(form), descending=form.order.descending)

    def context(self, form: GroupBigForm, page: Page[Order]) -> dict[str, Any]:
        shown = {"least": keys.BIG_TOTAL, "tabs": [Tab("", "Big", None, selected=True)]}
        return {**OrderListPage.context(self, form, page), **super().context(form, page), **shown}
