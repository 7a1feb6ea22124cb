from dynamodb_lists.django.importing import ImportCommand
from dynamodb_lists.schema import entities
from orders.entities import Order, OrderItem
from orders.imports import OrderImport


class Command(ImportCommand):
    help = (
        f"Import orders: {', '.join(entities.columns(Order, computed=False))}; one JSON object a line. An item has "
        f"{', '.join(entities.columns(OrderItem))}. An order that already exists only moves on to a later status. "
        "Missing guests and hotels are created. Rows are written in transactions, which cost twice the units on AWS."
    )
    importer_class = OrderImport
