"""The recipes of CONTRIBUTING.md, each followed to the letter in a copy of the project.

A recipe says in a block of the language ``diff`` what to write where: ``+++`` names a file, and ``@@`` stands between
parts of it. The lines of a part that are there already occur once. Then a file of ``recipes`` holds in the copy.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.documents import ROOT, text_of

LEFT_OUT = shutil.ignore_patterns(".*", "docs", "node_modules", "var")
RECIPES = re.compile(r"^## Recipe: (.+?)\n(.*?)(?=^## )", re.DOTALL | re.MULTILINE)
BLOCK = re.compile(r"^```diff\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def follow(block: str, folder: Path) -> None:
    """Write into the files of a folder what a block says."""
    for file in block.split("+++ ")[1:]:
        name, _, parts = file.partition("\n")
        text = (folder / name).read_text(encoding="utf-8")
        for part in parts.split("@@\n"):
            lines = part.splitlines(keepends=True)
            before, after = ("".join(line[1:] for line in lines if line[0] in signs) for signs in (" -", " +"))
            assert text.count(before) == 1, f"{name} has these lines {text.count(before)} times:\n{before}"
            text = text.replace(before, after)
        (folder / name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("recipe", "holds"), [("an attribute of an entity", "attribute.py"), ("a list page", "list_page.py")]
)
def test_what_a_recipe_says_is_enough(tmp_path: Path, recipe: str, holds: str) -> None:
    copy = Path(shutil.copytree(ROOT, tmp_path / "copy", ignore=LEFT_OUT))
    (copy / "node_modules").symlink_to((ROOT / "node_modules").resolve())
    for block in BLOCK.findall(dict(RECIPES.findall(text_of(ROOT / "CONTRIBUTING.md")))[recipe]):
        follow(block, copy)
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", f"tests/project/recipes/{holds}"]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-5000:]
