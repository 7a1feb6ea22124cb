"""Template tags of rooms: the badges and buttons of their status."""

from collections.abc import Iterator
from urllib.parse import quote, urlencode

from django import template
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from hotelapp.portal.times import day
from rooms.entities import Room
from rooms.statuses import STATUS_WORDS, Housekeeping

register = template.Library()
LIKELY = {
    Housekeeping.DIRTY: Housekeeping.CLEAN,
    Housekeeping.CLEAN: Housekeeping.INSPECTED,
    Housekeeping.INSPECTED: Housekeeping.DIRTY,
}
"""What most likely follows a state of housekeeping. A phone shows the button for it alone."""


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
def housekeeping_buttons(room: Room, was: str = "") -> SafeString:
    """A button for each state of housekeeping. The room's present one is pressed.

    The class ``next`` marks the most likely next one. After a tap, which replaced ``was``, it stays where it is.
    """
    return format_html_join("", "{}", [[button] for button in _buttons(room, was)])


@register.simple_tag
def housekeeping_thumb(room: Room, back: str, was: str = "") -> SafeString:
    """One large button for the most likely next state of housekeeping, and what else can be set in a menu.

    ``back`` is the address of the list.

    Before a tap the present state stands beside it. After a tap, which replaced ``was``, the button says what it did.
    """
    buttons = dict(zip(Housekeeping, _buttons(room, was), strict=True))
    likely = buttons.pop(room.housekeeping if was else LIKELY[room.housekeeping])
    now = "" if was else housekeeping_badge(room)
    menu = (
        '{}{}<button type="button" class="button others" popovertarget="others-{}" aria-label="Other states">⋯</button>'
        '<div id="others-{}" class="others" popover><p>Room {}</p>{}'
        '<a class="button" href="{}" hx-boost="false">Out of order …</a></div>'
    )
    number, others = room.number.replace(" ", "_"), format_html_join("", "{}", ([other] for other in buttons.values()))
    form = f"../rooms/{quote(room.number, '')}/status/?{urlencode({'list': back})}"
    return format_html(menu, now, likely, number, number, room.number, others, form)


def _buttons(room: Room, was: str) -> Iterator[SafeString]:
    number, likely = room.number.replace(" ", "_"), room.housekeeping if was else LIKELY[room.housekeeping]
    button = (
        '<button id="housekeeping-{}-{}" class="status {}" name="housekeeping" value="{}" aria-pressed="{}">{}</button>'
    )
    for state in Housekeeping:
        yield format_html(
            button,
            number,
            state,
            f"{state} next" if state == likely else state,
            state,
            "true" if state == room.housekeeping else "false",
            STATUS_WORDS[state],
        )
