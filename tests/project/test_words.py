"""The words of pages: none that docs/words.md replaces by another is in a template, a script or a string of Python."""

import ast
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from bs4 import BeautifulSoup, Comment

from tests.helpers.documents import ROOT, text_of

READ = ("aria-label", "placeholder", "title", "alt", "data-label", "data-advice")
"""Attributes that people read or hear."""

APPS = ("accounts", "hotels", "notes", "orders", "overview", "portal", "reviews", "rooms", "saved_views", "search")
UNREAD = {"migrations", "management", "invariants.py"}
"""Modules whose strings are for whoever runs the server."""

CODE = re.compile(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
TEXT = re.compile(r'"([^"\n]*)"|`([^`]*)`')


def unwanted() -> list[str]:
    """Return the words of the last column."""
    rows = [line.split("|") for line in text_of("words.md").splitlines()]
    words = [word.strip() for row in rows if len(row) == 5 for word in row[3].split(",") if word.strip(" -")][1:]
    assert {"Tick", "On DynamoDB", "Return to site", "Unanswered"} < set(words)
    return [*words, "manage.py"]


def of_template(path: Path) -> Iterator[str]:
    soup = BeautifulSoup(CODE.sub(" ", path.read_text(encoding="utf-8")), "html.parser")
    yield from (str(text) for text in soup.find_all(string=True) if not isinstance(text, Comment))
    for element in soup.find_all(True):
        yield from (str(element[name]) for name in READ if element.has_attr(name))


def of_script(path: Path) -> Iterator[str]:
    """Yield the texts of a script that are for people: they begin with a capital letter."""
    for quoted in TEXT.findall(path.read_text(encoding="utf-8")):
        yield from (text for text in quoted if text[:1].isupper())


def of_module(path: Path) -> Iterator[str]:
    """The strings of a module that are for people: sentences and labels, which begin with a capital letter."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        parts = node.values if isinstance(node, ast.JoinedStr) else [] if id(node) in documents else [node]
        text = "".join(str(part.value) if isinstance(part, ast.Constant) else " - " for part in parts)
        if isinstance(node, ast.Constant | ast.JoinedStr) and re.match(r"\s*(“|- |[A-Z][a-z])", text):
            yield text


def test_no_page_has_a_word_that_has_a_better_one() -> None:
    texts = [(path, of_template(path)) for path in ROOT.glob("templates/**/*.html")]
    texts += [(path, of_script(path)) for path in ROOT.glob("static/portal/*.js")]
    modules = chain.from_iterable((ROOT / app).rglob("*.py") for app in APPS)
    texts += [(path, of_module(path)) for path in modules if not UNREAD & {*path.parts}]
    assert len(texts) > 300
    words = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, unwanted()))})s?(?![\w-])", re.IGNORECASE)
    said = {path.relative_to(ROOT): "\n".join(" ".join(text.split()) for text in found) for path, found in texts}
    assert [(str(name), word) for name, text in said.items() for word in words.findall(text)] == []
