from collections.abc import Mapping

from django.utils.html import format_html

from orders.entities import OrderSum
from orders.statuses import Status
from portal.jinja import Library

register = Library()


@register.function
def status_badge(status: str) -> str:
    return format_html('<span class="status {}">{}</span>', status.lower(), Status(status).words)


@register.filter
def status_sum(sums: Mapping[str, OrderSum] | None, status: str) -> OrderSum | None:
    return (sums or {}).get(status)
