"""The tables of items and indexes in docs/keys.md are what models declare. ``UPDATE_DOCS=1`` writes them anew."""

import os
import re
from pathlib import Path

from django.conf import settings

from tests.helpers import key_tables

DOCUMENT = Path(settings.BASE_DIR) / "docs" / "keys.md"
BLOCK = re.compile(r"(?<=<!-- )(items|indexes): ([\w-]+) -->\n.*?(?=<!-- end -->)", re.DOTALL)


def right(block: re.Match[str]) -> str:
    what, table = block.groups()
    return f"{what}: {table} -->\n{getattr(key_tables, what)(table)}\n"


def test_the_document_has_the_keys_that_models_declare() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    written = BLOCK.sub(right, text)
    if os.environ.get("UPDATE_DOCS"):
        DOCUMENT.write_text(written, encoding="utf-8")
    assert DOCUMENT.read_text(encoding="utf-8") == written
    assert len(BLOCK.findall(written)) == 6
    assert not re.search(r"\|\s*\|$", written, re.M), "each index says what it is for"
