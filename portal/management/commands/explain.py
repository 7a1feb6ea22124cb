"""``manage.py explain ADDRESS``: how the page of a list is read, every way to read it, and what each one costs."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from dynamodb_lists.connection.errors import DynamoDBError
from dynamodb_lists.reading.explaining import MOST_UNITS
from portal.forms.parameters import BadParameters
from portal.lists.addresses import NoList, opened


class Command(BaseCommand):
    help = "Print every way to read a list's page, its expected and its measured cost, and why one is chosen."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", help='of a list, such as "/hotels/lakeview/rooms/?view=sea-view&sort=-rate"')
        parser.add_argument("--json", action="store_true", help="print JSON, with every request")
        words = "the read units that all ways may take together (%(default)s); what would take more is not run"
        parser.add_argument("--most-units", type=float, default=MOST_UNITS, help=words)

    def handle(self, *args: Any, **options: Any) -> None:
        address = options["address"]
        try:
            page, form = opened(address)
            explanation = page.explanation(form, options["most_units"])
        except (NoList, BadParameters, DynamoDBError) as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(json.dumps(explanation.data(address), indent=2, ensure_ascii=False))
        else:
            self.stdout.write(explanation.text(address), ending="")
