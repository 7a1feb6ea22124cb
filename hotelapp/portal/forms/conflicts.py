"""The differences between a form and the version that somebody else stored, field by field."""

from typing import Any, NamedTuple

from django.utils.text import Truncator

from hotelapp.dynamodb.schema import entities
from hotelapp.portal.forms.values import in_words

SHOWN_LENGTH = 80
"""The most characters of a value where two versions are compared."""


class FieldDifference(NamedTuple):
    """A field in which the stored entity differs from the form."""

    label: str
    stored: str
    entered: str


def field_differences(stored: Any, edited: Any) -> list[FieldDifference]:
    """The fields in which two versions of an entity differ, in words."""
    found = []
    for field in entities.differences(stored, edited):
        both = (
            in_words(field, getattr(each, field.name), getattr(each, "currency", "")) or "blank"
            for each in (stored, edited)
        )
        found.append(FieldDifference(field.label, *(Truncator(words).chars(SHOWN_LENGTH) for words in both)))
    return found
