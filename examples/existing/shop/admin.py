"""Users, their orders, and the items of these."""

from dynamodb_lists.django.admin import ListAdmin, register
from shop.models import ITEMS, ORDERS, USERS


@register(USERS)
class UserAdmin(ListAdmin):
    list_display = ["Username", "FullName", "Email", "CreatedAt"]
    search_fields = ["Username"]


@register(ORDERS)
class OrderAdmin(ListAdmin):
    list_display = ["OrderId", "Username", "Status", "CreatedAt"]
    list_filter = ["Status", "CreatedAt"]
    search_fields = ["OrderId"]


@register(ITEMS)
class ItemAdmin(ListAdmin):
    list_display = ["ItemId", "OrderId", "Product", "Price"]
