"""The words of pages: none that docs/words.md replaces by another is in a template or in a text of a script."""

import re
from collections.abc import Iterator
from pathlib import Path

from bs4 import BeautifulSoup, Comment
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
READ = ("aria-label", "placeholder", "title", "alt", "data-label", "data-advice")
"""Attributes that people read or hear."""

CODE = re.compile(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
TEXT = re.compile(r'"([^"\n]*)"|`([^`]*)`')


def unwanted() -> list[str]:
    """The words of the last column."""
    rows = [line.split("|") for line in (ROOT / "docs" / "words.md").read_text(encoding="utf-8").splitlines()]
    return [word.strip() for row in rows if len(row) == 5 for word in row[3].split(",") if word.strip(" -")][1:]


def of_template(path: Path) -> Iterator[str]:
    soup = BeautifulSoup(CODE.sub(" ", path.read_text(encoding="utf-8")), "html.parser")
    for text in soup.find_all(string=True):
        if not isinstance(text, Comment):
            yield str(text)
    for element in soup.find_all(True):
        yield from (str(element[name]) for name in READ if element.has_attr(name))


def of_script(path: Path) -> Iterator[str]:
    """The texts of a script that are for people: they begin with a capital letter."""
    for quoted in TEXT.findall(path.read_text(encoding="utf-8")):
        yield from (text for text in quoted if text[:1].isupper())


def said(texts: Iterator[str]) -> str:
    """The texts, each on a line."""
    return "\n".join(" ".join(text.split()) for text in texts)


def found(word: str, text: str) -> bool:
    return bool(re.search(rf"(?<![\w-]){re.escape(word)}s?(?![\w-])", text, re.IGNORECASE))


TEMPLATES, SCRIPTS = sorted(ROOT.glob("templates/**/*.html")), sorted(ROOT.glob("static/portal/*.js"))


def test_no_page_has_a_word_that_has_a_better_one() -> None:
    texts = {path: said(of_template(path)) for path in TEMPLATES} | {path: said(of_script(path)) for path in SCRIPTS}
    words = [*unwanted(), "manage.py"]
    assert [(word, path.name) for path, text in texts.items() for word in words if found(word, text)] == []


def test_the_table_is_read() -> None:
    assert {"Tick", "On DynamoDB", "Return to site", "Authentication and Authorization"} <= set(unwanted())
    assert len(TEMPLATES) > 80
    assert len(SCRIPTS) > 1


def test_a_word_is_found_where_people_read_it(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text('<p class="tick">{# tick #}{% tick %}</p><button aria-label="Tick  it">Ticks</button>')
    assert [*filter(str.strip, of_template(file))] == ["Ticks", "Tick  it"]
    assert found("Tick it", said(of_template(file)))
    assert not found("Sign in", said(of_template(file)))
