"""The public names of the toolkit are documented."""

import importlib
from pathlib import Path

from django.conf import settings

from tests.tutorial.public_names import TOOLKIT, documented, used

ROOT = Path(settings.BASE_DIR)
DOCUMENT = ROOT / "docs" / "toolkit.md"


def test_the_public_names_are_those_that_apps_use() -> None:
    names = documented(DOCUMENT.read_text(encoding="utf-8"))
    assert names == used(ROOT, "docs/toolkit.md", "docs/tutorial.md")
    for module, found in names.items():
        there = vars(importlib.import_module(f"{TOOLKIT}.{module}"))
        assert found <= {*there, "*"}, module
