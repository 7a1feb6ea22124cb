"""Documents whose reader types a project: the blocks that go into files, the commands, and the new environment.

A block of code after a line that names a file is typed into that file, or at its end. The blocks ``sh`` are run, and
the blocks ``diff`` followed.
"""

import re
from pathlib import Path

from dynamodb_lists.connection import engine
from dynamodb_lists.tests.helpers.wheels import built, installed, run
from tests.helpers.documents import BLOCK, ROOT, follow, text_of

TYPED = re.compile(r"^`([\w/.-]+)`(, at its end)?:\n\n```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NOT_RUN = re.compile(r"python3 -m venv|\S+/pip |npm |node_modules/|.* runserver")
"""pip's and npm's commands need an index: the wheel is unpacked instead."""


class Typed:
    """A document, or a chapter of it, and the example that its reader has typed before the blocks ``diff``."""

    def __init__(self, document: Path, example: Path, chapter: str = "") -> None:
        self.text, self.example = text_of(document, chapter), example
        self.files = TYPED.findall(self.text)
        """The blocks that are typed: the file, whether at the end of what is there, the language, and the text."""

    @property
    def python(self) -> int:
        """How many lines of Python one types."""
        return sum(len(text.splitlines()) for *_, language, text in self.files if language == "python")

    def assert_is_the_example(self, *others: str) -> None:
        """Check that the example has what is typed, and no files but ``others`` beside it."""
        for path, appended, _, text in self.files:
            there = (self.example / path).read_text(encoding="utf-8")
            assert there.endswith(text) if appended else there == text, path
        found = (path for path in self.example.rglob("*.*") if path.suffix in {".py", ".csv"})
        assert {str(path.relative_to(self.example)) for path in found} <= {path for path, *_ in self.files} | {*others}

    def make(self, tmp_path: Path, running: engine.Engine) -> tuple[Path, str, str]:
        """Do what the document says, in an empty folder; returns the folder, its Python, and what commands print."""
        folder, done, waiting = tmp_path / "typed", "", bool(self.files)
        folder.mkdir()
        python = installed(built(tmp_path / "wheel"), tmp_path, "django")
        (folder / ".venv").symlink_to(tmp_path / "env")
        given = {"REPOSITORY": str(ROOT), "DJANGO_SUPERUSER_PASSWORD": "x", "DYNAMODB_ENDPOINT_URL": running.url}
        for _, language, text in BLOCK.findall(self.text):
            if language == "diff":
                follow(text, folder)
            for command in text.splitlines() if language == "sh" else ():
                if "manage.py" in command and waiting:
                    self._type(folder, running.url)
                    waiting = False
                if not NOT_RUN.match(command):
                    without = " --noinput" if "createsuperuser" in command else ""
                    done += run(["bash", "-euc", f"{command}{without}"], folder, **given)
        return folder, python, done

    def _type(self, folder: Path, endpoint: str) -> None:
        """Write the blocks into their files, with the address of another engine."""
        for name, appended, _, text in self.files:
            path = folder / name
            before = path.read_text(encoding="utf-8") if appended else ""
            path.write_text(before + text.replace("http://127.0.0.1:8765", endpoint), encoding="utf-8")
