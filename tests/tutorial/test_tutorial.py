"""The tutorial is typed into a copy of the project, and does what it says: its tests, its commands, its pages."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.tutorial.typed import DOCUMENT, blocks, copy_project, shell, type_blocks

MOST_PYTHON, MOST_TEMPLATE, MOST_WORDS = 150, 30, 2500
FROM_OUTSIDE = ("DJANGO", "DYNAMODB", "ENGINE", "PYTEST", "VAR_DIR", "ENV_FILE")


def test_it_is_short() -> None:
    lines = dict.fromkeys(("python", "jinja", "csv"), 0)
    for block in blocks(DOCUMENT):
        lines[block.language] += block.lines
    assert lines["python"] <= MOST_PYTHON
    assert lines["jinja"] <= MOST_TEMPLATE
    assert len(DOCUMENT.read_text(encoding="utf-8").split()) <= MOST_WORDS


@pytest.mark.timeout(300)  # it takes 13 s on a quiet machine
@pytest.mark.browser
def test_who_types_it_has_a_list_that_works(tmp_path: Path) -> None:
    """One process runs the tutorial's own test, what it says of pages and commands, and Chromium.

    ``make check`` checks its format and its types.
    """
    copy_project(tmp_path)
    folders, writing, _ = shell(DOCUMENT)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(FROM_OUTSIDE)}
    environment |= {
        "VAR_DIR": str(tmp_path / "var"),
        "ENV_FILE": "",
        "DEMO": "1",
        "SECRET_KEY": "only for this test" * 4,
    }

    def run(command: str) -> str:
        done = subprocess.run(
            ["bash", "-euc", command], cwd=tmp_path, env=environment, check=False, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-4000:]
        return done.stdout

    run("\n".join(line for line in folders.splitlines() if not line.startswith("make")))  # what it installs is linked
    assert "books/models.py" in list(type_blocks(blocks(DOCUMENT), tmp_path))
    made, own_tests = writing.strip().splitlines()
    run(made)
    assert " passed" in run(f"{own_tests} tests/tutorial/in_the_copy.py -q -p no:cacheprovider")
