"""``manage.py build_catalogue``: items of orders that earlier releases stored join the catalogues of their hotels."""

from argparse import ArgumentParser
from itertools import islice
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from dynamodb_lists.connection.errors import DynamoDBError
from hotels import queries as hotels
from orders import commands, queries
from orders.entities import OrderQuery

DEFAULT_ORDERS = 1000
BATCH = 100


class Command(BaseCommand):
    """Reads the newest orders of each hotel. It scans nothing, and running it twice changes nothing."""

    help = (
        "Offer the items of stored orders when an order is placed. Orders that are placed or imported from now on need "
        "no such step. Run it once after the upgrade from a release without catalogues."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--orders", type=int, default=DEFAULT_ORDERS, metavar="N", help="Newest orders to read of each hotel"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self._build(options["orders"])
        except DynamoDBError as error:
            raise CommandError(f"{error} Run the command again. It keeps what is already written.") from error

    def _build(self, most: int) -> None:
        for hotel in hotels.hotels().stream():
            newest = islice(queries.hotel_orders(hotel.hotel_id, OrderQuery()).stream(), most)
            orders, read, items = queries.with_items(newest), 0, 0
            while batch := list(islice(orders, BATCH)):
                read += len(batch)
                items += commands.collect_items(batch)
            self.stdout.write(f"{hotel.hotel_id}: {read} orders read, {items} items new or different.")
