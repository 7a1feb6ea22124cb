"""The public names of the toolkit are documented, and pages of a list have its name."""

import importlib
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from django.conf import settings

from portal.sections.views import Section
from tests.tutorial.public_names import TOOLKIT, documented, used

ROOT = Path(settings.BASE_DIR)
DOCUMENT = ROOT / "docs" / "toolkit.md"
HOTEL_WORDS = re.compile(r"(?i)(?<![a-z])(hotels?|rooms?|guests?|reviews?)(?![a-z])")


def test_the_public_names_are_those_that_apps_use() -> None:
    names = documented(DOCUMENT.read_text(encoding="utf-8"))
    assert names == used(ROOT, "docs/toolkit.md", "docs/tutorial.md")
    for module, found in names.items():
        there = vars(importlib.import_module(f"{TOOLKIT}.{module}"))
        assert found <= {*there, "*"}, module


def test_pages_of_a_list_have_its_name() -> None:
    listed = SimpleNamespace(declaration=SimpleNamespace(kind="battery", name="batteries"))
    section: Any = type("Batteries", (Section,), {"writer": SimpleNamespace(app="stock", listed=listed)})
    assert str(section._url("add/", "add_battery", "add", Section).pattern) == "batteries/add/"
