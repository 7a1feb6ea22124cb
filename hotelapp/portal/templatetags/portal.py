"""Template tags of every list: links that keep the filters, sort headers, amounts, the cost panel."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from django import template
from django.http import QueryDict
from django.utils.html import format_html

from hotelapp.dynamodb.keys import time_part
from hotelapp.portal import cost
from hotelapp.portal.forms import without
from hotelapp.portal.money import money as format_money

register = template.Library()


@register.simple_tag(takes_context=True)
def list_url(context: template.Context, **changes: Any) -> str:
    """The list's address with some parameters changed (``None`` drops one), all others kept, but never the cursor."""
    params: QueryDict = context["params"].copy()
    for name, value in changes.items():
        if value in (None, ""):
            params.pop(name, None)
        else:
            params[name] = str(value)
    return f"?{params.urlencode()}"


@register.simple_tag(takes_context=True)
def without_value(context: template.Context, name: str, value: str) -> str:
    """The list's address without one value of a parameter that may have several."""
    return f"?{without(context['params'], name, str(value)).urlencode()}"


@register.filter
def money(amount: Decimal, currency: str) -> str:
    """An amount in its currency."""
    return format_money(amount, currency)


@register.simple_tag
def moment(at: datetime) -> str:
    """A moment in UTC, to the minute; to the second for machines, and for whoever points at it."""
    exact = time_part(at)
    return format_html('<time datetime="{}" title="{}">{}</time>', exact, exact, f"{at:%-d %b %Y, %H:%M}")


@register.inclusion_tag("portal/_cost.html", takes_context=True)
def cost_panel(context: template.Context, shown: int) -> dict[str, Any]:
    """How this page was read: every request to DynamoDB, and what it cost."""
    return {"cost": cost.summary(context["ledger"], shown, context.get("index_orders") or {})}
