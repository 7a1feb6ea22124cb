"""The code blocks of the tutorial, and the files and commands that they are."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "tutorial.md"
EXAMPLE = ROOT / "examples" / "library"

BLOCK = re.compile(r"^`([\w/.-]+)`(, at its end)?:\n\n```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHELL = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A block of the tutorial: the file that it is typed into, and whether at the end of what is there."""

    path: str
    appended: str
    language: str
    text: str

    @property
    def lines(self) -> int:
        """How many lines somebody types."""
        return len(self.text.splitlines())


def blocks() -> list[Block]:
    """The blocks that belong into files, in order."""
    return [Block(*found) for found in BLOCK.findall(DOCUMENT.read_text(encoding="utf-8"))]


def shell() -> Iterator[str]:
    """The commands, line by line."""
    for block in SHELL.findall(DOCUMENT.read_text(encoding="utf-8")):
        yield from block.splitlines()


def type_blocks(target: Path) -> None:
    """Write the blocks into their files."""
    for block in blocks():
        path = target / block.path
        before = path.read_text(encoding="utf-8") if block.appended else ""
        path.write_text(before + block.text, encoding="utf-8")
