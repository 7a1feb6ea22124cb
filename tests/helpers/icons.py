"""The words that may name an icon: ``python -m tests.helpers.icons`` prints them for ``make fonts``."""

import re
from pathlib import Path

import unfold

ROOT = Path(__file__).parents[2]
UNFOLD = Path(unfold.__file__).parent
SUFFIXES = {".css", ".html", ".js", ".py"}
FOLDERS = ("hotelapp", "hotels", "orders", "reviews", "rooms", "search", "static/portal", "templates")
ALONE = re.compile(r"""(?:^|["'>}])\s*([a-z][a-z0-9_]+)\s*(?=$|["'<{])""", re.MULTILINE)
"""A word that stands alone between quotes, tags or the ends of a line, as an icon's name does wherever it stands."""


def words() -> set[str]:
    """The words that stand alone in the portal's sources, and in Unfold's templates and stylesheet.

    Most of them name no icon. Some name one that no page draws, which costs a hundred bytes each.
    """
    folders = [*(ROOT / folder for folder in FOLDERS), UNFOLD / "templates", UNFOLD / "static/unfold/css"]
    files = [file for folder in folders for file in folder.rglob("*.*") if file.suffix in SUFFIXES]
    return {word for file in files for word in ALONE.findall(file.read_text(encoding="utf-8"))}


if __name__ == "__main__":
    print("\n".join(sorted(words())))
