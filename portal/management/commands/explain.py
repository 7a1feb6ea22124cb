"""``manage.py explain ADDRESS``: how the page of a list is read, every way to read it, and what each one costs."""

import json
from typing import Any
from urllib.parse import unquote, urlsplit

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.http import HttpRequest, QueryDict

from dynamodb_lists import errors
from dynamodb_lists.reading import explaining
from portal.forms.parameters import BadParameters, checked
from portal.lists.forms import ListForm
from portal.lists.origins import list_page_at
from portal.lists.views import ListPage
from portal.people import HotelScope


def opened(address: str) -> tuple[ListPage[Any], ListForm]:
    """Return the page of the list at an address, as a user sees it who sees every hotel, and its checked form.

    Raises :class:`CommandError`, and :class:`~portal.forms.parameters.BadParameters`.
    """
    parts, request = urlsplit(address), HttpRequest()
    request.path, request.GET = parts.path, QueryDict(parts.query)
    request.user = get_user_model()(is_superuser=True, is_staff=True)
    request.user.hotel_scope = HotelScope()  # type: ignore[attr-defined]
    page = list_page_at(unquote(parts.path), request)
    if page is None:
        raise CommandError(f"{parts.path} is not the address of a list.")
    form = page.form(request.GET)
    checked(form)
    return page, form


class Command(BaseCommand):
    help = "Print every way to read a page of a list, its expected and its measured cost, and why one is chosen."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "address", help='Address of the page, such as "/hotels/lakeview/rooms/?view=sea-view&sort=-rate"'
        )
        parser.add_argument("--json", action="store_true", help="Print JSON, with every request")
        words = "Limit of read units for all ways together (default: %(default)s); a way beyond it is not run"
        parser.add_argument("--most-units", type=float, default=explaining.MOST_UNITS, help=words)

    def handle(self, *args: Any, **options: Any) -> None:
        address = options["address"]
        try:
            page, form = opened(address)
            explanation = page.explanation(form, options["most_units"])
        except (BadParameters, errors.DynamoDBError) as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(json.dumps(explanation.data(address), indent=2, ensure_ascii=False))
        else:
            self.stdout.write(explanation.text(address), ending="")
