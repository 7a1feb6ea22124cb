"""The browser tests themselves: an assertion about a page waits for it."""

import ast
from collections.abc import Iterator
from pathlib import Path

AT_ONCE = {
    "count",
    "get_attribute",
    "inner_text",
    "input_value",
    "is_checked",
    "is_hidden",
    "is_visible",
    "text_content",
}
"""The methods that read the page as it is now. ``expect`` waits until the page is what the test expects."""


def reads(path: Path) -> Iterator[str]:
    """The readings of the page, in a module's assertions, that do not wait."""
    for statement in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        for node in ast.walk(statement) if isinstance(statement, ast.Assert) else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in AT_ONCE:
                yield ast.unparse(node)


def test_no_assertion_reads_a_page_that_may_still_change() -> None:
    modules = Path(__file__).parent.glob("test_*.py")
    assert [call for path in modules for call in reads(path) if "locator" in call or call.startswith("page.")] == []
