"""``manage.py draw ADDRESS``: how the page of a list is read, as SVG."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from hotelapp.dynamodb.connection.errors import DynamoDBError
from hotelapp.portal.drawings.lists import page_drawing
from hotelapp.portal.forms.parameters import BadParameters
from hotelapp.portal.lists.addresses import NoList, opened


class Command(BaseCommand):
    help = "Draw how a list's page is read: its ranges in every index, or how its partitions are merged. Prints SVG."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", help='of a list, such as "/hotels/lakeview/rooms/?view=sea-view"')

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            page, form = opened(options["address"])
            with form.refusing():
                data = form.cleaned_data
                drawing = page_drawing(page.listing(form), data["page_size"], data["cursor"])
        except (NoList, BadParameters, DynamoDBError) as error:
            raise CommandError(str(error)) from error
        if drawing is None:
            raise CommandError("This list is read from one range of one partition. There is nothing to draw.")
        self.stdout.write(drawing.file, ending="")
