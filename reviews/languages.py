"""Languages by their codes, as CLDR names them."""

from functools import cache

from babel import Locale, UnknownLocaleError

ENGLISH = Locale("en")


@cache
def language_name(code: str) -> str:
    """A language in English: ``de`` is "German". A code that nobody knows stays as it is."""
    try:
        return Locale.parse(code, sep="-").get_display_name(ENGLISH) or code
    except (UnknownLocaleError, ValueError):
        return str(ENGLISH.languages.get(code, code))


def is_known(code: str) -> bool:
    """Whether there is such a language; what follows its first part (a region, a script) is not looked at."""
    return code.split("-", maxsplit=1)[0] in ENGLISH.languages
