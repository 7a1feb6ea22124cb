"""An inverted index: for each of its words, an entity has one more item, a *word item*.

The sort key of a word item begins with a *term*. Its partition is that of the term's initials. There are three kinds of
terms:

- A word, such as ``leroux``, in the partition ``l``. One Query of a range finds all words with a beginning.
- Two words of one name, for readers who type several. Their letters alternate: ``emile`` and ``leroux`` give
  ``elmeirloeu x``, in the partition ``el``. So the beginnings ``emil`` and ``ler`` are one range, ``elmeirl``. (This is
  a Z-order curve: G. M. Morton, "A computer oriented geodetic data base", 1966.) The words of a pair are in
  alphabetical order, so the order in which somebody types them does not matter.
- A number that is found by its last digits, such as a phone number: its digits backwards after a plus sign, with which
  no typed word begins. ``+43 660 123`` gives ``+32106634``, in the partition ``+32``.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, zip_longest
from typing import NamedTuple, Self

from dynamodb_lists.schema.conditions import Between
from dynamodb_lists.schema.keys import parse, text_range

MAX_WORDS = 8
"""The most words of a name that are indexed: 8 words and 28 pairs, so that a changed name fits into a transaction."""

WORD_LENGTH = 64
"""Characters of a word. Longer words, such as long e-mail addresses, are found by these."""

_ACCENTS = re.compile("[\u0300-\u036f]")
"""The combining marks of Latin, Greek and Cyrillic letters. The vowels of other scripts are marks, too; they stay."""

_LETTERS = str.maketrans(
    {"æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "þ": "th", "ħ": "h", "ŧ": "t", "ŋ": "n", "ı": "i"}
)
"""Latin letters that Unicode does not decompose, though people type them without their strokes. ``ß`` is casefolded."""

_APOSTROPHES = re.compile("['`´ʼʻ\u2018\u2019\u02b9]")
_INNER = "._-@+"
"""The characters that join the parts of one word, as in ``jean-luc``, ``emile.leroux`` and ``emile@example.com``."""

_PARTS = re.compile(f"[{re.escape(_INNER)}]+")
_FILLER = " "

NUMBER = "+"
"""The first character of a number that is found by its end."""

FEWEST_DIGITS, MOST_DIGITS = 4, 7
"""The fewest digits of a number that find it, and the most that are compared: the codes of countries vary."""

MAX_NUMBERS = 6
"""The most numbers of an entity that are indexed, so that its words fit into a transaction."""

_NUMBER_ENDS = re.compile(r"[^\W\d_]+|[,;|&#]")
_PART_ENDS = re.compile(r"[/\\–—]|\s-\s|(?=\+)")
"""What ends a phone number: words and signs before an extension or another one; or perhaps only the code of an area."""
_ONLY_NUMBER = re.compile(r"[\d\s()/.+–—-]*")


class Term(NamedTuple):
    """The parts of a word item's key: the initials, which are the partition, and the text."""

    initials: str
    text: str


@dataclass(frozen=True)
class Words:
    """The words by which an entity is found.

    Several typed words are searched in the ``name`` alone. One typed word is also searched in the ``others``, such as
    an e-mail address. In each tuple, no word is the beginning of another.
    """

    name: tuple[str, ...]
    others: tuple[str, ...] = ()

    @classmethod
    def of(cls, name: str, *ids: str, phones: Iterable[str] | None = None) -> Self:
        """Return the words of a name, each of ``ids`` as one word, and the numbers of ``phones``.

        With ``phones``, digits at the beginning of words are numbers, too: a search for digits finds numbers alone.
        """
        found, others = words_of(name), whole(*ids)
        if phones is not None:
            leading = (re.match(r"\d*", word)[0] for word in (*found, *others))  # type: ignore[index]
            others = (*others, *numbers(*phones, *leading))
        return cls(found, others)

    @property
    def single(self) -> tuple[str, ...]:
        """The words that a search for one word compares."""
        return _without_beginnings([*self.name, *self.others])

    def terms(self) -> set[Term]:
        """Return the terms of the entity: each word, and each pair of words of the name."""
        pairs = (_pair(*sorted(pair)) for pair in combinations(self.name, 2))
        return {*(Term(_initial(word), word) for word in self.single), *pairs}


@dataclass(frozen=True)
class WordQuery:
    """A search: the typed beginnings of words, folded, in alphabetical order. There is at least one."""

    typed: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Self | None:
        """Return the search for a typed text; ``None`` if it has no letter and no digit."""
        beginnings = _without_beginnings([word[:WORD_LENGTH] for word in _split(text)[:MAX_WORDS]])
        return cls(tuple(sorted(beginnings))) if beginnings else None

    @classmethod
    def of_number(cls, text: str) -> Self | None:
        """Return the search for last digits: four or more alone, or seven before an extension; otherwise ``None``."""
        first = _NUMBER_ENDS.split(text)[0]
        digits = _digits(first) if _ONLY_NUMBER.fullmatch(first) and "@" not in text else ""
        fewest = FEWEST_DIGITS if first == text else MOST_DIGITS
        return cls((NUMBER + digits[-MOST_DIGITS:][::-1],)) if len(digits) >= fewest else None

    @classmethod
    def of_numbers(cls, text: str) -> list[Self]:
        """Return the searches for the last digits of each number in a text."""
        return [cls((number[: len(NUMBER) + MOST_DIGITS],)) for number in numbers(text)]

    @property
    def leading(self) -> tuple[str, ...]:
        """The beginnings that choose the key range: the two longest, or the longest alone beside single letters.

        The range of ``m`` and ``schmidt`` would be all pairs with these initials. The range of ``schmidt`` is shorter.
        """
        longest = sorted(self.typed, key=len, reverse=True)[:2]
        return (longest[0],) if len(longest[-1]) == 1 < len(longest[0]) else tuple(sorted(longest))

    @property
    def initials(self) -> str:
        """The partition of the word items to read."""
        return "".join(map(_initial, self.leading))

    @property
    def start(self) -> str:
        """The text with which the sort keys of the word items to read begin."""
        if len(self.leading) == 1:
            return self.leading[0]
        first, second = self.leading
        shorter = min(len(first), len(second))
        return _woven(first[:shorter], second[:shorter]) + first[shorter : shorter + 1]

    @property
    def span(self) -> Between:
        """The range of sort keys to read."""
        return text_range(self.start)

    def term(self, words: Words) -> str | None:
        """Return the term by which an entity with these words is found; ``None`` if the words do not match.

        If several words begin as typed, the first one counts, so that no entity is found twice.
        """
        searched = words.single if len(self.typed) == 1 else words.name
        if not all(any(word.startswith(beginning) for word in searched) for beginning in self.typed):
            return None
        stored_alone = words.single if len(self.leading) == 1 else words.name  # `day` is not if `day@example.com` is
        firsts = [min(word for word in stored_alone if word.startswith(beginning)) for beginning in self.leading]
        return firsts[0] if len(firsts) == 1 else _pair(*firsts).text


def folded(text: str) -> str:
    """Return a text in small letters, without accents and apostrophes, with compatible characters made equal."""
    decomposed = unicodedata.normalize("NFKD", _APOSTROPHES.sub("", text).casefold())
    plain = _ACCENTS.sub("", decomposed).casefold().translate(_LETTERS)
    return unicodedata.normalize("NFC", plain)


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a name, in its order, at most eight. ``jean-luc`` is a word, and so is ``luc``."""
    found = []
    for word in _split(text):
        for start in (0, *map(re.Match.end, _PARTS.finditer(word))):
            found.append(word[start:][:WORD_LENGTH])
    return _without_beginnings(found)[:MAX_WORDS]


def whole(*texts: str) -> tuple[str, ...]:
    """Return each text as one word, such as an e-mail address. Blank texts are left out."""
    return _without_beginnings([word[:WORD_LENGTH] for text in texts for word in _split(text)[:1]])


def numbers(*texts: str) -> tuple[str, ...]:
    """Return the digits of each text, and of each phone number in it, backwards, if there are at least four."""
    found = list[str]()
    for text in texts:
        found.append(_digits(text))
        for number in _NUMBER_ENDS.split(text):
            found.append(_digits(number))
            found += [part for part in map(_digits, _PART_ENDS.split(number)) if len(part) >= MOST_DIGITS]
    backwards = [NUMBER + digits[::-1] for digits in found if len(digits) >= FEWEST_DIGITS]
    return _without_beginnings(backwards)[:MAX_NUMBERS]


def text_of(sort_key: str) -> str:
    return parse(sort_key)[0]


def _digits(text: str) -> str:
    return "".join(str(unicodedata.decimal(char)) for char in text if char.isdecimal())


def _initial(word: str) -> str:
    """Return the partition of a word: its first letter; for a number, its last two digits."""
    return word[:3] if word.startswith(NUMBER) else word[0]


def _split(text: str) -> list[str]:
    """Return the folded words of a text, which blanks and punctuation separate."""
    joined = "".join(char if char in _INNER or unicodedata.category(char)[0] in "LMN" else " " for char in folded(text))
    return [word for word in (part.strip(_INNER) for part in joined.split()) if word]


def _without_beginnings(words: Iterable[str]) -> tuple[str, ...]:
    unique = list(dict.fromkeys(words))
    return tuple(word for word in unique if not any(other != word and other.startswith(word) for other in unique))


def _pair(first: str, second: str) -> Term:
    return Term(first[0] + second[0], _woven(first, second).rstrip(_FILLER))


def _woven(first: str, second: str) -> str:
    """Return the letters of two words, alternating. The shorter word is filled with blanks."""
    return "".join(a + b for a, b in zip_longest(first, second, fillvalue=_FILLER))


def joined(words: Sequence[str]) -> str:
    """Return words as one text with a blank before each, in which ``contains`` finds the beginning of a word."""
    return "".join(f" {word}" for word in words)
