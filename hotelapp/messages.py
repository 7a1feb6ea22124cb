"""Messages to the user: each is shown once, even if a form was sent twice before the next page was shown."""

from typing import Any

from django.contrib.messages.storage.base import Message
from django.contrib.messages.storage.fallback import FallbackStorage


class OnceStorage(FallbackStorage):
    """Keeps messages in a cookie, or in the session if the cookie is full. A message that waits is not added again."""

    def add(self, level: int, message: Any, extra_tags: str | None = "") -> None:
        """Add a message, unless the same one waits to be shown."""
        waiting = [*self._loaded_messages, *self._queued_messages]  # type: ignore[attr-defined]
        if Message(level, str(message), extra_tags=extra_tags) not in waiting:
            super().add(level, message, extra_tags or "")
