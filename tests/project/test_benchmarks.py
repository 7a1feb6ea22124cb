"""The README of the benchmarks names each of them, and what a run has measured stands in its blocks."""

import json
import platform
import re
from pathlib import Path

import pytest
from django.conf import settings

from benchmarks import summary

ROOT = Path(settings.BASE_DIR)
README = ROOT / "benchmarks" / "README.md"
NAMES = re.findall(r"^BENCHMARKS := (.*)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)[0].split()


def test_the_readme_names_each_benchmark_and_has_a_block_for_it() -> None:
    text = README.read_text(encoding="utf-8")
    blocks = [match[1] for match in summary.BLOCK.finditer(text)]
    assert blocks == [summary.ALL, *NAMES]
    assert re.findall(r"^\| \[(\w+)\]\(#\1\) \| `python -m benchmarks\.\1[ `]", text, re.MULTILINE) == NAMES
    assert {name for name in NAMES if not (ROOT / "benchmarks" / f"{name}.py").exists()} == set()


def test_a_run_writes_what_it_has_measured_and_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results, readme = tmp_path / "results", tmp_path / "README.md"
    readme.write_text(README.read_text(encoding="utf-8"), encoding="utf-8")
    records = [
        ["server", "text", "600 rooms"],
        ["server", "table", [["what", "ms"], ["first", "12.34"]]],
        ["server", "targets", [["last / first", "1.02", "<= 1.15", "yes"]]],
    ]
    results.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    summary.main(str(results))
    assert "| server | last / first | 1.02 | <= 1.15 | yes |" in capsys.readouterr().out
    assert readme.read_text(encoding="utf-8") == README.read_text(encoding="utf-8"), "nobody named the README"
    summary.main(str(results), str(readme))
    before, after = (summary.BLOCK.split(file.read_text(encoding="utf-8")) for file in (README, readme))
    assert after[::3] == before[::3], "the text around the blocks stays"
    blocks = {match[1]: match[0] for match in summary.BLOCK.finditer(readme.read_text(encoding="utf-8"))}
    assert f"Python {platform.python_version()}," in blocks[summary.ALL]
    assert "| server | last / first | 1.02 | <= 1.15 | yes |" in blocks[summary.ALL]
    assert "600 rooms\n\n| what | ms |\n| --- | ---: |\n| first | 12.34 |" in blocks["server"]
    assert blocks["scale"] in README.read_text(encoding="utf-8")
