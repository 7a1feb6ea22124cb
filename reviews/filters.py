"""The review list's filters as the page draws them: a bar for each rating, a chip for each language."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from babel import Locale, UnknownLocaleError

from hotelapp.dynamodb.facets import Selection
from reviews import keys


@dataclass(frozen=True)
class Choice:
    """A value of a facet, in words, the reviews that it would give, and their share of all values in percent."""

    value: str
    label: str
    count: int
    share: int
    selected: bool


def ratings(choices: Mapping[str, int], selection: Selection) -> list[Choice]:
    """A choice for each of the five ratings, the best first."""
    return [_choice(str(rating), str(rating), keys.RATING, choices, selection) for rating in keys.RATINGS]


def languages(choices: Mapping[str, int], selection: Selection) -> list[Choice]:
    """A choice for each language that the hotel has reviews in, the most frequent first."""
    ordered = sorted(choices, key=lambda code: (-choices[code], code))
    return [_choice(code, language_name(code), keys.LANGUAGE, choices, selection) for code in ordered]


@cache
def language_name(code: str) -> str:
    """A language in English: ``de`` is "German". A code that nobody knows stays as it is."""
    try:
        return Locale.parse(code, sep="-").get_display_name("en") or code
    except (UnknownLocaleError, ValueError):
        return code


def _choice(value: str, label: str, facet: str, choices: Mapping[str, int], selection: Selection) -> Choice:
    count, total = choices.get(value, 0), sum(choices.values())
    chosen = selection.values.get(facet, frozenset())
    return Choice(value, label, count, round(100 * count / total) if total else 0, value in chosen)
