"""CSV cells that a spreadsheet does not run as formulas (see OWASP, "CSV Injection").

Exports add a guard in front of such a cell, and imports remove it.
"""

GUARD = "'"
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def guarded(cell: str) -> str:
    """The cell, with a quote in front if it looks like a formula or like a guarded formula."""
    return GUARD + cell if _is_formula(cell) else cell


def unguarded(cell: str) -> str:
    """The cell without the quote that :func:`guarded` added."""
    return cell[1:] if cell.startswith(GUARD) and _is_formula(cell) else cell


def _is_formula(cell: str) -> bool:
    return cell.lstrip(GUARD).startswith(FORMULA_STARTS)
