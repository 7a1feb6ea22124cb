"""``manage.py draw_tap HOTEL NUMBER``: what the change of a room's status writes, as SVG."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from hotelapp.dynamodb.connection import ledger
from hotelapp.dynamodb.connection.errors import DynamoDBError
from hotelapp.portal.drawings.transactions import transaction
from rooms import commands, queries
from rooms.entities import StatusChange
from rooms.statuses import Housekeeping

BY = "draw_tap"


class Command(BaseCommand):
    help = "Draw what a tap writes. It makes a room dirty (a dirty one clean), and undoes that; history has both."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("hotel")
        parser.add_argument("number")

    def handle(self, *args: Any, **options: Any) -> None:
        hotel_id, number = options["hotel"], options["number"]
        try:
            before = queries.room(hotel_id, number, consistent=True)
            dirty = before.housekeeping == Housekeeping.DIRTY
            with ledger.recording() as recorded:
                tap = StatusChange(Housekeeping.CLEAN if dirty else Housekeeping.DIRTY)
                commands.set_status(hotel_id, number, tap, BY)
            commands.set_status(hotel_id, number, StatusChange(before.housekeeping), BY)
        except DynamoDBError as error:
            raise CommandError(str(error)) from error
        (call,) = (call for call in recorded.calls if not call.reads)
        self.stdout.write(transaction(call).file, ending="")
