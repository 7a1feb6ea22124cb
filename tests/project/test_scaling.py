"""``docs/scaling.md`` shows what ``manage.py estimate_cost`` prints. ``UPDATE_DOCS=1`` writes it anew."""

import os
import re
from io import StringIO
from pathlib import Path

from django.conf import settings
from django.core.management import call_command

DOCUMENT = Path(settings.BASE_DIR) / "docs" / "scaling.md"
ESTIMATE = re.compile(r"(?<=<!-- estimate -->\n).*?(?=<!-- end of estimate -->)", re.DOTALL)
COMMAND = re.compile(r"manage\.py (estimate_cost --.*)")


def test_the_estimate_in_the_document_is_what_the_command_prints() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    command = COMMAND.search(text)
    assert command
    out = StringIO()
    call_command(*command[1].split(), stdout=out)
    written = ESTIMATE.sub(lambda _: f"\n{out.getvalue().strip()}\n\n", text)
    if os.environ.get("UPDATE_DOCS"):
        DOCUMENT.write_text(written, encoding="utf-8")
    assert DOCUMENT.read_text(encoding="utf-8") == written
    assert "## Cost a month" in written
