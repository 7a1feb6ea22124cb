"""Languages: their names, from Unicode CLDR, and their order in the filter."""

from collections.abc import Iterable, Mapping
from functools import cache

from babel import Locale, UnknownLocaleError

ENGLISH = Locale("en")


@cache
def language_name(code: str) -> str:
    """The English name of a language: ``de`` is "German". For an unknown code, the code itself."""
    try:
        return Locale.parse(code, sep="-").get_display_name(ENGLISH) or code
    except (UnknownLocaleError, ValueError):
        return str(ENGLISH.languages.get(code, code))


def is_known(code: str) -> bool:
    """Whether the first part of the code is a language. The region or the script after it is not checked."""
    return code.split("-", maxsplit=1)[0] in ENGLISH.languages


def in_menu_order(counts: Mapping[str, int], selected: Iterable[str]) -> list[str]:
    """The languages of the filter: those that are counted and those that are selected, the most frequent first."""
    return sorted({*counts, *selected}, key=lambda code: (-counts.get(code, 0), code))
