"""The requirements files: what people write and what ``make lock`` makes of it agree, and every package has hashes."""

import re
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
PINNED = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[\w,-]+\])?==(\S+)", re.MULTILINE)


def pins(file: str) -> dict[str, str]:
    """Return the version of each package that a file names, by the package's normalized name."""
    text = (ROOT / file).read_text(encoding="utf-8")
    return {re.sub(r"[-_.]+", "-", name).lower(): version for name, version in PINNED.findall(text)}


@pytest.mark.parametrize("name", ["requirements", "requirements-dev", "requirements-tools", "requirements-uv"])
def test_the_locked_file_has_what_was_asked_for_with_hashes_and_from_no_index(name: str) -> None:
    asked, text = pins(f"{name}.in"), (ROOT / f"{name}.txt").read_text(encoding="utf-8")
    assert asked.items() <= pins(f"{name}.txt").items()
    lines = [line for line in (ROOT / f"{name}.in").read_text(encoding="utf-8").splitlines() if line[:1].isalpha()]
    assert len(lines) == len(asked), "a line without an exact version"
    entries = re.split(r"\n(?=[A-Za-z0-9])", text)[1:]
    assert len(entries) == len(PINNED.findall(text)) > 0
    assert [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry] == []
    assert "://" not in text
    assert "--index-url" not in text


def test_tests_run_with_the_packages_of_production() -> None:
    assert pins("requirements.txt").items() <= pins("requirements-dev.txt").items()
