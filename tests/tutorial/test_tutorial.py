"""The tutorial is typed into an empty folder, with the wheel, and does what it says."""

import re
from pathlib import Path

import pytest

from dynamodb_lists.connection import engine
from dynamodb_lists.tests.helpers.wheels import built, installed, run
from tests.helpers.documents import ROOT, blocks, text_of

DOCUMENT, EXAMPLE = ROOT / "docs" / "tutorial.md", ROOT / "examples" / "library"
TYPED = re.findall(
    r"^`([\w/.-]+)`(, at its end)?:\n\n```(\w+)\n(.*?)^```$", text_of(DOCUMENT), re.MULTILINE | re.DOTALL
)
"""The blocks that are typed into files: the file, whether at the end of what is there, the language, and the text."""

MOST_PYTHON, MOST_WORDS = 70, 1300
NOT_RUN = re.compile(r"python3 -m venv|\S+/pip |npm |node_modules/|.* runserver")
"""pip's and npm's commands need an index: the wheel is unpacked instead."""

VISIT = """
import re
from django.contrib.auth.models import User
from django.test import Client
client = Client(headers={"host": "localhost"})
client.force_login(User.objects.get(username="ada"))
client.get("/admin/books/book/")  # the first page of a process looks for packed counts
for query in ("", "?genre=Fantasy", "?q=guin+dis"):
    page = client.get(f"/admin/books/book/{query}").content.decode()
    cost = re.search(r"<summary>(.*read units.*)</summary>", page)[1]
    print(re.findall(r'field-title"><a[^>]*>([^<]*)', page), re.findall(r">(Fantasy[^<]*)</a>", page), cost)
"""
(EXPLAIN,) = re.findall(r"`(print\(.*explain.*)`", text_of(DOCUMENT))
EXPLAINED = f"from books.models import BOOKS; {EXPLAIN}"
SAID = [
    "['The Dispossessed', 'Momo', 'The Left Hand of Darkness', 'De brief voor de koning', 'Solaris', 'The Hobbit'] "
    "['Fantasy (3)'] 2 requests, 1.0 read units, 1 wave",
    "['Momo', 'De brief voor de koning', 'The Hobbit'] ['Fantasy (3)'] 2 requests, 1.0 read units, 2 waves",
    "['The Dispossessed'] ['Fantasy'] 3 requests, 1.5 read units, 2 waves",
]


def test_what_one_types_is_the_example_and_short() -> None:
    for path, appended, _, text in TYPED:
        there = (EXAMPLE / path).read_text(encoding="utf-8")
        assert there.endswith(text) if appended else there == text, path
    typed = {path for path, *_ in TYPED} | {"books/__init__.py", "manage.py", "library/__init__.py", "library/urls.py"}
    files = {str(path.relative_to(EXAMPLE)) for path in EXAMPLE.rglob("*.*") if path.suffix in {".py", ".csv"}}
    assert files <= typed
    assert sum(len(text.splitlines()) for *_, language, text in TYPED if language == "python") <= MOST_PYTHON
    assert len(text_of(DOCUMENT).split()) <= MOST_WORDS


def type_blocks(folder: Path, endpoint: str) -> None:
    """Write the blocks into their files, with the address of another engine."""
    for name, appended, _, text in TYPED:
        path = folder / name
        before = path.read_text(encoding="utf-8") if appended else ""
        path.write_text(before + text.replace("http://127.0.0.1:8765", endpoint), encoding="utf-8")


@pytest.mark.timeout(300)  # it takes 6 s on a quiet machine
def test_who_types_it_has_a_list_that_works(tmp_path: Path) -> None:
    """Each command is run as it is written."""
    folder, wheel = tmp_path / "typed", built(tmp_path / "wheel")
    assert f'"{wheel.name}[django]"' in text_of(DOCUMENT)
    folder.mkdir()
    python, done = installed(wheel, tmp_path, "django"), ""
    (folder / ".venv").symlink_to(tmp_path / "env")
    with engine.start(engine.find_binary(ROOT), engine.free_port()) as running:
        for command in "".join(blocks(DOCUMENT, "sh")).splitlines():
            if NOT_RUN.match(command):
                continue
            if "manage.py" in command and not (folder / "books.csv").exists():
                type_blocks(folder, running.url)
            user = {"DJANGO_SUPERUSER_PASSWORD": "x"} if "createsuperuser" in command else {}
            done += run(["bash", "-euc", f"{command}{' --noinput' if user else ''}"], folder, **user)
        said = run([python, "manage.py", "shell", "-v", "0", "-c", VISIT], folder).splitlines()
        explained = run([python, "manage.py", "shell", "-v", "0", "-c", EXPLAINED], folder)
    assert "6 rows read, 6 books added or changed." in done
    assert said == SAID
    assert "index by-genre-year (chosen)" in explained
