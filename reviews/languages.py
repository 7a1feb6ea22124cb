"""The names of languages, from Unicode CLDR."""

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
