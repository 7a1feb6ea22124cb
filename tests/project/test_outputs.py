"""What a document says that a command or an expression prints is what it prints.

A block ``console`` has commands of ``manage.py`` after ``$``, each with its output, on demo data. A block ``pycon``
has a session of Python. ``...`` stands for what differs from run to run.
"""

import doctest
import re
import shlex
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command

from tests.helpers import contents
from tests.helpers.documents import BLOCK, DOCUMENTS, ROOT, blocks

COMMAND = re.compile(r"^\$ (?:\S*python )?manage\.py (.+)\n", re.MULTILINE)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
WITH_OUTPUT = [
    pytest.param(block, id=f"{path.relative_to(ROOT)}-{number}")
    for path in DOCUMENTS
    for number, block in enumerate(blocks(path, "console"))
]
SESSIONS = [path for path in DOCUMENTS if any(blocks(path, "pycon"))]


def same(wanted: str, printed: str) -> bool:
    return doctest.OutputChecker().check_output(wanted, printed, FLAGS)


def seed() -> None:
    call_command("seed_demo", rooms=[40, 20], guests=10, orders=30, reviews=20, stdout=StringIO())


def printed_by(command: str) -> str:
    name, *words = shlex.split(command)
    out = StringIO()
    call_command(name, *words, stdout=out, stderr=out)
    return out.getvalue().replace(settings.DYNAMODB_TABLE_PREFIX, "")


@pytest.mark.usefixtures("empty_tables")
@pytest.mark.django_db
@pytest.mark.parametrize("block", WITH_OUTPUT)
def test_a_command_prints_what_the_document_says(block: str) -> None:
    before, *parts = COMMAND.split(block)
    assert not before, "a block of this language begins with a command of manage.py"
    contents.start_from("documents", seed)
    for command, wanted in zip(parts[::2], parts[1::2], strict=True):
        printed = printed_by(command)
        assert same(wanted, printed), f"$ manage.py {command}\n{printed}"


@pytest.mark.parametrize("document", SESSIONS, ids=lambda path: path.name)
def test_a_session_of_python_prints_what_the_document_says(document: Path) -> None:
    text = "\n".join(blocks(document, "pycon"))
    session = doctest.DocTestParser().get_doctest(text, {}, document.name, str(document), 0)
    report = StringIO()
    assert doctest.DocTestRunner(optionflags=FLAGS).run(session, out=report.write).failed == 0, report.getvalue()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_no_other_block_claims_output(document: Path) -> None:
    for _, language, text in BLOCK.findall(document.read_text(encoding="utf-8")):
        assert language in {"console", "pycon"} or not re.search(r"^(\$|>>>) ", text, re.MULTILINE), text
