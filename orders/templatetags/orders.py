from django.utils.html import format_html

from orders.statuses import Status
from portal.jinja import Library

register = Library()


@register.function
def status_badge(status: str) -> str:
    return format_html('<span class="status {}">{}</span>', status.lower(), Status(status).words)
