"""Template tags of hotels: the address of a hotel, and the links that other apps show on its pages."""

from typing import Any

from django import template
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html, format_html_join

from hotels import apps
from hotels.entities import Hotel

register = template.Library()


@register.simple_tag
def hotel_url(hotel_id: str) -> str:
    """The address of a hotel's own page."""
    return reverse(apps.HOME, args=[hotel_id])


@register.simple_tag(takes_context=True)
def hotel_link(context: template.Context, hotel_id: str, words: str) -> str:
    """A link to a hotel's own page; only the words for users who may not open it."""
    if not context["request"].user.has_perm(apps.HOME_PERMISSION):
        return words
    return format_html('<a class="link" href="{}" hx-boost="false">{}</a>', hotel_url(hotel_id), words)


@register.simple_tag(takes_context=True)
def hotel_links(context: template.Context, place: str, hotel: Hotel) -> str:
    """The links that apps declare for a place, rendered for a hotel: those that the user may follow."""
    rendered = []
    for link in apps.links(place):
        if context["request"].user.has_perm(link.permission):
            values: dict[Any, Any] = {**context.flatten(), **link.read(hotel.hotel_id)}
            rendered.append([render_to_string(link.template_name, values)])
    return format_html_join("\n", "{}", rendered)
