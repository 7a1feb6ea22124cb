"""What an editor of a row saw, what is stored, and what the editor changed."""

import json
from collections.abc import Collection, Mapping
from contextlib import suppress
from decimal import Decimal
from typing import Any, NamedTuple

from dynamodb_lists.django.admin.rows import steady
from dynamodb_lists.schema.entities import fields, text


class EditedField(NamedTuple):
    """A field of which an editor saw another value than the stored one. ``mine`` is ``None`` if it was not edited."""

    label: str
    seen: str
    stored: str
    mine: str | None


class Edit:
    """What an editor changed: the ``values`` that differ from those that were ``seen``.

    ``stored`` is the entity as it is now. Without what was seen, every value counts as changed.
    """

    def __init__(self, stored: Any, values: Mapping[str, Any], seen: str) -> None:
        self.stored, self.seen = stored, dict[str, str]()
        with suppress(ValueError, TypeError, AttributeError):
            self.seen = {str(name): str(value) for name, value in json.loads(seen).items()}
        self.changes = {name: value for name, value in values.items() if plain(value) != self.seen.get(name)}
        self.needed = {name: value for name, value in self.changes.items() if getattr(stored, name) != value}
        now = {name: plain(getattr(stored, name, None)) for name in self.seen}
        self.up_to_date = bool(now) and now == self.seen

    def differences(self, hidden: Collection[str]) -> list[EditedField]:
        """The fields in which what was seen, what is stored, and what was entered differ, but for ``hidden`` ones."""
        found = []
        for field in fields(self.stored.__class__):
            if field.name in hidden:
                continue
            stored, seen = plain(getattr(self.stored, field.name)), self.seen.get(field.name, "")
            mine = plain(self.changes[field.name]) if field.name in self.changes else None
            if field.compared and (stored != seen or mine not in (None, stored)):
                found.append(EditedField(field.label, seen, stored, mine))
        return found


def plain(value: Any) -> str:
    """A value as text, without what a form changes by itself: spaces and line ends, and zeros of a decimal."""
    written = text(steady(value)).replace("\r\n", "\n").replace("\r", "\n").strip()
    return written.rstrip("0").removesuffix(".") if isinstance(value, Decimal) and "." in written else written


def seen(entity: Any, hidden: Collection[str]) -> str:
    """What an editor sees of an entity, as a text for a form. ``hidden`` fields are not sent."""
    names = [field.name for field in fields(entity.__class__) if field.name not in hidden]
    return json.dumps({name: plain(getattr(entity, name)) for name in names}, ensure_ascii=False)
