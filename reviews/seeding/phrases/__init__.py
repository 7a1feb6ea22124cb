"""Phrases of demo reviews by language."""

from collections.abc import Mapping

from reviews.seeding.phrases.de import GERMAN
from reviews.seeding.phrases.el import GREEK
from reviews.seeding.phrases.en import ENGLISH
from reviews.seeding.phrases.es import SPANISH
from reviews.seeding.phrases.fr import FRENCH
from reviews.seeding.phrases.it import ITALIAN
from reviews.seeding.phrases.ja import JAPANESE
from reviews.seeding.phrases.texts import Mood, Phrases

PHRASES: Mapping[str, Phrases] = {
    "en": ENGLISH,
    "de": GERMAN,
    "fr": FRENCH,
    "it": ITALIAN,
    "es": SPANISH,
    "ja": JAPANESE,
    "el": GREEK,
}

__all__ = ["PHRASES", "Mood", "Phrases"]
