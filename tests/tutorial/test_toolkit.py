"""A fresh Django project reads, pages and writes with a copy of the toolkit, as docs/toolkit.md says."""

import importlib
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from django.conf import settings

from hotelapp.faceted.views import Section
from tests.tutorial.public_names import TOOLKIT, documented, used
from tests.tutorial.typed import blocks, shell, type_blocks

ROOT = Path(settings.BASE_DIR)
DOCUMENT = ROOT / "docs" / "toolkit.md"
HOTEL_WORDS = re.compile(r"(?i)(?<![a-z])(hotels?|rooms?|guests?|reviews?)(?![a-z])")


def test_the_public_names_are_those_that_apps_use() -> None:
    names = documented(DOCUMENT.read_text(encoding="utf-8"))
    assert names == used(ROOT, "docs/toolkit.md", "docs/tutorial.md")
    for module, found in names.items():
        there = vars(importlib.import_module(f"{TOOLKIT}.{module}"))
        assert found <= {*there, "*"}, module


def test_the_folder_has_no_word_of_hotels_and_imports_nothing_of_the_project() -> None:
    for path in (ROOT / "hotelapp" / "dynamodb").rglob("*"):
        if path.suffix in {".py", ".json"}:
            text = path.read_text(encoding="utf-8").replace(TOOLKIT, "")
            assert not HOTEL_WORDS.search(text), path
            assert "hotelapp" not in text, path


def test_a_copy_works_in_a_fresh_project(tmp_path: Path, endpoint: str) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("DJANGO", "PYTEST"))}
    environment |= {"CLONE": str(ROOT), "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}

    def run(command: str) -> str:
        done = subprocess.run(
            ["bash", "-euc", command], cwd=tmp_path, env=environment, check=False, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    installing, _, using = shell(DOCUMENT)  # the engine is that of the tests
    run("django-admin startproject shop .")
    run(installing.partition("\n")[2])  # the packages are those of this environment
    list(type_blocks(blocks(DOCUMENT), tmp_path))
    with (tmp_path / "shop" / "settings.py").open("a", encoding="utf-8") as file:
        file.write(f"DYNAMODB_ENDPOINT_URL = {endpoint!r}\n")
    said = run(using)
    for words in re.findall(r"`(\d+–[^`]+)`", DOCUMENT.read_text(encoding="utf-8")):
        assert words in said
    assert "faults: 0" in said


def test_pages_of_a_list_have_its_name() -> None:
    model = SimpleNamespace(kind="battery", keys=SimpleNamespace(name="batteries"))
    section: Any = type("Batteries", (Section,), {"writer": SimpleNamespace(app="stock", model=model)})
    assert str(section._url("add/", "add_battery", "add", Section).pattern) == "batteries/add/"
