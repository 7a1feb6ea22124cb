"""What templates call about the history: the panel on a thing's page, and the words for what an entry is about."""

from typing import Any

from django.urls import reverse

from portal.forms.values import recorded_in_words
from portal.history.commands import excerpts
from portal.history.entities import FieldChange, HistoryEntry
from portal.history.subjects import field_of, thing_at, thing_of
from portal.history.undoing import may_undo
from portal.jinja import Library

register = Library()
register.filter("thing", thing_of)


@register.inclusion_tag("history/_history.html")
def history_panel(kind: str, *ids: str) -> dict[str, Any]:
    """Return a thing's history. htmx loads the newest entries; without JavaScript it is a link."""
    return {"thing": thing_at(kind, "/".join(ids))}


@register.function
def field_label(entry: HistoryEntry, change: FieldChange) -> str:
    """Return the label of a changed field; its name if this release has none."""
    field = field_of(entry.thing, change.field)
    return field.label if field else change.field


@register.function
def bulk_address(context: Any, entry: HistoryEntry) -> str:
    """Return the address of an entry's bulk change; blank if the reader may not make such a change."""
    known, user = thing_of(entry.thing), context["request"].user
    if known and entry.bulk and known.subject.bulk_url_name and may_undo(entry, user.get_username(), user.has_perm):
        return reverse(known.subject.bulk_url_name, args=[known.ids[0], entry.bulk])
    return ""


@register.function
def values(context: Any, entry: HistoryEntry, change: FieldChange) -> tuple[str, str]:
    """Return a changed field's value before and after, as people read them; excerpts of long texts."""
    field = field_of(entry.thing, change.field)
    earlier = next((other.before for other in entry.changes if other.field == "currency"), "") or change.currency
    before = recorded_in_words(field, change.before, earlier, context["view"].zone)
    return excerpts(before, recorded_in_words(field, change.after, change.currency, context["view"].zone))
