"""Template tags of the history: the panel on a thing's page, and the words for what an entry is about."""

from typing import Any

from django import template

from hotelapp.history import subjects
from hotelapp.history.entities import FieldChange, HistoryEntry
from hotelapp.history.subjects import Thing, thing_at, thing_of
from hotelapp.portal.forms.values import recorded_in_words

register = template.Library()


@register.inclusion_tag("history/_history.html")
def history_panel(kind: str, *ids: str) -> dict[str, Any]:
    """A thing's history, closed. htmx loads the newest entries when it is opened; without JavaScript it is a link."""
    return {"thing": thing_at(kind, "/".join(ids))}


@register.filter
def thing(key: str) -> Thing | None:
    """The thing that an entry is about; ``None`` if this release does not know its kind."""
    return thing_of(key)


@register.simple_tag
def field_label(entry: HistoryEntry, change: FieldChange) -> str:
    """The label of a changed field."""
    return subjects.field_label(entry.thing, change.field)


@register.simple_tag
def values(entry: HistoryEntry, change: FieldChange) -> tuple[str, str]:
    """A changed field's value before and after, as people read them."""
    known = thing_of(entry.thing)
    field = known.subject.fields.get(change.field) if known else None
    earlier = next((other.before for other in entry.changes if other.field == "currency"), "") or change.currency
    return (
        recorded_in_words(field, change.before, earlier),
        recorded_in_words(field, change.after, change.currency),
    )
