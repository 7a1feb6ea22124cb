"""The words of pages: none that docs/words.md replaces by another is in a template or in a text of a script."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
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


def found(word: str, texts: Iterator[str]) -> bool:
    pattern = re.compile(rf"(?<![\w-]){re.escape(word)}s?(?![\w-])", re.IGNORECASE)
    return any(pattern.search(" ".join(text.split())) for text in texts)


TEMPLATES, SCRIPTS = sorted(ROOT.glob("templates/**/*.html")), sorted(ROOT.glob("static/portal/*.js"))


@pytest.mark.parametrize("word", [*unwanted(), "manage.py"])
def test_no_page_has_a_word_that_has_a_better_one(word: str) -> None:
    faulty = [path for path in TEMPLATES if found(word, of_template(path))]
    faulty += [path for path in SCRIPTS if found(word, of_script(path))]
    assert faulty == []


def test_the_table_is_read() -> None:
    assert {"Tick", "On DynamoDB", "Return to site", "Authentication and Authorization"} <= set(unwanted())
    assert len(TEMPLATES) > 80
    assert len(SCRIPTS) > 1


def test_a_word_is_found_where_people_read_it(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text('<p class="tick">{# tick #}{% tick %}</p><button aria-label="Tick  it">Ticks</button>')
    assert [*filter(str.strip, of_template(file))] == ["Ticks", "Tick  it"]
    assert found("Tick it", of_template(file))
    assert not found("Sign in", of_template(file))
