from typing import Any
from urllib.parse import urlsplit

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.http import Http404
from django.test import RequestFactory
from django.urls import resolve

from dynamodb_lists.connection.errors import DynamoDBError


class Command(BaseCommand):
    help = "Show every way to read a page of a list on an admin site, what it is expected to cost, and what it costs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", help='The address of the page: "/admin/library/book/?genre=History"')

    def handle(self, *args: Any, **options: Any) -> None:
        address = urlsplit(options["address"])
        request: Any = RequestFactory().get(address.path, query_params=None, QUERY_STRING=address.query)
        try:
            request.resolver_match = resolve(address.path)
            model_admin = request.resolver_match.func.model_admin
            request.user = get_user_model()(is_active=True, is_staff=True, is_superuser=True)
            explained = model_admin.explained(request)
        except (Http404, AttributeError) as error:
            raise CommandError(f"{options['address']} is no page of a list on an admin site.") from error
        except DynamoDBError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(explained)
