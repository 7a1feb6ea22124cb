"""Characters that no text from outside may have.

Refused are control characters, and format characters that change or hide the text around them, see Unicode Technical
Reports 36 and 39. Allowed are characters that cannot be seen either, but that scripts and emoji need: joiners and the
marks of Arabic, Hebrew, Persian and Indic texts, spaces of zero width (Thai), soft hyphens, and private and unassigned
characters, which a newer version of Unicode may have.
"""

import re
import unicodedata

from django.core.exceptions import ValidationError

PLANES = range(0, 0x110000, 0x10000)
NONCHARACTERS = "\ufdd0-\ufdef" + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in PLANES)
REFUSED = re.compile(
    "["
    "\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # control characters, except for tabs and line ends
    "\u2028\u2029"  # line and paragraph separators
    "\u202a-\u202e\u2066-\u2069"  # bidirectional embeddings, overrides and isolates
    "\u206a-\u206f"  # deprecated format characters
    "\ud800-\udfff"  # halves of surrogate pairs
    "\ufeff"  # byte order mark
    "\ufff9-\ufffb"  # interlinear annotations
    f"{NONCHARACTERS}"
    "\U000e0000-\U000e007f"  # tags
    "]"
)
FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]+\U000e007f")
"""The flag of a part of a country, such as Scotland: an emoji that is spelt with tags."""

UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and marks without a picture. Other characters that cannot be seen are in categories of their own."""


def name_of(char: str) -> str:
    """Return a character's number and name: ``U+202E (right-to-left override)``."""
    return f"U+{ord(char):04X} ({unicodedata.name(char, 'no letter').lower()})"


def is_unseen(text: str) -> bool:
    """Return whether no character of the text can be seen."""
    return all(
        char in UNSEEN or unicodedata.category(char)[0] in "CZ" or unicodedata.name(char, "").startswith("VARIATION")
        for char in text
    )


def check_text(text: str, label: str = "text") -> None:
    """Raise :class:`ValidationError` if the text has a character that it may not have. The message names it."""
    if found := REFUSED.search(FLAG.sub("", text)):
        noun = label if label[:2].isupper() else f"{label[:1].lower()}{label[1:]}"
        message = f"The {noun} has the character {name_of(found[0])}, which cannot be seen. Type it again."
        raise ValidationError(message, code="refused_character")
