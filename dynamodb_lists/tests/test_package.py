"""The wheel works in an environment that has nothing but what it asks for, with Django and without."""

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from dynamodb_lists.connection import engine
from dynamodb_lists.tests.helpers.wheels import ROOT, built, installed, run

README = (ROOT / "dynamodb_lists" / "README.md").read_text(encoding="utf-8")
HOTEL_WORDS = re.compile(r"(?i)(?<![a-z])(hotels?|rooms?|guests?|reviews?)(?![a-z])")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with engine.start(engine.find_binary(ROOT), engine.free_port()) as running:
        yield running.url


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The Python of an environment without Django."""
    return installed(wheel, tmp_path_factory.mktemp("plain"))


def blocks(language: str) -> list[str]:
    """The blocks of code in the README."""
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_the_wheel_has_what_is_in_the_source_without_its_tests(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as content:
        names = {name for name in content.namelist() if ".dist-info/" not in name}
    source = [path.relative_to(ROOT) for path in (ROOT / "dynamodb_lists").rglob("*") if path.is_file()]
    assert names == {str(path) for path in source if not {"tests", "__pycache__"} & {*path.parts}}


def test_the_readme_runs_without_django(python: str, tmp_path: Path, address: str) -> None:
    (program, _), (output,) = blocks("python"), blocks("text")
    (tmp_path / "books.py").write_text(program, encoding="utf-8")
    assert run([python, "books.py", address], tmp_path) == output
    assert len([line for line in program.splitlines() if line.strip()]) <= 30
    assert run([python, "-c", "import dynamodb_lists, sys; print('django' in sys.modules)"], tmp_path) == "False\n"


def test_the_example_runs(python: str, tmp_path: Path, address: str) -> None:
    said = run([python, str(ROOT / "examples" / "loans.py"), address], tmp_path)
    assert "Ann has 75 loans: {\"Children's books\": 25, 'History': 25, 'Poetry': 25}" in said
    assert "First due and not returned: N-0\nNow: N-5" in said


SETTINGS = """
INSTALLED_APPS = ["dynamodb_lists.django", *INSTALLED_APPS, "books"]
DYNAMODB_ENDPOINT_URL = "{}"
"""
LIST = """
from dataclasses import dataclass
from dynamodb_lists import List, Record
@dataclass(frozen=True, kw_only=True)
class Book(Record):
    number: str
    title: str
    author: str
    genre: str
    language: str = ""
    year: int = 0
BOOKS = List(
    Book, id="number", facets=("genre", "language"), sorts="year", words=("title", "author"), table="shop-books"
)
"""
VISIT = """
from books.models import *
from django.contrib.auth.models import Permission, User
from django.core.management import call_command
from django.test import Client
call_command("create_tables")
call_command("migrate", verbosity=0)
call_command("makemigrations")
BOOKS.create(Book(number="1", title="Emma", author="Austen", genre="A b"))
client = Client(headers={"host": "localhost"})
client.force_login(User.objects.create_superuser("ada"))
page = client.get("/admin/books/book/?genre=A+b&o=-4&q=aus")
print(page.status_code, "Emma" in page.content.decode(), Permission.objects.filter(codename="explain_book").count())
call_command("verify_data")
call_command("check_tables")
call_command("cloudformation")
call_command("cloudformation", policy="housekeeping", account="1")
with open("books.csv", "w") as file:
    file.write("number,title,author,genre\\n2,Persuasion,Austen,A b\\n")
call_command("import_csv", "books", "books.csv")
call_command("inspect_table", "shop-books")
"""


def test_a_bare_django_project_has_the_commands_and_the_admin(wheel: Path, tmp_path: Path, address: str) -> None:
    """The admin is that of the README."""
    python = installed(wheel, tmp_path, "django")
    run([python, "-m", "django", "startproject", "shop", "."], tmp_path)
    with (tmp_path / "shop" / "settings.py").open("a", encoding="utf-8") as file:
        file.write(SETTINGS.format(address))
    (tmp_path / "books").mkdir()
    for name, text in {"__init__": "", "models": LIST, "admin": blocks("python")[1]}.items():
        (tmp_path / "books" / f"{name}.py").write_text(text, encoding="utf-8")
    said = run([python, "manage.py", "shell", "-v", "0", "-c", VISIT], tmp_path)  # one process: each takes a second
    words = ["shop-books", "No changes detected", "200 True 1\n", "faults: 0", "Every table is as declared"]
    words += ['"Default":"shop"', "table/shop-books", "1 book read, 1 written", " were read:"]
    assert [each for each in words if each not in said] == []


def test_the_package_has_no_word_of_the_project_beside_it() -> None:
    for path in (ROOT / "dynamodb_lists").rglob("*"):
        if path.suffix in {".py", ".json", ".md"} and path != Path(__file__):
            text = path.read_text(encoding="utf-8")
            assert not HOTEL_WORDS.search(text), path
            assert "hotelapp" not in text, path
