"""The documents, and the blocks of code in them."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from django.conf import settings

ROOT = Path(settings.BASE_DIR)
DOCS = sorted((ROOT / "docs").glob("*.md"))
DOCUMENTS = sorted({*ROOT.glob("*.md"), *ROOT.glob("*/README.md"), *DOCS})
BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)


def blocks(document: Path, language: str) -> Iterator[str]:
    """The blocks of code in a document that name this language."""
    for _, named, text in BLOCK.findall(document.read_text(encoding="utf-8")):
        if named == language:
            yield text


def prose(document: Path) -> str:
    """A document without its blocks of code."""
    return BLOCK.sub("", document.read_text(encoding="utf-8"))


def assert_says(document: Path, written: str) -> None:
    """Check that a document is written so. ``UPDATE_DOCS=1`` writes it anew."""
    if os.environ.get("UPDATE_DOCS"):
        document.write_text(written, encoding="utf-8")
    assert document.read_text(encoding="utf-8") == written


def table(header: Sequence[object], rows: Iterable[Sequence[object]], texts: Sequence[str] = ()) -> str:
    """A table in Markdown. All but the first column and ``texts`` are figures, which stand on the right."""
    rule = "|".join("---:" if number and title not in texts else "---" for number, title in enumerate(header))
    first, *lines = (f"| {' | '.join(map(str, cells))} |" for cells in [header, *rows])
    return "\n".join([first, f"|{rule}|", *lines])
