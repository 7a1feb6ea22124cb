"""The list at an address: for links back to it and, opened as no user, for commands, which see every hotel."""

from typing import Any
from urllib.parse import unquote, urlsplit

from django.contrib.auth import get_user_model
from django.http import HttpRequest, QueryDict

from portal.access import HotelScope
from portal.forms.parameters import checked
from portal.lists.forms import ListForm
from portal.lists.origins import list_page_at
from portal.lists.views import ListPage


class NoList(LookupError):
    """No list has the address."""


def opened(address: str) -> tuple[ListPage[Any], ListForm]:
    """The page of the list at an address, and the checked form of its query string.

    Raises :class:`NoList`, and :class:`~portal.forms.parameters.BadParameters`.
    """
    parts, request = urlsplit(address), HttpRequest()
    request.path, request.GET = parts.path, QueryDict(parts.query)
    request.user = get_user_model()(is_superuser=True, is_staff=True)
    request.user.hotel_scope = HotelScope()  # type: ignore[attr-defined]
    page = list_page_at(unquote(parts.path), request)
    if page is None:
        raise NoList(f"{parts.path} is not the address of a list.")
    form = page.form_class(request.GET)
    checked(form)
    return page, form
