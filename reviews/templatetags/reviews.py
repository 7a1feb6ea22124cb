"""What templates call about reviews: stars, the age of a review, text that folds, a language's name."""

import re
from collections.abc import Mapping
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.contrib.humanize.templatetags.humanize import naturaltime
from django.utils.html import format_html
from django.utils.safestring import mark_safe
from django.utils.text import Truncator

from dynamodb_lists.schema import entities
from portal.jinja import Library
from portal.times import day, in_zone
from reviews.entities import LISTED_LETTERS, language_name
from reviews.keys import RATINGS

register = Library()
register.filter("language_name", language_name)
HALF = mark_safe('<span class="half">★</span>')
SHORT = 160  # characters of a text that are shown before it folds
LAST_WORD = re.compile(r"\s+\S{0,50}\Z")  # a longer one is cut: Japanese has no blanks


@register.function
def stars(rating: int | Decimal) -> str:
    """Return a rating, or an average to the nearest half, as five stars, and in words for screen readers."""
    full, half = divmod(int((2 * Decimal(rating)).quantize(Decimal(1), ROUND_HALF_UP)), 2)
    return format_html(
        '<span class="stars" aria-hidden="true">{}{}{}</span><span class="sr-only" lang="en">{} of {} stars</span>',
        "★" * full,
        HALF if half else "",
        "☆" * (len(RATINGS) - full - half),
        rating,
        len(RATINGS),
    )


@register.function
def ago(context: Mapping[str, Any], at: datetime) -> str:
    """Return how long ago a time was, in one unit. The tooltip has the exact time, in the page's zone."""
    local, age = in_zone(at, context["view"].shown_zone), re.sub(r", \d+\s\w+", "", str(naturaltime(at)))
    exact = f"{day(local)}, {local:%H:%M:%S}"
    return format_html('<time datetime="{}" title="{}" lang="en">{}</time>', entities.text(at), exact, age)


@register.function
def folded(text: str, address: str = "") -> str:
    """Return a text. A long text is folded: only its beginning is visible until the reader unfolds it.

    With the ``address`` of the whole text, a text that is longer than lists show is an excerpt with a link.
    """
    if not text:
        return ""
    if len(text) <= SHORT:
        return format_html('<p class="body" dir="auto">{}</p>', text)
    beginning, more = Truncator(text).chars(SHORT), ""
    if address and len(text) > LISTED_LETTERS:
        text = f"{LAST_WORD.sub('', text[: LISTED_LETTERS + 1])} … "
        more = format_html('<a class="link" href="{}" hx-boost="false" lang="en">Read all</a>', address)
    return format_html(
        '<details class="body" dir="auto"><summary><span class="beginning">{}</span>'
        '<span class="less" lang="en">Show less</span></summary><p>{}{}</p></details>',
        beginning,
        text,
        more,
    )
