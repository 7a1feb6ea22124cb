"""Phrases of demo reviews by language, from ``phrases.toml``."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Mood:
    """Phrases of reviews with similar ratings. Any opening, middles and ending fit together.

    ``replies`` are whole replies of the hotel to such reviews.
    """

    titles: tuple[str, ...]
    openings: tuple[str, ...]
    middles: tuple[str, ...]
    endings: tuple[str, ...]
    replies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Phrases:
    """The phrases of a language: praise, mixed feelings and complaints. ``blank`` is what stands between sentences."""

    praise: Mood
    mixed: Mood
    complaint: Mood
    blank: str = " "

    def of(self, rating: int) -> Mood:
        """The phrases that fit a rating from 1 to 5."""
        return {5: self.praise, 4: self.praise, 3: self.mixed}.get(rating, self.complaint)


def _phrases(language: Mapping[str, Any]) -> Phrases:
    moods = {
        name: Mood(**{part: tuple(texts) for part, texts in language[name].items()})
        for name in ("praise", "mixed", "complaint")
    }
    return Phrases(**moods, blank=language.get("blank", " "))


PHRASES: Mapping[str, Phrases] = {
    name: _phrases(language)
    for name, language in tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")).items()
}
