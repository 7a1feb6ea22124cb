"""Template tags of reviews: stars, how long ago, text that folds."""

from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal

from django import template
from django.contrib.humanize.templatetags.humanize import naturaltime
from django.utils.html import format_html
from django.utils.text import Truncator

from hotelapp.dynamodb.keys import time_part
from reviews.keys import RATINGS

register = template.Library()
SHORT = 160  # characters of a text that are shown before it folds


@register.simple_tag
def stars(rating: int | Decimal) -> str:
    """A rating as five stars, and in words for those who hear the page."""
    full = int(Decimal(rating).quantize(Decimal(1), ROUND_HALF_UP))
    drawn = "★" * full + "☆" * (len(RATINGS) - full)
    return format_html(
        '<span class="stars" aria-hidden="true">{}</span><span class="sr-only" lang="en">{} of {} stars</span>',
        drawn,
        rating,
        len(RATINGS),
    )


@register.simple_tag
def ago(at: datetime) -> str:
    """How long ago a moment was; exactly when, for machines and for whoever points at it."""
    exact = time_part(at)
    return format_html('<time datetime="{}" title="{}" lang="en">{}</time>', exact, exact, naturaltime(at))


@register.simple_tag
def folded(text: str) -> str:
    """A text: whole if it is short, else its beginning, which unfolds to the whole."""
    if not text:
        return ""
    if len(text) <= SHORT:
        return format_html('<p class="body" dir="auto">{}</p>', text)
    beginning = Truncator(text).chars(SHORT)
    return format_html(
        '<details class="body" dir="auto"><summary><span class="beginning">{}</span>'
        '<span class="less" lang="en">Show less</span></summary><p>{}</p></details>',
        beginning,
        text,
    )
