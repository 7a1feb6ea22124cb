"""Three versions of a thing: what the editor saw, what is stored, and what the editor changed.

A form sends the values that it has shown: the parts of the thing, such as fields, each as a text. A part that still has
its shown value is not changed by the editor, whatever others have stored meanwhile.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

AsText = Callable[[Any], str]


class Edit:
    """The change of an editor: the ``entered`` parts that differ from the ``seen`` parts.

    ``stored`` are the parts as they are now. Without ``seen``, every part counts as changed.
    """

    def __init__(
        self, stored: Mapping[str, Any], entered: Mapping[str, Any], seen: Mapping[str, str], text: AsText
    ) -> None:
        self.stored, self.seen = stored, seen
        self.changes = {name: value for name, value in entered.items() if text(value) != seen.get(name)}
        self.differing = {name: value for name, value in entered.items() if stored.get(name) != value}
        self.needed = {name: value for name, value in self.changes.items() if name in self.differing}
        self.up_to_date = bool(seen) and all(text(stored.get(name)) == value for name, value in seen.items())
        self.merged = {name: self.changes.get(name, stored.get(name)) for name in {**entered, **stored}}
        """The parts with the editor's changes; the others as they are stored."""

    @staticmethod
    def shown(parts: Mapping[str, Any], text: AsText) -> str:
        """Return what a form sends of the parts that it shows."""
        return json.dumps({name: text(value) for name, value in parts.items()}, ensure_ascii=False)

    @staticmethod
    def read(sent: str) -> dict[str, str]:
        """Return the parts that a form has shown, each as a text; no parts if the form does not name them."""
        with suppress(ValueError, AttributeError, RecursionError):
            return {name: str(value) for name, value in json.loads(sent).items()}
        return {}
