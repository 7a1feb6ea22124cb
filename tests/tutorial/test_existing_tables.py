"""The chapter of tables that exist is typed into an empty folder, and each address in it is tried."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from dynamodb_lists.connection import engine
from dynamodb_lists.tests.helpers.soup import parsed
from dynamodb_lists.tests.helpers.wheels import run
from tests.helpers.documents import ROOT
from tests.helpers.typed import Typed

DOCUMENT, CHAPTER = ROOT / "docs" / "guide.md", "Tables that exist"
PAGE = Typed(DOCUMENT, ROOT / "examples" / "existing", CHAPTER)
MOST_DECLARED, MOST_WORDS = 20, 1600

TABLE = re.compile(r"^\| (?:`(/\S+)\.\.\.`|address) \| (.*) \|\n\|[-|]+\|\n((?:\|.*\n)+)", re.MULTILINE)
SAYS = re.compile(r"^`manage\.py (\w+)( [\w-]+)?`(?:(?!```).*\n)+\n```text\n((?:(?!```).*\n)+)```", re.MULTILINE)
"""A command, and some of what it prints."""
COST = re.compile(r"<summary>(.*read units.*)</summary>")
ANSWERED = re.compile(r"<li>\s*Query [\w-]+(?:, index ([\w-]+))?:")

VISIT = """
import json
from django.contrib.auth.models import User
from django.test import Client
client = Client(headers={"host": "localhost"})
client.force_login(User.objects.get(username="ada"))
print(json.dumps({each: client.get(each, follow=True).content.decode() for each in ADDRESSES}))
"""


def rows() -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each row of the tables of addresses: the address, and what the other columns say of its page."""
    for begin, titles, lines in TABLE.findall(PAGE.text):
        for line in lines.splitlines():
            address, *said = (cell.strip() for cell in line.strip("|").split(" | "))
            yield begin + address.strip("`"), dict(zip(titles.split(" | "), said, strict=True))


def assert_shows(html: str, said: dict[str, str]) -> None:
    """Check that a page is as the document says."""
    soup = parsed(html)
    if "says" in said:
        assert said["says"] in " ".join(soup.get_text(" ").split())
    if "cost" in said:
        assert COST.findall(html) == [said["cost"]]
    if "answered by" in said:
        answer = said["answered by"]
        assert {*ANSWERED.findall(html)} == {"" if answer == "the table" else answer.strip("`")}
    if "rows" in said:
        assert ", ".join(cell.get_text() for cell in soup.select("#result_list .field-Title")) == said["rows"]


def shell(python: str, folder: Path, code: str) -> str:
    """Return what Python prints in the shell of the project."""
    return run([python, "manage.py", "shell", "-v", "0", "-c", code], folder)


def test_what_one_types_is_the_example_and_short() -> None:
    apps = [f"{name}/__init__.py" for name in ("existing", "shop", "music")]
    given = [f"{app}/{name}.py" for app in ("shop", "music") for name in ("admin", "models")]
    PAGE.assert_is_the_example(*apps, *given, "manage.py", "existing/urls.py", "fill.py")
    for block in re.findall(r"^```\n((?:@|SONGS).*?)^```", PAGE.text, re.MULTILINE | re.DOTALL):
        parts = [part for part in block.split("\n\n\n") if part.strip()]
        code = "".join((PAGE.example / name).read_text(encoding="utf-8") for name in given)
        assert [part for part in parts if not all(line in code for line in part.splitlines())] == []
    for app in ("shop", "music"):
        declared = (PAGE.example / app / "models.py").read_text(encoding="utf-8").partition("TABLE = ")[2]
        assert len(declared.splitlines()) <= MOST_DECLARED
    assert len(PAGE.text.split()) <= MOST_WORDS


@pytest.mark.timeout(300)  # it takes 8 s on a quiet machine
def test_who_types_it_has_an_admin_of_both_tables(tmp_path: Path) -> None:
    tried, commands = [*rows()], SAYS.findall(PAGE.text)
    assert (len(tried), len(commands)) == (12, 1)
    with engine.start(engine.find_binary(ROOT), engine.free_port()) as running:
        folder, python, _ = PAGE.make(tmp_path, running)
        pages = json.loads(shell(python, folder, VISIT.replace("ADDRESSES", repr([address for address, _ in tried]))))
        for address, said in tried:
            assert_shows(pages[address], said)
        assert [address for address, _ in tried if 'name="_save"' in pages[address]] == [tried[-4][0]]
        for command, table, printed in commands:
            assert printed in run(["bash", "-c", f"{python} manage.py {command}{table} 2>&1 || true"], folder)
