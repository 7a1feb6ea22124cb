"""docs/claims.md and the tests of claims name each other, and each claim has its source."""

import ast
import re
from pathlib import Path

from tests.claims.conftest import DOCUMENT, sections

MOST_WORDS = 1300
TESTS = {
    node.name: node
    for path in sorted(Path(__file__).parent.glob("test_*.py"))
    if path != Path(__file__)
    for node in ast.parse(path.read_text(encoding="utf-8")).body
    if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
}


def test_each_claim_has_one_test_and_each_test_a_claim() -> None:
    claims = DOCUMENT.read_text(encoding="utf-8").count("\n## ")
    assert sorted(sections()) == sorted(TESTS)
    assert len(sections()) == claims


def test_each_test_compares_the_figures_of_its_claim() -> None:
    assert [name for name, test in TESTS.items() if "assert figures ==" not in ast.unparse(test)] == []


def test_each_claim_names_its_source() -> None:
    sources = r"\]\(https://(docs\.aws\.amazon\.com/amazondynamodb/latest|aws\.amazon\.com/dynamodb/pricing)/"
    assert [name for name, text in sections().items() if not re.search(sources, text)] == []
    assert len(DOCUMENT.read_text(encoding="utf-8").split()) <= MOST_WORDS
