"""The tutorial is typed into an empty folder, with the wheel, and does what it says."""

import re
from pathlib import Path

import pytest

from dynamodb_lists.connection import engine
from dynamodb_lists.tests.helpers.wheels import built, installed, run
from tests.tutorial.typed import DOCUMENT, EXAMPLE, ROOT, blocks, shell, type_blocks

MOST_PYTHON, MOST_WORDS = 70, 1300
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


def test_it_is_short() -> None:
    assert sum(block.lines for block in blocks() if block.language == "python") <= MOST_PYTHON
    assert len(DOCUMENT.read_text(encoding="utf-8").split()) <= MOST_WORDS


def test_one_types_the_example() -> None:
    for block in blocks():
        there = (EXAMPLE / block.path).read_text(encoding="utf-8")
        assert there.endswith(block.text) if block.appended else there == block.text, block.path
    typed = {block.path for block in blocks()} | {"books/__init__.py", "manage.py", "library/__init__.py"}
    files = {str(path.relative_to(EXAMPLE)) for path in EXAMPLE.rglob("*.*") if path.suffix in {".py", ".csv"}}
    assert files - typed <= {"library/urls.py"}


@pytest.mark.timeout(300)  # it takes 6 s on a quiet machine
def test_who_types_it_has_a_list_that_works(tmp_path: Path) -> None:
    """Each command is run as it is written, but for pip's, which need an index: the wheel is unpacked instead."""
    folder, wheel = tmp_path / "typed", built(tmp_path / "wheel")
    assert f'"{wheel.name}[django]"' in DOCUMENT.read_text(encoding="utf-8")
    folder.mkdir()
    python, done = installed(wheel, tmp_path, "django"), ""
    (folder / ".venv").symlink_to(tmp_path / "env")
    with engine.start(engine.find_binary(ROOT), engine.free_port()) as running:
        for command in shell():
            if re.match(r"python3 -m venv|\S+/pip |npm |node_modules/|.* runserver", command):
                continue
            if "manage.py" in command and not (folder / "books.csv").exists():
                type_blocks(folder)
                settings = folder / "library" / "settings.py"
                settings.write_text(settings.read_text("utf-8").replace("http://127.0.0.1:8765", running.url), "utf-8")
            user = {"DJANGO_SUPERUSER_PASSWORD": "x"} if "createsuperuser" in command else {}
            done += run(["bash", "-euc", f"{command}{' --noinput' if user else ''}"], folder, **user)
        said = run([python, "manage.py", "shell", "-v", "0", "-c", VISIT], folder).splitlines()
        explained = run([python, "manage.py", "explain_page", "/admin/books/book/?genre=Fantasy"], folder)
    assert "6 rows read, 6 books added or changed." in done
    assert said == [
        "['The Dispossessed', 'Momo', 'The Left Hand of Darkness', 'De brief voor de koning', 'Solaris', 'The Hobbit'] "
        "['Fantasy (3)'] 2 requests, 1.0 read units, 1 wave",
        "['Momo', 'De brief voor de koning', 'The Hobbit'] ['Fantasy (3)'] 2 requests, 1.0 read units, 2 waves",
        "['The Dispossessed'] ['Fantasy'] 3 requests, 1.5 read units, 2 waves",
    ]
    assert "index by-genre-year (chosen)" in explained
