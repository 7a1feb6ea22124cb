"""Messages to the user: each is shown once, even if a form was sent twice before the next page was shown."""

import re
from typing import Any

from django.contrib import messages
from django.contrib.messages.storage.fallback import FallbackStorage
from django.http import HttpRequest

_TOKEN = re.compile(r'(?<=name="csrfmiddlewaretoken" value=")\w+')


class OnceStorage(FallbackStorage):
    """Keeps messages in a cookie, or in the session if the cookie is full. A message that waits is not added again."""

    @property
    def waiting(self) -> list[Any]:
        """The messages that are not shown yet. To look at them does not count as showing them."""
        return [*self._loaded_messages, *self._queued_messages]  # type: ignore[attr-defined]

    def add(self, level: int, message: Any, extra_tags: str | None = "") -> None:
        if (level, _without_token(message)) not in (
            (each.level, _without_token(each.message)) for each in self.waiting
        ):
            super().add(level, message, extra_tags or "")


def _without_token(message: Any) -> str:
    """A message without the token of its form, which is another one each time."""
    return _TOKEN.sub("", str(message))


def saved_before(request: HttpRequest, text: str) -> None:
    """Say what is saved to a user whose form was saved when it was sent before, as after a lost answer.

    After a double click, the message about the first form still waits, and says it all.
    """
    storage: Any = messages.get_messages(request)
    if not storage.waiting:
        messages.success(request, text)
