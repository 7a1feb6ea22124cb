"""The README of the benchmarks names each of them, and has a place for what each measures."""

import re
from pathlib import Path

from django.conf import settings

ROOT = Path(settings.BASE_DIR)
NAMES = re.findall(r"^BENCHMARKS := (.*)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)[0].split()


def test_the_readme_names_each_benchmark_and_has_a_block_for_it() -> None:
    text = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"<!-- measured: (\w+) -->\n\d.*?<!-- end of measured -->", text, re.DOTALL) == NAMES
    assert re.findall(r"^\| \[(\w+)\]\(#\1\) \| `python -m benchmarks\.\1[ `]", text, re.MULTILINE) == NAMES
    assert {name for name in NAMES if not (ROOT / "benchmarks" / f"{name}.py").exists()} == set()
