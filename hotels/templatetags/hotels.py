"""Template tags of hotels: the address of a hotel, and the links that other apps show on its pages."""

from typing import Any

from django import template
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html_join

from hotels import links
from hotels.entities import Hotel

register = template.Library()


@register.simple_tag
def hotel_url(hotel_id: str) -> str:
    """The address of a hotel's own page."""
    return reverse(links.home(), args=[hotel_id])


@register.simple_tag(takes_context=True)
def hotel_links(context: template.Context, place: str, hotel: Hotel) -> str:
    """The links that apps have registered for a place, rendered for a hotel."""
    page: dict[Any, Any] = context.flatten()
    rendered = (render_to_string(name, {**page, **link_context}) for name, link_context in links.links(place, hotel))
    return format_html_join("\n", "{}", ((link,) for link in rendered))
