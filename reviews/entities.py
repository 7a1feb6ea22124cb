import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache
from typing import Annotated, Self

from babel import Locale, UnknownLocaleError

from dynamodb_lists import AddedRecord, Field, Record, WordQuery, folded
from hotels.entities import REVIEWS, TOTAL, UNANSWERED, Numbers, month_of
from portal.people import author_name

ENGLISH = Locale("en")
LISTED_LETTERS = 400
"""The most letters of a text that lists show. Indexes hold one more, which tells that there are more.

So an entry of an index has less than 1 KB in most languages, and an export seldom reads an item.
"""

MOST_WORDS, LEAST_LETTERS, SEARCHED_LETTERS = 24, 4, 2000
"""How many words of a review are found: the first different ones of so many letters, in so many letters of the text.

Each is an item, for two write units, so that a changed text fits into a transaction: 24 words go and 24 come.
"""

WORD, WORD_LENGTH = re.compile(r"[^\W_]+"), 64


class TextQuery(WordQuery):
    """A search for words of a text. Only the longest chooses what is read, because there are no items for pairs."""

    @classmethod
    def of(cls, text: str) -> Self | None:
        """Return the search for a typed text; ``None`` without a word. Short words count only alone."""
        typed = sorted({word[:WORD_LENGTH] for word in WORD.findall(folded(text))})
        long = [word for word in typed if len(word) >= LEAST_LETTERS]
        return cls(tuple(long or typed)) if typed else None

    @property
    def leading(self) -> tuple[str, ...]:
        return (max(self.typed, key=len),)


@cache
def language_name(code: str) -> str:
    """Return the English name of a language: ``de`` is "German". For an unknown code, the code itself."""
    try:
        return Locale.parse(code, sep="-").get_display_name(ENGLISH) or code
    except (UnknownLocaleError, ValueError):
        return str(ENGLISH.languages.get(code, code))


@dataclass(frozen=True, slots=True, kw_only=True)
class Review(AddedRecord):
    """A review. ``rating`` is from 1 to 5; ``language`` is a code like ``zh-cn``; ``created_at`` is UTC, to the second.

    ``username`` names the guest of the portal who wrote it, if that is known. ``reply`` is the hotel's answer, with the
    username of the member of staff and the time (UTC). Only the index of a hotel's reviews has the text. Indexes, and
    so lists, have only the beginning of long texts and replies. ``revision`` counts the changes: a write is refused if
    somebody else has changed the review.
    """

    review_id: Annotated[str, Field("Id", stored=False, entered=False)]
    hotel_id: Annotated[str, Field("Hotel", entered=False)]
    room_number: Annotated[str, Field("Room", blank=True)] = ""
    language: Annotated[str, Field("Language", words=language_name)]
    rating: Annotated[int, Field("Rating")]
    created_at: Annotated[datetime, Field("Written", stored=False, entered=False)]
    author: Annotated[str, Field("Guest")]
    username: Annotated[str, Field("Username", blank=True, listed=False, computed=True)] = ""
    title: Annotated[str, Field("Title", blank=True)] = ""
    body: Annotated[str, Field("Text", blank=True)] = ""
    reply: Annotated[str, Field("Reply", listed=False, entered=False, computed=True, sparse=True)] = ""
    replied_by: Annotated[
        str,
        Field("Reply by", words=author_name, compared=False, entered=False, computed=True, sparse=True, recorded=True),
    ] = ""
    replied_at: Annotated[
        datetime | None, Field("Reply written", compared=False, entered=False, computed=True, recorded=True)
    ] = None

    @property
    def words(self) -> tuple[str, ...]:
        """The words by which the review is found, of its title and its text."""
        found = WORD.findall(folded(f"{self.title} {self.body}"[:SEARCHED_LETTERS]))
        return tuple(dict.fromkeys(word[:WORD_LENGTH] for word in found if len(word) >= LEAST_LETTERS))[:MOST_WORDS]

    @property
    def statistics(self) -> Numbers:
        """Return what the review adds to the statistics of its hotel: one review with its rating, in its month and in
        total.

        Without a reply, it adds one review of its language to the total, too.
        """
        counted = {str(self.rating): Decimal(1)}
        waiting = {} if self.replied_at else {f"{UNANSWERED}{self.language}": Decimal(1)}
        return {(REVIEWS, month_of(self.created_at.astimezone(UTC))): counted, (REVIEWS, TOTAL): {**counted, **waiting}}


REPLY = ("reply", "replied_by", "replied_at")
"""The fields of the hotel's reply. Only the commands for replies change them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandardReply(Record):
    """A text that managers keep, for replies to reviews in its language. ``{guest}`` in it is the guest's name."""

    hotel_id: Annotated[str, Field("Hotel", stored=False, entered=False)]
    language: Annotated[str, Field("Language", stored=False, words=language_name)]
    name: Annotated[str, Field("Name", stored=False)]
    text: Annotated[str, Field("Text")]

    def to(self, review: Review) -> str:
        return self.text.replace("{guest}", review.author)


@dataclass(frozen=True, slots=True)
class Statistics:
    """The number of reviews of each rating, their total, and their mean rating to one decimal, ``None`` without any."""

    histogram: Mapping[int, int]
    total: int
    average: Decimal | None
