"""Types the tutorial: takes its code blocks out of the document, and puts them into a copy of the project.

``python -m tests.tutorial.typed`` checks the format and the types of what one types, for ``make check``.
"""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "tutorial.md"

BLOCK = re.compile(r"^`([\w/.-]+)`(, at its end)?:\n\n```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHELL = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINKED = (".venv", "node_modules")


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


def blocks(document: Path) -> list[Block]:
    """The blocks of a document that belong into files, in order."""
    return [Block(*found) for found in BLOCK.findall(document.read_text(encoding="utf-8"))]


def copy_project(target: Path) -> None:
    """Copy the files of the project that git knows or would add. Tools are linked."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target / name)
    for name in LINKED:
        (target / name).symlink_to((ROOT / name).resolve())


def type_blocks(found: list[Block], target: Path) -> Iterator[str]:
    """Write the blocks into their files; yields the names of these."""
    for block in found:
        path = target / block.path
        path.parent.mkdir(parents=True, exist_ok=True)
        before = path.read_text(encoding="utf-8") if block.appended else ""
        path.write_text(before + block.text, encoding="utf-8")
        yield block.path


def shell(document: Path) -> list[str]:
    """The commands of a document, a text for each block of them."""
    return SHELL.findall(document.read_text(encoding="utf-8"))


def main() -> None:
    """Type the tutorial, and check its Python as ``make check`` checks the project's."""
    with TemporaryDirectory() as folder:
        target = Path(folder)
        copy_project(target)
        python = [name for name in type_blocks(blocks(DOCUMENT), target) if name.endswith(".py")]
        for name in {path.split("/")[0] for path in python if "/" in path}:
            (target / name / "__init__.py").touch()
        tools = (["ruff", "check", *python], ["ruff", "format", "--check", "--quiet", *python])
        for tool, *arguments in (*tools, ["mypy", f"--cache-dir={ROOT}/.mypy_cache/tutorial", "books"]):
            subprocess.run([f".venv/bin/{tool}", *arguments], cwd=target, check=True)


if __name__ == "__main__":
    main()
