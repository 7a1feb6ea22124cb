"""docs/compared.md says what each list costs; all of them return the same rows."""

import subprocess
import sys

import pytest
from django.conf import settings

from dynamodb_lists.tests.helpers import dynamodb_local


@pytest.mark.skipif(dynamodb_local.wanted(), reason="it starts an embedded engine")
def test_the_table_is_what_a_run_measures() -> None:
    command = [sys.executable, "-m", "compared", "2000", "--check"]
    done = subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
