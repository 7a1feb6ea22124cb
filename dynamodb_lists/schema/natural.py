"""The natural order of texts, in which people count: 9 before 10, 1.9 before 1.10, and 101 before 101a. Pure.

A text is written with the number of its digits before each run of digits, so that ``101`` is ``03101``. Then it sorts
as people count, in whatever case. After this stands the text itself.
"""

import re
from dataclasses import dataclass
from typing import Any

from dynamodb_lists.connection.errors import KeyPartError
from dynamodb_lists.schema.conditions import Between, Spans
from dynamodb_lists.schema.keys import HIGHEST, LOWEST, SEPARATOR, no_part

MOST_DIGITS, LONG_RUN = 99, 5
"""The most digits in a row, and those of texts that are so few that a search reads all longer ones as one range."""


def natural(text: str | None) -> str:
    """Return a text as two parts of a key in natural order: its order, and the text. ``None`` sorts first. Raises:
    :class:`KeyPartError`.
    """
    if text and SEPARATOR in text:
        raise KeyPartError(no_part(text))
    return f"{natural_order(text)}{SEPARATOR}{text}" if text else f"!{SEPARATOR}!"


def natural_order(text: str) -> str:
    """Return a text that sorts as people sort ``text``. A blank is written ``$``, which sorts after ``#``: 101 comes
    before "101 a". Raises: ``KeyPartError`` for more than 99 digits in a row.
    """
    return re.sub("0*([0-9]*)", _counted, text.casefold().replace(" ", "$"))


def _counted(run: re.Match[str]) -> str:
    if len(run[1]) > MOST_DIGITS:
        raise KeyPartError(f"{run[1][:20]}... has more than {MOST_DIGITS} digits.")
    return f"{len(run[1]):02d}{run[1]}" if run[0] else ""


@dataclass(frozen=True)
class Beginning(Spans):
    """The parts of texts in natural order that begin with a text, in capitals or not.

    Its ranges hold all of these, and may hold others. Other digits may follow those of the text: 10, 100 to 109, 1000
    to 1099. So all that begin with the letters before the last digits of a text are in one range: all of A-1 and A-2,
    for A-1. Texts in keys are a range if no letter in their beginning may be a capital.
    """

    start: str = ""

    @classmethod
    def of(cls, text: str) -> "Beginning":
        start = text.casefold()
        letters, digits = start.rstrip("0123456789"), start.lstrip("0")
        texts = (_beginning(start),) if start == start.upper() else ()
        if letters or not digits:
            return cls((_beginning(natural_order(letters)) if letters else Between(LOWEST, HIGHEST),), texts, start)
        long = max(len(digits), LONG_RUN + 1)
        ranges = [_beginning(f"{length:02d}{digits}") for length in range(len(digits), LONG_RUN + 1)]
        return cls((*ranges, Between(f"{long:02d}{digits}", f"{MOST_DIGITS}{HIGHEST}")), texts, start)

    def has(self, value: Any) -> bool:
        return bool(str(value).partition(SEPARATOR)[2].casefold().startswith(self.start))


def _beginning(text: str) -> Between:
    return Between(text, text + HIGHEST)
