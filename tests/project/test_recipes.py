"""The recipes of CONTRIBUTING.md, followed to the letter in a copy of the project, one after another.

A recipe says what to write where: in a block of the language ``diff``, or in a file of the folder ``recipes``. Then the
tests in this folder hold in the copy.
"""

import shutil
import subprocess
import sys
from pathlib import Path

from tests.helpers.documents import ROOT, blocks, follow

LEFT_OUT = shutil.ignore_patterns(".*", "docs", "node_modules", "var")


def test_what_the_recipes_say_is_enough(tmp_path: Path) -> None:
    copy = Path(shutil.copytree(ROOT, tmp_path / "copy", ignore=LEFT_OUT))
    (copy / "node_modules").symlink_to((ROOT / "node_modules").resolve())
    recipes = copy / "tests" / "project" / "recipes"
    files = [(recipes / f"{name}.diff").read_text(encoding="utf-8") for name in ("list_page", "facet", "entity")]
    for block in [*blocks(ROOT / "CONTRIBUTING.md", "diff"), *files]:
        follow(block, copy)
    checks = sorted(recipes.glob("*.py"))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", *map(str, checks)],
        cwd=copy,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
