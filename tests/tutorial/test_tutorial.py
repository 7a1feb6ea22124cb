"""The tutorial is typed into an empty folder, with the wheel, and does what it says."""

import csv
import re
import sys
from pathlib import Path

import pytest

from dynamodb_lists.connection import engine
from dynamodb_lists.tests.helpers.wheels import run
from tests.helpers.documents import ROOT, text_of
from tests.helpers.typed import Typed

DOCUMENT = ROOT / "docs" / "tutorial.md"
EXAMPLE = ROOT / "examples" / "library"
TUTORIAL = Typed(DOCUMENT, EXAMPLE)
MOST_PYTHON, MOST_WORDS = 70, 1500

VISIT = """
import re
from django.contrib.auth.models import User
from django.test import Client
client = Client(headers={"host": "localhost"})
client.force_login(User.objects.get(username="ada"))
client.get("/admin/books/book/")  # the first page of a process looks for packed counts
for query in ("", "?genre=Fantasy", "?q=guin+dis", "?o=-6"):
    page = client.get(f"/admin/books/book/{query}").content.decode()
    cost = re.search(r"<summary>(.*read units.*)</summary>", page)[1]
    print(re.findall(r'field-title"><a[^>]*>([^<]*)', page), re.findall(r">(Fantasy[^<]*)</a>", page), cost)
"""
(EXPLAIN,) = re.findall(r"`(print\(.*explain.*)`", text_of(DOCUMENT))
EXPLAINED = f"from books.models import BOOKS; {EXPLAIN}"
SAID = [
    "['The Dispossessed', 'Momo', 'The Left Hand of Darkness', 'De brief voor de koning', 'Solaris', 'The Hobbit'] "
    "['Fantasy (3)'] 2 requests, 1.0 read units, 2 waves",
    "['Momo', 'De brief voor de koning', 'The Hobbit'] ['Fantasy (3)'] 2 requests, 1.0 read units, 2 waves",
    "['The Dispossessed'] ['Fantasy'] 3 requests, 1.5 read units, 2 waves",
    "['The Dispossessed', 'The Left Hand of Darkness', 'Solaris', 'Momo', 'De brief voor de koning', 'The Hobbit'] "
    "['Fantasy (3)'] 2 requests, 1.0 read units, 1 wave",
]


def test_what_one_types_is_the_example_and_short() -> None:
    TUTORIAL.assert_is_the_example(
        "books/__init__.py", "manage.py", "library/__init__.py", "library/urls.py", "gutenberg.py"
    )
    assert TUTORIAL.python <= MOST_PYTHON
    assert len(text_of(DOCUMENT).split()) <= MOST_WORDS


@pytest.mark.timeout(300)  # it takes 6 s on a quiet machine
def test_who_types_it_has_a_list_that_works(tmp_path: Path) -> None:
    """Each command is run as it is written."""
    with engine.start(engine.find_binary(ROOT), engine.free_port()) as running:
        folder, python, done = TUTORIAL.make(tmp_path, running)
        said = run([python, "manage.py", "shell", "-v", "0", "-c", VISIT], folder).splitlines()
        explained = run([python, "manage.py", "shell", "-v", "0", "-c", EXPLAINED], folder)
    (wheel,) = (tmp_path / "wheel").glob("*.whl")
    assert f'"{wheel.name}[django]"' in text_of(DOCUMENT)
    assert "books: finished." in done
    assert "6 books read, 6 written, 0 left as they are." in done
    assert said == SAID
    assert "index by-genre-year:" in explained


CATALOGUE = """Text#,Type,Issued,Title,Language,Authors,Subjects,LoCC,Bookshelves
158,Text,1994-08-01,"Emma
A Novel",en; fr,"Austen, Jane, 1775-1817; Another",Young women -- Fiction,PR,Best Books
9,Sound,1999-01-01,A speech,en,,,,
"""


def test_the_catalogue_of_gutenberg_becomes_books(tmp_path: Path) -> None:
    (tmp_path / "catalogue.csv").write_text(CATALOGUE, encoding="utf-8")
    run([sys.executable, str(EXAMPLE / "gutenberg.py"), "catalogue.csv", "books.csv", "10"], tmp_path)
    with (tmp_path / "books.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    with (EXAMPLE / "books.csv").open(encoding="utf-8", newline="") as file:
        assert next(csv.reader(file)) == header
    assert rows == [["PG-158", "Emma A Novel", "Austen, Jane, 1775-1817", "Literature", "en", "1994"]]
