"""Cells that spreadsheets leave alone (OWASP, "CSV Injection"): an export guards them, an import unguards them."""

GUARD = "'"
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def guarded(cell: str) -> str:
    """The cell, with a quote before it if a spreadsheet would take it, or what its quotes guard, for a formula."""
    return GUARD + cell if _is_formula(cell) else cell


def unguarded(cell: str) -> str:
    """The cell that :func:`guarded` made this of."""
    return cell[1:] if cell.startswith(GUARD) and _is_formula(cell) else cell


def _is_formula(cell: str) -> bool:
    return cell.lstrip(GUARD).startswith(FORMULA_STARTS)
