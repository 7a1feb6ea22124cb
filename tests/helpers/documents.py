"""The documents, the blocks of code in them, and the parts that are generated.

A generated part begins with ``<!-- kind: name -->``. It is the block of code that follows, or ends at ``<!-- end -->``.
With ``UPDATE_DOCS=1`` the tests write these parts anew.
"""

import ast
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from django.conf import settings

ROOT = Path(settings.BASE_DIR)
DOCS = sorted((ROOT / "docs").glob("*.md"))
DOCUMENTS = sorted({*ROOT.glob("*.md"), *ROOT.glob("*/README.md"), *DOCS})
BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)


def text_of(document: Path | str, chapter: str = "") -> str:
    """A document, by its path or by its name in docs/; or one chapter of it, by its heading of the second level."""
    text = (ROOT / "docs" / document).read_text(encoding="utf-8")
    return text.partition(f"\n## {chapter}\n")[2].partition("\n## ")[0] if chapter else text


def blocks(document: Path, language: str) -> Iterator[str]:
    """Return the blocks of code in a document that name this language."""
    return (text for _, named, text in BLOCK.findall(text_of(document)) if named == language)


def prose(document: Path) -> str:
    """Return a document without its blocks of code."""
    return BLOCK.sub("", text_of(document))


def updating() -> bool:
    """Return whether tests write what they would otherwise compare."""
    return bool(os.environ.get("UPDATE_DOCS"))


def assert_says(document: Path, written: str) -> None:
    """Check that a document is written so."""
    if updating():
        document.write_text(written, encoding="utf-8")
    assert text_of(document) == written, "UPDATE_DOCS=1 writes it anew"


def assert_generated(kinds: Mapping[str, Callable[[str], str]]) -> list[tuple[str, str]]:
    """Check the parts of these kinds in all documents, and return the kind and the name of each.

    The function of a kind writes the part of a name.
    """
    part = re.compile(rf"<!-- ({'|'.join(kinds)}): (.+?) -->\n(?:```.*?\n```\n|.*?(?=<!-- end -->))", re.DOTALL)
    found = []
    for document in DOCUMENTS:
        found += part.findall(text_of(document))
        assert_says(
            document, part.sub(lambda it: f"<!-- {it[1]}: {it[2]} -->\n{kinds[it[1]](it[2])}\n", text_of(document))
        )
    return found


def follow(block: str, folder: Path) -> None:
    """Write into the files of a folder what a block ``diff`` says.

    ``+++`` names a file, and ``@@`` stands between parts of it. The lines of a part that are there already occur once.
    """
    for file in block.split("+++ ")[1:]:
        name, _, parts = file.partition("\n")
        text = (folder / name).read_text(encoding="utf-8")
        for part in parts.split("@@\n"):
            lines = part.splitlines(keepends=True)
            before, after = ("".join(line[1:] for line in lines if line[0] in signs) for signs in (" -", " +"))
            assert text.count(before) == 1, f"{name} has these lines {text.count(before)} times:\n{before}"
            text = text.replace(before, after)
        (folder / name).write_text(text, encoding="utf-8")


def fenced(text: str, language: str = "") -> str:
    """Return a block of code."""
    return f"```{language}\n{text}\n```"


def table(header: Sequence[object], rows: Iterable[Sequence[object]], texts: Sequence[str] = ()) -> str:
    """Return a table in Markdown. All but the first column and ``texts`` are figures, which stand on the right."""
    rule = "|".join("---:" if number and title not in texts else "---" for number, title in enumerate(header))
    first, *lines = (f"| {' | '.join(map(str, cells))} |" for cells in [header, *rows])
    return "\n".join([first, f"|{rule}|", *lines])


@cache
def public_names() -> set[str]:
    """Return the names of the package itself, which its first module imports."""
    imports = ast.parse((ROOT / "dynamodb_lists/__init__.py").read_text(encoding="utf-8")).body
    return {each.name for statement in imports if isinstance(statement, ast.ImportFrom) for each in statement.names}
