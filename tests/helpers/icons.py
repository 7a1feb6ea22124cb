"""The icons that the portal and Unfold may name: ``python -m tests.helpers.icons FOLDER_OF_UNFOLD``.

The program prints the glyphs that ``make fonts`` keeps of the font of icons. It runs in the environment of the tools,
which has fontTools.
"""

import re
import sys
from pathlib import Path

from fontTools.ttLib import TTFont

ROOT = Path(__file__).parents[2]
FONT = "static/unfold/fonts/material-symbols/Material-Symbols-Outlined.woff2"
FOLDERS = (
    *("portal", "accounts", "hotels", "notes", "orders", "overview", "reviews", "rooms", "saved_views", "search"),
    *("static/portal", "templates"),
)
FOLDERS_OF_UNFOLD = ("templates", "static/unfold/css")
SUFFIXES = {".css", ".html", ".js", ".py"}
ALONE = re.compile(r"""(?:^|["'>}])\s*([a-z0-9_]{2,})\s*(?=$|["'<{])""", re.MULTILINE)
"""A word that stands alone between quotes, tags or the ends of a line, as an icon's name does wherever it stands."""


def words(folders: list[Path]) -> set[str]:
    """The words that stand alone in a file. Most name no icon; some name one that no page draws: 100 bytes each."""
    files = [file for folder in folders for file in folder.rglob("*.*") if file.suffix in SUFFIXES]
    return {word for file in files for word in ALONE.findall(file.read_text(encoding="utf-8"))}


def glyphs(font: TTFont) -> dict[str, str]:
    """Return the glyph of each icon, by the names of the icon: a ligature of a name's letters."""
    letters = {glyph: chr(code) for code, glyph in font.getBestCmap().items()}
    tables = [table for lookup in font["GSUB"].table.LookupList.Lookup for table in lookup.SubTable]
    entries = [(first, entry) for table in tables for first, list_ in table.ligatures.items() for entry in list_]
    return {"".join(letters[glyph] for glyph in (first, *entry.Component)): entry.LigGlyph for first, entry in entries}


if __name__ == "__main__":
    unfold = Path(sys.argv[1])
    named = words([*(ROOT / name for name in FOLDERS), *(unfold / name for name in FOLDERS_OF_UNFOLD)])
    found = glyphs(TTFont(unfold / FONT))
    print("\n".join(sorted({found[name] for name in named & found.keys()})))
