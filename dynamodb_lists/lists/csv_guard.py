"""CSV cells that a spreadsheet does not run as formulas (see OWASP, "CSV Injection").

Exports and files of rejected rows add a guard in front of what looks like a formula, and imports remove it. A formula
may stand at the start of a cell, and after a semicolon or a line end in it, because a spreadsheet in a country with
decimal commas divides a row there.
"""

import re

GUARD = "'"
FORMULA_SIGNS = "=+\\-@\uff1d\uff0b\uff0d\uff20"
"""Signs that begin a formula, also in the full width of East Asian scripts."""

_FORMULA = rf"(?:[\s{GUARD}]*[{FORMULA_SIGNS}]|{GUARD}*[\t\r])"
_PLACE = r"(?:^|(?<=[;\n\r]))"
_UNGUARDED = re.compile(f"{_PLACE}(?={_FORMULA})")
_GUARDED = re.compile(f"{_PLACE}{GUARD}(?={_FORMULA})")


def guarded(cell: str) -> str:
    """The cell, with a quote in front of what looks like a formula or like a guarded formula."""
    return _UNGUARDED.sub(GUARD, cell)


def unguarded(cell: str) -> str:
    """The cell without the quotes that :func:`guarded` added."""
    return _GUARDED.sub("", cell)
