"""Messages to the user: each is shown once, even if a form was sent twice before the next page was shown."""

from typing import Any

from django.contrib import messages
from django.contrib.messages.storage.base import Message
from django.contrib.messages.storage.fallback import FallbackStorage
from django.http import HttpRequest


class OnceStorage(FallbackStorage):
    """Keeps messages in a cookie, or in the session if the cookie is full. A message that waits is not added again."""

    @property
    def waiting(self) -> list[Any]:
        """The messages that are not shown yet. To look at them does not count as showing them."""
        return [*self._loaded_messages, *self._queued_messages]  # type: ignore[attr-defined]

    def add(self, level: int, message: Any, extra_tags: str | None = "") -> None:
        if Message(level, str(message), extra_tags=extra_tags) not in self.waiting:
            super().add(level, message, extra_tags or "")


def saved_before(request: HttpRequest, text: str) -> None:
    """Say what is saved to a user whose form was saved when it was sent before, as after a lost answer.

    After a double click, the message about the first form still waits, and says it all.
    """
    storage: Any = messages.get_messages(request)
    if not storage.waiting:
        messages.success(request, text)
