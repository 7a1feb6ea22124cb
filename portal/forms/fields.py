"""Form fields that several apps use, and the characters that texts from outside may have."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.urls import Resolver404, resolve
from django.utils import timezone

from dynamodb_lists import WordQuery
from dynamodb_lists.lists.edits import Edit
from dynamodb_lists.schema import keys
from portal.forms.numbers import WholeField
from portal.forms.values import text_of
from portal.money import currencies
from portal.times import in_zone

# Characters that no text from outside may have: control characters, and format characters that change or hide the text
# around them, see Unicode Technical Reports 36 and 39. Allowed are characters that cannot be seen either, but that
# scripts and emoji need: joiners and the marks of Arabic, Hebrew, Persian and Indic texts, spaces of zero width (Thai),
# soft hyphens, and private and unassigned characters, which a newer version of Unicode may have.
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


def is_unseen(text: str) -> bool:
    """Return whether no character of the text can be seen."""
    return all(
        char in UNSEEN or unicodedata.category(char)[0] in "CZ" or unicodedata.name(char, "").startswith("VARIATION")
        for char in text
    )


def check_text(text: str, label: str = "text") -> None:
    """Raise :class:`ValidationError` if the text has a character that it may not have.

    The message has its number and name: ``U+202E (right-to-left override)``.
    """
    if found := REFUSED.search(FLAG.sub("", text)):
        noun = label if label[:2].isupper() else f"{label[:1].lower()}{label[1:]}"
        named = f"U+{ord(found[0]):04X} ({unicodedata.name(found[0], 'no letter').lower()})"
        message = f"The {noun} has the character {named}, which cannot be seen. Type it again."
        raise ValidationError(message, code="refused_character")


ISO_DAY = "%Y-%m-%d"
LOCAL_TIME = "%Y-%m-%dT%H:%M"
FIRST_YEAR, LAST_YEAR = 1900, 2999
OTHER_YEAR = f"Choose a year from {FIRST_YEAR} to {LAST_YEAR}."
FIRST_DAY = MinValueValidator(date(FIRST_YEAR, 1, 1), OTHER_YEAR)
LAST_DAY = MaxValueValidator(date(LAST_YEAR, 12, 31), OTHER_YEAR)
AHEAD = timedelta(days=1)  # a clock, or a day in another time zone, may be ahead of UTC
MAX_REVISION = 10**17
"""Above every revision: that of a new thing is the time in milliseconds, and a migration of its list adds 10^14."""

PART_LENGTH = keys.SLUG_LENGTH
"""The most characters of a text that keys have as a part: an id, a slug, a SKU."""

SEARCH_LENGTH, SEEN_LENGTH = 100, 100
NUMBER_LENGTH = 16
NUMBER_HELP = (
    f"A room number has up to {NUMBER_LENGTH} letters, digits, spaces, dots and dashes, "
    "and begins with a letter or digit."
)


def not_reserved(noun: str, folder: str) -> Callable[[str], None]:
    """Return a validator that refuses words in the portal's addresses: in this ``folder``, they are another page."""

    def check(text: str) -> None:
        if not _is_free(f"{folder}{text}/", text):
            raise ValidationError(f"“{text}” cannot be {noun}. Choose another one.")

    return check


@lru_cache(maxsize=10_000)  # a file names a hotel in each row
def _is_free(address: str, text: str) -> bool:
    """Return whether no other page has an address, so that a thing may have it."""
    try:
        return text in resolve(address).kwargs.values()
    except Resolver404:
        return True


class HotelField(forms.SlugField):
    """A hotel's id, in Unicode normal form NFKC: what looks alike, such as letters in full width, is one id."""

    default_error_messages = {"invalid": "Use only letters, digits, hyphens and underscores."}

    def __init__(self, **options: Any) -> None:
        free = not_reserved("a hotel's id", "/hotels/")
        super().__init__(max_length=PART_LENGTH, allow_unicode=True, validators=[free], **options)

    def to_python(self, value: Any) -> str:
        return unicodedata.normalize("NFKC", super().to_python(value) or "")


def check_number(text: str) -> None:
    """Refuse a text that is no room number. A mark above or below a letter, as Thai and Hindi have, is a part of it."""
    begins_well = text[0].isalnum() or text[0] == "_"
    if not begins_well or any(char not in " .-_" and unicodedata.category(char)[0] not in "LMN" for char in text):
        raise ValidationError(NUMBER_HELP)


class NumberField(forms.CharField):
    """A room number, or the beginning of one, as keys hold it: with one blank where several were typed."""

    default_validators = [check_number]

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=NUMBER_LENGTH, **options)

    def to_python(self, value: Any) -> str:
        return " ".join(unicodedata.normalize("NFKC", super().to_python(value) or "").split())


class TextField(forms.CharField):
    """A text without characters that change or hide others. A text that cannot be seen counts as blank."""

    def to_python(self, value: Any) -> str:
        """Return the text. Raises :class:`ValidationError`, which names a character that the text may not have."""
        text = str(super().to_python(value))
        check_text(text, str(self.label or "text"))
        return "" if is_unseen(text) else self.tidied(text)

    def tidied(self, text: str) -> str:
        """Return the text on one line: tabs and line ends become a blank."""
        return re.sub("[\t\n\r]+", " ", text)


class LineField(TextField):
    """A name or a title that a person types."""

    def tidied(self, text: str) -> str:
        return " ".join(text.split())


class LinesField(TextField):
    """A text of several lines. Each line ends with a line feed."""

    def __init__(self, *, max_lines: int, **options: Any) -> None:
        super().__init__(widget=forms.Textarea(attrs={"rows": 8, "dir": "auto"}), **options)
        self._max_lines = max_lines

    def tidied(self, text: str) -> str:
        """Return the text with ends of lines of one character. Browsers send two, which would count twice."""
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def clean(self, value: Any) -> str:
        """Return the text. Raises :class:`ValidationError`, also for too many lines."""
        text = str(super().clean(value))
        if (lines := len(text.splitlines())) > self._max_lines:
            raise ValidationError(f"At most {self._max_lines} lines; this has {lines}.")
        return text


class MailField(TextField, forms.EmailField):
    """An e-mail address. Django's field allows any character from U+00A1 on in the name of the host."""


class SearchField(forms.CharField):
    """A text to search for: the beginnings of words. Copied text may have characters that cannot be seen."""

    def __init__(self, **options: Any) -> None:
        search = forms.TextInput(attrs={"type": "search", "placeholder": options.get("label", "")})
        super().__init__(max_length=SEARCH_LENGTH, widget=search, **{"required": False, **options})

    def clean(self, value: Any) -> str:
        """Return the text, with one blank between words. Raises: :class:`ValidationError` without a letter or digit."""
        text = " ".join(REFUSED.sub(" ", str(super().clean(value))).split())
        if text and not WordQuery.of(text):
            raise ValidationError("Type at least one letter or number.")
        return text.removeprefix("#")  # as pages write the number of an order


class CurrencyField(forms.CharField):
    """An ISO 4217 code, in capitals."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=3, **options)

    def clean(self, value: Any) -> str:
        code = str(super().clean(value)).upper()
        if code and code not in currencies():
            raise ValidationError(f"“{code}” is not a currency code, such as EUR.")
        return code


class DayField(forms.DateField):
    """A whole day, ``2023-01-15``, from 1900 to 2999."""

    def __init__(self, **options: Any) -> None:
        day = forms.DateInput(format=ISO_DAY, attrs={"type": "date"})  # browsers take no other format
        days = [FIRST_DAY, LAST_DAY]
        super().__init__(input_formats=[ISO_DAY], validators=days, **{"required": False, "widget": day, **options})
        self.error_messages["invalid"] = "Enter the day as year-month-day, for example: 2023-01-15."


class LocalTimeField(forms.DateTimeField):
    """A time to the minute, as the clocks of a ``zone`` show it: ``2023-01-15T06:00``. The cleaned value is in UTC."""

    zone = ""

    def __init__(self, **options: Any) -> None:
        clock = forms.DateTimeInput(format=LOCAL_TIME, attrs={"type": "datetime-local"})
        super().__init__(**{"required": False, "widget": clock, **options})
        self.error_messages["invalid"] = "Enter day and time, for example: 2023-01-15 06:00."

    def prepare_value(self, value: Any) -> Any:
        """Return a time as the clocks show it. A form that was sent has it as typed, or in UTC as stored."""
        if isinstance(value, str) and value.endswith("Z"):
            with suppress(ValueError, OverflowError):
                value = datetime.fromisoformat(value)
        return in_zone(value, self.zone).replace(tzinfo=None) if isinstance(value, datetime) else value

    def clean(self, value: Any) -> datetime | None:
        with timezone.override(in_zone(timezone.now(), self.zone).tzinfo):
            at: datetime | None = super().clean(value)
        if at and not FIRST_YEAR <= at.year <= LAST_YEAR:
            raise ValidationError(OTHER_YEAR)
        return at and at.astimezone(UTC).replace(second=0, microsecond=0)


class MomentField(forms.DateTimeField):
    """A time in the past, ISO 8601, to the second; UTC unless it has another zone. It may be so far ``ahead``."""

    def __init__(self, ahead: timedelta = AHEAD, **options: Any) -> None:
        self.ahead = ahead
        # And ISO 8601; Django's own formats would guess at 01/02/2023.
        super().__init__(input_formats=[ISO_DAY], **options)
        self.error_messages["invalid"] = (
            "Enter a valid date/time: 2023-01-15T10:22:31Z, which is UTC, or with its zone: 2023-01-15T11:22:31+01:00."
        )

    def clean(self, value: Any) -> datetime | None:
        """Return the time in UTC. Raises :class:`ValidationError` for a time before 1900 or in the future."""
        moment: datetime | None = super().clean(value)
        if moment and not FIRST_YEAR <= moment.year <= LAST_YEAR:
            raise ValidationError(f"The year must be from {FIRST_YEAR} to {LAST_YEAR}.")
        if moment and moment > timezone.now() + self.ahead:
            raise ValidationError("This time is in the future. Enter an earlier one.")
        return moment and moment.astimezone(UTC).replace(microsecond=0)


class Seen(int):
    """The revision that an editor saw, with the parts of the entity. A form that has none changes every part."""

    parts: Mapping[str, str] = {}


def as_seen(value: Any) -> str:
    """Return the text that stands for a shown value in a form; for a long text, a digest."""
    text = text_of(value)
    return text if len(text) <= SEEN_LENGTH else sha256(text.encode()).hexdigest()


def seen_text(revision: int, parts: Mapping[str, Any]) -> str:
    """Return the hidden text of a form with the revision and values that its editor saw: ``7 {"note": "Towels"}``."""
    return f"{revision} {Edit.shown(parts, as_seen)}"


class RevisionField(WholeField):
    """The revision of the entity that the editor saw, perhaps with its parts."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=0, max_value=MAX_REVISION, widget=forms.HiddenInput, **options)

    def to_python(self, value: Any) -> Seen | None:
        text, _, parts = str("" if value is None else value).partition(" ")
        if (revision := super().to_python(text)) is None:
            return None
        found = Seen(revision)
        found.parts = Edit.read(parts)
        return found


class RevisionForm(forms.Form):
    """The form of a question about an entity: only the revision that the user saw."""

    revision = RevisionField()
