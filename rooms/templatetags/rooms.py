"""Template tags of rooms: the badges and buttons of their status."""

from django import template
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from hotelapp.portal.times import day
from rooms.entities import Room
from rooms.statuses import STATUS_WORDS, Housekeeping

register = template.Library()


@register.simple_tag
def service_badge(room: Room) -> SafeString:
    """A badge for a room that is out of order, until when, and whether that day has passed."""
    if room.until is None:
        return format_html('<span class="status {}">{}</span>', room.service, STATUS_WORDS[room.service])
    late = room.until < timezone.now().date()
    return format_html(
        '<span class="status {}{}">{} until <time datetime="{}">{}</time>{}</span>',
        room.service,
        " overdue" if late else "",
        STATUS_WORDS[room.service],
        room.until.isoformat(),
        day(room.until),
        ", overdue" if late else "",
    )


@register.simple_tag
def housekeeping_badge(room: Room) -> SafeString:
    """A badge for the state of housekeeping of a room."""
    return format_html('<span class="status {}">{}</span>', room.housekeeping, STATUS_WORDS[room.housekeeping])


@register.simple_tag
def housekeeping_buttons(room: Room) -> SafeString:
    """A button for each state of housekeeping. The room's present one is pressed."""
    button = (
        '<button id="housekeeping-{}-{}" class="status {}" name="housekeeping" value="{}" aria-pressed="{}">{}</button>'
    )
    number = room.number.replace(" ", "_")
    states = []
    for state in Housekeeping:
        pressed = "true" if state == room.housekeeping else "false"
        states.append((number, state, state, state, pressed, STATUS_WORDS[state]))
    return format_html_join("", button, states)
