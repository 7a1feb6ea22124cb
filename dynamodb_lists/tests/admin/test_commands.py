"""Commands: import a file by the declaration, and verify lists that nobody named."""

import re
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from dynamodb_lists import NotFound
from dynamodb_lists.connection.client import client
from dynamodb_lists.django import declaring
from dynamodb_lists.tests.admin.conftest import client_of
from dynamodb_lists.tests.admin.library.models import BOOKS, Book
from dynamodb_lists.tests.admin.pages import BOOKS_URL, CHANGE, Shown
from dynamodb_lists.tests.lists.test_inspection import BY_NAME, definition, run, stored

pytestmark = pytest.mark.usefixtures("migrated")


def said(*command: str) -> str:
    out = StringIO()
    call_command(*command, stdout=out, stderr=out)
    return out.getvalue()


def test_a_file_is_imported_by_the_declaration(tmp_path: Path) -> None:
    file = tmp_path / "books.csv"
    file.write_bytes(b"shelf;title;author;year\nC-1;One;Ann;1999\nC-2;Two;Bo;x\nC-1;Again;Ann;2000\nC-3;\xff;Bo;1\n")
    with pytest.raises(CommandError, match="3 rows refused; see .*books.rejected.csv"):
        said("import_csv", "books", str(file))
    assert (BOOKS.get(shelf="C-1").year, BOOKS.get(shelf="C-1").title) == (1999, "One")
    rejected = (tmp_path / "books.rejected.csv").read_text("utf-8", errors="replace").splitlines()
    assert rejected[1:3] == [
        "3,year cannot be 'x'.,C-2,Two,Bo,x",
        "4,line 2 already has the same book,C-1,Again,Ann,2000",
    ]
    assert rejected[3].startswith("5,not UTF-8,C-3,")
    file.write_text("line,reason,shelf,title,author,year\n3,corrected,C-1,One,Ann,1999\n", encoding="utf-8")
    assert said("import_csv", "books", str(file)) == "1 book read, 0 written, 1 left as they are.\n"
    with pytest.raises(CommandError, match="There is no list 'boks'. There are .*books"):
        said("import_csv", "boks", str(file))
    file.write_text("shelf,title\n", encoding="utf-8")
    with pytest.raises(CommandError, match="has no column author"):
        said("import_csv", "books", str(file))


def test_a_list_without_rules_of_its_own_is_verified(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(declaring, "lists_by_name", {"books": BOOKS})
    cost = (
        r"books: about [\d,]+ items, (?:[\d,]+|an unknown number of) read units, as DynamoDB counts every six hours\.\n"
    )
    assert re.match(cost + r"books: \d+ items read, faults: 0, repaired: 0\.\n", said("verify_data"))


def test_a_row_that_cannot_be_read_is_shown_as_it_is_stored_and_deleted_by_a_command(
    ada: Client, book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    key: Any = {"pk": {"S": "books"}, "sk": {"S": book.shelf}}
    client().update_item(
        TableName="books",
        Key=key,
        UpdateExpression="SET binding = :0",
        ExpressionAttributeValues={":0": {"S": "leather"}},
    )
    page = Shown(ada, f"{BOOKS_URL}?q=tolkien").soup
    assert "cannot be read: binding is 'leather'" in page.select_one("[data-misfits]").get_text()
    (link,) = page.select("[data-misfits] a")
    assert link["href"] == CHANGE
    shown = Shown(ada, CHANGE).soup
    assert "This item is no row of a list: The book books H-1 cannot be read" in shown.get_text()
    assert "leather" in [each.get_text().strip() for each in shown.select("#stored dd")]
    assert client_of("bo").get(CHANGE).status_code == 403
    monkeypatch.setattr(declaring, "lists_by_name", {"books": BOOKS})
    assert "H-1 cannot be read: binding is 'leather': reset or delete it, with --unread. Repaired." in said(
        "verify_data", "--repair", "--unread", "delete"
    )
    assert "faults: 0" in said("verify_data")
    with pytest.raises(NotFound):
        BOOKS.get(shelf="H-1")


def test_a_table_that_exists_is_inspected_and_checked(capsys: pytest.CaptureFixture[str]) -> None:
    design = BY_NAME["bank"]
    client().create_table(**definition(design))
    try:
        with pytest.raises(CommandError, match="There is no table bank, or it has no items"):
            said("inspect_table", "bank")
        for item in stored(design.items(Random(1))):
            client().put_item(TableName="bank", Item=item)
        printed = said("inspect_table", "bank")
        assert printed.startswith("# 140 of about 140 items of bank were read:\n# some of 30 segments of a Scan, ")
        client().put_item(TableName="bank", Item={"PK": {"S": "X"}, "SK": {"S": "Y"}})
        with run(printed), pytest.raises(CommandError):
            call_command("check_tables")
        assert "bank: 1 of 141 items fit no template: PK=X, SK=Y: no list has such a key." in capsys.readouterr().err
    finally:
        client().delete_table(TableName="bank")
