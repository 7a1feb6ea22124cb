"""The wheel works in an environment that has only its requirements, with Django and without."""

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest

from dynamodb_lists.connection import engine
from dynamodb_lists.tests.helpers.wheels import ROOT, built, installed, link, run

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
    """Return the blocks of code in the README."""
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def tables_at(address: str) -> dict[str, int]:
    """Return the tables of an engine, and how many items each has."""
    keys: Any = {"aws_access_key_id": "x", "aws_secret_access_key": "x"}
    sdk = boto3.client("dynamodb", region_name="us-east-1", endpoint_url=address, **keys)
    return {name: sdk.scan(TableName=name)["Count"] for name in sdk.list_tables()["TableNames"]}


def test_the_wheel_has_what_is_in_the_source_without_its_tests(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as content:
        names = {name for name in content.namelist() if ".dist-info/" not in name}
        (metadata,) = (content.read(name).decode() for name in content.namelist() if name.endswith("/METADATA"))
    assert README.splitlines()[0] in metadata
    assert not re.findall(r"\]\((?!https?:|#)", metadata), "no link that leads nowhere on a package index"
    source = [path.relative_to(ROOT) for path in (ROOT / "dynamodb_lists").rglob("*") if path.is_file()]
    assert names == {str(path) for path in source if not {"tests", "__pycache__"} & {*path.parts}}


def test_the_readme_runs_without_django(python: str, tmp_path: Path, address: str) -> None:
    (program,), (output,) = blocks("python"), blocks("text")
    (tmp_path / "books.py").write_text(program, encoding="utf-8")
    assert run([python, "books.py", address], tmp_path) == output
    assert len([line for line in program.splitlines() if line.strip()]) <= 30
    assert run([python, "-c", "import dynamodb_lists, sys; print('django' in sys.modules)"], tmp_path) == "False\n"


def test_the_example_runs(python: str, tmp_path: Path, address: str) -> None:
    said = run([python, str(ROOT / "examples" / "loans.py"), address], tmp_path)
    assert "Ann has 75 loans: {\"Children's books\": 25, 'History': 25, 'Poetry': 25}" in said
    assert "First due and not returned: N-0\nNow: N-5" in said


PROGRAM = """
from dataclasses import dataclass
from dynamodb_lists import Connection, List, Record, Table, configure
configure(endpoint_url="{}", secret="x", table_prefix="real-")
@dataclass(frozen=True, kw_only=True)
class Loan(Record):
    reader: str
    number: str
    state: str = ""
loans = List(Loan, id="number", owner="reader", facets="state")
copies = List(Loan, id="number", owner="reader", facets="state", connection=Connection("copy"))
LENT = Table("lent", key=("PK", "SK"), indexes=dict(by_state=("state", "SK")))
lent = List(Loan, id="number", table=LENT, key=("READER#{reader}", "{number}"), writes=True, name="lent")
"""
OF_PYTEST = """
import pytest
from program import Loan, copies, lent, loans
from dynamodb_lists import Refused
from dynamodb_lists.connection.client import client
@pytest.mark.parametrize("number", ["1", "2", "3"])
def test_rows(empty_tables, number):
    loans.create(Loan(reader="R", number=number))
    name, key = lent.declaration.of.name, {"PK": {"S": "READER#R"}, "SK": {"S": number}}
    client(name).put_item(TableName=name, Item={**key, "state": {"S": "out"}})
    (row,) = lent.query().where(state="out").page().rows
    lent.update(row, state="back")
    assert [each.number for each in loans.query(reader="R")] == [number]
    assert copies.query(reader="R").first() is None
@pytest.fixture
def without_tables(own_tables):
    client(loans.model.Meta.table_name).delete_table(TableName=loans.model.Meta.table_name)
    yield
    loans.create_table()
def test_who_asks_for_no_tables_is_told_so(without_tables):
    with pytest.raises(Refused, match="Tests get tables by the fixture empty_tables"):
        loans.create(Loan(reader="R", number="9"))
"""


def test_tests_under_pytest_have_tables_of_their_own(python: str, tmp_path: Path) -> None:
    """Each process of pytest-xdist has tables of its own. The program's own tables stay as they are."""
    (tmp_path / "test_program.py").write_text(OF_PYTEST, encoding="utf-8")
    with engine.start(engine.find_binary(ROOT), engine.free_port()) as running:
        program = PROGRAM.replace("{}", running.url)
        (tmp_path / "program.py").write_text(program, encoding="utf-8")
        run([python, "-c", f"{program}\nloans.create_table()\nloans.create(Loan(reader='R', number='0'))"], tmp_path)
        stored = tables_at(running.url)
        link(Path(python).parents[1], ["pytest", "pytest-xdist"])
        run([python, "-m", "pytest", "-q", "-n2", "-W", "error"], tmp_path)
        assert tables_at(running.url) == stored == {"real-loans": 4}


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


TESTS = """
from django.test import TestCase
from books.models import BOOKS, Book
from dynamodb_lists import NotConfigured
from dynamodb_lists.connection.client import client
from dynamodb_lists.testing import EmptyTables
class BookTest(EmptyTables, TestCase):
    def test_one(self) -> None:
        BOOKS.create(Book(number=self.id(), title="Persuasion", author="Austen", genre="A b"))
        self.assertEqual([book.number for book in BOOKS.query()], [self.id()])
    test_another = test_one
class ForgottenTest(TestCase):
    def test_other_tables_are_refused(self) -> None:
        for call in client().delete_table, client().scan:
            with self.assertRaisesRegex(NotConfigured, "A test does not use shop-books, but tables"):
                call(TableName="shop-books")
"""


ADMIN = """
from books.models import BOOKS
from dynamodb_lists.django.admin import ListAdmin, register


@register(BOOKS)
class BookAdmin(ListAdmin):
    list_display = ["title", "author", "genre", "year"]
    list_filter = ["genre", "language"]
    ordering = ["-year"]
    search_fields = ["title", "author"]
"""


def test_a_bare_django_project_has_the_commands_and_the_admin(wheel: Path, tmp_path: Path, address: str) -> None:
    python = installed(wheel, tmp_path, "django")
    run([python, "-m", "django", "startproject", "shop", "."], tmp_path)
    with (tmp_path / "shop" / "settings.py").open("a", encoding="utf-8") as file:
        file.write(SETTINGS.format(address))
    (tmp_path / "books").mkdir()
    for name, text in {"__init__": "", "models": LIST, "admin": ADMIN}.items():
        (tmp_path / "books" / f"{name}.py").write_text(text, encoding="utf-8")
    said = run([python, "manage.py", "shell", "-v", "0", "-c", VISIT], tmp_path)  # one process: each takes a second
    words = ["shop-books", "No changes detected", "200 True 1\n", "faults: 0", "Every table is as declared"]
    words += ['"Default":"shop"', "table/shop-books", "1 book read, 1 written", " were read:"]
    assert [each for each in words if each not in said] == []
    stored = tables_at(address)
    (tmp_path / "books" / "tests.py").write_text(TESTS, encoding="utf-8")
    link(tmp_path / "env", ["pytest", "pytest-django", "pytest-xdist"])
    run([python, "manage.py", "test"], tmp_path)
    run([python, "-m", "pytest", "--ds=shop.settings", "-n2", "-W", "error", "books/tests.py"], tmp_path)
    assert tables_at(address) == stored, "tests use tables of their own, and delete them"


def test_the_package_has_no_word_of_the_project_beside_it() -> None:
    for path in (ROOT / "dynamodb_lists").rglob("*"):
        if path.suffix in {".py", ".json", ".md"} and path != Path(__file__):
            text = path.read_text(encoding="utf-8")
            assert not HOTEL_WORDS.search(text), path
            assert "hotelapp" not in text, path
