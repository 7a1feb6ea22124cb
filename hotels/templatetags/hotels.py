"""What templates call about hotels: the link to a hotel, and the tabs of its pages."""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from django.utils.html import format_html

from hotels.app_config import HOME, HOME_PERMISSION, ROOM, ROOM_PERMISSION, tab_of, tabs
from portal.frame import address
from portal.jinja import Library

register = Library()


@register.function
def hotel_link(context: Mapping[str, Any], hotel_id: str, words: str) -> str:
    """Return a link to a hotel's own page; only the words for users who may not open it."""
    return _link(context, HOME_PERMISSION, address(HOME, hotel_id), words)


@register.function
def room_link(context: Mapping[str, Any], hotel_id: str, number: str) -> str:
    """Return a link to a room's page; only the number for users who may not open it. Blank without a number."""
    return _link(context, ROOM_PERMISSION, reverse(ROOM, args=[hotel_id, number]), number) if number else ""


def _link(context: Mapping[str, Any], permission: str, link: str, words: str) -> str:
    if not context["request"].user.has_perm(permission):
        return words
    return format_html('<a class="link" href="{}" hx-boost="false">{}</a>', link, words)


@register.function
def hotel_tabs(context: Mapping[str, Any], hotel_id: str) -> list[tuple[str, str, bool]]:
    """Return the tabs of a hotel's bar that the user may open: label, address, and whether the page is under it."""
    request = context["request"]
    current = tab_of(request.resolver_match.view_name)
    own = {current.url_name, current.under} if current else set()
    return [
        (tab.label, address(tab.url_name, hotel_id), tab.url_name in own)
        for tab in tabs()
        if not tab.under and tab.is_for(request.user)
    ]


def pages_beside(url_name: str, user: Any, hotel_id: str) -> dict[str, str]:
    """Return the addresses and the labels of the other pages under the tab of a page, for who may open them."""
    own = tab_of(url_name)
    top = own and (own.under or own.url_name)
    beside = (tab for tab in tabs() if tab.under == top and tab != own and tab.is_for(user))
    return {address(tab.url_name, hotel_id): tab.label for tab in beside}
