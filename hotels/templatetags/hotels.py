"""Template tags of hotels: the link to a hotel, and the tabs of its pages."""

from django import template
from django.urls import reverse
from django.utils.html import format_html

from hotels import apps
from hotels.apps import HotelTab

register = template.Library()


@register.simple_tag(takes_context=True)
def hotel_link(context: template.Context, hotel_id: str, words: str) -> str:
    """A link to a hotel's own page; only the words for users who may not open it."""
    return _link(context, apps.HOME_PERMISSION, reverse(apps.HOME, args=[hotel_id]), words)


@register.simple_tag(takes_context=True)
def room_link(context: template.Context, hotel_id: str, number: str) -> str:
    """A link to a room's page; only the number for users who may not open it. Blank without a number."""
    return _link(context, apps.ROOM_PERMISSION, reverse(apps.ROOM, args=[hotel_id, number]), number) if number else ""


def _link(context: template.Context, permission: str, address: str, words: str) -> str:
    if not context["request"].user.has_perm(permission):
        return words
    return format_html('<a class="link" href="{}" hx-boost="false">{}</a>', address, words)


@register.simple_tag(takes_context=True)
def hotel_tabs(context: template.Context) -> list[HotelTab]:
    """The tabs of a hotel's pages that the user may open."""
    return [tab for tab in apps.tabs() if context["request"].user.has_perm(tab.permission)]


@register.simple_tag(takes_context=True)
def current_tab(context: template.Context) -> HotelTab | None:
    """The tab of this page."""
    return apps.tab_of(context["request"].resolver_match.view_name)
