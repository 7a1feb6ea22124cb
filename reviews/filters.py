"""The review list's filters as the page draws them: a bar for each rating, a chip for each language."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from reviews import keys
from reviews.languages import language_name


@dataclass(frozen=True)
class Choice:
    """A value of a facet, in words, the reviews that it would give, and their share of all values in percent."""

    value: str
    label: str
    count: int
    share: int
    selected: bool


def ratings(choices: Mapping[str, int], chosen: Collection[int]) -> list[Choice]:
    """A choice for each of the five ratings, the best first. ``chosen`` are those that the reader ticked."""
    ticked = set(map(str, chosen))
    return [_choice(str(rating), str(rating), choices, ticked) for rating in keys.RATINGS]


def languages(choices: Mapping[str, int], chosen: Collection[str]) -> list[Choice]:
    """A choice for each language that the hotel has reviews in, the most frequent first, and for those chosen."""
    ordered = sorted({*choices, *chosen}, key=lambda code: (-choices.get(code, 0), code))
    return [_choice(code, language_name(code), choices, chosen) for code in ordered]


def _choice(value: str, label: str, choices: Mapping[str, int], chosen: Collection[str]) -> Choice:
    count, total = choices.get(value, 0), sum(choices.values())
    share = (200 * count + total) // (2 * total) if total else 0  # halves up, as with stars
    return Choice(value, label, count, share, value in chosen)
