"""Template tags of orders."""

from django import template
from django.utils.html import format_html

from orders.statuses import Status

register = template.Library()


@register.simple_tag
def status_badge(status: Status) -> str:
    """A status as a badge."""
    return format_html('<span class="status {}">{}</span>', status.lower(), status.title())
